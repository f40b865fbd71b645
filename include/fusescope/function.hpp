// Functions of tensors, as gradients, compiled graphs, branches and loops take them.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "fusescope/tensor.hpp"

namespace fusescope {

using Tensors = std::vector<Tensor>;
using TensorFunction = std::function<Tensors(std::span<const Tensor>)>;

}  // namespace fusescope
