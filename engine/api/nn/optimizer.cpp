#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"
#include "fusescope/nn/optimizers.hpp"

namespace fusescope::nn {
namespace {

struct OptimizerPhase {
    Context& context = Context::current();
    Phase before = context.phase;
    OptimizerPhase() { context.phase = Phase::optimizer; }
    ~OptimizerPhase() { context.phase = before; }
};

}  // namespace

Optimizer::Optimizer(std::vector<Parameter> parameters, double learning_rate, double weight_decay)
    : parameters_(std::move(parameters)),
      rate_(Tensor::scalar(learning_rate), "learning_rate", false),
      weight_decay_(weight_decay) {
    rate_.impl()->number = false;  // a value that may change is no constant of a graph
    if (parameters_.empty()) throw UserError(ErrorKind::value, "", "an optimizer needs at least one Parameter");
    if (!(learning_rate >= 0) || !(weight_decay >= 0)) {
        throw UserError(ErrorKind::value, "", "the learning rate and the weight decay must not be negative");
    }
}

void Optimizer::operator()(std::span<const Tensor> gradients) {
    if (gradients.size() != parameters_.size()) {
        throw UserError(ErrorKind::value, "",
                        std::to_string(gradients.size()) + " gradients were given for " +
                            std::to_string(parameters_.size()) + " Parameters");
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (gradients[i].shape() == parameters_[i].shape()) continue;
        throw UserError(ErrorKind::shape, "",
                        "the gradient of `" + parameters_[i].name() + "` has shape " + to_string(gradients[i].shape()) +
                            ", but the Parameter has shape " + to_string(parameters_[i].shape()),
                        {to_string(parameters_[i].shape()), to_string(gradients[i].shape())});
    }
    const OptimizerPhase phase;
    begin_step();
    for (std::size_t i = 0; i < parameters_.size(); ++i) update(i, gradients[i]);
    ++phase.context.step;
}

double Optimizer::decay(std::size_t i) const {
    const std::string& name = parameters_[i].name();
    const bool normalises = name.find("beta") != std::string::npos || name.find("gamma") != std::string::npos;
    return normalises ? 0 : weight_decay_;
}

Tensor Optimizer::decayed(std::size_t i, const Tensor& gradient) const {
    using namespace lang;
    return decay(i) == 0 ? gradient : gradient + parameters_[i] * decay(i);
}

std::vector<Parameter> Optimizer::state(const std::string& prefix, double value) const {
    std::vector<Parameter> made;
    for (const Parameter& p : parameters_) {
        made.emplace_back(lang::full(p.shape(), value, p.dtype()), prefix + "." + p.name(), false);
    }
    return made;
}

}  // namespace fusescope::nn
