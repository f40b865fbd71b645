#include "engine/cpu/health.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"

namespace fusescope::cpu {
namespace {

constexpr std::int64_t kBlock = 4096;         // stays in the first cache while it is gone through twice
constexpr std::int64_t kChunk = 64 * kBlock;  // the work of one thread; fixed, so that results do not depend on threads
constexpr int kChunksAtOnce = 64;
constexpr std::int64_t kParallel = 256 * 1024;  // elements from which a second thread pays
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An IEEE value is NaN or Inf when its exponent bits are all ones.
template <class Bits>
bool any_exponent_full(const Bits* p, std::int64_t n, Bits exponent) noexcept {
    constexpr std::int64_t kStep = 1024;  // stop early, but not so often that the loop cannot be vectorised
    for (std::int64_t i = 0; i < n; i += kStep) {
        const std::int64_t end = n < i + kStep ? n : i + kStep;
        Bits found = 0;
        for (std::int64_t k = i; k < end; ++k) found |= static_cast<Bits>((p[k] & exponent) == exponent);
        if (found) return true;
    }
    return false;
}

template <class Bits>
bool any_exponent_full_in(const void* data, std::int64_t n, Bits exponent) noexcept {
    const Bits* p = static_cast<const Bits*>(data);
    std::atomic<bool> found{false};
    parallel_for(n, kParallel, kBlock, [&](std::int64_t begin, std::int64_t end) {
        if (any_exponent_full(p + begin, end - begin, exponent)) found.store(true, std::memory_order_relaxed);
    });
    return found.load(std::memory_order_relaxed);
}

/// What is known of a stretch of elements; `squares` are deviations from its own mean.
struct Part {
    std::int64_t finite = 0, zero = 0, nan = 0, inf = 0, first_bad = -1;
    double low = kInfinity, high = -kInfinity, mean = 0, squares = 0;

    /// Appends what follows (Chan, Golub and LeVeque's update).
    void append(const Part& next) noexcept {
        zero += next.zero;
        nan += next.nan;
        inf += next.inf;
        if (first_bad < 0) first_bad = next.first_bad;
        if (next.finite == 0) return;
        const double here = static_cast<double>(finite), there = static_cast<double>(next.finite);
        const double apart = next.mean - mean;
        mean += apart * (there / (here + there));
        squares += next.squares + apart * apart * (here * there / (here + there));
        finite += next.finite;
        if (next.low < low) low = next.low;
        if (next.high > high) high = next.high;
    }
};

template <class T>
Part with_bad_elements(const T* p, std::int64_t n, std::int64_t base) noexcept {
    Part part;
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = static_cast<double>(p[i]);
        if (!std::isfinite(v)) {
            ++(std::isnan(v) ? part.nan : part.inf);
            if (part.first_bad < 0) part.first_bad = base + i;
            continue;
        }
        ++part.finite;
        part.zero += v == 0;
        sum += v;
        if (v < part.low) part.low = v;
        if (v > part.high) part.high = v;
    }
    if (part.finite == 0) return part;
    part.mean = sum / static_cast<double>(part.finite);
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = static_cast<double>(p[i]);
        if (std::isfinite(v)) part.squares += (v - part.mean) * (v - part.mean);
    }
    return part;
}

/// At most kBlock elements, in lanes: the compiler may not reorder a sum by itself.
template <class T, class Bits>
Part block(const T* p, std::int64_t n, std::int64_t base, Bits exponent) noexcept {
    if (any_exponent_full(reinterpret_cast<const Bits*>(p), n, exponent)) return with_bad_elements(p, n, base);
    // Two registers of each kind: one alone would wait for its own last addition.
    constexpr int kLanes = 4, kStep = 2 * kLanes;
    typedef T Values __attribute__((vector_size(kLanes * sizeof(T))));
    typedef double Doubles __attribute__((vector_size(kLanes * sizeof(double))));
    const auto load = [p](std::int64_t i) {
        Values v;
        std::memcpy(&v, p + i, sizeof v);
        return v;
    };
    const Values none{};
    Doubles sum[2] = {}, squares[2] = {};
    Values low[2] = {none + p[0], none + p[0]}, high[2] = {low[0], low[0]};
    decltype(none == none) zero[2] = {};
    const std::int64_t whole = n / kStep * kStep;
    for (std::int64_t i = 0; i < whole; i += kStep) {
        const Values v = load(i), w = load(i + kLanes);
        sum[0] += __builtin_convertvector(v, Doubles);
        sum[1] += __builtin_convertvector(w, Doubles);
        low[0] = v < low[0] ? v : low[0];
        low[1] = w < low[1] ? w : low[1];
        high[0] = v > high[0] ? v : high[0];
        high[1] = w > high[1] ? w : high[1];
        zero[0] += v == none;  // -1 where it holds
        zero[1] += w == none;
    }
    Part part;
    part.finite = n;
    double all = 0;
    for (int l = 0; l < kStep; ++l) {
        const int r = l / kLanes, k = l % kLanes;
        all += sum[r][k];
        part.zero -= zero[r][k];
        if (low[r][k] < part.low) part.low = low[r][k];
        if (high[r][k] > part.high) part.high = high[r][k];
    }
    for (std::int64_t i = whole; i < n; ++i) {
        const double v = static_cast<double>(p[i]);
        all += v;
        part.zero += v == 0;
        if (v < part.low) part.low = v;
        if (v > part.high) part.high = v;
    }
    const double mean = part.mean = all / static_cast<double>(n);
    for (std::int64_t i = 0; i < whole; i += kStep) {
        const Doubles d = __builtin_convertvector(load(i), Doubles) - mean;
        const Doubles e = __builtin_convertvector(load(i + kLanes), Doubles) - mean;
        squares[0] += d * d;
        squares[1] += e * e;
    }
    for (int l = 0; l < kStep; ++l) part.squares += squares[l / kLanes][l % kLanes];
    for (std::int64_t i = whole; i < n; ++i) {
        const double d = static_cast<double>(p[i]) - mean;
        part.squares += d * d;
    }
    return part;
}

Part chunk(DType dtype, const void* data, std::int64_t begin, std::int64_t end) noexcept {
    Part all;
    for (std::int64_t i = begin; i < end; i += kBlock) {
        const std::int64_t n = end < i + kBlock ? end - i : kBlock;
        if (dtype == DType::Float32) {
            all.append(block(static_cast<const float*>(data) + i, n, i, 0x7f800000u));
        } else if (dtype == DType::Float64) {
            all.append(block(static_cast<const double*>(data) + i, n, i, std::uint64_t{0x7ff0000000000000}));
        } else {
            double wide[kBlock];
            for (std::int64_t k = 0; k < n; ++k) wide[k] = load_double(dtype, data, i + k);
            all.append(block(wide, n, i, std::uint64_t{0x7ff0000000000000}));
        }
    }
    return all;
}

}  // namespace

bool any_bad(DType dtype, const void* data, std::int64_t n) noexcept {
    switch (dtype) {
        case DType::Float16:
            return any_exponent_full_in<std::uint16_t>(data, n, 0x7c00);
        case DType::BFloat16:
            return any_exponent_full_in<std::uint16_t>(data, n, 0x7f80);
        case DType::Float32:
            return any_exponent_full_in<std::uint32_t>(data, n, 0x7f800000u);
        case DType::Float64:
            return any_exponent_full_in<std::uint64_t>(data, n, 0x7ff0000000000000ull);
        default:
            return false;
    }
}

void scan(DType dtype, const void* data, std::int64_t n, bool stats, TensorHealth& h) noexcept {
    h.dtype = dtype;
    h.count = n;
    h.has_stats = stats;
    if (!stats && !any_bad(dtype, data, n)) return;
    Part all;
    Part parts[kChunksAtOnce];
    for (std::int64_t at = 0; at < n; at += kChunksAtOnce * kChunk) {
        const std::int64_t left = (n - at + kChunk - 1) / kChunk;
        const std::int64_t chunks = left < kChunksAtOnce ? left : kChunksAtOnce;
        parallel_for(chunks, 2, 1, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t c = first; c < last; ++c) {
                const std::int64_t begin = at + c * kChunk;
                parts[c] = chunk(dtype, data, begin, n < begin + kChunk ? n : begin + kChunk);
            }
        });
        for (std::int64_t c = 0; c < chunks; ++c) all.append(parts[c]);
    }
    h.nan = all.nan;
    h.inf = all.inf;
    h.first_bad_index = all.first_bad;
    if (!stats) return;
    h.zero = all.zero;
    const double none = std::numeric_limits<double>::quiet_NaN();
    h.min = all.finite ? all.low : none;
    h.max = all.finite ? all.high : none;
    h.mean = all.finite ? all.mean : none;
    h.std = all.finite ? std::sqrt(all.squares / static_cast<double>(all.finite)) : none;
}

}  // namespace fusescope::cpu
