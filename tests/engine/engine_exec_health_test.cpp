// Counting NaN and Inf, and statistics: against the plain definition, whatever the length and the number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "engine/cpu/health.hpp"
#include "engine/cpu/parallel.hpp"

using namespace fusescope;

namespace {

template <class T>
std::vector<T> noise(std::int64_t n) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::normal_distribution<double> normal(1000, 3);  // far from zero: a sum of squares would lose the deviation
    std::vector<T> values(static_cast<std::size_t>(n));
    for (T& v : values) v = static_cast<T>(normal(random));
    return values;
}

template <class T>
TensorHealth scanned(DType dtype, const std::vector<T>& values) {
    TensorHealth health;
    cpu::scan(dtype, values.data(), static_cast<std::int64_t>(values.size()), true, health);
    return health;
}

template <class T>
void expect_by_definition(DType dtype, const std::vector<T>& values) {
    double sum = 0, low = INFINITY, high = -INFINITY, squares = 0;
    std::int64_t finite = 0, nan = 0, inf = 0, zero = 0, first = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = static_cast<double>(values[i]);
        if (!std::isfinite(v)) {
            ++(std::isnan(v) ? nan : inf);
            if (first < 0) first = static_cast<std::int64_t>(i);
            continue;
        }
        ++finite;
        zero += v == 0;
        sum += v;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    for (const T& value : values) {
        const double d = static_cast<double>(value) - sum / static_cast<double>(finite);
        if (std::isfinite(d)) squares += d * d;
    }
    const TensorHealth health = scanned(dtype, values);
    EXPECT_EQ(health.nan, nan);
    EXPECT_EQ(health.inf, inf);
    EXPECT_EQ(health.zero, zero);
    EXPECT_EQ(health.first_bad_index, first);
    if (finite == 0) {
        EXPECT_TRUE(std::isnan(health.mean) && std::isnan(health.std) && std::isnan(health.min));
        return;
    }
    EXPECT_EQ(health.min, low);
    EXPECT_EQ(health.max, high);
    EXPECT_NEAR(health.mean, sum / static_cast<double>(finite), 1e-9 * std::abs(health.mean) + 1e-12);
    EXPECT_NEAR(health.std, std::sqrt(squares / static_cast<double>(finite)), 1e-7 * health.std + 1e-12);
}

}  // namespace

TEST(Health, AgreesWithTheDefinitionAtEveryLength) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 4095, 4096, 4097, 300000, 800001}) {
        SCOPED_TRACE(n);
        expect_by_definition(DType::Float32, noise<float>(n));
        expect_by_definition(DType::Float64, noise<double>(n));
    }
}

TEST(Health, FindsWhatIsNotFiniteWhereverItIs) {
    for (const std::int64_t n : {5, 5000, 600000}) {
        std::vector<float> values = noise<float>(n);
        values[static_cast<std::size_t>(n) - 1] = NAN;
        expect_by_definition(DType::Float32, values);
        values[static_cast<std::size_t>(n) / 2] = -INFINITY;
        values[0] = 0.0f;
        expect_by_definition(DType::Float32, values);
        TensorHealth health;
        cpu::scan(DType::Float32, values.data(), n, false, health);
        EXPECT_EQ(health.nan, 1);
        EXPECT_EQ(health.inf, 1);
        EXPECT_EQ(health.first_bad_index, n / 2);
    }
    expect_by_definition(DType::Float32, std::vector<float>(5000, NAN));
}

TEST(Health, HalvesAndIntsHaveStatisticsToo) {
    const std::vector<std::uint16_t> halves = {0x3c00, 0x4000, 0x7c00, 0x0000, 0x7e00};  // 1, 2, Inf, 0, NaN
    const TensorHealth half = scanned(DType::Float16, halves);
    EXPECT_EQ(half.nan, 1);
    EXPECT_EQ(half.inf, 1);
    EXPECT_EQ(half.zero, 1);
    EXPECT_EQ(half.first_bad_index, 2);
    EXPECT_EQ(half.max, 2);
    EXPECT_EQ(half.mean, 1);
    const TensorHealth ints = scanned(DType::Int32, std::vector<std::int32_t>{-3, 0, 9});
    EXPECT_EQ(ints.min, -3);
    EXPECT_EQ(ints.mean, 2);
    EXPECT_EQ(ints.zero, 1);
}

TEST(Health, DoesNotDependOnTheNumberOfThreads) {
    const std::vector<float> values = noise<float>(1'000'003);
    const int before = cpu::thread_count();
    cpu::set_thread_count(1);
    const TensorHealth one = scanned(DType::Float32, values);
    cpu::set_thread_count(2);
    const TensorHealth two = scanned(DType::Float32, values);
    cpu::set_thread_count(before);
    EXPECT_EQ(one.mean, two.mean);
    EXPECT_EQ(one.std, two.std);
    EXPECT_EQ(one.min, two.min);
}
