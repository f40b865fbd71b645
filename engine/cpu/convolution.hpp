// Convolution over rows and columns, or over depth too, and its two gradients. Float32 goes to oneDNN; Float64 has
// plain loops, half types are computed in Float32.
#pragma once

#include <cstdint>

#include "fusescope/dtype.hpp"

namespace fusescope::cpu {

/// All extents of one convolution; activations are (n, channels, [depth,] height, width), weights (out, in / groups,
/// [kd,] kh, kw). Without depth its extents are 1.
struct ConvShape {
    std::int64_t n = 0, ic = 0, oc = 0;
    std::int64_t id = 1, ih = 0, iw = 0, od = 1, oh = 0, ow = 0, kd = 1, kh = 0, kw = 0;
    std::int64_t sd = 1, sh = 1, sw = 1, dd = 1, dh = 1, dw = 1;  ///< stride and dilation (1: dense)
    std::int64_t front = 0, back = 0, top = 0, bottom = 0, left = 0, right = 0;
    std::int64_t groups = 1;
};

/// dst = conv(src, weights) [+ bias], then ReLU when asked. `bias` may be null.
void conv(DType dtype, const ConvShape& s, const void* src, const void* weights, const void* bias, bool relu,
          void* dst);
/// Gradient of the input.
void conv_input_grad(DType dtype, const ConvShape& s, const void* dst_grad, const void* weights, void* src_grad);
/// Gradient of the weights.
void conv_weights_grad(DType dtype, const ConvShape& s, const void* dst_grad, const void* src, void* weights_grad);

}  // namespace fusescope::cpu
