// Every elementwise row of the op table: the eager loop against an interpreter of the row's Program, bit for bit, over
// all dtypes, sizes round the lane edges, broadcasting, and values that break careless code.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "engine/core/broadcast.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"
#include "tests/engine/program_interpreter.hpp"

namespace fusescope {
namespace {

/// Attributes of ops that demand some.
std::vector<Attrs> attributes_of(const OpDef& op) {
    if (op.name() == "Threshold") return {Attrs{0.5, -2.0}};
    if (op.name() == "GeLU") return {Attrs{std::string("none")}, Attrs{std::string("tanh")}};
    if (op.name() == "Round") return {Attrs{std::int64_t{0}}, Attrs{std::int64_t{2}}, Attrs{std::int64_t{-1}}};
    if (op.name() == "Cast") {
        std::vector<Attrs> all;
        for (int d = 0; d < kDTypeCount; ++d) all.push_back(Attrs{static_cast<DType>(d)});
        return all;
    }
    return {op.defaults()};
}

/// A value for place k: the awkward ones first and again now and then, ordinary ones between.
double value_at(DType dtype, std::mt19937& random, std::int64_t k) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    static constexpr double floats[] = {0.0, -0.0,  1.0,    -1.0, inf,   -inf, nan,    0.5,  -0.5,
                                        2.5, 1e-42, -1e-42, 3e38, -3e38, 88.5, -100.0, 1e-3, 6.0};
    static constexpr double ints[] = {0, 1, -1, 2, -2, 127, -128, 7, -7, 31, 100};
    if (dtype == DType::Bool) return static_cast<double>(random() % 2);
    if (is_float(dtype)) {
        if (random() % 3 == 0) return floats[(static_cast<std::size_t>(k) + random()) % std::size(floats)];
        return std::normal_distribution<double>(0, 2)(random);
    }
    double v =
        random() % 2 ? ints[random() % std::size(ints)] : static_cast<double>(static_cast<int>(random() % 41) - 20);
    if (dtype == DType::UInt8) v = std::fabs(v);
    return v;
}

Tensor sample(DType dtype, const Shape& shape, std::mt19937& random) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.count()) * size_of(dtype) + 8);
    for (std::int64_t i = 0; i < shape.count(); ++i) store_double(dtype, bytes.data(), i, value_at(dtype, random, i));
    return Tensor::from_bytes(dtype, shape, bytes.data());
}

/// Offset of the element of a broadcast operand that belongs to element `flat` of the result.
std::int64_t source_of(std::int64_t flat, const Shape& result, const Shape& operand) {
    std::int64_t at = 0, stride = 1;
    for (int k = result.rank() - 1; k >= 0; --k) {
        const std::int64_t place = flat % result[static_cast<std::size_t>(k)];
        flat /= result[static_cast<std::size_t>(k)];
        const int own = k - (result.rank() - operand.rank());
        if (own < 0) continue;
        const std::int64_t extent = operand[static_cast<std::size_t>(own)];
        at += (extent == 1 ? 0 : place) * stride;
        stride *= extent;
    }
    return at;
}

bool same_bits(DType dtype, const void* a, const void* b, std::int64_t i) {
    const std::size_t size = size_of(dtype);
    const auto* x = static_cast<const char*>(a) + static_cast<std::size_t>(i) * size;
    const auto* y = static_cast<const char*>(b) + static_cast<std::size_t>(i) * size;
    if (std::memcmp(x, y, size) == 0) return true;
    return is_float(dtype) && std::isnan(load_double(dtype, a, i)) && std::isnan(load_double(dtype, b, i));
}

/// Which operand is declared as a mask.
bool is_mask(const OpDef& op, std::size_t i) { return op.schema.operands[i].accept == Accept::boolean; }

bool takes(const OpDef& op, DType dtype) {
    for (const Operand& o : op.schema.operands) {
        if (o.accept == Accept::boolean) continue;
        if (o.accept == Accept::floating) return is_float(dtype);
        if (o.accept == Accept::integer) return is_int(dtype);
        if (o.accept == Accept::integer_or_bool) return is_int(dtype) || dtype == DType::Bool;
        if (o.accept == Accept::number) return dtype != DType::Bool;
    }
    return true;
}

void check(const OpDef& op, const Attrs& attrs, DType dtype, std::span<const Shape> shapes, std::mt19937& random) {
    std::vector<Tensor> in;
    std::vector<DType> dtypes;
    for (std::size_t i = 0; i < op.schema.operands.size(); ++i) {
        const DType d = is_mask(op, i) ? DType::Bool : dtype;
        in.push_back(sample(d, shapes[i % shapes.size()], random));
        dtypes.push_back(d);
    }
    const Tensor out = apply1(op, in, attrs);
    const expr::Program program = op.element(dtypes, attrs);
    ASSERT_FALSE(program.steps.empty()) << op.name() << " has no Program for " << name_of(dtype);
    std::vector<unsigned char> expected(static_cast<std::size_t>(out.count()) * size_of(out.dtype()) + 8);
    for (std::int64_t i = 0; i < out.count(); ++i) {
        std::vector<testing::Register> registers;
        for (const Tensor& t : in) {
            registers.push_back(testing::load_register(t.dtype(), t.data(), source_of(i, out.shape(), t.shape())));
        }
        testing::store_register(out.dtype(), expected.data(), i, testing::interpret(program, registers)[0]);
        ASSERT_TRUE(same_bits(out.dtype(), out.data(), expected.data(), i))
            << op.name() << " of " << name_of(dtype) << " " << to_string(out.shape()) << " at " << i << ": eager "
            << load_double(out.dtype(), out.data(), i) << ", program " << load_double(out.dtype(), expected.data(), i)
            << " from " << load_double(in[0].dtype(), in[0].data(), source_of(i, out.shape(), in[0].shape())) << " and "
            << load_double(in.back().dtype(), in.back().data(), source_of(i, out.shape(), in.back().shape()));
    }
}

TEST(ElementwiseOps, EagerLoopsComputeWhatTheProgramSays) {
    std::mt19937 random(7);
    int ops = 0, pairs = 0;
    for (const OpDef& op : OpTable::get().rows()) {
        if (!op.elementwise()) continue;
        ++ops;
        for (const Attrs& attrs : attributes_of(op)) {
            for (int d = 0; d < kDTypeCount; ++d) {
                const DType dtype = static_cast<DType>(d);
                if (!takes(op, dtype)) continue;
                ++pairs;
                const Shape sizes[] = {{1}, {7}, {8}, {33}, {70}};
                for (const Shape& s : sizes) check(op, attrs, dtype, {&s, 1}, random);
                if (op.schema.operands.size() > 1) {
                    const Shape outer[] = {{5, 1}, {1, 9}, {9}};
                    check(op, attrs, dtype, outer, random);
                    const Shape scalar[] = {{3, 11}, {}, {11}};
                    check(op, attrs, dtype, scalar, random);
                }
                if (HasFatalFailure()) return;
            }
        }
    }
    EXPECT_GE(ops, 80);
    EXPECT_GE(pairs, 400);
}

TEST(ElementwiseOps, LargeTensorsAreSplitBetweenThreadsWithoutATrace) {
    std::mt19937 random(3);
    for (const char* name : {"Add", "Tanh", "Select", "Less"}) {
        const Shape shape{300, 401};
        check(*OpTable::get().find(name), {}, DType::Float32, {&shape, 1}, random);
    }
}

struct Reference {
    const char* op;
    long double (*f)(long double);
    double low, high;
    double ulps;  ///< of the result, in the dtype
};

long double logistic(long double x) { return 1 / (1 + expl(-x)); }
long double normal_share(long double x) { return x * 0.5L * erfcl(-x / sqrtl(2)); }
long double silu(long double x) { return x * logistic(x); }
long double soft(long double x) { return fmaxl(x, 0) + log1pl(expl(-fabsl(x))); }

constexpr Reference kReferences[] = {
    {"Abs", [](long double x) { return fabsl(x); }, -9, 9, 0},
    {"Exp", [](long double x) { return expl(x); }, -20, 20, 1},
    {"Expm1", [](long double x) { return expm1l(x); }, -5, 5, 1},
    {"Exp2", [](long double x) { return exp2l(x); }, -9, 9, 1},
    {"Log", [](long double x) { return logl(x); }, 1e-6, 50, 1},
    {"Log1p", [](long double x) { return log1pl(x); }, -0.9, 50, 1},
    {"Log2", [](long double x) { return log2l(x); }, 1e-6, 50, 1},
    {"Log10", [](long double x) { return log10l(x); }, 1e-6, 50, 1},
    {"Sqrt", [](long double x) { return sqrtl(x); }, 0, 99, 0.5},
    {"Rsqrt", [](long double x) { return 1 / sqrtl(x); }, 1e-3, 99, 1.5},
    {"Cbrt", [](long double x) { return cbrtl(x); }, -9, 9, 1},
    {"Sin", [](long double x) { return sinl(x); }, -9, 9, 1},
    {"Cos", [](long double x) { return cosl(x); }, -9, 9, 1},
    {"Tan", [](long double x) { return tanl(x); }, -1.5, 1.5, 1},
    {"Asin", [](long double x) { return asinl(x); }, -1, 1, 1},
    {"ACos", [](long double x) { return acosl(x); }, -1, 1, 1},
    {"Atan", [](long double x) { return atanl(x); }, -20, 20, 1},
    {"Sinh", [](long double x) { return sinhl(x); }, -9, 9, 1},
    {"Cosh", [](long double x) { return coshl(x); }, -9, 9, 1},
    {"Tanh", [](long double x) { return tanhl(x); }, -9, 9, 1},
    {"Asinh", [](long double x) { return asinhl(x); }, -9, 9, 1.5},
    {"Acosh", [](long double x) { return acoshl(x); }, 1, 9, 1.5},
    {"Atanh", [](long double x) { return atanhl(x); }, -0.99, 0.99, 1.5},
    {"Erf", [](long double x) { return erfl(x); }, -4, 4, 1},
    {"Erfc", [](long double x) { return erfcl(x); }, -4, 4, 1.5},
    {"Sigmoid", logistic, -20, 20, 3},
    {"SiLU", silu, -20, 20, 4},
    {"GeLU", normal_share, -1, 30, 6},
    {"Softplus", soft, -15, 15, 4},
    {"Reciprocal", [](long double x) { return 1 / x; }, 0.1, 9, 0.5},
    {"Square", [](long double x) { return x * x; }, -9, 9, 0.5},
    {"Floor", [](long double x) { return floorl(x); }, -9, 9, 0},
    {"Ceil", [](long double x) { return ceill(x); }, -9, 9, 0},
    {"Trunc", [](long double x) { return truncl(x); }, -9, 9, 0},
    {"Round", [](long double x) { return rintl(x); }, -9, 9, 0},
    {"Neg", [](long double x) { return -x; }, -9, 9, 0},
};

/// Distance of neighbouring values of the dtype near v.
long double spacing(DType dtype, long double v) {
    const int digits = dtype == DType::Float64 ? 53 : dtype == DType::Float32 ? 24 : dtype == DType::Float16 ? 11 : 8;
    const int lowest = dtype == DType::Float64 ? -1022 : dtype == DType::Float16 ? -14 : -126;
    const int exponent = std::max(v == 0 ? lowest : ilogbl(v), lowest);
    return ldexpl(1, exponent - digits + 1);
}

TEST(ElementwiseOps, AreWithinUlpsOfLongDouble) {
    int compared = 0;
    std::mt19937 random(11);
    for (const Reference& r : kReferences) {
        const OpDef* op = OpTable::get().find(r.op);
        ASSERT_NE(op, nullptr) << r.op;
        for (DType dtype : {DType::Float16, DType::BFloat16, DType::Float32, DType::Float64}) {
            const std::int64_t n = 500;
            std::vector<unsigned char> bytes(static_cast<std::size_t>(n) * 8);
            std::uniform_real_distribution<double> range(r.low, r.high);
            for (std::int64_t i = 0; i < n; ++i) store_double(dtype, bytes.data(), i, range(random));
            const Tensor x = Tensor::from_bytes(dtype, Shape{n}, bytes.data());
            const Tensor y = apply1(*op, {&x, 1}, op->defaults());
            for (std::int64_t i = 0; i < n; ++i) {
                const double from = load_double(dtype, x.data(), i);
                const long double want = r.f(static_cast<long double>(from));
                const long double got = load_double(dtype, y.data(), i);
                if (dtype == DType::Float16 && fabsl(want) > 65504) {
                    ASSERT_GE(fabsl(got), 65504.0L) << r.op << "(" << from << ")";
                    ++compared;
                    continue;
                }
                // Half types are computed in Float32: half a unit of the half type, and a little.
                const bool half = dtype == DType::Float16 || dtype == DType::BFloat16;
                const long double bound = (half ? std::min(r.ulps, 0.51) : r.ulps) + (half || r.ulps > 0 ? 0.02 : 0);
                ASSERT_LE(fabsl(got - want), bound * spacing(dtype, want))
                    << r.op << "(" << from << ") in " << name_of(dtype) << " gives " << static_cast<double>(got)
                    << ", expected " << static_cast<double>(want);
                ++compared;
            }
        }
    }
    EXPECT_GE(compared, 36 * 4 * 500);
}

float one(const char* name, std::vector<float> operands) {
    std::vector<Tensor> in;
    for (float v : operands) in.push_back(Tensor::from_bytes(DType::Float32, {}, &v));
    const OpDef& op = *OpTable::get().find(name);
    return *apply1(op, in, op.defaults()).data_as<float>();
}

TEST(ElementwiseOps, LetNaNThroughAndKeepTheirLimits) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const char* name :
         {"ReLU", "ReLU6", "HardTanh", "Sign", "GeLU", "SiLU", "Sigmoid", "Softplus", "Mish", "HSwish", "Elu"}) {
        EXPECT_TRUE(std::isnan(one(name, {nan}))) << name;
    }
    for (const char* name : {"Maximum", "Minimum"}) {
        EXPECT_TRUE(std::isnan(one(name, {nan, 1}))) << name;
        EXPECT_TRUE(std::isnan(one(name, {1, nan}))) << name;
    }
    for (const char* name : {"GeLU", "SiLU", "Mish"}) {
        EXPECT_EQ(one(name, {-inf}), 0) << name;
        EXPECT_EQ(one(name, {inf}), inf) << name;
        EXPECT_EQ(one(name, {-1e30f}), 0) << name;
        EXPECT_EQ(one(name, {1e30f}), 1e30f) << name;
    }
    EXPECT_EQ(one("Sigmoid", {-1e30f}), 0);
    EXPECT_EQ(one("Sigmoid", {1e30f}), 1);
    EXPECT_EQ(one("Softplus", {1e30f}), 1e30f);
    EXPECT_EQ(one("LogAddExp", {-inf, -inf}), -inf);
    EXPECT_EQ(one("Xlogy", {0, 0}), 0);
}

TEST(ElementwiseOps, DivideAndTakeRemaindersAsPythonDoes) {
    for (double x : {-7.5, -7.0, -1.0, -0.5, 0.0, 0.5, 1.0, 6.0, 7.5}) {
        for (double y : {-3.0, -2.5, -0.1, 0.1, 2.0, 3.0}) {
            // numpy: the remainder takes the sign of y.
            double mod = std::fmod(x, y);
            double q = (x - mod) / y;
            if (mod != 0 && ((mod < 0) != (y < 0))) {
                mod += y;
                q -= 1;
            }
            const Tensor in[2] = {Tensor::from_bytes(DType::Float64, {}, &x),
                                  Tensor::from_bytes(DType::Float64, {}, &y)};
            EXPECT_EQ(apply1(*OpTable::get().find("FloorMod"), in, {}).item(), mod) << x << " % " << y;
            EXPECT_EQ(apply1(*OpTable::get().find("FloorDiv"), in, {}).item(), std::rint(q)) << x << " // " << y;
        }
    }
}

TEST(ElementwiseOps, ClampHoldsWithAnyOfItsBounds) {
    const OpDef& clamp = *OpTable::get().find("Clamp");
    const float values[4] = {-2, 0.25f, 3, std::numeric_limits<float>::quiet_NaN()};
    const Tensor x = Tensor::from_bytes(DType::Float32, Shape{4}, values);
    const Tensor low = Tensor::scalar(-1), high = Tensor::scalar(1);
    auto run = [&](const Tensor& a, const Tensor& b) {
        const Tensor in[3] = {x, a, b};
        const Tensor y = apply1(clamp, in, {});
        EXPECT_TRUE(std::isnan(y.data_as<float>()[3]));
        const float* p = y.data_as<float>();
        return std::vector<float>(p, p + 3);
    };
    EXPECT_EQ(run(low, high), (std::vector<float>{-1, 0.25f, 1}));
    EXPECT_EQ(run(low, {}), (std::vector<float>{-1, 0.25f, 3}));
    EXPECT_EQ(run({}, high), (std::vector<float>{-2, 0.25f, 1}));
    EXPECT_THROW(run({}, {}), UserError);
}

}  // namespace
}  // namespace fusescope
