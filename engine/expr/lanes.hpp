// The value type of eager element loops: one 256-bit vector of T. Every function here has a namesake on Sym (sym.hpp)
// that appends the same instruction to a Program, so that an expression written once runs both ways.
//
// GCC's vector types become AVX2 registers on x86-64-v3 and pairs of 128-bit registers elsewhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/expr/vector_math.hpp"

namespace fusescope::expr {

template <std::size_t Bytes>
using int_of_size = std::conditional_t<
    Bytes == 1, std::int8_t,
    std::conditional_t<Bytes == 2, std::int16_t, std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>>>;

template <class T>
struct LaneMask {
    typedef int_of_size<sizeof(T)> Native __attribute__((vector_size(32)));
    Native v;  ///< all ones where true

    friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.v & b.v}; }
    friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.v | b.v}; }
    friend LaneMask operator^(LaneMask a, LaneMask b) { return {a.v ^ b.v}; }
    friend LaneMask operator~(LaneMask a) { return {~a.v}; }
};

template <class T>
struct Lanes {
    typedef T Native __attribute__((vector_size(32)));
    using Scalar = T;
    using Mask = LaneMask<T>;
    static constexpr int kCount = 32 / sizeof(T);
    static constexpr bool kFloating = std::is_floating_point_v<T>;

    Native v;

    // Minus zero, not plus: -0 must stay -0.
    static Lanes of(double c) { return {static_cast<T>(c) - Native{}}; }
    static Lanes of_int(std::int64_t c) { return {static_cast<T>(c) - Native{}}; }

    friend Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
    friend Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
    friend Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
    friend Lanes operator/(Lanes a, Lanes b) requires kFloating { return {a.v / b.v}; }
    friend Lanes operator-(Lanes a) { return {-a.v}; }
    friend Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
    friend Mask operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
    friend Mask operator>(Lanes a, Lanes b) { return {b.v < a.v}; }
    friend Mask operator>=(Lanes a, Lanes b) { return {b.v <= a.v}; }
    friend Mask operator==(Lanes a, Lanes b) { return {a.v == b.v}; }
    friend Mask operator!=(Lanes a, Lanes b) { return {~(typename Mask::Native)(a.v == b.v)}; }
};

template <class T>
Lanes<T> select(LaneMask<T> m, Lanes<T> a, Lanes<T> b) {
    return {m.v ? a.v : b.v};
}

template <class T>
Lanes<T> abs(Lanes<T> a) {
    if constexpr (std::is_floating_point_v<T>) {
        // Clears the sign bit, also of NaN and -0, as LLVM's fabs does.
        typedef std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> Bits __attribute__((vector_size(32)));
        return {(typename Lanes<T>::Native)((Bits)a.v & (~Bits{} >> 1))};
    } else if constexpr (std::is_signed_v<T>) {
        return {a.v < 0 ? -a.v : a.v};
    } else {
        return a;
    }
}

// Applies a scalar function lane by lane; GCC turns the ones below into single instructions.
template <class T, class F>
inline Lanes<T> map_lanes(Lanes<T> a, F f) {
    for (int i = 0; i < Lanes<T>::kCount; ++i) a.v[i] = f(a.v[i]);
    return a;
}
template <class T, class F>
inline Lanes<T> map_lanes(Lanes<T> a, Lanes<T> b, F f) {
    for (int i = 0; i < Lanes<T>::kCount; ++i) a.v[i] = f(a.v[i], b.v[i]);
    return a;
}

template <class T>
Lanes<T> sqrt(Lanes<T> a) {
    return map_lanes(a, [](T x) { return std::sqrt(x); });
}
template <class T>
Lanes<T> floor(Lanes<T> a) {
    return map_lanes(a, [](T x) { return std::floor(x); });
}
template <class T>
Lanes<T> ceil(Lanes<T> a) {
    return map_lanes(a, [](T x) { return std::ceil(x); });
}
template <class T>
Lanes<T> trunc(Lanes<T> a) {
    return map_lanes(a, [](T x) { return std::trunc(x); });
}
template <class T>
Lanes<T> rint(Lanes<T> a) {
    return map_lanes(a, [](T x) { return std::rint(x); });
}

template <class T>
Lanes<T> bit_and(Lanes<T> a, Lanes<T> b) {
    return {a.v & b.v};
}
template <class T>
Lanes<T> bit_or(Lanes<T> a, Lanes<T> b) {
    return {a.v | b.v};
}
template <class T>
Lanes<T> bit_xor(Lanes<T> a, Lanes<T> b) {
    return {a.v ^ b.v};
}
template <class T>
Lanes<T> bit_not(Lanes<T> a) {
    return {~a.v};
}
template <class T>
Lanes<T> shift_left(Lanes<T> a, Lanes<T> b) {
    return map_lanes(a, b, [](T x, T n) -> T {
        if (n < 0 || n >= static_cast<T>(8 * sizeof(T))) return 0;
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << n);
    });
}
template <class T>
Lanes<T> shift_right(Lanes<T> a, Lanes<T> b) {
    return map_lanes(a, b, [](T x, T n) -> T {
        if (n < 0 || n >= static_cast<T>(8 * sizeof(T))) return x < 0 ? static_cast<T>(-1) : T{0};
        return static_cast<T>(x >> n);
    });
}

// Integer division rounds down, as Python's; by zero gives 0, and lowest / -1 wraps to lowest.
template <class T>
T floor_div_scalar(T x, T y) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
        if (y == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x));
    }
    const T q = static_cast<T>(x / y);
    return static_cast<T>(q - ((x % y != 0) && ((x < 0) != (y < 0))));
}
template <class T>
T floor_mod_scalar(T x, T y) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
        if (y == -1) return 0;
    }
    const T r = static_cast<T>(x % y);
    return static_cast<T>(r != 0 && ((r < 0) != (y < 0)) ? r + y : r);
}
template <class T>
Lanes<T> floor_div(Lanes<T> a, Lanes<T> b) {
    return map_lanes(a, b, floor_div_scalar<T>);
}
template <class T>
Lanes<T> floor_mod(Lanes<T> a, Lanes<T> b) {
    return map_lanes(a, b, floor_mod_scalar<T>);
}

#define X(name)                                                                       \
    inline Lanes<float> name(Lanes<float> a) { return {vector_math::name##_f(a.v)}; } \
    inline Lanes<double> name(Lanes<double> a) { return {vector_math::name##_d(a.v)}; }
FUSESCOPE_MATH1(X)
#undef X
#define X(name)                                                                                            \
    inline Lanes<float> name(Lanes<float> a, Lanes<float> b) { return {vector_math::name##_f(a.v, b.v)}; } \
    inline Lanes<double> name(Lanes<double> a, Lanes<double> b) { return {vector_math::name##_d(a.v, b.v)}; }
FUSESCOPE_MATH2(X)
#undef X

}  // namespace fusescope::expr
