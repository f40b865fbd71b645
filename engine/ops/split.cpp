#include <algorithm>

#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

// One number is the extent of every part but perhaps the last; several are the extents one by one.
Ints sizes_of(const Shape& shape, const Attrs& attrs, int axis) {
    const Ints& given = attrs.ints(0);
    const std::int64_t extent = shape[at(axis)];
    std::string why;
    if (given.size() == 1) {
        const std::int64_t size = given[0];
        if (size > 0) {
            Ints sizes;
            for (std::int64_t begin = 0; begin < extent; begin += size) sizes.push_back(std::min(size, extent - begin));
            if (extent == 0) sizes.push_back(0);
            return sizes;
        }
        why = "the extent of a part is " + std::to_string(size) + ", but it must be at least 1";
    } else {
        std::int64_t total = 0;
        bool valid = true;
        for (std::int64_t size : given) {
            total += size;
            valid = valid && size >= 0;
        }
        if (valid && total == extent) return given;
        why = "parts of " + to_string(given) + " add up to " + std::to_string(total) + ", but axis " +
              std::to_string(axis) + " of shape " + to_string(shape) + " has extent " + std::to_string(extent);
    }
    throw UserError(ErrorKind::shape, "Split", "Split: " + why, {to_string(shape)},
                    "give one extent for all parts, or extents that add up to the axis");
}

void infer(InferContext& c) {
    Shape shape = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(1), shape.rank());
    for (std::int64_t size : sizes_of(shape, c.attrs, axis)) {
        Shape part = shape;
        part[at(axis)] = size;
        c.result(c.inputs[0].dtype, part);
    }
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const int axis = normalize_axis("Split", args.attrs.integer(1), in.shape().rank());
    const Shape strides = strides_of(in.shape());
    const std::size_t size = size_of(in.dtype());
    std::int64_t begin = 0;
    for (const KernelTensor& out : args.outputs) {
        const char* src = in.as<char>() + at(begin * strides[at(axis)]) * size;
        cpu::copy_strided(out.shape(), src, strides, out.data, strides_of(out.shape()), size);
        begin += out.shape()[at(axis)];
    }
}

void grad(GradContext& g) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < g.outputs.size(); ++i) {
        parts.push_back(g.out_grads[i].defined() ? g.out_grads[i] : lang::zeros_like(g.outputs[i]));
    }
    g.set(0, lang::concat(parts, normalize_axis("Split", g.attrs.integer(1), g.inputs[0].rank())));
}

}  // namespace

OpDef op_split() {
    return OpDef({.name = "Split",
                  .functional = "split",
                  .methods = {"split"},
                  .doc = "Cuts a tensor along an axis into parts of one extent, or of the extents in a list.",
                  .operands = {{"tensor"}},
                  .attributes = {{"split_size_or_sections", AttrType::ints, {}, true},
                                 {"axis", AttrType::integer, std::int64_t{0}}},
                  .outputs = -1},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnSplitWithSize");
}

}  // namespace fusescope
