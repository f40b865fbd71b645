#include "fusescope/nn/layers.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {

Activation::Activation(const std::string& kind, const std::string& op) : Cell(kind), op_(op) {}

Tensor Activation::construct(const Tensor& x) { return Op(op_).one({x}); }

Tensor GELU::construct(const Tensor& x) {
    static const Op gelu("GeLU");
    return gelu.one({x}, {std::string(approximate_ ? "tanh" : "none")});
}

Tensor Softmax::construct(const Tensor& x) {
    static const Op softmax("Softmax");
    return softmax.one({x}, {axis_});
}

}  // namespace fusescope::nn
