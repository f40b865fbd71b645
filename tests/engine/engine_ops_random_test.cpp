// Random ops: a stream that depends on seed and op number alone, in the right distribution; dropout; assignment.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/autodiff/tape.hpp"
#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/cpu/philox.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

const OpDef& row(const char* name) { return *OpTable::get().find(name); }

class RandomOps : public ::testing::Test {
 protected:
    void SetUp() override { before_ = Context::set_current(&context_); }
    void TearDown() override { Context::set_current(before_); }
    Context context_;
    Context* before_ = nullptr;
};

TEST(Philox, GivesTheNumbersOfItsPublication) {
    // Known answers of philox4x32-10 in the Random123 distribution: counter and key of zeros, and of ones.
    const auto zeros = cpu::Philox({0, 0}).block(0);
    EXPECT_EQ(zeros, (std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    const auto ones = cpu::Philox({~std::uint64_t{0}, ~std::uint64_t{0}}).block(~std::uint64_t{0});
    EXPECT_EQ(ones, (std::array<std::uint32_t, 4>{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
}

TEST_F(RandomOps, RepeatUnderOneSeedAndDifferBetweenOps) {
    auto draw = [&] { return apply1(row("StandardNormal"), {}, {Ints{50000}, DType::Float32}); };
    context_.seed = 3;
    cpu::set_thread_count(1);
    const Tensor a = draw(), b = draw();
    context_.random_ops = 0;
    cpu::set_thread_count(2);
    const Tensor c = draw();
    EXPECT_EQ(std::memcmp(a.data(), c.data(), a.type().bytes()), 0);
    EXPECT_NE(std::memcmp(a.data(), b.data(), a.type().bytes()), 0);
}

TEST_F(RandomOps, HaveTheirDistributions) {
    constexpr std::int64_t n = 200000;
    auto moments = [](const Tensor& t) {
        double mean = 0, square = 0;
        for (std::int64_t i = 0; i < t.count(); ++i) mean += t.data_as<float>()[i];
        mean /= static_cast<double>(t.count());
        for (std::int64_t i = 0; i < t.count(); ++i) square += std::pow(t.data_as<float>()[i] - mean, 2);
        return std::pair(mean, square / static_cast<double>(t.count()));
    };
    const auto [normal_mean, normal_var] = moments(apply1(row("StandardNormal"), {}, {Ints{n}, DType::Float32}));
    EXPECT_NEAR(normal_mean, 0, 0.01);
    EXPECT_NEAR(normal_var, 1, 0.02);
    const Tensor u = apply1(row("UniformReal"), {}, {Ints{n}, DType::Float32});
    const auto [mean, var] = moments(u);
    EXPECT_NEAR(mean, 0.5, 0.005);
    EXPECT_NEAR(var, 1.0 / 12, 0.002);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_TRUE(u.data_as<float>()[i] >= 0 && u.data_as<float>()[i] < 1);
    const auto [m, v] = moments(apply1(row("Normal"), {}, {Ints{n}, 2.0, 3.0, DType::Float32}));
    EXPECT_NEAR(m, 2, 0.03);
    EXPECT_NEAR(v, 9, 0.2);
    const Tensor ints = apply1(row("RandInt"), {}, {std::int64_t{-2}, std::int64_t{3}, Ints{n}, DType::Int64});
    std::int64_t seen[5] = {};
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t x = ints.data_as<std::int64_t>()[i];
        ASSERT_TRUE(x >= -2 && x < 3);
        ++seen[x + 2];
    }
    for (std::int64_t count : seen) EXPECT_NEAR(static_cast<double>(count), n / 5.0, n / 50.0);
}

TEST_F(RandomOps, PermutationsHoldEveryNumberOnce) {
    const Tensor p = apply1(row("Randperm"), {}, {std::int64_t{1000}, DType::Int64});
    std::vector<std::int64_t> v(p.data_as<std::int64_t>(), p.data_as<std::int64_t>() + 1000);
    EXPECT_FALSE(std::is_sorted(v.begin(), v.end()));
    std::sort(v.begin(), v.end());
    for (std::int64_t i = 0; i < 1000; ++i) ASSERT_EQ(v[static_cast<std::size_t>(i)], i);
}

TEST_F(RandomOps, DropoutScalesWhatItKeepsAndItsGradientUsesTheMask) {
    const Tensor x = apply1(row("Ones"), {}, {Ints{10000}, DType::Float32});
    autodiff::Tape tape(context_);
    tape.watch(x);
    const std::vector<Tensor> out = apply(row("Dropout"), {&x, 1}, {0.25, true});
    const Tensor g = tape.gradient({out.data(), 1}, {}, {&x, 1})[0];
    std::int64_t kept = 0;
    for (int i = 0; i < 10000; ++i) {
        const bool on = out[1].data_as<std::uint8_t>()[i] != 0;
        const float want = on ? static_cast<float>(1 / 0.75) : 0;
        ASSERT_EQ(out[0].data_as<float>()[i], want);
        ASSERT_EQ(g.data_as<float>()[i], want);
        kept += on;
    }
    EXPECT_NEAR(static_cast<double>(kept), 7500, 200);
    EXPECT_EQ(std::memcmp(apply(row("Dropout"), {&x, 1}, {0.25, false})[0].data(), x.data(), 40000), 0);
    EXPECT_THROW(apply(row("Dropout"), {&x, 1}, {1.5, true}), UserError);
}

TEST_F(RandomOps, AssignmentKeepsWhatOthersSaw) {
    const float a[2] = {1, 2}, b[2] = {3, 4};
    const Tensor p = Tensor::from_bytes(DType::Float32, Shape{2}, a);
    p.impl()->parameter = std::make_unique<ParameterInfo>();
    const Tensor old = snapshot_tensor(p);
    const Tensor in[2] = {p, Tensor::from_bytes(DType::Float32, Shape{2}, b)};
    apply1(row("Assign"), in, {});
    EXPECT_EQ(p.data_as<float>()[1], 4);
    EXPECT_EQ(old.data_as<float>()[1], 2);
    const Tensor add[2] = {p, Tensor::scalar_int(1)};
    apply1(row("AssignAdd"), add, {});
    EXPECT_EQ(p.data_as<float>()[0], 4);
    EXPECT_EQ(p.dtype(), DType::Float32);
    const Tensor wrong[2] = {p, Tensor::scalar(1)};
    EXPECT_THROW(apply1(row("Assign"), wrong, {}), UserError);
}

}  // namespace
}  // namespace fusescope
