#include "engine/ops/convolution.hpp"

namespace fusescope {

OpDef op_conv2d_weight_grad() { return convolution::weight_grad(2, "Conv2DBackpropFilter"); }

}  // namespace fusescope
