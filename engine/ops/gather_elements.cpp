#include "engine/cpu/indexing.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), c.inputs[0].shape.rank());
    ops::check_indices_along(c, c.inputs[0].shape, c.inputs[1].shape, axis);
    c.result(c.inputs[0].dtype, c.inputs[1].shape);
}

template <class T>
void copy(const KernelTensor& in, const KernelTensor& indices, const KernelTensor& out, std::size_t axis) {
    const std::int64_t extent = in.shape()[axis];
    const std::int64_t step = ops::extent_of(in.shape(), axis + 1, in.shape().size());
    const T* src = in.as<const T>();
    T* dst = out.as<T>();
    cpu::for_each_along(in.shape(), indices.shape(), axis, [&](std::int64_t i, std::int64_t base) {
        dst[i] = src[base + ops::index_at(indices, i, extent) * step];
    });
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& indices = args.inputs[1];
    const auto axis = at(normalize_axis("GatherD", args.attrs.integer(0), in.shape().rank()));
    ops::check_indices("GatherD", indices, in.shape()[axis], "axis " + std::to_string(axis) + " of the tensor");
    switch (size_of(in.dtype())) {
        case 1:
            return copy<std::uint8_t>(in, indices, args.outputs[0], axis);
        case 2:
            return copy<std::uint16_t>(in, indices, args.outputs[0], axis);
        case 4:
            return copy<std::uint32_t>(in, indices, args.outputs[0], axis);
        default:
            return copy<std::uint64_t>(in, indices, args.outputs[0], axis);
    }
}

void grad(GradContext& g) {
    g.set(0, lang::scatter_elements(lang::zeros_like(g.inputs[0]), g.inputs[1], g.out_grads[0], g.attrs.integer(0),
                                    "add"));
}

}  // namespace

OpDef op_gather_elements() {
    return OpDef({.name = "GatherD",
                  .functional = "",
                  .doc = "Elements of a tensor at the places along an axis that indices of the same rank name.",
                  .operands = {{"input"}, {"index", Accept::index}},
                  .attributes = {{"dim", AttrType::integer, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnGather");
}

}  // namespace fusescope
