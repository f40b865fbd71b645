#include "engine/ops/convolution.hpp"

namespace fusescope {

OpDef op_conv3d_weight_grad() { return convolution::weight_grad(3, "Conv3DBackpropFilter"); }

}  // namespace fusescope
