// Lets the matrix product add its bias and clip at zero while the result is still in the cache:
//
//     %0 = MatMul(%x, %w)                     |   %0 = call @MatMul_Add_ReLU_fusion(%x, %w, %b)
//     %1 = Add(%0, %b)                        |
//     %2 = ReLU(%1)                           |
//
// Only ReLU: other activations would be computed by the library's own polynomials and give other bits than eager code.
// Only Float32 and Float64: half types would be rounded once instead of after every op.
#include "engine/ops/op_ids.hpp"
#include "engine/passes/fuse.hpp"
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

using ir::Value;

/// A vector with one element for each column of `result`.
bool is_row(const TensorType& bias, const TensorType& result) {
    if (bias.shape.empty() || result.shape.empty() || bias.shape.size() > result.shape.size()) return false;
    return bias.dtype == result.dtype && bias.shape.back() == result.shape.back() &&
           bias.shape.count() == bias.shape.back();
}

void run(passes::PassContext& c) {
    const passes::Uses uses(c.graph);
    /// The only reader of a value, when there is just one and the value goes nowhere else.
    auto only_reader = [&](const ir::NodePtr& n) -> ir::NodePtr {
        const std::uint32_t k = uses.number(n.get());
        if (uses.escapes(k) || uses.readers(k).size() != 1) return nullptr;
        const ir::NodePtr& reader = uses.node(uses.readers(k)[0].node);
        return reader->kind == ir::NodeKind::op ? reader : nullptr;
    };
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (n->kind != ir::NodeKind::op || n->op->id != op::matmul) continue;
        const TensorType& type = n->types[0];
        if (type.dtype != DType::Float32 && type.dtype != DType::Float64) continue;
        if (n->inputs[0].type().shape.rank() < 2 || n->inputs[1].type().shape.rank() < 2) continue;
        std::vector<ir::NodePtr> members{n};
        ir::NodePtr next = only_reader(n);
        if (next && next->op->id == op::add && next->types[0] == type) {
            const Value& other = next->inputs[next->inputs[0].node == n ? 1 : 0];
            if (other.node != n && is_row(other.type(), type)) {
                members.push_back(next);
                next = only_reader(next);
            }
        }
        if (next && next->op->id == op::relu) members.push_back(next);
        if (members.size() == 1) {
            c.explain([&] {
                return "fuse-matmul-bias-activation: " + ir::node_text(*n) +
                       " stays alone: its result goes to no bias or ReLU, or to several readers";
            });
            continue;
        }
        const Value output{members.back(), 0};
        passes::fuse(c.rewriter, members, {&output, 1}, passes::fusion_name(members), "matmul",
                     "tail of a MatMul fused");
    }
}

}  // namespace

passes::Pass pass_fuse_matmul_bias_activation() {
    return {"fuse-matmul-bias-activation", "Lets a matrix product add its bias and apply ReLU before it stores.", run};
}

}  // namespace fusescope
