#include "engine/ops/convolution.hpp"

namespace fusescope {

OpDef op_conv2d_input_grad() { return convolution::input_grad(2, "Conv2DBackpropInput"); }

}  // namespace fusescope
