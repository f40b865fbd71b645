// Updates all Parameters in one kernel launch instead of one for each:
//
//     %5 = call @Mul_Sub_fusion(%w1, %g1)     |   %5 = call FuncUnion(@Mul_Sub_fusion, @Mul_Sub_fusion)(%w1, %g1, %w2,
//     %g2) %9 = call @Mul_Sub_fusion(%w2, %g2)     | Store(%w1, %5)  Store(%w2, %9)          |   Store(%w1, %5[0])
//     Store(%w2, %5[1])
//
// What takes part is an elementwise kernel or op whose results are all new values of Parameters and nothing else in the
// graph reads: such nodes are ends of the graph, so joining them can close no circle.
#include "engine/ops/op_ids.hpp"
#include "engine/passes/fuse.hpp"
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

bool takes_part(const passes::Uses& uses, std::uint32_t i, const std::vector<bool>& updates) {
    const ir::Node& n = *uses.node(i);
    const bool kernel = n.kind == ir::NodeKind::fused && n.kernel == "elementwise";
    const bool lone = n.kind == ir::NodeKind::op && n.op->elementwise() && !n.has_effect() && n.present.empty();
    if ((!kernel && !lone) || !updates[i] || !uses.readers(i).empty()) return false;
    if (kernel) {
        for (const ir::NodePtr& m : n.regions[0]->nodes) {
            if (m->op && m->op->schema.traits.reduction) return false;
        }
    }
    return true;
}

void run(passes::PassContext& c) {
    if (c.graph.updates.size() < 2) return;
    const passes::Uses uses(c.graph);
    std::vector<bool> updates(uses.size(), false);
    for (const ir::StateUpdate& u : c.graph.updates) updates[uses.number(u.value.node.get())] = true;
    std::vector<ir::NodePtr> members;
    for (std::uint32_t i = uses.leaves(); i < uses.size(); ++i) {
        if (takes_part(uses, i, updates)) members.push_back(uses.node(i));
    }
    if (members.size() < 2) return;
    ir::NodeSpec spec;
    spec.kind = ir::NodeKind::fused;
    spec.kernel = "multi";
    spec.name = "Multi_update_fusion";
    for (const ir::NodePtr& m : members) {
        if (m->kind == ir::NodeKind::fused) {
            spec.regions.push_back(m->regions[0]);
            spec.inputs.insert(spec.inputs.end(), m->inputs.begin(), m->inputs.end());
        } else {
            passes::Body body(std::string(m->op_name()) + "_fusion");
            body.add(m);
            const ir::Value output{m, 0};
            spec.regions.push_back(body.finish({&output, 1}));
            spec.inputs.insert(spec.inputs.end(), body.operands().begin(), body.operands().end());
        }
        spec.types.insert(spec.types.end(), m->types.begin(), m->types.end());
    }
    const ir::NodePtr multi = c.rewriter.create(std::move(spec), members);
    std::uint32_t next = 0;
    for (const ir::NodePtr& m : members) {
        std::vector<ir::Value> with;
        for (std::size_t k = 0; k < m->types.size(); ++k) with.push_back({multi, next++});
        c.rewriter.replace(m, std::move(with), "Parameter update joined");
    }
}

}  // namespace

passes::Pass pass_fuse_optimizer_update() {
    return {"fuse-optimizer-update", "Updates all Parameters of an optimizer in one kernel.", run};
}

}  // namespace fusescope
