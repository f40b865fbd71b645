#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"
#include "fusescope/nn/layers.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {

BatchNorm2d::BatchNorm2d(std::int64_t num_features, double eps, double momentum)
    : Cell("BatchNorm2d"), eps_(eps), momentum_(momentum) {
    const Shape shape{num_features};
    moving_mean_ = add("moving_mean", lang::zeros(DType::Float32, shape), false);
    moving_variance_ = add("moving_variance", lang::ones(DType::Float32, shape), false);
    gamma_ = add("gamma", lang::ones(DType::Float32, shape));
    beta_ = add("beta", lang::zeros(DType::Float32, shape));
}

Tensor BatchNorm2d::construct(const Tensor& x) {
    using namespace lang;
    static const Op batch_norm("BatchNorm"), stop("StopGradient");
    const auto y = batch_norm.many({x, gamma_, beta_, moving_mean_, moving_variance_}, {training(), eps_});
    if (training()) {
        moving_mean_.assign(moving_mean_ * momentum_ + stop.one({y[1]}) * (1 - momentum_));
        moving_variance_.assign(moving_variance_ * momentum_ + stop.one({y[2]}) * (1 - momentum_));
    }
    return y[0];
}

LayerNorm::LayerNorm(const Shape& normalized_shape, double epsilon)
    : Cell("LayerNorm"), axes_(normalized_shape.rank()), epsilon_(epsilon) {
    gamma_ = add("gamma", lang::ones(DType::Float32, normalized_shape));
    beta_ = add("beta", lang::zeros(DType::Float32, normalized_shape));
}

Tensor LayerNorm::construct(const Tensor& x) {
    static const Op layer_norm("LayerNorm");
    if (x.rank() < axes_) {
        throw UserError(ErrorKind::shape, "LayerNorm",
                        "LayerNorm: the input's last axes must be " + to_string(gamma_.shape()) +
                            ", but its shape is " + to_string(x.shape()),
                        {to_string(x.shape())});
    }
    return layer_norm.many({x, gamma_, beta_}, {std::int64_t{x.rank() - axes_}, epsilon_})[0];
}

}  // namespace fusescope::nn
