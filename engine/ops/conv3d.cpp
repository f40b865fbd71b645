#include "engine/ops/convolution.hpp"

namespace fusescope {

OpDef op_conv3d() {
    return convolution::forward(
        3, "Conv3D", "conv3d",
        "Three-dimensional convolution of (N, C, D, H, W) with a weight (out, in/group, depth, rows, columns).");
}

}  // namespace fusescope
