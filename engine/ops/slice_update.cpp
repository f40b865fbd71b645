#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/slicing.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    ops::same_dtype(c, 0, 1);
    const ops::Slice slice = ops::slice_of(c.op.name(), c.inputs[0].shape, c.attrs);
    const auto joined = broadcast(slice.shape, c.inputs[1].shape);
    if (!joined || *joined != slice.shape) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "SliceUpdate: a value of shape " + to_string(c.inputs[1].shape) +
                            " does not broadcast to the slice of shape " + to_string(slice.shape) +
                            " that is to be replaced in a tensor of shape " + to_string(c.inputs[0].shape),
                        {to_string(c.inputs[0].shape), to_string(c.inputs[1].shape)},
                        "axes are aligned from the right; each extent of the value must be that of the slice, or 1");
    }
    c.result(c.inputs[0].dtype, c.inputs[0].shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& value = args.inputs[1];
    const KernelTensor& out = args.outputs[0];
    const std::size_t size = size_of(in.dtype());
    const Shape flat{in.count()};
    cpu::copy_strided(flat, in.data, {1}, out.data, {1}, size);
    const ops::Slice slice = ops::slice_of("SliceUpdate", in.shape(), args.attrs);
    const Shape own = strides_of(value.shape());
    Ints strides(slice.shape.size(), 0);
    const std::size_t extra = slice.shape.size() - value.shape().size();
    for (std::size_t k = 0; k < value.shape().size(); ++k) strides[k + extra] = value.shape()[k] == 1 ? 0 : own[k];
    cpu::copy_strided(slice.shape, value.data, strides, out.as<char>() + slice.offset * static_cast<std::int64_t>(size),
                      slice.strides, size);
}

void grad(GradContext& g) {
    const Tensor& dy = g.out_grads[0];
    const Ints& begin = g.attrs.ints(0);
    const Ints& end = g.attrs.ints(1);
    const Ints& strides = g.attrs.ints(2);
    if (g.need(0)) g.set(0, lang::slice_update(dy, lang::zeros(dy.dtype(), {}), begin, end, strides));
    if (g.need(1)) g.set(1, lang::sum_to(lang::strided_slice(dy, begin, end, strides), g.inputs[1].shape()));
}

}  // namespace

OpDef op_slice_update() {
    return OpDef({.name = "SliceUpdate",
                  .functional = "slice_update",
                  .doc = "A copy of a tensor in which a slice is replaced by a value that broadcasts to it.",
                  .operands = {{"input"}, {"value"}},
                  .attributes = {{"begin", AttrType::ints, {}, true},
                                 {"end", AttrType::ints, {}, true},
                                 {"strides", AttrType::ints, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnStridedSliceAssignV2");
}

}  // namespace fusescope
