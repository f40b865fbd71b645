// Computing with recorded values. What numpy can say is asked of numpy itself: the arrays go to it as files.
#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "profiler/tensors/bad_elements.hpp"
#include "profiler/tensors/comparison.hpp"
#include "profiler/tensors/element_text.hpp"
#include "profiler/tensors/elements.hpp"
#include "profiler/tensors/file_formats.hpp"
#include "profiler/tensors/image.hpp"
#include "profiler/tensors/statistics.hpp"
#include "profiler/tensors/ulp.hpp"
#include "tests/profiler/sample_profile.hpp"

namespace fusescope::tensors {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const std::vector<DType> kTypes = {DType::Bool,  DType::Int8,    DType::Int16,    DType::Int32,   DType::Int64,
                                   DType::UInt8, DType::Float16, DType::BFloat16, DType::Float32, DType::Float64};

template <class T>
Array array_of(DType dtype, const Shape& shape, const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    auto made = make_array(dtype, shape, std::move(bytes));
    EXPECT_TRUE(made);
    return made.value_or(Array{});
}

/// Any bits at all, so that NaNs, infinities and subnormals occur among the floats.
Array random_bits(DType dtype, const Shape& shape, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<std::byte> bytes(static_cast<std::size_t>(shape.count()) * size_of(dtype));
    for (std::byte& b : bytes) b = static_cast<std::byte>(dtype == DType::Bool ? random() & 1 : random());
    return *make_array(dtype, shape, std::move(bytes));
}

Array normal(DType dtype, const Shape& shape, unsigned seed, double scale = 1) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> draw(0, scale);
    const auto n = static_cast<std::size_t>(shape.count());
    if (dtype == DType::Float64) {
        std::vector<double> values(n);
        for (double& v : values) v = draw(random);
        return array_of(dtype, shape, values);
    }
    std::vector<float> wide(n);
    for (float& v : wide) v = static_cast<float>(draw(random));
    if (dtype == DType::Float32) return array_of(dtype, shape, wide);
    std::vector<std::uint16_t> half(n);
    for (std::size_t i = 0; i < n; ++i) {
        half[i] = dtype == DType::Float16 ? std::bit_cast<std::uint16_t>(static_cast<_Float16>(wide[i]))
                                          : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(wide[i]) >> 16);
    }
    return array_of(dtype, shape, half);
}

Sink into(std::string& text) {
    return [&text](std::span<const std::byte> bytes) {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
    };
}

/// numpy, given arrays as a, b, … from files that write_npy made. What the code prints comes back.
class Numpy {
 public:
    void give(const std::string& name, const Array& array) {
        std::ofstream file(folder_.path / (name + ".npy"), std::ios::binary);
        EXPECT_TRUE(write_npy(array, [&](std::span<const std::byte> bytes) {
            file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            return file.good();
        }));
        names_.push_back(name);
    }
    std::filesystem::path folder() const { return folder_.path; }

    std::string run(const std::string& code) {
        const auto script = folder_.path / "ask.py";
        {
            std::ofstream out(script);
            out << "import numpy as np\nnp.seterr(all='ignore')\n";
            for (const std::string& name : names_) {
                out << name << " = np.load(r'" << (folder_.path / (name + ".npy")).string() << "')\n";
            }
            out << code << "\n";
        }
        std::string answer;
        FILE* pipe = ::popen(("/usr/bin/python3 '" + script.string() + "' 2>&1").c_str(), "r");
        if (!pipe) return "no python";
        std::array<char, 4096> part;
        while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) answer.append(part.data(), n);
        ::pclose(pipe);
        while (!answer.empty() && answer.back() == '\n') answer.pop_back();
        return answer;
    }
    std::vector<double> numbers(const std::string& code) {
        const std::string answer = run(code);
        std::istringstream words(answer);
        std::vector<double> all;
        for (std::string word; words >> word;) {
            char* end = nullptr;
            all.push_back(std::strtod(word.c_str(), &end));
            EXPECT_EQ(*end, 0) << answer;
        }
        return all;
    }

 private:
    fusescope::testing::TemporaryFolder folder_;
    std::vector<std::string> names_;
};

void expect_near(double got, double wanted) {
    if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << got;
    } else {
        EXPECT_NEAR(got, wanted, 1e-9 * std::fabs(wanted) + 1e-300);
    }
}

}  // namespace

TEST(TensorArray, IsMadeOnlyOfAsManyBytesAsItsShapeSays) {
    EXPECT_TRUE(make_array(DType::Float32, {2, 3}, std::vector<std::byte>(24)));
    EXPECT_FALSE(make_array(DType::Float32, {2, 3}, std::vector<std::byte>(23)));
    EXPECT_TRUE(make_array(DType::Float32, {0, 3}, {}));
    EXPECT_FALSE(make_array(DType::Float32, {std::int64_t{1} << 62, 16}, {}));
}

TEST(TensorArray, ReadsShapesAsTheyAreWritten) {
    for (const Shape& shape : {Shape{}, Shape{4}, Shape{2, 3}, Shape{1, 0, 7, 8, 9, 10, 11}}) {
        const auto read = parse_shape(to_string(shape));
        ASSERT_TRUE(read) << to_string(shape);
        EXPECT_EQ(to_string(*read), to_string(shape));
    }
    for (const char* text : {"", "(", "2, 3", "(2 3)", "(-1,)", "(a)", "(2,,3)"})
        EXPECT_FALSE(parse_shape(text)) << text;
}

TEST(TensorNpy, IsWhatNumpyWrites) {
    // Bit for bit the file that numpy itself writes for the same array, for every type that numpy has.
    for (const DType dtype : kTypes) {
        for (const Shape& shape : {Shape{}, Shape{5}, Shape{3, 4}, Shape{2, 0, 3}, Shape{2, 3, 2, 2}}) {
            Numpy numpy;
            numpy.give("a", random_bits(dtype, shape, 7));
            const std::string answer = numpy.run(
                "import io\nf = io.BytesIO(); np.save(f, a)\n"
                "print(a.dtype, a.shape, open(r'" +
                (numpy.folder() / "a.npy").string() + "','rb').read() == f.getvalue())");
            const std::string name = dtype == DType::BFloat16 ? "Float32" : std::string(name_of(dtype));
            std::string lower;
            for (const char c : name) lower += static_cast<char>(std::tolower(c));
            EXPECT_EQ(answer, lower + " " + to_string(shape) + " True");
        }
    }
}

TEST(TensorNpy, HoldsEveryBFloat16Exactly) {
    std::vector<std::uint16_t> bits(65536);
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
    Numpy numpy;
    numpy.give("a", array_of(DType::BFloat16, {65536}, bits));
    EXPECT_EQ(numpy.run("print((a.view(np.uint32) == np.arange(65536, dtype=np.uint32) << 16).all())"), "True");
}

TEST(TensorCsv, NumpyReadsTheSameNumbers) {
    for (const DType dtype : kTypes) {
        const Array array = random_bits(dtype, {6, 5, 4}, 11);
        Numpy numpy;
        numpy.give("a", array);
        std::string text;
        ASSERT_TRUE(write_csv(array, into(text)));
        std::ofstream(numpy.folder() / "a.csv") << text;
        // Ints of 64 bits are read as such; a NaN's payload is not text.
        const std::string type = is_float(dtype) ? "np.float64" : "np.int64";
        EXPECT_EQ(
            numpy.run("b = np.loadtxt(r'" + (numpy.folder() / "a.csv").string() + "', delimiter=',', dtype=" + type +
                      ").reshape(a.shape).astype(a.dtype)\n"
                      "print(np.array_equal(a, b, equal_nan=a.dtype.kind == 'f'))"),
            dtype == DType::BFloat16 ? "False" : "True")
            << name_of(dtype);
        if (dtype == DType::BFloat16) {  // shortest for 16 bits: equal after rounding to them
            EXPECT_EQ(numpy.run("b = np.loadtxt(r'" + (numpy.folder() / "a.csv").string() +
                                "', delimiter=',').reshape(a.shape).astype(np.float32).view(np.uint32)\n"
                                "b = (b + 0x7fff + ((b >> 16) & 1)) & 0xffff0000\n"
                                "print(np.array_equal(a, b.astype(np.uint32).view(np.float32), equal_nan=True))"),
                      "True");
        }
    }
}

TEST(TensorFiles, TellWhenTheyCouldNotBeWrittenWhole) {
    const Array array = normal(DType::Float32, {300000}, 1);
    int calls = 0;
    const Sink full = [&](std::span<const std::byte>) { return ++calls < 3; };
    EXPECT_FALSE(write_npy(array, full));
    calls = 0;
    EXPECT_FALSE(write_csv(array, full));
    std::string text;
    EXPECT_FALSE(write_npy(array, into(text), [] { return true; }));
    EXPECT_FALSE(write_csv(array, into(text), [] { return true; }));
}

TEST(TensorStatistics, AreNumpys) {
    int asked = 0;
    for (const DType dtype : kTypes) {
        for (const bool wild : {false, true}) {
            if (!wild && !is_float(dtype)) continue;
            // Of random bits of Float64 the squares overflow, in numpy as here.
            if (wild && dtype == DType::Float64) continue;
            const Array array = wild ? random_bits(dtype, {70001}, 3) : normal(dtype, {300, 501}, 4, 3);
            const Statistics s = statistics(array);
            Numpy numpy;
            numpy.give("a", array);
            const auto n = numpy.numbers(
                "a = a.ravel(); d = a.astype(np.float64); f = d[np.isfinite(d)]\n"
                "bad = np.flatnonzero(~np.isfinite(d)); u = np.where(np.isfinite(d), d, np.inf)\n"
                "v = np.where(np.isfinite(d), d, -np.inf)\n"
                "print(d.size, np.isnan(d).sum(), np.isposinf(d).sum(), np.isneginf(d).sum(), (d == 0).sum(), (f < "
                "0).sum())\n"
                "print(bad[0] if bad.size else -1, u.argmin(), v.argmax())\n"
                "for x in (f.min(), f.max(), f.mean(), f.std()): print(repr(float(x)))");
            ASSERT_EQ(n.size(), 13u) << name_of(dtype);
            const std::int64_t counts[] = {s.count,    s.nan,       s.positive_inf, s.negative_inf, s.zero,
                                           s.negative, s.first_bad, s.min_at,       s.max_at};
            for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(static_cast<double>(counts[i]), n[i]) << name_of(dtype) << i;
            expect_near(s.min.value_or(kNan), n[9]);
            expect_near(s.max.value_or(kNan), n[10]);
            EXPECT_NEAR(s.mean.value_or(kNan), n[11], 1e-9 * n[12]) << name_of(dtype);
            expect_near(s.std.value_or(kNan), n[12]);
            ++asked;
        }
    }
    EXPECT_EQ(asked, 13);
}

TEST(TensorStatistics, OfNothingAreEmpty) {
    const Statistics s = statistics(*make_array(DType::Float32, {0, 4}, {}));
    EXPECT_EQ(s.count, 0);
    EXPECT_FALSE(s.min || s.mean || s.std);
    const Statistics bad = statistics(array_of(DType::Float32, {2}, std::vector<float>{NAN, -INFINITY}));
    EXPECT_EQ(bad.nan, 1);
    EXPECT_EQ(bad.negative_inf, 1);
    EXPECT_EQ(bad.first_bad, 0);
    EXPECT_FALSE(bad.min || bad.mean);
    const Statistics tiny = statistics(array_of(DType::Float16, {3}, std::vector<std::uint16_t>{1, 0x8001, 0x0400}));
    EXPECT_EQ(tiny.subnormal, 2);
}

TEST(TensorHistogram, IsNumpys) {
    for (const DType dtype : kTypes) {
        const bool floats = is_float(dtype);
        const Array array = floats ? normal(dtype, {120011}, 5, 2) : random_bits(dtype, {120011}, 6);
        const Histogram h = histogram(array, 64);
        Numpy numpy;
        numpy.give("a", array);
        std::ostringstream code;
        code.precision(17);
        code << "c, e = np.histogram(a.astype(np.float64), bins=" << h.bins.size() << ", range=(" << h.low << ", "
             << h.high << "))\nprint(*c)";
        const auto n = numpy.numbers(code.str());
        ASSERT_EQ(n.size(), h.bins.size());
        for (std::size_t i = 0; i < n.size(); ++i)
            EXPECT_EQ(static_cast<double>(h.bins[i]), n[i]) << name_of(dtype) << i;
        EXPECT_EQ(h.bad + h.outside, 0);
        EXPECT_EQ(h.bins.size(), dtype == DType::Bool ? 2u : 64u);
    }
}

TEST(TensorHistogram, CountsWhatHasNoBin) {
    const Array array = array_of(DType::Float32, {6}, std::vector<float>{NAN, INFINITY, -5, 0, 1, 5});
    const Histogram h = histogram(array, 4, {{0.0, 4.0}});
    EXPECT_THAT(h.bins, ElementsAre(1, 1, 0, 0));
    EXPECT_EQ(h.outside, 2);
    EXPECT_EQ(h.bad, 2);
    const Histogram one = histogram(array_of(DType::Float64, {3}, std::vector<double>{7, 7, 7}), 5);
    EXPECT_EQ(one.largest(), 3);
    EXPECT_LT(one.low, 7);
    const Histogram wide = histogram(array_of(DType::Float64, {3}, std::vector<double>{-1.7e308, 0, 1.7e308}), 3);
    EXPECT_THAT(wide.bins, ElementsAre(1, 1, 1));
    EXPECT_THAT(histogram(*make_array(DType::Float32, {0}, {}), 3).bins, ElementsAre(0, 0, 0));
}

TEST(TensorSlice, ShowsTheElementsThatNumpyWould) {
    const Shape shape{3, 4, 5, 6};
    std::vector<std::int32_t> values(360);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
    Numpy numpy;
    numpy.give("a", array_of(DType::Int32, shape, values));
    int asked = 0;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) {
            if (row == column) continue;
            const Slice slice(shape, row, column, {2, 1, 3, 4});
            std::string at;
            const int index[] = {2, 1, 3, 4};
            for (int axis = 0; axis < 4; ++axis) {
                at += axis == row || axis == column ? ":," : std::to_string(index[axis]) + ",";
            }
            const auto n = numpy.numbers("s = a[" + at + "]\nprint(*" + (row < column ? "s" : "s.T") + ".ravel())");
            ASSERT_EQ(static_cast<std::int64_t>(n.size()), slice.rows() * slice.columns());
            for (std::int64_t r = 0; r < slice.rows(); ++r) {
                for (std::int64_t c = 0; c < slice.columns(); ++c) {
                    EXPECT_EQ(static_cast<double>(slice.flat(r, c)),
                              n[static_cast<std::size_t>(r * slice.columns() + c)]);
                }
            }
            for (std::int64_t flat = 0; flat < 360; ++flat) {
                const auto spot = slice.showing(flat);
                EXPECT_EQ(spot.slice.flat(spot.row, spot.column), flat);
            }
            ++asked;
        }
    }
    EXPECT_EQ(asked, 12);
}

TEST(TensorSlice, BreaksVectorsIntoRowsAndPutsNonsenseRight) {
    const Slice slice(Shape{23}, 10);
    EXPECT_EQ(slice.rows(), 3);
    EXPECT_EQ(slice.columns(), 10);
    EXPECT_EQ(slice.flat(2, 2), 22);
    EXPECT_EQ(slice.flat(2, 3), -1);
    EXPECT_EQ(slice.showing(17).row, 1);
    EXPECT_EQ(slice.showing(17).column, 7);
    EXPECT_EQ(Slice(Shape{}).rows(), 1);
    EXPECT_EQ(Slice(Shape{}).flat(0, 0), 0);
    EXPECT_EQ(Slice(Shape{3, 0}).rows(), 0);
    const Slice wrong(Shape{2, 3}, 7, 7, {9, 9, 9});
    EXPECT_EQ(wrong.rows(), 1);
    EXPECT_EQ(wrong.columns(), 3);
    EXPECT_EQ(wrong.flat(0, 0), 3);  // the other axis stands at its end
    const Slice column(Shape{7, 3}, 0, -1, {0, 1}, 4);
    EXPECT_EQ(column.rows(), 2);
    EXPECT_EQ(column.flat(1, 0), 13);
}

TEST(TensorGrid, AveragesBlocksAndKeepsWhatIsBad) {
    Array array = normal(DType::Float32, {37, 53}, 8);
    Numpy numpy;
    numpy.give("a", array);
    const Grid g = grid(array, Slice(array.shape), 10);
    ASSERT_EQ(g.rows, 10);
    ASSERT_EQ(g.columns, 9);
    const auto n = numpy.numbers(
        "a = a.astype(np.float64)\n"
        "print(*[a[r:r+4, c:c+6].mean() for r in range(0, 37, 4) for c in range(0, 53, 6)])");
    ASSERT_EQ(n.size(), g.values.size());
    for (std::size_t i = 0; i < n.size(); ++i) EXPECT_NEAR(g.values[i], n[i], 1e-12);
    EXPECT_EQ(g.low, *std::min_element(g.values.begin(), g.values.end()));

    const Array bad = array_of(DType::Float32, {2, 4}, std::vector<float>{NAN, 1, INFINITY, -INFINITY, 2, 3, NAN, 4});
    const Grid b = grid(bad, Slice(bad.shape), 2);
    EXPECT_EQ(b.bad_elements, 4);
    ASSERT_EQ(b.values.size(), 4u);
    EXPECT_EQ(b.values[0], 1);
    EXPECT_EQ(b.bad[0], Grid::kNan);
    EXPECT_EQ(b.bad[1], Grid::kPositiveInf | Grid::kNegativeInf);
    EXPECT_EQ(b.values[2], 2.5);
    const Grid rest = grid(normal(DType::Float32, {7}, 1), Slice(Shape{7}, 4), 100);
    EXPECT_EQ(rest.bad.back(), Grid::kNothing);
}

TEST(TensorBad, AreFoundInOrderAndOneAfterTheOther) {
    const Array array = array_of(DType::Float64, {2, 3}, std::vector<double>{0, kNan, 1, kInf, -kInf, 2});
    EXPECT_THAT(bad_elements(array, 10), ElementsAre(BadElement{1, BadKind::nan}, BadElement{3, BadKind::positive_inf},
                                                     BadElement{4, BadKind::negative_inf}));
    EXPECT_THAT(bad_elements(array, 1), ElementsAre(BadElement{1, BadKind::nan}));
    EXPECT_EQ(next_bad(array, -1, true), 1);
    EXPECT_EQ(next_bad(array, 1, true), 3);
    EXPECT_EQ(next_bad(array, 4, true), 1);
    EXPECT_EQ(next_bad(array, 1, false), 4);
    EXPECT_EQ(next_bad(array, -1, false), 4);
    EXPECT_EQ(next_bad(normal(DType::Float32, {8}, 1), 0, true), -1);
    EXPECT_THAT(bad_elements(random_bits(DType::Int32, {8}, 1), 9), IsEmpty());
}

TEST(TensorComparison, IsNumpys) {
    for (const DType dtype : {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64}) {
        const Array a = normal(dtype, {40, 500}, 21), b = normal(dtype, {40, 500}, 22);
        const Comparison c = compare(a, b, 32);
        Numpy numpy;
        numpy.give("a", a);
        numpy.give("b", b);
        const auto n = numpy.numbers(
            "x = a.astype(np.float64).ravel(); y = b.astype(np.float64).ravel(); d = y - x; s = np.abs(d)\n"
            "r = s / np.maximum(np.abs(x), np.abs(y))\n"
            "for v in ((x == y).sum(), s.max(), s.mean(), np.sqrt((d * d).mean()), r.max(), r.mean(), s.argmax(), "
            "r.argmax()):\n"
            "    print(repr(float(v)))\n"
            "print(*np.histogram(d, bins=32)[0])");
        ASSERT_EQ(n.size(), 40u);
        EXPECT_EQ(static_cast<double>(c.equal), n[0]);
        EXPECT_EQ(c.finite_pairs, 20000);
        expect_near(c.max_absolute, n[1]);
        expect_near(c.mean_absolute, n[2]);
        expect_near(c.root_mean_square, n[3]);
        expect_near(c.max_relative, n[4]);
        expect_near(c.mean_relative, n[5]);
        EXPECT_EQ(static_cast<double>(c.max_absolute_at), n[6]);
        EXPECT_EQ(static_cast<double>(c.max_relative_at), n[7]);
        ASSERT_EQ(c.errors.bins.size(), 32u);
        for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(static_cast<double>(c.errors.bins[i]), n[8 + i]);
    }
}

TEST(TensorComparison, CountsUlpsAsNumpysNextAfterDoes) {
    // Numbers that are known to lie k steps apart, because numpy stepped them.
    const Array a = normal(DType::Float32, {64}, 31);
    Numpy numpy;
    numpy.give("a", a);
    numpy.run(
        "b = a.copy()\nfor k in range(64):\n    for _ in range(k): b[k] = np.nextafter(b[k], np.float32(np.inf))\n"
        "b.tofile(r'" +
        (numpy.folder() / "b.bin").string() + "')");
    std::ifstream file(numpy.folder() / "b.bin", std::ios::binary);
    std::vector<float> stepped(64);
    file.read(reinterpret_cast<char*>(stepped.data()), 256);
    const Array b = array_of(DType::Float32, {64}, stepped);
    const Comparison c = compare(a, b, 8);
    EXPECT_EQ(c.max_ulp, 63u);
    EXPECT_EQ(c.max_ulp_at, 63);
    EXPECT_EQ(c.mean_ulp, 31.5);
    EXPECT_THAT(c.ulps, ElementsAre(1, 1, 2, 4, 8, 16, 32));
    const Grid g = difference_grid(a, b, Slice(Shape{64}), Measure::ulp, 64);
    for (std::size_t k = 0; k < 64; ++k) EXPECT_EQ(g.values[k], static_cast<double>(k));
}

TEST(TensorComparison, CrossesZeroTypesAndInfinities) {
    const Array a = array_of(DType::Float32, {5}, std::vector<float>{-0.0f, NAN, INFINITY, 1, 2});
    const Array b = array_of(DType::Float32, {5}, std::vector<float>{0.0f, NAN, -INFINITY, NAN, 2});
    const Comparison c = compare(a, b, 4);
    EXPECT_EQ(c.equal, 3);
    EXPECT_EQ(c.bad_in_one, 2);
    EXPECT_EQ(c.first_difference, 2);
    EXPECT_EQ(c.finite_pairs, 2);
    EXPECT_EQ(c.max_ulp, 0u);
    EXPECT_EQ(c.max_absolute_at, -1);
    const Grid g = difference_grid(a, b, Slice(Shape{5}), Measure::absolute, 9);
    EXPECT_EQ(g.bad[2], Grid::kNegativeInf);
    EXPECT_EQ(g.bad[3], Grid::kNan);
    EXPECT_EQ(g.bad[1], 0);

    // Rounded to the coarser type first, the two are the same.
    const Array fine = array_of(DType::Float32, {1}, std::vector<float>{1.00001f});
    const Array coarse = array_of(DType::Float16, {1}, std::vector<std::uint16_t>{0x3c00});
    const Comparison mixed = compare(fine, coarse, 4);
    EXPECT_EQ(mixed.ulp_type, DType::Float16);
    EXPECT_EQ(mixed.max_ulp, 0u);
    EXPECT_GT(mixed.max_absolute, 0);

    const Array p = array_of(DType::Int64, {2}, std::vector<std::int64_t>{(std::int64_t{1} << 60), 4});
    const Array q = array_of(DType::Int64, {2}, std::vector<std::int64_t>{(std::int64_t{1} << 60) + 1, 4});
    const Comparison ints = compare(p, q, 4);
    EXPECT_EQ(ints.equal, 1);
    EXPECT_EQ(ints.max_absolute, 1);
    EXPECT_FALSE(ints.ulp_type);
    EXPECT_THAT(ints.ulps, IsEmpty());
}

TEST(TensorElement, ShortestTextReadsBackAsTheSameBits) {
    for (const DType dtype : kTypes) {
        const Array array = random_bits(dtype, {3000}, 41);
        int looked = 0;
        for (std::int64_t i = 0; i < array.count(); ++i) {
            const std::string text = text_of(array, i);
            if (!is_float(dtype)) {
                if (dtype != DType::Bool) {
                    EXPECT_EQ(text, std::to_string(static_cast<std::int64_t>(with_elements(
                                        array, [&](const auto& e) { return static_cast<std::int64_t>(e.raw(i)); }))));
                }
                ++looked;
                continue;
            }
            const double v = with_elements(array, [&](const auto& number) { return number(i); });
            if (!std::isfinite(v)) continue;
            EXPECT_EQ(rank_in(dtype, std::strtod(text.c_str(), nullptr)), rank_in(dtype, v)) << text;
            EXPECT_EQ(std::strtod(exact_text_of(array, i).c_str(), nullptr), v);
            ++looked;
        }
        EXPECT_GT(looked, 2000) << name_of(dtype);
    }
}

TEST(TensorElement, IsCutIntoItsFields) {
    const Array f = array_of(DType::Float32, {3}, std::vector<float>{1.0f, 0.1f, -0.0f});
    EXPECT_EQ(binary_of(f, 0), "0 01111111 00000000000000000000000");
    EXPECT_EQ(hex_of(f, 1), "0x3dcccccd");
    EXPECT_EQ(text_of(f, 1), "0.1");
    EXPECT_EQ(exact_text_of(f, 1), "0.100000001490116119384765625");
    EXPECT_EQ(fields_of(f, 1).power, -4);
    EXPECT_TRUE(fields_of(f, 2).subnormal);
    EXPECT_EQ(text_of(f, 2), "-0");
    EXPECT_EQ(exact_text_of(f, 0), "1.0");
    const Array h = array_of(DType::Float16, {3}, std::vector<std::uint16_t>{0x2e66, 0x7c00, 0xfe00});
    EXPECT_EQ(text_of(h, 0), "0.1");
    EXPECT_EQ(binary_of(h, 0), "0 01011 1001100110");
    EXPECT_EQ(text_of(h, 1), "inf");
    EXPECT_TRUE(fields_of(h, 1).special);
    EXPECT_EQ(text_of(h, 2), "nan");
    const Array b = array_of(DType::BFloat16, {1}, std::vector<std::uint16_t>{0x3dcd});
    EXPECT_EQ(text_of(b, 0), "0.1");
    EXPECT_EQ(binary_of(b, 0), "0 01111011 1001101");
    const Array d = array_of(DType::Float64, {1}, std::vector<double>{5e-324});
    EXPECT_EQ(text_of(d, 0), "5e-324");
    EXPECT_EQ(fields_of(d, 0).power, -1022);
    const Array i = array_of(DType::Int8, {1}, std::vector<std::int8_t>{-2});
    EXPECT_EQ(binary_of(i, 0), "11111110");
    EXPECT_EQ(hex_of(i, 0), "0xfe");
    EXPECT_EQ(text_of(array_of(DType::Bool, {1}, std::vector<std::uint8_t>{1}), 0), "True");
}

TEST(TensorImage, TakesChannelsFromEitherEnd) {
    EXPECT_EQ(likely_layout({8, 3, 32, 32}), ImageLayout::channels_height_width);
    EXPECT_EQ(likely_layout({32, 32, 3}), ImageLayout::height_width_channels);
    EXPECT_EQ(likely_layout({28, 28}), ImageLayout::height_width);
    EXPECT_EQ(pictures({8, 3, 32, 32}, ImageLayout::channels_height_width), 8);
    EXPECT_EQ(pictures({8, 3, 32, 32}, ImageLayout::height_width), 24);
    EXPECT_EQ(channels({8, 3, 32, 32}, ImageLayout::channels_height_width), 3);

    // One pixel red, one blue, as (2, 1, 2, 3) and as (2, 3, 1, 2); before them a black picture.
    const Array last =
        array_of(DType::UInt8, {2, 1, 2, 3}, std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255});
    const Array first =
        array_of(DType::UInt8, {2, 3, 1, 2}, std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255});
    for (const auto& [array, layout] :
         {std::pair(last, ImageLayout::height_width_channels), std::pair(first, ImageLayout::channels_height_width)}) {
        const Picture p = picture(array, layout, 1, -1, ImageRange::bytes, 64);
        EXPECT_EQ(p.width, 2);
        EXPECT_EQ(p.height, 1);
        EXPECT_THAT(p.rgb, ElementsAre(255, 0, 0, 0, 0, 255));
        EXPECT_THAT(picture(array, layout, 1, 2, ImageRange::bytes, 64).rgb, ElementsAre(0, 0, 0, 255, 255, 255));
    }
}

TEST(TensorImage, StretchesTheRangeAndMarksWhatIsNoColour) {
    const Array array = array_of(DType::Float32, {2, 2}, std::vector<float>{-1, 0, 1, NAN});
    const Picture p = picture(array, ImageLayout::height_width, 0, -1, ImageRange::data, 64);
    EXPECT_THAT(p.rgb, ElementsAre(0, 0, 0, 128, 128, 128, 255, 255, 255, 255, 0, 255));
    EXPECT_EQ(p.black, -1);
    EXPECT_EQ(p.white, 1);
    EXPECT_EQ(
        picture(normal(DType::Float32, {400, 300}, 1), ImageLayout::height_width, 0, -1, ImageRange::unit, 100).width,
        75);
    EXPECT_EQ(
        picture(*make_array(DType::Float32, {0, 4}, {}), ImageLayout::height_width, 0, -1, ImageRange::unit, 9).width,
        0);
}

TEST(TensorWork, EndsSoonWhenNobodyWantsIt) {
    const Array array = normal(DType::Float32, {2048, 2048}, 1);
    int asked = 0;
    const Stale stale = [&] { return ++asked > 2; };
    statistics(array, stale);
    histogram(array, 10, {}, stale);
    grid(array, Slice(array.shape), 100, stale);
    compare(array, array, 10, stale);
    EXPECT_LT(asked, 20);
}

}  // namespace fusescope::tensors
