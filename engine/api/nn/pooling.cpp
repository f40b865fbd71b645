#include "fusescope/nn/layers.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {

MaxPool2d::MaxPool2d(std::int64_t kernel_size, std::int64_t stride, std::string pad_mode)
    : Cell("MaxPool2d"), kernel_size_(kernel_size), stride_(stride), pad_mode_(std::move(pad_mode)) {}

Tensor MaxPool2d::construct(const Tensor& x) {
    static const Op op("MaxPool");
    return op.one({x}, {Ints{kernel_size_}, Ints{stride_}, pad_mode_});
}

AvgPool2d::AvgPool2d(std::int64_t kernel_size, std::int64_t stride, std::string pad_mode)
    : Cell("AvgPool2d"), kernel_size_(kernel_size), stride_(stride), pad_mode_(std::move(pad_mode)) {}

Tensor AvgPool2d::construct(const Tensor& x) {
    static const Op op("AvgPool");
    return op.one({x}, {Ints{kernel_size_}, Ints{stride_}, pad_mode_});
}

}  // namespace fusescope::nn
