#include <algorithm>

#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

struct Line {
    Shape shape;   // of all diagonals: the other axes, then the length
    Ints strides;  // in the matrix tensor
    std::int64_t first = 0;
};

Line line_of(const Shape& shape, const Attrs& attrs) {
    const std::int64_t offset = attrs.integer(0);
    const int rank = shape.rank();
    const int a = normalize_axis("Diagonal", attrs.integer(1), rank);
    const int b = normalize_axis("Diagonal", attrs.integer(2), rank);
    if (a == b) {
        throw UserError(ErrorKind::value, "Diagonal",
                        "Diagonal: both axes are " + std::to_string(a) + "; a diagonal runs over two");
    }
    const Shape own = strides_of(shape);
    Line line;
    for (int k = 0; k < rank; ++k) {
        if (k == a || k == b) continue;
        line.shape.push_back(shape[at(k)]);
        line.strides.push_back(own[at(k)]);
    }
    const std::int64_t rows = offset < 0 ? shape[at(a)] + offset : shape[at(a)];
    const std::int64_t columns = offset > 0 ? shape[at(b)] - offset : shape[at(b)];
    line.shape.push_back(std::max<std::int64_t>(0, std::min(rows, columns)));
    line.strides.push_back(own[at(a)] + own[at(b)]);
    line.first = offset < 0 ? -offset * own[at(a)] : offset * own[at(b)];
    return line;
}

void infer(InferContext& c) { c.result(c.inputs[0].dtype, line_of(c.inputs[0].shape, c.attrs).shape); }

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const Line line = line_of(in.shape(), args.attrs);
    const std::size_t size = size_of(in.dtype());
    cpu::copy_strided(line.shape, in.as<char>() + at(line.first) * size, line.strides, args.outputs[0].data,
                      strides_of(line.shape), size);
}

void grad(GradContext& g) {
    g.set(0, lang::diagonal_scatter(lang::zeros_like(g.inputs[0]), g.out_grads[0], g.attrs.integer(0),
                                    g.attrs.integer(1), g.attrs.integer(2)));
}

}  // namespace

OpDef op_diagonal() {
    return OpDef({.name = "Diagonal",
                  .functional = "diagonal",
                  .methods = {"diagonal"},
                  .doc = "The diagonals of matrices, along a last axis.",
                  .operands = {{"input"}},
                  .attributes = {{"offset", AttrType::integer, std::int64_t{0}},
                                 {"dim1", AttrType::integer, std::int64_t{0}},
                                 {"dim2", AttrType::integer, std::int64_t{1}}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel);
}

}  // namespace fusescope
