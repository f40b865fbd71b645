// Maximum and mean of windows over the last two axes, with gradients.
#pragma once

#include <cstdint>

#include "fusescope/dtype.hpp"

namespace fusescope::cpu {

struct PoolShape {
    std::int64_t planes = 0, ih = 0, iw = 0, oh = 0, ow = 0, kh = 1, kw = 1, sh = 1, sw = 1, top = 0, left = 0;
    bool count_padding = false;  ///< the mean divides by the whole window, also where it hangs over the edge
};

/// NaN in a window makes its maximum NaN.
void max_pool(DType dtype, const PoolShape& s, const void* src, void* dst);
/// The gradient goes to the first largest element of each window.
void max_pool_grad(DType dtype, const PoolShape& s, const void* src, const void* dst_grad, void* src_grad);
void avg_pool(DType dtype, const PoolShape& s, const void* src, void* dst);
void avg_pool_grad(DType dtype, const PoolShape& s, const void* dst_grad, void* src_grad);

}  // namespace fusescope::cpu
