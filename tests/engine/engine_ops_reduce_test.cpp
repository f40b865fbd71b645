// Reductions: the documented order bit for bit, all axis sets against plain loops, dtypes of results, and the edges.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/cpu/reduce.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

const OpDef& row(const char* name) { return *OpTable::get().find(name); }

Tensor floats(const Shape& shape, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> v(static_cast<std::size_t>(shape.count()));
    for (float& x : v) x = normal(random);
    return Tensor::from_bytes(DType::Float32, shape, v.data());
}

/// The sum of one row in the order that engine/cpu/reduce.hpp describes, written as it is described.
float described_block(const float* x, std::int64_t n) {
    float p[32] = {};
    const std::int64_t whole = n / 32 * 32;
    for (std::int64_t i = 0; i < whole; ++i) p[i % 32] += x[i];
    for (std::int64_t i = whole; i < n; ++i) p[i - whole] += x[i];
    float lane[8];
    for (int l = 0; l < 8; ++l) lane[l] = (p[l] + p[8 + l]) + (p[16 + l] + p[24 + l]);
    for (int half = 4; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    }
    return lane[0];
}
float described_row(const float* x, std::int64_t n) {
    float sum = described_block(x, std::min<std::int64_t>(n, 4096));
    for (std::int64_t i = 4096; i < n; i += 4096) sum += described_block(x + i, std::min<std::int64_t>(4096, n - i));
    return sum;
}

TEST(Reduce, AddsRowsInTheDocumentedOrder) {
    for (std::int64_t n : {1, 5, 31, 32, 33, 64, 100, 1024, 4095, 4096, 4097, 10000, 70000, 300001}) {
        const Tensor x = floats({3, n}, static_cast<unsigned>(n));
        const Tensor s = apply1(row("ReduceSum"), {&x, 1}, {Ints{1}, false});
        for (int r = 0; r < 3; ++r) {
            EXPECT_EQ(s.data_as<float>()[r], described_row(x.data_as<float>() + r * n, n)) << n;
        }
        const Tensor flat = floats({n}, static_cast<unsigned>(n) + 1);
        const Tensor total = apply1(row("ReduceSum"), {&flat, 1}, {AttrValue{}, false});
        EXPECT_EQ(*total.data_as<float>(), described_row(flat.data_as<float>(), n)) << n;
    }
}

TEST(Reduce, GivesTheSameBitsForAnyNumberOfThreads) {
    const int threads = cpu::thread_count();
    const Tensor x = floats({3000, 37, 3}, 5);
    for (const Ints& axes : {Ints{0}, Ints{1}, Ints{2}, Ints{0, 1}, Ints{0, 2}, Ints{1, 2}, Ints{0, 1, 2}}) {
        cpu::set_thread_count(1);
        const Tensor one = apply1(row("ReduceSum"), {&x, 1}, {axes, false});
        cpu::set_thread_count(2);
        const Tensor two = apply1(row("ReduceSum"), {&x, 1}, {axes, false});
        EXPECT_EQ(std::memcmp(one.data(), two.data(), one.type().bytes()), 0) << to_string(axes);
    }
    cpu::set_thread_count(threads);
}

TEST(Reduce, AgreesWithPlainLoopsOverAllAxisSets) {
    const Shape shape{4, 5, 3, 6};
    const Tensor x = floats(shape, 9);
    const float* p = x.data_as<float>();
    int checked = 0;
    for (unsigned mask = 1; mask < 16; ++mask) {
        Ints axes;
        for (int k = 0; k < 4; ++k) {
            if ((mask >> k) & 1u) axes.push_back(k);
        }
        std::vector<long double> sum, most, product;
        std::vector<double> count;
        Shape kept;
        for (int k = 0; k < 4; ++k) kept.push_back((mask >> k) & 1u ? 1 : shape[static_cast<std::size_t>(k)]);
        const auto outputs = static_cast<std::size_t>(kept.count());
        sum.assign(outputs, 0);
        product.assign(outputs, 1);
        most.assign(outputs, -std::numeric_limits<long double>::infinity());
        for (std::int64_t i = 0; i < shape.count(); ++i) {
            std::int64_t rest = i, at = 0, stride = 1;
            for (std::size_t k = 4; k-- > 0;) {
                const std::int64_t place = rest % shape[k];
                rest /= shape[k];
                at += (kept[k] == 1 ? 0 : place) * stride;
                stride *= kept[k];
            }
            const auto o = static_cast<std::size_t>(at);
            sum[o] += p[i];
            product[o] *= p[i];
            most[o] = std::max<long double>(most[o], p[i]);
        }
        const auto n = static_cast<long double>(shape.count()) / static_cast<long double>(outputs);
        const Tensor s = apply1(row("ReduceSum"), {&x, 1}, {axes, true});
        const Tensor m = apply1(row("ReduceMean"), {&x, 1}, {axes, true});
        const Tensor a = apply1(row("ReduceMax"), {&x, 1}, {axes, true});
        const Tensor q = apply1(row("ReduceProd"), {&x, 1}, {axes, true});
        ASSERT_EQ(s.shape(), kept);
        for (std::size_t o = 0; o < outputs; ++o) {
            EXPECT_NEAR(s.data_as<float>()[o], static_cast<double>(sum[o]), 2e-5);
            EXPECT_NEAR(m.data_as<float>()[o], static_cast<double>(sum[o] / n), 2e-6);
            EXPECT_EQ(a.data_as<float>()[o], static_cast<float>(most[o]));
            EXPECT_NEAR(q.data_as<float>()[o], static_cast<double>(product[o]),
                        1e-5 * std::fabs(static_cast<double>(product[o])) + 1e-30);
            ++checked;
        }
    }
    EXPECT_GE(checked, 15);
}

TEST(Reduce, WidensSmallIntsAndBool) {
    const std::int8_t bytes[4] = {100, 100, 100, -1};
    const Tensor x = Tensor::from_bytes(DType::Int8, Shape{4}, bytes);
    const Tensor s = apply1(row("ReduceSum"), {&x, 1}, {AttrValue{}, false});
    EXPECT_EQ(s.dtype(), DType::Int64);
    EXPECT_EQ(s.item_int(), 299);
    const Tensor p = apply1(row("ReduceProd"), {&x, 1}, {AttrValue{}, false});
    EXPECT_EQ(p.item_int(), -1000000);
    const Tensor most = apply1(row("ReduceMax"), {&x, 1}, {AttrValue{}, false});
    EXPECT_EQ(most.dtype(), DType::Int8);
    EXPECT_EQ(most.item_int(), 100);
    const std::uint8_t truth[3] = {1, 1, 0};
    const Tensor b = Tensor::from_bytes(DType::Bool, Shape{3}, truth);
    EXPECT_EQ(apply1(row("ReduceSum"), {&b, 1}, {AttrValue{}, false}).item_int(), 2);
    EXPECT_EQ(apply1(row("ReduceAll"), {&b, 1}, {AttrValue{}, false}).item_int(), 0);
    EXPECT_EQ(apply1(row("ReduceAny"), {&b, 1}, {AttrValue{}, false}).item_int(), 1);
    EXPECT_EQ(apply1(row("ReduceMean"), {&x, 1}, {AttrValue{}, false}).dtype(), DType::Float32);
}

TEST(Reduce, SumsHalvesInFloat) {
    // In Float16 itself the sum would stick at 2048.
    std::vector<std::uint16_t> ones(5000, float_to_half(1));
    const Tensor x = Tensor::from_bytes(DType::Float16, Shape{5000}, ones.data());
    EXPECT_EQ(apply1(row("ReduceSum"), {&x, 1}, {AttrValue{}, false}).item(), 5000);
}

TEST(Reduce, OfNothingIsTheNeutralElementOrAnError) {
    const Tensor x = Tensor::empty(DType::Float32, Shape{0, 3});
    const Tensor s = apply1(row("ReduceSum"), {&x, 1}, {Ints{0}, false});
    ASSERT_EQ(s.shape(), (Shape{3}));
    EXPECT_EQ(s.data_as<float>()[2], 0);
    EXPECT_EQ(apply1(row("ReduceProd"), {&x, 1}, {Ints{0}, false}).data_as<float>()[0], 1);
    EXPECT_TRUE(std::isnan(apply1(row("ReduceMean"), {&x, 1}, {Ints{0}, false}).data_as<float>()[0]));
    EXPECT_THROW(apply1(row("ReduceMax"), {&x, 1}, {Ints{0}, false}), UserError);
    EXPECT_THROW(apply1(row("Argmax"), {&x, 1}, {AttrValue{}, false}), UserError);
    EXPECT_EQ(apply1(row("ReduceMax"), {&x, 1}, {Ints{1}, false}).shape(), (Shape{0}));
}

TEST(Reduce, RejectsAxesThatAreNotThere) {
    const Tensor x = floats({2, 3}, 1);
    EXPECT_THROW(apply1(row("ReduceSum"), {&x, 1}, {Ints{2}, false}), UserError);
    EXPECT_THROW(apply1(row("ReduceSum"), {&x, 1}, {Ints{0, -2}, false}), UserError);
}

TEST(Reduce, LetsNaNThroughMaximaAndFindsItsPlace) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> v(100, 1.0f);
    v[57] = nan;
    v[80] = 9;
    const Tensor x = Tensor::from_bytes(DType::Float32, Shape{100}, v.data());
    EXPECT_TRUE(std::isnan(apply1(row("ReduceMax"), {&x, 1}, {AttrValue{}, false}).item()));
    EXPECT_TRUE(std::isnan(apply1(row("ReduceMin"), {&x, 1}, {AttrValue{}, false}).item()));
    EXPECT_EQ(apply1(row("Argmax"), {&x, 1}, {AttrValue{}, false}).item_int(), 57);
}

TEST(Reduce, ArgmaxTakesTheFirstOfEquals) {
    const float v[6] = {1, 5, 5, 7, 0, 7};
    const Tensor x = Tensor::from_bytes(DType::Float32, Shape{2, 3}, v);
    const Tensor a = apply1(row("Argmax"), {&x, 1}, {std::int64_t{1}, false});
    EXPECT_EQ(a.dtype(), DType::Int64);
    EXPECT_EQ(a.data_as<std::int64_t>()[0], 1);
    EXPECT_EQ(a.data_as<std::int64_t>()[1], 0);
    const std::vector<Tensor> both = apply(row("ArgMaxWithValue"), {&x, 1}, {std::int64_t{0}, true});
    EXPECT_EQ(both[0].shape(), (Shape{1, 3}));
    EXPECT_EQ(both[0].data_as<float>()[0], 7);
    EXPECT_EQ(both[1].data_as<std::int64_t>()[0], 1);
}

TEST(Reduce, VarianceAndDeviationCountDegreesOfFreedom) {
    const float v[4] = {1, 2, 3, 6};
    const Tensor x = Tensor::from_bytes(DType::Float32, Shape{4}, v);
    EXPECT_FLOAT_EQ(static_cast<float>(apply1(row("ReduceVar"), {&x, 1}, {AttrValue{}, std::int64_t{0}, false}).item()),
                    3.5f);
    EXPECT_FLOAT_EQ(static_cast<float>(apply1(row("ReduceVar"), {&x, 1}, {AttrValue{}, std::int64_t{1}, false}).item()),
                    14.0f / 3);
    EXPECT_FLOAT_EQ(static_cast<float>(apply1(row("ReduceStd"), {&x, 1}, {AttrValue{}, std::int64_t{0}, false}).item()),
                    std::sqrt(3.5f));
}

}  // namespace
}  // namespace fusescope
