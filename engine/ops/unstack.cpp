#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    Shape shape = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), shape.rank());
    const std::int64_t parts = shape[at(axis)];
    shape.erase(shape.begin() + axis);
    for (std::int64_t i = 0; i < parts; ++i) c.result(c.inputs[0].dtype, shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const int axis = normalize_axis("Unstack", args.attrs.integer(0), in.shape().rank());
    Shape strides = strides_of(in.shape());
    const std::int64_t step = strides[at(axis)];
    strides.erase(strides.begin() + axis);
    const std::size_t size = size_of(in.dtype());
    for (std::size_t i = 0; i < args.outputs.size(); ++i) {
        const KernelTensor& out = args.outputs[i];
        cpu::copy_strided(out.shape(), in.as<char>() + i * at(step) * size, strides, out.data, strides_of(out.shape()),
                          size);
    }
}

void grad(GradContext& g) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < g.outputs.size(); ++i) {
        parts.push_back(g.out_grads[i].defined() ? g.out_grads[i] : lang::zeros_like(g.outputs[i]));
    }
    g.set(0, lang::stack(parts, normalize_axis("Unstack", g.attrs.integer(0), g.inputs[0].rank())));
}

}  // namespace

OpDef op_unstack() {
    return OpDef({.name = "Unstack",
                  .functional = "unstack",
                  .aliases = {"unbind"},
                  .methods = {"unbind"},
                  .doc = "All slices along an axis, each without it.",
                  .operands = {{"input"}},
                  .attributes = {{"axis", AttrType::integer, std::int64_t{0}}},
                  .outputs = -1},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel);
}

}  // namespace fusescope
