#include <cstring>

#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

int axis_of(const Shape& indices, const Attrs& attrs) {
    return normalize_axis("OneHot", attrs.integer(3), indices.rank() + 1);
}

void infer(InferContext& c) {
    if (c.attrs.integer(0) < 0) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "OneHot: depth is " + std::to_string(c.attrs.integer(0)) + ", but it cannot be negative");
    }
    Shape out = c.inputs[0].shape;
    out.insert(out.begin() + axis_of(out, c.attrs), c.attrs.integer(0));
    c.result(c.attrs.dtype(4), out);
}

// Indices outside 0 … depth-1 leave their place off everywhere.
void kernel(const KernelArgs& args) {
    const KernelTensor& indices = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const std::int64_t depth = args.attrs.integer(0);
    const std::size_t size = size_of(out.dtype());
    unsigned char off[8], on[8];
    store_double(out.dtype(), on, 0, args.attrs.number(1));
    store_double(out.dtype(), off, 0, args.attrs.number(2));
    const Shape flat{out.count()};
    cpu::copy_strided(flat, off, {0}, out.data, {1}, size);
    const auto axis = at(axis_of(indices.shape(), args.attrs));
    const std::int64_t inner = ops::extent_of(indices.shape(), axis, indices.shape().size());
    const std::int64_t n = indices.count();
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t v = ops::index_at(indices, i, 0);
        if (v < 0 || v >= depth) continue;
        std::memcpy(out.as<char>() + at((i / inner * depth + v) * inner + i % inner) * size, on, size);
    }
}

}  // namespace

OpDef op_one_hot() {
    return OpDef({.name = "OneHot",
                  .functional = "one_hot",
                  .doc = "Vectors that are on at the place each index names and off elsewhere.",
                  .operands = {{"indices", Accept::index}},
                  .attributes = {{"depth", AttrType::integer, {}, true},
                                 {"on_value", AttrType::number, 1.0},
                                 {"off_value", AttrType::number, 0.0},
                                 {"axis", AttrType::integer, std::int64_t{-1}},
                                 {"dtype", AttrType::dtype, DType::Int64}}},
                 infer, ops::no_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnOneHot");
}

}  // namespace fusescope
