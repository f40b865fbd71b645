#include "engine/ops/convolution.hpp"

namespace fusescope {

OpDef op_conv2d() {
    return convolution::forward(
        2, "Conv2D", "conv2d",
        "Two-dimensional convolution of (N, C, H, W) with a weight (out, in/group, rows, columns).");
}

}  // namespace fusescope
