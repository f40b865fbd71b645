#include "engine/cpu/indexing.hpp"
#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    ops::same_dtype(c, 0, 2);
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), c.inputs[0].shape.rank());
    ops::check_indices_along(c, c.inputs[0].shape, c.inputs[1].shape, axis);
    if (c.inputs[1].shape != c.inputs[2].shape) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        c.op.name() + ": indices have shape " + to_string(c.inputs[1].shape) +
                            " and updates have shape " + to_string(c.inputs[2].shape) + "; they must be equal",
                        {to_string(c.inputs[1].shape), to_string(c.inputs[2].shape)});
    }
    const std::string& reduction = c.attrs.string(1);
    if (reduction != "none" && reduction != "add") {
        throw UserError(ErrorKind::value, c.op.name(),
                        c.op.name() + ": reduction is \"" + reduction + "\", but it must be \"none\" or \"add\"");
    }
    ops::infer_same(c);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& indices = args.inputs[1];
    const KernelTensor& updates = args.inputs[2];
    const KernelTensor& out = args.outputs[0];
    const auto axis = at(normalize_axis("TensorScatterElements", args.attrs.integer(0), in.shape().rank()));
    const std::int64_t extent = in.shape()[axis];
    ops::check_indices("TensorScatterElements", indices, extent, "axis " + std::to_string(axis) + " of the tensor");
    const Shape flat{in.count()};
    cpu::copy_strided(flat, in.data, {1}, out.data, {1}, size_of(in.dtype()));
    const std::int64_t step = ops::extent_of(in.shape(), axis + 1, in.shape().size());
    const bool add = args.attrs.string(1) == "add";
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        cpu::for_each_along(in.shape(), indices.shape(), axis, [&](std::int64_t i, std::int64_t base) {
            const std::int64_t place = base + ops::index_at(indices, i, extent) * step;
            auto value = E::load(updates.data, i);
            if (add) value = static_cast<typename E::Value>(value + E::load(out.data, place));
            E::store(out.data, place, value);
        });
    });
}

void grad(GradContext& g) {
    const std::int64_t axis = g.attrs.integer(0);
    const Tensor& dy = g.out_grads[0];
    const bool add = g.attrs.string(1) == "add";
    if (g.need(0)) {
        g.set(0, add ? lang::identity(dy)
                     : lang::scatter_elements(dy, g.inputs[1], lang::zeros_like(g.inputs[2]), axis, "none"));
    }
    if (g.need(2)) g.set(2, lang::gather_elements(dy, g.inputs[1], axis));
}

}  // namespace

OpDef op_scatter_elements() {
    return OpDef(
               {.name = "TensorScatterElements",
                .functional = "tensor_scatter_elements",
                .methods = {"tensor_scatter_elements"},
                .doc = "A copy of a tensor with elements put, or added, at the places along an axis that indices name.",
                .operands = {{"input_x"}, {"indices", Accept::index}, {"updates"}},
                .attributes = {{"axis", AttrType::integer, std::int64_t{0}},
                               {"reduction", AttrType::string, std::string("none")}}},
               infer, ops::output_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnScatter");
}

}  // namespace fusescope
