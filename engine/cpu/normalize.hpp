// Row-wise kernels: softmax and layer normalisation over the last elements of a contiguous tensor.
#pragma once

#include <cstdint>

#include "fusescope/dtype.hpp"

namespace fusescope::cpu {

/// Softmax (or its logarithm) of each of `rows` rows of `n` elements. A row of -Inf only gives NaN, as the formula
/// does.
void softmax_rows(DType dtype, std::int64_t rows, std::int64_t n, const void* src, void* dst, bool logarithm);

/// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta for each row; the variance is the mean squared distance
/// from the mean (two passes, so that large offsets do no harm). mean and rstd get one element a row.
void layer_norm_rows(DType dtype, std::int64_t rows, std::int64_t n, double epsilon, const void* x, const void* gamma,
                     const void* beta, void* y, void* mean, void* rstd);

/// Batch normalisation of x (n, c, inner): with `training` by the batch's own mean and biased variance, else by those
/// given. mean_out and variance_out get what was used. Half types: statistics in Float32.
void batch_norm(DType dtype, std::int64_t n, std::int64_t c, std::int64_t inner, bool training, double epsilon,
                const void* x, const void* scale, const void* bias, const void* mean, const void* variance, void* y,
                void* mean_out, void* variance_out);

}  // namespace fusescope::cpu
