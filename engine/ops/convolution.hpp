// Convolution and its two gradients over two axes or three: what the op files of both share.
#pragma once

#include "engine/ir/op_def.hpp"

namespace fusescope::convolution {

/// What is convolved with what; each of the three products has the other two as gradients.
OpDef forward(std::size_t axes, std::string name, std::string functional, std::string doc);
OpDef input_grad(std::size_t axes, std::string name);
OpDef weight_grad(std::size_t axes, std::string name);

}  // namespace fusescope::convolution
