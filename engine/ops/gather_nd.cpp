#include <cstring>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/nd_index.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    c.result(c.inputs[0].dtype, ops::nd_shape(c.op.name(), c.inputs[0].shape, c.inputs[1].shape));
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& indices = args.inputs[1];
    const std::vector<std::int64_t> slices = ops::nd_slices("GatherNd", in.shape(), indices);
    const std::size_t bytes = at(ops::nd_slice_size(in.shape(), at(indices.shape().back()))) * size_of(in.dtype());
    for (std::size_t i = 0; i < slices.size(); ++i) {
        std::memcpy(args.outputs[0].as<char>() + i * bytes, in.as<char>() + at(slices[i]) * bytes, bytes);
    }
}

void grad(GradContext& g) {
    g.set(0, lang::scatter_nd_add(lang::zeros_like(g.inputs[0]), g.inputs[1], g.out_grads[0]));
}

}  // namespace

OpDef op_gather_nd() {
    return OpDef({.name = "GatherNd",
                  .functional = "gather_nd",
                  .methods = {"gather_nd"},
                  .doc = "Slices of a tensor at places that the last axis of the indices names.",
                  .operands = {{"input_x"}, {"indices", Accept::index}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnGatherNd");
}

}  // namespace fusescope
