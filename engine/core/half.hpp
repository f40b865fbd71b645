// float16 and bfloat16 as bits, with conversions that round to nearest even and keep NaN and Inf.
#pragma once

#include <bit>
#include <cstdint>

namespace fusescope {

inline float half_to_float(std::uint16_t h) noexcept { return static_cast<float>(std::bit_cast<_Float16>(h)); }
inline std::uint16_t float_to_half(float f) noexcept { return std::bit_cast<std::uint16_t>(static_cast<_Float16>(f)); }

inline float bfloat_to_float(std::uint16_t b) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16);
}
inline std::uint16_t float_to_bfloat(float f) noexcept {
    const std::uint32_t u = std::bit_cast<std::uint32_t>(f);
    if ((u & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((u >> 16) | 0x40);
    return static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

}  // namespace fusescope
