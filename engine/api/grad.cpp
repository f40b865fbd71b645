#include "fusescope/grad.hpp"

#include "engine/autodiff/tape.hpp"
#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "fusescope/error.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope {

ValueAndGrad::ValueAndGrad(TensorFunction function, GradOptions options)
    : function_(std::move(function)), options_(std::move(options)) {}

Gradients ValueAndGrad::operator()(std::span<const Tensor> arguments) const {
    static const Op identity("Identity");
    Context& context = Context::current();
    Tensors args(arguments.begin(), arguments.end());
    Tensors wanted;
    for (std::size_t place : options_.positions) {
        if (place >= args.size()) {
            throw UserError(ErrorKind::value, "",
                            "value_and_grad: position " + std::to_string(place) +
                                " names no argument: the function was called with " + std::to_string(args.size()));
        }
        Tensor& a = args[place];
        // A handle of its own, for one tensor given twice has two gradients; an outer tape must see where it is from.
        if (!a.impl()->parameter) a = context.tapes.empty() ? traced_snapshot(context, a) : identity.one({a});
        wanted.push_back(a);
    }
    for (const Parameter& w : options_.weights) wanted.push_back(w);
    autodiff::Tape tape(context);
    for (const Tensor& t : wanted) tape.watch(t);
    Gradients result;
    result.outputs = function_(args);
    tape.stop();
    Tensors differentiated = result.outputs;
    if (options_.has_aux && differentiated.size() > 1) differentiated.resize(1);
    const Tensors grads = tape.gradient(differentiated, {}, wanted);
    const auto split = grads.begin() + static_cast<std::ptrdiff_t>(options_.positions.size());
    result.inputs.assign(grads.begin(), split);
    result.weights.assign(split, grads.end());
    return result;
}

std::function<Tensor(std::initializer_list<Tensor>)> grad(TensorFunction function) {
    return [run = ValueAndGrad(std::move(function))](std::initializer_list<Tensor> arguments) {
        return run(arguments).inputs[0];
    };
}

}  // namespace fusescope
