// MindSpore's promotion rules.
#pragma once

#include <optional>

#include "fusescope/dtype.hpp"

namespace fusescope {

/// Element type of an op on two tensors: Bool is lowest; a float beats any int and keeps its own width; Float16 with
/// BFloat16 gives Float32; Int8 with UInt8 gives Int16. Extents play no role: a 0-d tensor counts like any other.
DType promote(DType a, DType b) noexcept;

enum class ScalarKind : unsigned char { boolean, integer, floating };

/// Element type of an op on a tensor and a Python number: the tensor's own inside its kind, else Int64 (Bool with an
/// int) or Float32 (ints and Bool with a float).
DType promote_scalar(DType tensor, ScalarKind scalar) noexcept;

}  // namespace fusescope
