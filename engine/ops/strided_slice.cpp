#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/slicing.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    c.result(c.inputs[0].dtype, ops::slice_of(c.op.name(), c.inputs[0].shape, c.attrs).shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const ops::Slice slice = ops::slice_of("StridedSlice", in.shape(), args.attrs);
    const std::size_t size = size_of(in.dtype());
    cpu::copy_strided(out.shape(), in.as<char>() + slice.offset * static_cast<std::int64_t>(size), slice.strides,
                      out.data, strides_of(out.shape()), size);
}

void grad(GradContext& g) {
    g.set(0, lang::slice_update(lang::zeros_like(g.inputs[0]), g.out_grads[0], g.attrs.ints(0), g.attrs.ints(1),
                                g.attrs.ints(2)));
}

}  // namespace

OpDef op_strided_slice() {
    return OpDef({.name = "StridedSlice",
                  .functional = "strided_slice",
                  .doc = "Every strides-th element from begin to end of each axis, as Python's slices count.",
                  .operands = {{"input"}},
                  .attributes = {{"begin", AttrType::ints, {}, true},
                                 {"end", AttrType::ints, {}, true},
                                 {"strides", AttrType::ints, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnSliceV2");
}

}  // namespace fusescope
