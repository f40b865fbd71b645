// Multiplies by the reciprocal of a constant instead of dividing by it, as compilers do with "fast math":
//
//     %0 = Div(%x, 41.0)          |   %0 = Mul(%x, 0.024390243)
//
// A product takes a quarter of the time of a quotient and is rounded twice: 41 · (1/41) is 0.99999994 in Float32. Off
// unless asked for.
#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/passes/pass.hpp"

namespace fusescope {
namespace {

void run(passes::PassContext& c) {
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (n->kind != ir::NodeKind::op || n->op->id != op::div) continue;
        const ir::NodePtr& divisor = n->inputs[1].node;
        if (divisor->kind != ir::NodeKind::constant || divisor->value.count() != 1 ||
            divisor->value.device() != DeviceKind::cpu) {
            continue;
        }
        const DType dtype = divisor->types[0].dtype;
        if (dtype != DType::Float32 && dtype != DType::Float64) continue;
        // A divisor of shape (1, 1) may have a say in the result's shape.
        if (n->inputs[0].type() != n->types[0]) continue;
        const double by = load_double(dtype, divisor->value.impl()->raw(), 0);
        ir::NodeSpec number;
        number.kind = ir::NodeKind::constant;
        number.value = Tensor::scalar(1.0 / by, dtype);
        number.types = {number.value.type()};
        const ir::NodePtr origins[2] = {n, divisor};
        const ir::NodePtr reciprocal = c.rewriter.create(std::move(number), origins);
        ir::NodeSpec product;
        product.op = &op_row(op::mul);
        product.inputs = {n->inputs[0], {reciprocal, 0}};
        c.rewriter.replace(n, {c.rewriter.create(std::move(product), n), 0}, "division by a constant");
    }
}

}  // namespace

passes::Pass pass_divide_by_reciprocal() {
    return {"divide-by-reciprocal", "Multiplies by the reciprocal of a constant instead of dividing by it.", run, false,
            "rounds the reciprocal and the product, which may change the last bit of each quotient"};
}

}  // namespace fusescope
