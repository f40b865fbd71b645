#include "engine/core/broadcast.hpp"
#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const Shape& from = c.inputs[0].shape;
    const Shape& wanted = c.attrs.ints(0);
    Shape to = wanted;
    const int extra = to.rank() - from.rank();
    bool fits = extra >= 0;
    for (int k = 0; fits && k < to.rank(); ++k) {
        std::int64_t& extent = to[static_cast<std::size_t>(k)];
        if (k < extra) {
            fits = extent >= 0;
            continue;
        }
        const std::int64_t own = from[static_cast<std::size_t>(k - extra)];
        if (extent == -1) extent = own;
        fits = extent == own || (own == 1 && extent >= 0);
    }
    if (!fits) {
        throw UserError(
            ErrorKind::shape, c.op.name(),
            "BroadcastTo: a tensor of shape " + to_string(from) + " does not broadcast to " + to_string(wanted),
            {to_string(from), to_string(wanted)},
            "axes are aligned from the right; only extents of 1 can grow, and -1 keeps an extent");
    }
    c.result(c.inputs[0].dtype, to);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const Shape own = strides_of(in.shape());
    Ints strides(out.shape().size(), 0);
    const std::size_t extra = out.shape().size() - in.shape().size();
    for (std::size_t k = 0; k < in.shape().size(); ++k) strides[k + extra] = in.shape()[k] == 1 ? 0 : own[k];
    cpu::copy_strided(out.shape(), in.data, strides, out.data, strides_of(out.shape()), size_of(in.dtype()));
}

void cost(std::span<const TensorType>, std::span<const TensorType>, const Attrs&, Cost&) {}

void grad(GradContext& g) { g.set(0, lang::sum_to(g.out_grads[0], g.inputs[0].shape())); }

}  // namespace

OpDef op_broadcast_to() {
    return OpDef({.name = "BroadcastTo",
                  .functional = "broadcast_to",
                  .aliases = {"expand"},
                  .methods = {"broadcast_to", "expand"},
                  .doc = "Repeats extents of 1 until the tensor has the given shape; -1 keeps an extent.",
                  .operands = {{"input"}},
                  .attributes = {{"shape", AttrType::ints, {}, true}}},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnExpand");
}

}  // namespace fusescope
