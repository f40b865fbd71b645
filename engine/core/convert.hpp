// Reading and writing one element of any dtype; for scalars, printing and tests, not for loops that matter.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/core/half.hpp"
#include "fusescope/dtype.hpp"

namespace fusescope {

/// Calls `f` with a value of the C++ type that holds one element: bool_t (uint8), ints, Half16/BHalf16 as tags.
struct HalfTag {
    std::uint16_t bits;
};
struct BFloatTag {
    std::uint16_t bits;
};
template <class F>
decltype(auto) visit_dtype(DType t, F&& f) {
    switch (t) {
        case DType::Bool:
            return f(bool{});
        case DType::Int8:
            return f(std::int8_t{});
        case DType::Int16:
            return f(std::int16_t{});
        case DType::Int32:
            return f(std::int32_t{});
        case DType::Int64:
            return f(std::int64_t{});
        case DType::UInt8:
            return f(std::uint8_t{});
        case DType::Float16:
            return f(HalfTag{});
        case DType::BFloat16:
            return f(BFloatTag{});
        case DType::Float32:
            return f(float{});
        case DType::Float64:
            return f(double{});
    }
    __builtin_unreachable();
}

/// float→int as C does it inside the range; NaN gives 0, and values outside saturate. One rule for eager code,
/// generated code and every width.
template <class I>
I saturating(double v) noexcept {
    if (!(v == v)) return 0;
    constexpr double lo = static_cast<double>(std::numeric_limits<I>::min());
    constexpr double hi = static_cast<double>(std::numeric_limits<I>::max());
    if (v <= lo) return std::numeric_limits<I>::min();
    if (v >= hi) return std::numeric_limits<I>::max();
    return static_cast<I>(v);
}

inline double load_double(DType t, const void* p, std::int64_t i) noexcept {
    return visit_dtype(t, [&](auto tag) -> double {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, HalfTag>) {
            return half_to_float(static_cast<const std::uint16_t*>(p)[i]);
        } else if constexpr (std::is_same_v<T, BFloatTag>) {
            return bfloat_to_float(static_cast<const std::uint16_t*>(p)[i]);
        } else {
            return static_cast<double>(static_cast<const T*>(p)[i]);
        }
    });
}

inline std::int64_t load_int(DType t, const void* p, std::int64_t i) noexcept {
    return visit_dtype(t, [&](auto tag) -> std::int64_t {
        using T = decltype(tag);
        if constexpr (std::is_integral_v<T>) {
            return static_cast<std::int64_t>(static_cast<const T*>(p)[i]);
        } else {
            return saturating<std::int64_t>(load_double(t, p, i));
        }
    });
}

inline void store_double(DType t, void* p, std::int64_t i, double v) noexcept {
    visit_dtype(t, [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, HalfTag>) {
            // double → float → half would round twice.
            static_cast<std::uint16_t*>(p)[i] = std::bit_cast<std::uint16_t>(static_cast<_Float16>(v));
        } else if constexpr (std::is_same_v<T, BFloatTag>) {
            static_cast<std::uint16_t*>(p)[i] = float_to_bfloat(static_cast<float>(v));
        } else if constexpr (std::is_same_v<T, bool>) {
            static_cast<bool*>(p)[i] = v != 0;
        } else if constexpr (std::is_integral_v<T>) {
            static_cast<T*>(p)[i] = saturating<T>(v);
        } else {
            static_cast<T*>(p)[i] = static_cast<T>(v);
        }
    });
}

inline void store_int(DType t, void* p, std::int64_t i, std::int64_t v) noexcept {
    visit_dtype(t, [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, bool>) {
            static_cast<bool*>(p)[i] = v != 0;
        } else if constexpr (std::is_integral_v<T>) {
            static_cast<T*>(p)[i] = static_cast<T>(v);
        } else {
            store_double(t, p, i, static_cast<double>(v));
        }
    });
}

}  // namespace fusescope
