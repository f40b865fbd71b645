#include "engine/ops/lang.hpp"
#include "engine/ops/matmul_shape.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    const MatMulPlan p =
        plan_matmul(c.op.name(), c.inputs[0].shape, c.inputs[1].shape, c.attrs.boolean(0), c.attrs.boolean(1));
    c.result(c.inputs[0].dtype, p.result);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& a = args.inputs[0];
    const KernelTensor& b = args.inputs[1];
    const MatMulPlan p = plan_matmul("MatMul", a.shape(), b.shape(), args.attrs.boolean(0), args.attrs.boolean(1));
    cpu::matmul(a.dtype(), p.shape, a.data, b.data, args.outputs[0].data);
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs& attrs, Cost& c) {
    const MatMulPlan p = plan_matmul("MatMul", in[0].shape, in[1].shape, attrs.boolean(0), attrs.boolean(1));
    c.flops = p.flops();
}

void grad(GradContext& g) {
    const Tensor& a = g.inputs[0];
    const Tensor& b = g.inputs[1];
    const MatMulPlan p = plan_matmul("MatMul", a.shape(), b.shape(), g.attrs.boolean(0), g.attrs.boolean(1));
    const bool ta = p.shape.transpose_a, tb = p.shape.transpose_b;
    // Rank one becomes a row on the left and a column on the right; the way back is a reshape.
    Tensor a2 = a.rank() == 1 ? lang::reshape(a, {1, p.shape.k}) : a;
    Tensor b2 = b.rank() == 1 ? lang::reshape(b, {p.shape.k, 1}) : b;
    Shape full = p.shape.batch;
    full.push_back(p.shape.m);
    full.push_back(p.shape.n);
    Tensor dy = lang::reshape(g.out_grads[0], full);
    if (!ta && b2.rank() == 2 && a2.rank() > 2) {
        // One right operand: the batch is more rows, and its gradient one product instead of a sum of many.
        const std::int64_t rows = p.shape.batch.count() * p.shape.m;
        a2 = lang::reshape(a2, {rows, p.shape.k});
        dy = lang::reshape(dy, {rows, p.shape.n});
    }
    if (g.need(0)) {
        const Tensor da = ta ? lang::matmul(b2, dy, tb, true) : lang::matmul(dy, b2, false, !tb);
        g.set(0, lang::reshape(lang::sum_to(da, a2.shape()), a.shape()));
    }
    if (g.need(1)) {
        const Tensor db = tb ? lang::matmul(dy, a2, true, ta) : lang::matmul(a2, dy, !ta, false);
        g.set(1, lang::reshape(lang::sum_to(db, b2.shape()), b.shape()));
    }
}

}  // namespace

OpDef op_matmul() {
    return OpDef({.name = "MatMul",
                  .functional = "matmul",
                  .aliases = {"mm", "bmm"},
                  .methods = {"matmul", "mm", "bmm"},
                  .doc = "Matrix product over the last two axes; leading axes broadcast, rank one counts as a vector.",
                  .operands = {{"input", Accept::number}, {"mat2", Accept::number}},
                  .attributes = {{"transpose_a", AttrType::boolean, false}, {"transpose_b", AttrType::boolean, false}},
                  .promotes = true},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnMatmul", true)
        .with_hazard("zero_times_inf", true, false)
        .with_hazard("inf_minus_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
