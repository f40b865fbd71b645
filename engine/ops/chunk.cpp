#include <algorithm>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

Ints sizes_of(const Shape& shape, const Attrs& attrs, int axis) {
    const std::int64_t count = attrs.integer(0);
    if (count < 1) {
        throw UserError(ErrorKind::value, "Chunk",
                        "Chunk: chunks is " + std::to_string(count) + ", but it must be at least 1");
    }
    const std::int64_t extent = shape[at(axis)];
    const std::int64_t size = std::max<std::int64_t>(1, (extent + count - 1) / count);
    Ints sizes;
    for (std::int64_t begin = 0; begin < extent; begin += size) sizes.push_back(std::min(size, extent - begin));
    if (extent == 0) sizes.push_back(0);
    return sizes;
}

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(1), shape.rank());
    for (std::int64_t size : sizes_of(shape, c.attrs, axis)) {
        Shape part = shape;
        part[at(axis)] = size;
        c.result(c.inputs[0].dtype, part);
    }
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    const int axis = normalize_axis("Chunk", attrs.integer(1), in[0].rank());
    return lang::split(in[0], sizes_of(in[0].shape(), attrs, axis), axis);
}

void grad(GradContext& g) {
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < g.outputs.size(); ++i) {
        parts.push_back(g.out_grads[i].defined() ? g.out_grads[i] : lang::zeros_like(g.outputs[i]));
    }
    g.set(0, lang::concat(parts, normalize_axis("Chunk", g.attrs.integer(1), g.inputs[0].rank())));
}

}  // namespace

OpDef op_chunk() {
    return OpDef({.name = "Chunk",
                  .functional = "chunk",
                  .methods = {"chunk"},
                  .doc = "Cuts a tensor along an axis into at most the given number of equal parts.",
                  .operands = {{"input"}},
                  .attributes = {{"chunks", AttrType::integer, {}, true}, {"axis", AttrType::integer, std::int64_t{0}}},
                  .outputs = -1},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnChunk");
}

}  // namespace fusescope
