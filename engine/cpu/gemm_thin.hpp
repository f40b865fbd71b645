// Float32 products for the extents at which oneDNN's gemm is weak: few rows, and few terms a sum.
//
// Measured on a Zen 3 with two threads (tests/benchmarks/matmul_bench.cpp prints both sides of each line):
// see the table at the end of that file's head. oneDNN packs (transposes) both operands before it multiplies; with few
// rows, or few terms, the packing of the large operand costs as much as the product.
//  - x (m, k) · wᵀ, w (n, k), m small: rows of both are contiguous in k, so 3x4 dot products run side by side with no
//    packing, and w is read exactly once.
//  - rank-k updates, aᵀ (k, m) · b (k, n) with k small: the operands fit the L2 packed, and rows of the result are
//  written
//    from left to right, which is what bounds the time.
//  - x (m, k) · b (k, n), m small: panels of b, 16 columns wide, are copied to the L1 once and meet all rows there.
// Each element is summed in an order that depends on the extents alone, not on the number of threads.
#pragma once

#include <cstdint>

namespace fusescope::cpu {

/// True when `gemm_thin` takes these extents on this processor.
bool gemm_thin_suits(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b) noexcept;

/// c (m, n) = op(a) · op(b), row-major, as described in matmul.hpp.
void gemm_thin(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b, const float* a,
               const float* b, float* c);

}  // namespace fusescope::cpu
