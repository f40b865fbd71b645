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
    const KernelTensor& updates = args.inputs[2];
    const std::vector<std::int64_t> slices = ops::nd_slices("TensorScatterAdd", in.shape(), args.inputs[1]);
    const std::int64_t size = ops::nd_slice_size(in.shape(), at(args.inputs[1].shape().back()));
    const Shape flat{in.count()};
    cpu::copy_strided(flat, in.data, {1}, out.data, {1}, size_of(in.dtype()));
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        std::int64_t from = 0;
        for (std::int64_t slice : slices) {
            for (std::int64_t k = 0; k < size; ++k, ++from) {
                const std::int64_t to = slice * size + k;
                const auto sum = E::load(out.data, to) + E::load(updates.data, from);
                E::store(out.data, to, static_cast<typename E::Value>(sum));
            }
        }
    });
}

void grad(GradContext& g) {
    if (g.need(0)) g.set(0, lang::identity(g.out_grads[0]));
    if (g.need(2)) g.set(2, lang::gather_nd(g.out_grads[0], g.inputs[1]));
}

}  // namespace

OpDef op_tensor_scatter_add() {
    return OpDef({.name = "TensorScatterAdd",
                  .functional = "tensor_scatter_add",
                  .methods = {"tensor_scatter_add"},
                  .doc = "A copy of a tensor with slices added at the places that indices name.",
                  .operands = {{"input_x", Accept::number}, {"indices", Accept::index}, {"updates", Accept::number}}},
                 ops::infer_nd_scatter, ops::output_flops, grad)
        .with_kernel(kernel);
}

}  // namespace fusescope
