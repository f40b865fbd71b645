// SLEEF's functions under one set of names. Code generation calls the very same symbols (see vector_math_symbol), so
// eager and fused kernels agree bit for bit.
#pragma once

#include <sleef.h>

#include "engine/expr/program.hpp"

namespace fusescope::expr::vector_math {

typedef float F8 __attribute__((vector_size(32)));
typedef double D4 __attribute__((vector_size(32)));

#if defined(__AVX2__)
#define FUSESCOPE_SLEEF_F(name, ulp) Sleef_##name##f8_##ulp##avx2
#define FUSESCOPE_SLEEF_D(name, ulp) Sleef_##name##d4_##ulp##avx2
#define FUSESCOPE_WRAP1(name, ulp)                                                   \
    inline F8 name##_f(F8 a) { return (F8)FUSESCOPE_SLEEF_F(name, ulp)((__m256)a); } \
    inline D4 name##_d(D4 a) { return (D4)FUSESCOPE_SLEEF_D(name, ulp)((__m256d)a); }
#define FUSESCOPE_WRAP2(name, ulp)                                                                    \
    inline F8 name##_f(F8 a, F8 b) { return (F8)FUSESCOPE_SLEEF_F(name, ulp)((__m256)a, (__m256)b); } \
    inline D4 name##_d(D4 a, D4 b) { return (D4)FUSESCOPE_SLEEF_D(name, ulp)((__m256d)a, (__m256d)b); }
inline constexpr int kSymbolBytes = 32;  ///< vector width of the functions that vector_math_symbol returns
#else
#if defined(__aarch64__)
#define FUSESCOPE_ISA advsimd
typedef float32x4_t Q4;
typedef float64x2_t Q2;
#else
#define FUSESCOPE_ISA sse2
typedef __m128 Q4;
typedef __m128d Q2;
#endif
#define FUSESCOPE_PASTE_(a, b, c, d, e) a##b##c##d##e
#define FUSESCOPE_PASTE(a, b, c, d, e) FUSESCOPE_PASTE_(a, b, c, d, e)
#define FUSESCOPE_SLEEF_F(name, ulp) FUSESCOPE_PASTE(Sleef_, name, f4_, ulp, FUSESCOPE_ISA)
#define FUSESCOPE_SLEEF_D(name, ulp) FUSESCOPE_PASTE(Sleef_, name, d2_, ulp, FUSESCOPE_ISA)
template <class V, class Q, class F, class... A>
inline V in_halves(F f, A... a) {
    V out;
    for (int half = 0; half < 2; ++half) {
        Q r = f([&] {
            Q q;
            __builtin_memcpy(&q, reinterpret_cast<const char*>(&a) + 16 * half, 16);
            return q;
        }()...);
        __builtin_memcpy(reinterpret_cast<char*>(&out) + 16 * half, &r, 16);
    }
    return out;
}
#define FUSESCOPE_WRAP1(name, ulp)                                                          \
    inline F8 name##_f(F8 a) { return in_halves<F8, Q4>(FUSESCOPE_SLEEF_F(name, ulp), a); } \
    inline D4 name##_d(D4 a) { return in_halves<D4, Q2>(FUSESCOPE_SLEEF_D(name, ulp), a); }
#define FUSESCOPE_WRAP2(name, ulp)                                                                   \
    inline F8 name##_f(F8 a, F8 b) { return in_halves<F8, Q4>(FUSESCOPE_SLEEF_F(name, ulp), a, b); } \
    inline D4 name##_d(D4 a, D4 b) { return in_halves<D4, Q2>(FUSESCOPE_SLEEF_D(name, ulp), a, b); }
inline constexpr int kSymbolBytes = 16;
#endif

#define FUSESCOPE_SLEEF1(X)                                                                                     \
    X(exp, u10)                                                                                                 \
    X(expm1, u10) X(exp2, u10) X(log, u10) X(log1p, u10) X(log2, u10) X(log10, u10) X(sin, u10) X(cos, u10)     \
        X(tan, u10) X(sinh, u10) X(cosh, u10) X(tanh, u10) X(asin, u10) X(acos, u10) X(atan, u10) X(asinh, u10) \
            X(acosh, u10) X(atanh, u10) X(erf, u10) X(erfc, u15) X(lgamma, u10) X(cbrt, u10)
#define FUSESCOPE_SLEEF2(X) X(pow, u10) X(atan2, u10) X(hypot, u05)

FUSESCOPE_SLEEF1(FUSESCOPE_WRAP1)
FUSESCOPE_SLEEF2(FUSESCOPE_WRAP2)

inline F8 fmod_f(F8 a, F8 b) {
    for (int i = 0; i < 8; ++i) a[i] = __builtin_fmodf(a[i], b[i]);
    return a;
}
inline D4 fmod_d(D4 a, D4 b) {
    for (int i = 0; i < 4; ++i) a[i] = __builtin_fmod(a[i], b[i]);
    return a;
}

/// Symbol name of a math instruction's vector function for f32 or f64, with vectors of kSymbolBytes bytes; for fmod the
/// scalar C function ("fmodf", "fmod"). Null for other instructions. `address` gets its address.
const char* vector_math_symbol(Ins ins, Kind kind, void** address) noexcept;

}  // namespace fusescope::expr::vector_math
