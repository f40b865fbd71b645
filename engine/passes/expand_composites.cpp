// Replaces an op that is defined by simpler ops by those ops, so that they can fuse with their neighbours (MindSpore's
// word for it is expand):
//
//     %p, %m = ApplyMomentum(%w, %v, %g)   |   %m = Add(Mul(%v, 0.9), %g);  %p = Sub(%w, Mul(%m, 0.1))
//
// Two kinds of ops: those that have no kernel (their parts would run one by one anyway), and optimizer steps, whose
// kernel computes the same element by element.
#include "engine/ir/graph_builder.hpp"
#include "engine/passes/pass.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

bool wanted(const ir::Node& n) {
    if (n.kind != ir::NodeKind::op || !n.op->decompose) return false;
    const Traits& t = n.op->schema.traits;
    if (t.effect && t.writes == 0) return false;
    return !n.op->kernel || t.writes > 0;
}

bool expand(passes::PassContext& c, const ir::NodePtr& n) {
    ir::GraphBuilder builder;
    std::vector<Tensor> inputs, results;
    for (const ir::Value& v : n->inputs) inputs.push_back(v.node ? builder.stand_in(v) : Tensor());
    std::vector<ir::Value> parts;
    try {
        ir::GraphBuilder::Scope scope(builder);
        results = n->op->decompose(inputs, n->attrs);
        for (const Tensor& t : results) parts.push_back(builder.value_of(t));
    } catch (const std::exception& e) {
        c.explain([&] { return "expand-composites: " + n->op->name() + " stays whole: " + e.what(); });
        return false;
    }
    if (parts.size() != n->types.size()) return false;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].type() != n->types[k]) {
            c.explain(
                [&] { return "expand-composites: " + n->op->name() + " stays whole: its parts give another type"; });
            return false;
        }
    }
    // The parts again, as nodes of this graph.
    std::unordered_map<const ir::Node*, ir::NodePtr> made;
    auto moved = [&](const ir::Value& v) -> ir::Value {
        if (!v.node) return {};
        const auto it = made.find(v.node.get());
        return it == made.end() ? v : ir::Value{it->second, v.index};
    };
    for (const auto& part : builder.nodes()) {
        ir::NodeSpec spec;
        spec.kind = part->kind;
        spec.op = part->op;
        spec.attrs = part->attrs;
        spec.present = part->present;
        spec.types = part->types;
        spec.regions = part->regions;
        spec.value = part->value;
        for (const ir::Value& v : part->inputs) spec.inputs.push_back(moved(v));
        made[part.get()] = c.rewriter.create(std::move(spec), n);
    }
    for (ir::Value& v : parts) v = moved(v);
    c.rewriter.replace(n, std::move(parts), n->op->name() + " expanded");
    return true;
}

void run(passes::PassContext& c) {
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (wanted(*n)) expand(c, n);
    }
}

}  // namespace

passes::Pass pass_expand_composites() {
    return {"expand-composites", "Replaces ops that are made of simpler ones by those, so that they can fuse.", run};
}

}  // namespace fusescope
