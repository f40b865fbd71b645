#include <cstring>

#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/nd_index.hpp"

namespace fusescope {
namespace {

using ops::at;

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const std::vector<std::int64_t> slices = ops::nd_slices("TensorScatterUpdate", in.shape(), args.inputs[1]);
    const std::size_t bytes =
        at(ops::nd_slice_size(in.shape(), at(args.inputs[1].shape().back()))) * size_of(in.dtype());
    const Shape flat{in.count()};
    cpu::copy_strided(flat, in.data, {1}, out.data, {1}, size_of(in.dtype()));
    for (std::size_t i = 0; i < slices.size(); ++i) {
        std::memcpy(out.as<char>() + at(slices[i]) * bytes, args.inputs[2].as<char>() + i * bytes, bytes);
    }
}

void grad(GradContext& g) {
    const Tensor& dy = g.out_grads[0];
    if (g.need(0)) g.set(0, lang::scatter_nd_update(dy, g.inputs[1], lang::zeros_like(g.inputs[2])));
    if (g.need(2)) g.set(2, lang::gather_nd(dy, g.inputs[1]));
}

}  // namespace

OpDef op_tensor_scatter_update() {
    return OpDef({.name = "TensorScatterUpdate",
                  .functional = "tensor_scatter_update",
                  .aliases = {"scatter_nd_update"},
                  .methods = {"tensor_scatter_update"},
                  .doc = "A copy of a tensor with slices replaced at the places that indices name.",
                  .operands = {{"input_x"}, {"indices", Accept::index}, {"updates"}}},
                 ops::infer_nd_scatter, ops::no_flops, grad)
        .with_kernel(kernel);
}

}  // namespace fusescope
