#include "engine/cpu/health.hpp"

#include <cmath>
#include <limits>

#include "engine/core/convert.hpp"

namespace fusescope::cpu {
namespace {

// An IEEE value is NaN or Inf when its exponent bits are all ones.
template <class Bits>
bool any_exponent_full(const void* data, std::int64_t n, Bits exponent) noexcept {
    const Bits* p = static_cast<const Bits*>(data);
    constexpr std::int64_t kBlock = 1024;  // stop early, but not so often that the loop cannot be vectorised
    for (std::int64_t i = 0; i < n; i += kBlock) {
        const std::int64_t end = n < i + kBlock ? n : i + kBlock;
        Bits found = 0;
        for (std::int64_t k = i; k < end; ++k) found |= static_cast<Bits>((p[k] & exponent) == exponent);
        if (found) return true;
    }
    return false;
}

}  // namespace

bool any_bad(DType dtype, const void* data, std::int64_t n) noexcept {
    switch (dtype) {
        case DType::Float16:
            return any_exponent_full<std::uint16_t>(data, n, 0x7c00);
        case DType::BFloat16:
            return any_exponent_full<std::uint16_t>(data, n, 0x7f80);
        case DType::Float32:
            return any_exponent_full<std::uint32_t>(data, n, 0x7f800000u);
        case DType::Float64:
            return any_exponent_full<std::uint64_t>(data, n, 0x7ff0000000000000ull);
        default:
            return false;
    }
}

void scan(DType dtype, const void* data, std::int64_t n, bool stats, TensorHealth& h) noexcept {
    h.dtype = dtype;
    h.count = n;
    h.has_stats = stats;
    const bool bad = any_bad(dtype, data, n);
    if (!bad && !stats) return;
    double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    std::int64_t zeros = 0, finite = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = load_double(dtype, data, i);
        if (!std::isfinite(v)) {
            ++(std::isnan(v) ? h.nan : h.inf);
            if (h.first_bad_index < 0) h.first_bad_index = i;
            continue;
        }
        ++finite;
        zeros += v == 0;
        sum += v;
        if (v < low) low = v;
        if (v > high) high = v;
    }
    if (!stats) return;
    h.zero = zeros;
    const double none = std::numeric_limits<double>::quiet_NaN();
    h.min = finite ? low : none;
    h.max = finite ? high : none;
    h.mean = finite ? sum / static_cast<double>(finite) : none;
    double squares = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = load_double(dtype, data, i);
        if (std::isfinite(v)) squares += (v - h.mean) * (v - h.mean);
    }
    h.std = finite ? std::sqrt(squares / static_cast<double>(finite)) : none;
}

}  // namespace fusescope::cpu
