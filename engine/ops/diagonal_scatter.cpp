#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/diagonals.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    ops::same_dtype(c, 0, 1);
    const Shape wanted = ops::diagonals_of(c.op.name(), c.inputs[0].shape, c.attrs).shape;
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
    const ops::Diagonals line = ops::diagonals_of("DiagonalScatter", in.shape(), args.attrs);
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
