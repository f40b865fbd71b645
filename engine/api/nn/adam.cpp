// Adam and AdamWeightDecay.
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/nn/optimizers.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {
namespace {

Parameter one(const char* name) {
    Parameter p(Tensor::scalar(1), name, false);
    p.impl()->number = false;
    return p;
}

}  // namespace

Adam::Adam(std::vector<Parameter> parameters, double learning_rate)
    : Adam(std::move(parameters), learning_rate, Options{}) {}

Adam::Adam(std::vector<Parameter> parameters, double learning_rate, const Options& options)
    : Optimizer(std::move(parameters), learning_rate, options.weight_decay),
      options_(options),
      beta1_power_(one("beta1_power")),
      beta2_power_(one("beta2_power")),
      moment1_(state("moment1")),
      moment2_(state("moment2")) {}

void Adam::begin_step() {
    using namespace lang;
    beta1_power_.assign(beta1_power_ * options_.beta1);
    beta2_power_.assign(beta2_power_ * options_.beta2);
}

void Adam::update(std::size_t i, const Tensor& gradient) {
    static const Op adam("Adam");
    const auto number = [](double v) { return Tensor::scalar(v); };
    adam.many({parameters_[i], moment1_[i], moment2_[i], beta1_power_, beta2_power_, rate_, number(options_.beta1),
               number(options_.beta2), number(options_.eps), decayed(i, gradient)},
              {options_.nesterov});
}

AdamWeightDecay::AdamWeightDecay(std::vector<Parameter> parameters, double learning_rate)
    : AdamWeightDecay(std::move(parameters), learning_rate, Options{}) {}

AdamWeightDecay::AdamWeightDecay(std::vector<Parameter> parameters, double learning_rate, const Options& options)
    : Optimizer(std::move(parameters), learning_rate, options.weight_decay),
      options_(options),
      moment1_(state("adam_m")),
      moment2_(state("adam_v")) {}

void AdamWeightDecay::update(std::size_t i, const Tensor& gradient) {
    static const Op adam("AdamWeightDecay");
    const auto number = [](double v) { return Tensor::scalar(v); };
    adam.many({parameters_[i], moment1_[i], moment2_[i], rate_, number(options_.beta1), number(options_.beta2),
               number(options_.eps), number(decay(i)), gradient});
}

}  // namespace fusescope::nn
