#include <algorithm>

#include "engine/passes/fuse.hpp"

namespace fusescope::passes {
namespace {
constexpr std::size_t kLongestName = 56;
}

ir::Value Body::inner(const ir::Value& outer) {
    if (!outer.node) return {};
    if (const auto it = copies_.find(outer.node.get()); it != copies_.end()) return {it->second, outer.index};
    if (outer.node->kind == ir::NodeKind::constant && outer.node->value.count() == 1) {
        const ir::NodePtr copy = ir::Rewriter::member(outer.node, {});
        copies_.emplace(outer.node.get(), copy);
        nodes_.push_back(copy);
        return {copy, 0};
    }
    auto& known = inputs_[outer.node.get()];
    for (const auto& [index, leaf] : known) {
        if (index == outer.index) return {leaf, 0};
    }
    const ir::Node& source = *outer.node;
    const ir::NodePtr leaf =
        ir::Rewriter::stand_in(outer.type(), source.leaf() ? source.name : "in" + std::to_string(leaves_.size()));
    known.emplace_back(outer.index, leaf);
    leaves_.push_back(leaf);
    operands_.push_back(outer);
    return {leaf, 0};
}

void Body::add(const ir::NodePtr& member) {
    std::vector<ir::Value> inputs;
    for (const ir::Value& v : member->inputs) inputs.push_back(inner(v));
    const ir::NodePtr copy = ir::Rewriter::member(member, std::move(inputs));
    copies_.emplace(member.get(), copy);
    nodes_.push_back(copy);
}

ir::GraphPtr Body::finish(std::span<const ir::Value> outputs) {
    auto g = std::make_shared<ir::Graph>();
    g->name = name_;
    g->inputs = leaves_;
    g->nodes = nodes_;
    for (const ir::Value& v : outputs) g->outputs.push_back({copies_.at(v.node.get()), v.index});
    return g;
}

std::string fusion_name(std::span<const ir::NodePtr> members) {
    std::string name;
    std::string_view last;
    for (const ir::NodePtr& n : members) {
        const std::string_view op = n->op_name();
        if (op == last) continue;
        last = op;
        if (name.size() + op.size() > kLongestName) {
            name += "more_";
            break;
        }
        name += op;
        name += '_';
    }
    return name + "fusion";
}

ir::NodePtr fuse(ir::Rewriter& rewriter, std::span<const ir::NodePtr> members, std::span<const ir::Value> outputs,
                 const std::string& name, const std::string& kernel, std::string_view rule) {
    Body body(name);
    for (const ir::NodePtr& m : members) body.add(m);
    ir::NodeSpec spec;
    spec.kind = ir::NodeKind::fused;
    spec.name = name;
    spec.kernel = kernel;
    for (const ir::Value& v : outputs) spec.types.push_back(v.type());
    spec.regions.push_back(body.finish(outputs));
    spec.inputs = body.operands();
    const ir::NodePtr fused = rewriter.create(std::move(spec), members);
    for (const ir::NodePtr& m : members) {
        std::vector<ir::Value> with(m->types.size());
        for (std::uint32_t o = 0; o < outputs.size(); ++o) {
            if (outputs[o].node == m) with[outputs[o].index] = {fused, o};
        }
        rewriter.replace(m, std::move(with), rule);
    }
    return fused;
}

}  // namespace fusescope::passes
