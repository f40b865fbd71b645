#include <algorithm>

#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

// Extents of the operand and counts of copies, of equal rank.
struct Tiling {
    Shape extents, copies;
};

Tiling tiling_of(const Shape& shape, const Ints& given) {
    Tiling t;
    const std::size_t rank = std::max(shape.size(), given.size());
    for (std::size_t k = 0; k < rank; ++k) {
        t.extents.push_back(k + shape.size() >= rank ? shape[k + shape.size() - rank] : 1);
        t.copies.push_back(k + given.size() >= rank ? given[k + given.size() - rank] : 1);
    }
    return t;
}

void infer(InferContext& c) {
    const Tiling t = tiling_of(c.inputs[0].shape, c.attrs.ints(0));
    Shape out;
    for (std::size_t k = 0; k < t.extents.size(); ++k) {
        if (t.copies[k] < 0) {
            throw UserError(
                ErrorKind::value, c.op.name(),
                "Tile: reps is " + to_string(c.attrs.ints(0)) + ", but a count of copies cannot be negative");
        }
        out.push_back(t.extents[k] * t.copies[k]);
    }
    c.result(c.inputs[0].dtype, out);
}

// Every axis as two: copies, then the operand's own.
Shape paired(const Tiling& t) {
    Shape shape;
    for (std::size_t k = 0; k < t.extents.size(); ++k) {
        shape.push_back(t.copies[k]);
        shape.push_back(t.extents[k]);
    }
    return shape;
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const Tiling t = tiling_of(in.shape(), args.attrs.ints(0));
    const Shape shape = paired(t);
    const Shape own = strides_of(t.extents);
    Ints strides;
    for (std::int64_t stride : own) {
        strides.push_back(0);
        strides.push_back(stride);
    }
    cpu::copy_strided(shape, in.data, strides, args.outputs[0].data, strides_of(shape), size_of(in.dtype()));
}

void grad(GradContext& g) {
    const Shape shape = paired(tiling_of(g.inputs[0].shape(), g.attrs.ints(0)));
    Ints axes;
    for (int k = 0; k < shape.rank(); k += 2) axes.push_back(k);
    const Tensor parts = lang::reshape(g.out_grads[0], shape);
    g.set(0, lang::reshape(axes.empty() ? parts : lang::sum(parts, axes, false), g.inputs[0].shape()));
}

}  // namespace

OpDef op_tile() {
    return OpDef({.name = "Tile",
                  .functional = "tile",
                  .aliases = {"repeat"},
                  .methods = {"tile"},
                  .doc = "Copies of the whole tensor side by side along each axis.",
                  .operands = {{"input"}},
                  .attributes = {{"dims", AttrType::ints, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnRepeat");
}

}  // namespace fusescope
