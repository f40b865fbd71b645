// Lets the matrix product read an operand the other way round instead of copying it turned:
//
//     %0 = Transpose(%w, (1, 0))              |   %0 = MatMul(%x, %w) {transpose_b: 1}
//     %1 = MatMul(%x, %0)                     |
#include "engine/ops/op_ids.hpp"
#include "engine/passes/pass.hpp"

namespace fusescope {
namespace {

using ir::Value;

/// The operand of a Transpose that swaps the last two axes and nothing else; else empty.
Value under_swap(const ir::Rewriter& rw, const Value& v) {
    if (!v.node || v.node->kind != ir::NodeKind::op || v.node->op->id != op::transpose) return {};
    const auto rank = static_cast<std::int64_t>(v.type().shape.size());
    if (rank < 2) return {};
    const Ints* given = std::get_if<Ints>(&v.node->attrs[0]);
    const bool reversed = !given || given->empty();
    if (reversed && rank != 2) return {};
    for (std::int64_t k = 0; !reversed && k < rank; ++k) {
        const std::int64_t want = k == rank - 1 ? rank - 2 : k == rank - 2 ? rank - 1 : k;
        const std::int64_t got = (*given)[static_cast<std::size_t>(k)];
        if ((got < 0 ? got + rank : got) != want) return {};
    }
    return rw.current(v.node->inputs[0]);
}

void run(passes::PassContext& c) {
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (n->kind != ir::NodeKind::op || n->op->id != op::matmul) continue;
        ir::NodeSpec spec;
        spec.op = n->op;
        spec.attrs = n->attrs;
        std::vector<ir::NodePtr> origins{n};
        for (std::size_t i = 0; i < 2; ++i) {
            const Value v = c.rewriter.current(n->inputs[i]);
            const Value under = n->inputs[1 - i].type().shape.rank() >= 2 ? under_swap(c.rewriter, v) : Value{};
            spec.inputs.push_back(under.node ? under : v);
            if (!under.node) continue;
            spec.attrs[i] = !n->attrs.boolean(i);
            origins.push_back(v.node);
        }
        if (origins.size() == 1) continue;
        c.rewriter.replace(n, {c.rewriter.create(std::move(spec), origins), 0}, "Transpose taken into MatMul");
    }
}

}  // namespace

passes::Pass pass_fold_transpose_matmul() {
    return {"fold-transpose-matmul", "Lets a matrix product read an operand turned instead of copying it.", run, true,
            "the library may sum a turned operand in another order, which may change the last bits"};
}

}  // namespace fusescope
