#include "engine/core/promote.hpp"

#include <algorithm>

namespace fusescope {

DType promote(DType a, DType b) noexcept {
    if (a == b) return a;
    if (a == DType::Bool) return b;
    if (b == DType::Bool) return a;
    if (is_float(a) || is_float(b)) {
        if (!is_float(a)) return b;
        if (!is_float(b)) return a;
        if (std::min(a, b) == DType::Float16 && std::max(a, b) == DType::BFloat16) return DType::Float32;
        return std::max(a, b);
    }
    // Ints: UInt8 holds what Int16 and wider hold, but not what Int8 holds.
    if (a == DType::UInt8) std::swap(a, b);
    if (b == DType::UInt8) return a == DType::Int8 ? DType::Int16 : a;
    return std::max(a, b);
}

DType promote_scalar(DType tensor, ScalarKind scalar) noexcept {
    if (is_float(tensor) || scalar == ScalarKind::boolean) return tensor;
    if (scalar == ScalarKind::floating) return DType::Float32;
    return tensor == DType::Bool ? DType::Int64 : tensor;
}

}  // namespace fusescope
