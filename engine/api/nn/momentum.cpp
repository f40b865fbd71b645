// SGD and Momentum.
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/nn/optimizers.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {
namespace {

Parameter number(double value, const char* name) {
    Parameter p(Tensor::scalar(value), name, false);
    p.impl()->number = false;
    return p;
}

}  // namespace

SGD::SGD(std::vector<Parameter> parameters, double learning_rate)
    : SGD(std::move(parameters), learning_rate, Options{}) {}

SGD::SGD(std::vector<Parameter> parameters, double learning_rate, const Options& options)
    : Optimizer(std::move(parameters), learning_rate, options.weight_decay),
      options_(options),
      momentum_(number(options.momentum, "momentum")) {
    if (options.momentum == 0) return;
    accum_ = state("accum");
    stat_ = state("stat", 1);
}

void SGD::update(std::size_t i, const Tensor& gradient) {
    static const Op sgd("SGD");
    const Tensor g = decayed(i, gradient);
    if (options_.momentum == 0) {
        parameters_[i].assign(lang::sub(parameters_[i], lang::mul(rate_, g)));
        return;
    }
    // In the first step the moment is the gradient itself; stat is 1 then and 0 later.
    sgd.many({parameters_[i], accum_[i], stat_[i], rate_, g, momentum_}, {options_.dampening, 0.0, options_.nesterov});
}

Momentum::Momentum(std::vector<Parameter> parameters, double learning_rate, double momentum, double weight_decay,
                   bool nesterov)
    : Optimizer(std::move(parameters), learning_rate, weight_decay),
      nesterov_(nesterov),
      momentum_(number(momentum, "momentum")),
      moments_(state("moments")) {}

void Momentum::update(std::size_t i, const Tensor& gradient) {
    static const Op apply("ApplyMomentum");
    apply.many({parameters_[i], moments_[i], rate_, decayed(i, gradient), momentum_}, {nesterov_});
}

}  // namespace fusescope::nn
