// Gradients of functions, by reverse mode over the op table.
#pragma once

#include "fusescope/function.hpp"
#include "fusescope/parameter.hpp"

namespace fusescope {

struct GradOptions {
    std::vector<std::size_t> positions{0};  ///< arguments to differentiate by; none: {}
    std::vector<Parameter> weights{};       ///< Parameters to differentiate by
    bool has_aux = false;                   ///< only the first output is differentiated
};

/// What one call gives. A gradient has the shape and dtype of what it belongs to; it is zero where nothing flows.
struct Gradients {
    Tensors outputs;  ///< of the function, all of them
    Tensors inputs;   ///< one for each of GradOptions::positions
    Tensors weights;  ///< one for each of GradOptions::weights
};

/// A function together with its gradients. With several float outputs the gradient is that of their sum.
class ValueAndGrad {
 public:
    explicit ValueAndGrad(TensorFunction function, GradOptions options = {});

    /// Runs the function and then its gradient; inside jit both join the graph. Throws UserError (value) when a
    /// position names no argument, and what the function throws.
    Gradients operator()(std::span<const Tensor> arguments) const;
    Gradients operator()(std::initializer_list<Tensor> arguments) const {
        return (*this)(std::span<const Tensor>(arguments.begin(), arguments.size()));
    }

 private:
    TensorFunction function_;
    GradOptions options_;
};

inline ValueAndGrad value_and_grad(TensorFunction function, GradOptions options = {}) {
    return ValueAndGrad(std::move(function), std::move(options));
}

/// The gradient by the first argument alone: grad(f)({x}).
std::function<Tensor(std::initializer_list<Tensor>)> grad(TensorFunction function);

}  // namespace fusescope
