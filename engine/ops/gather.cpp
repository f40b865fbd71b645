#include <algorithm>
#include <cstring>

#include "engine/cpu/parallel.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), shape.rank());
    Shape out;
    for (int k = 0; k < axis; ++k) out.push_back(shape[at(k)]);
    for (std::int64_t extent : c.inputs[1].shape) out.push_back(extent);
    for (int k = axis + 1; k < shape.rank(); ++k) out.push_back(shape[at(k)]);
    c.result(c.inputs[0].dtype, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& indices = args.inputs[1];
    const auto axis = at(normalize_axis("Gather", args.attrs.integer(0), in.shape().rank()));
    const std::int64_t extent = in.shape()[axis];
    ops::check_indices("Gather", indices, extent, "axis " + std::to_string(axis) + " of the tensor");
    const std::int64_t outer = ops::extent_of(in.shape(), 0, axis);
    const std::size_t bytes = at(ops::extent_of(in.shape(), axis + 1, in.shape().size())) * size_of(in.dtype());
    const std::int64_t n = indices.count();
    const char* src = in.as<char>();
    char* dst = args.outputs[0].as<char>();
    const std::int64_t grain =
        std::max<std::int64_t>(2, (1 << 16) / std::max<std::int64_t>(static_cast<std::int64_t>(bytes), 1));
    cpu::parallel_for(outer * n, grain, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t row = i / n * extent + ops::index_at(indices, i % n, extent);
            std::memcpy(dst + at(i) * bytes, src + at(row) * bytes, bytes);
        }
    });
}

// Rows that were read several times add up.
void grad(GradContext& g) {
    const Shape& shape = g.inputs[0].shape();
    const auto axis = at(normalize_axis("Gather", g.attrs.integer(0), shape.rank()));
    const std::int64_t n = g.inputs[1].count();
    Shape rows = shape;
    rows[axis] = n;
    g.set(0, lang::index_add(lang::zeros_like(g.inputs[0]), lang::reshape(g.inputs[1], Shape{n}),
                             lang::reshape(g.out_grads[0], rows), static_cast<std::int64_t>(axis)));
}

}  // namespace

OpDef op_gather() {
    return OpDef({.name = "Gather",
                  .functional = "gather",
                  .methods = {"gather"},
                  .doc = "Slices of a tensor along an axis, in the order of indices; negative ones count from the end.",
                  .operands = {{"input_params"}, {"input_indices", Accept::index}},
                  .attributes = {{"axis", AttrType::integer, {}, true}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnGatherV2");
}

}  // namespace fusescope
