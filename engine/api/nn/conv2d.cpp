#include "engine/api/nn/initial.hpp"
#include "fusescope/error.hpp"
#include "fusescope/nn/layers.hpp"

namespace fusescope::nn {

Conv2d::Conv2d(std::int64_t in_channels, std::int64_t out_channels, std::int64_t kernel_size)
    : Conv2d(in_channels, out_channels, {kernel_size, kernel_size}, Options{}) {}

Conv2d::Conv2d(std::int64_t in_channels, std::int64_t out_channels, const Shape& kernel_size, Options options)
    : Cell("Conv2d"), options_(std::move(options)) {
    if (options_.group < 1 || in_channels % options_.group || out_channels % options_.group) {
        throw UserError(ErrorKind::value, "Conv2D",
                        "Conv2d: " + std::to_string(in_channels) + " and " + std::to_string(out_channels) +
                            " channels cannot be split into " + std::to_string(options_.group) + " groups");
    }
    const std::int64_t per_group = in_channels / options_.group;
    const double bound = fan_in_bound(per_group * kernel_size.count());
    Shape shape{out_channels, per_group};
    for (std::int64_t extent : kernel_size) shape.push_back(extent);
    weight_ = add("weight", uniform(shape, bound));
    if (options_.has_bias) bias_ = add("bias", uniform({out_channels}, bound));
}

Tensor Conv2d::construct(const Tensor& x) {
    static const Op conv2d("Conv2D"), bias_add("BiasAdd");
    const Tensor y = conv2d.one({x, weight_, Tensor()}, {options_.stride, options_.pad_mode, options_.padding,
                                                         options_.dilation, options_.group});
    return bias_.defined() ? bias_add.one({y, bias_}) : y;
}

}  // namespace fusescope::nn
