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
    const int a = normalize_axis("DiagonalScatter", attrs.integer(1), rank);
    const int b = normalize_axis("DiagonalScatter", attrs.integer(2), rank);
    if (a == b) {
        throw UserError(ErrorKind::value, "DiagonalScatter",
                        "DiagonalScatter: both axes are " + std::to_string(a) + "; a diagonal runs over two");
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

void infer(InferContext& c) {
    ops::same_dtype(c, 0, 1);
    const Shape wanted = line_of(c.inputs[0].shape, c.attrs).shape;
    if (c.inputs[1].shape != wanted) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "DiagonalScatter: `src` has shape " + to_string(c.inputs[1].shape) +
                            ", but the diagonal of a tensor of shape " + to_string(c.inputs[0].shape) + " has shape " +
                            to_string(wanted),
                        {to_string(c.inputs[0].shape), to_string(c.inputs[1].shape)});
    }
    ops::infer_same(c);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const Line line = line_of(in.shape(), args.attrs);
    const std::size_t size = size_of(in.dtype());
    const Shape flat{in.count()};
    cpu::copy_strided(flat, in.data, {1}, args.outputs[0].data, {1}, size);
    cpu::copy_strided(line.shape, args.inputs[1].data, strides_of(line.shape),
                      args.outputs[0].as<char>() + at(line.first) * size, line.strides, size);
}

void grad(GradContext& g) {
    const Tensor& dy = g.out_grads[0];
    const std::int64_t offset = g.attrs.integer(0), a = g.attrs.integer(1), b = g.attrs.integer(2);
    if (g.need(0)) g.set(0, lang::diagonal_scatter(dy, lang::zeros_like(g.inputs[1]), offset, a, b));
    if (g.need(1)) g.set(1, lang::diagonal(dy, offset, a, b));
}

}  // namespace

OpDef op_diagonal_scatter() {
    return OpDef({.name = "DiagonalScatter",
                  .functional = "diagonal_scatter",
                  .methods = {"diagonal_scatter"},
                  .doc = "A copy of a tensor in which the diagonals are replaced.",
                  .operands = {{"input"}, {"src"}},
                  .attributes = {{"offset", AttrType::integer, std::int64_t{0}},
                                 {"dim1", AttrType::integer, std::int64_t{0}},
                                 {"dim2", AttrType::integer, std::int64_t{1}}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel);
}

}  // namespace fusescope
