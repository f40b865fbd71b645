#include "engine/expr/vector_math.hpp"

#include <cmath>

namespace fusescope::expr::vector_math {
namespace {
#define FUSESCOPE_TEXT_(x) #x
#define FUSESCOPE_TEXT(x) FUSESCOPE_TEXT_(x)
}  // namespace

const char* vector_math_symbol(Ins ins, Kind kind, void** address) noexcept {
    const bool single = kind == Kind::f32;
    switch (ins) {
#define X(name, ulp)                                                                \
    case Ins::name##_:                                                              \
        *address = single ? reinterpret_cast<void*>(&FUSESCOPE_SLEEF_F(name, ulp))  \
                          : reinterpret_cast<void*>(&FUSESCOPE_SLEEF_D(name, ulp)); \
        return single ? FUSESCOPE_TEXT(FUSESCOPE_SLEEF_F(name, ulp)) : FUSESCOPE_TEXT(FUSESCOPE_SLEEF_D(name, ulp));
        FUSESCOPE_SLEEF1(X)
        FUSESCOPE_SLEEF2(X)
#undef X
        case Ins::fmod_:
            *address = single ? reinterpret_cast<void*>(static_cast<float (*)(float, float)>(&::fmodf))
                              : reinterpret_cast<void*>(static_cast<double (*)(double, double)>(&::fmod));
            return single ? "fmodf" : "fmod";
        default:
            *address = nullptr;
            return nullptr;
    }
}

}  // namespace fusescope::expr::vector_math
