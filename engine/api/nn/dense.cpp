#include "engine/api/nn/initial.hpp"
#include "fusescope/nn/layers.hpp"

namespace fusescope::nn {

Dense::Dense(std::int64_t in_channels, std::int64_t out_channels, bool has_bias) : Cell("Dense") {
    const double bound = fan_in_bound(in_channels);
    weight_ = add("weight", uniform({out_channels, in_channels}, bound));
    if (has_bias) bias_ = add("bias", uniform({out_channels}, bound));
}

Tensor Dense::construct(const Tensor& x) {
    static const Op matmul("MatMul"), plus("Add");
    const Tensor y = matmul.one({x, weight_}, {false, true});
    return bias_.defined() ? plus.one({y, bias_}) : y;
}

}  // namespace fusescope::nn
