// Floats counted: how many numbers of a type lie between two.
#pragma once

#include "profiler/tensors/elements.hpp"

namespace fusescope::tensors {

/// Place of a float among all floats of its type: neighbours differ by one, both zeros are 0. NaN has none.
inline std::int64_t rank_of(HalfBits v) {
    const auto magnitude = static_cast<std::int64_t>(v.bits & 0x7fff);
    return v.bits & 0x8000 ? -magnitude : magnitude;
}
inline std::int64_t rank_of(BrainBits v) { return rank_of(HalfBits{v.bits}); }
inline std::int64_t rank_of(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    const auto magnitude = static_cast<std::int64_t>(bits & 0x7fffffff);
    return bits >> 31 ? -magnitude : magnitude;
}
inline std::int64_t rank_of(double v) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    const auto magnitude = static_cast<std::int64_t>(bits & 0x7fffffffffffffff);
    return bits >> 63 ? -magnitude : magnitude;
}

/// The nearest number of a float type, as its rank.
inline std::int64_t rank_in(DType dtype, double v) {
    switch (dtype) {
        case DType::Float16:
            return rank_of(HalfBits{std::bit_cast<std::uint16_t>(static_cast<_Float16>(v))});
        case DType::BFloat16: {
            std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(v));
            bits += 0x7fff + ((bits >> 16) & 1);
            return rank_of(BrainBits{static_cast<std::uint16_t>(bits >> 16)});
        }
        case DType::Float64:
            return rank_of(v);
        default:
            return rank_of(static_cast<float>(v));
    }
}

inline std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                 : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

/// In which ULPs of two types are counted: the coarser of two floats, the float of a float and an int; empty for ints.
std::optional<DType> ulp_type(DType a, DType b);

}  // namespace fusescope::tensors
