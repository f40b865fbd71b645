// Matrix products on contiguous row-major data; knows extents and strides, no ops.
#pragma once

#include <cstdint>

#include "fusescope/dtype.hpp"
#include "fusescope/shape.hpp"

namespace fusescope::cpu {

/// What is done to each element of a product while it is still in the cache, in this order.
struct Epilogue {
    const void* bias = nullptr;  ///< n elements of the product's dtype, added to each row; may be null
    bool relu = false;           ///< NaN stays NaN, as in engine/ops/relu.cpp
};

/// c (m, n) = op(a) (m, k) · op(b) (k, n), for each index of `batch`. A transposed operand is stored as (k, m) or (n,
/// k).
struct MatMulShape {
    std::int64_t m = 0, n = 0, k = 0;
    bool transpose_a = false, transpose_b = false;
    Shape batch;             ///< leading extents of the product
    Shape batch_a, batch_b;  ///< those of the operands: they broadcast to `batch`
};

/// Float32 runs through oneDNN or an own loop, whichever is quicker for the extents; Float64 and ints through an own
/// blocked loop (ints wrap); Float16 and BFloat16 are widened, multiplied in Float32, and rounded once after the
/// epilogue's bias (and relu). The result does not depend on what else runs, nor on the epilogue's being there.
void matmul(DType dtype, const MatMulShape& shape, const void* a, const void* b, void* c,
            const Epilogue& epilogue = {});

}  // namespace fusescope::cpu
