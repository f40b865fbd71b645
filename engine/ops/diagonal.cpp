#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/diagonals.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    c.result(c.inputs[0].dtype, ops::diagonals_of(c.op.name(), c.inputs[0].shape, c.attrs).shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const ops::Diagonals line = ops::diagonals_of("Diagonal", in.shape(), args.attrs);
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
