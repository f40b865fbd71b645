#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

SmallVector<bool, 8> flags(const Shape& shape, const Attrs& attrs) {
    SmallVector<bool, 8> f(shape.size(), false);
    for (std::int64_t a : attrs.ints(0)) f[at(normalize_axis("ReverseV2", a, shape.rank()))] = true;
    return f;
}

void infer(InferContext& c) {
    flags(c.inputs[0].shape, c.attrs);
    ops::infer_same(c);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    if (in.count() == 0) return;
    const auto reversed = flags(in.shape(), args.attrs);
    const Shape own = strides_of(in.shape());
    Ints strides = own;
    std::int64_t first = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
        if (!reversed[k]) continue;
        strides[k] = -own[k];
        first += (in.shape()[k] - 1) * own[k];
    }
    const std::size_t size = size_of(in.dtype());
    cpu::copy_strided(in.shape(), in.as<char>() + at(first) * size, strides, args.outputs[0].data, own, size);
}

void grad(GradContext& g) { g.set(0, lang::flip(g.out_grads[0], g.attrs.ints(0))); }

}  // namespace

OpDef op_flip() {
    return OpDef({.name = "ReverseV2",
                  .functional = "flip",
                  .methods = {"flip"},
                  .doc = "Turns the order of elements along axes round.",
                  .operands = {{"input"}},
                  .attributes = {{"dims", AttrType::ints, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnFlip");
}

}  // namespace fusescope
