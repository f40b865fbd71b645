#include "engine/ops/convolution.hpp"

namespace fusescope {

OpDef op_conv3d_input_grad() { return convolution::input_grad(3, "Conv3DBackpropInput"); }

}  // namespace fusescope
