#include "engine/ir/graph.hpp"

#include <atomic>

namespace fusescope::ir {

const TensorType& Value::type() const { return node->types[index]; }

std::string_view Node::op_name() const noexcept {
    switch (kind) {
        case NodeKind::input:
        case NodeKind::parameter:
            return "Parameter";
        case NodeKind::constant:
            return "Constant";
        case NodeKind::op:
            return op->name();
        case NodeKind::fused:
            return name;
        case NodeKind::cond:
            return "If";
        case NodeKind::loop:
            return "While";
    }
    return "";
}

namespace {
bool any_effect(const Graph& g) {
    if (!g.updates.empty()) return true;
    for (const NodePtr& n : g.nodes) {
        if (n->has_effect()) return true;
    }
    return false;
}
}  // namespace

bool Node::has_effect() const noexcept {
    if (kind == NodeKind::op) {
        const Traits& t = op->schema.traits;
        return t.effect || t.random || t.writes > 0;
    }
    for (const GraphPtr& region : regions) {
        if (any_effect(*region)) return true;
    }
    return false;
}

NodeId next_node_id() noexcept {
    static std::atomic<NodeId> counter{0};
    return counter.fetch_add(1, std::memory_order_relaxed) + 1;
}

Cost cost_of(const Node& node) {
    Cost c;
    std::vector<TensorType> inputs;
    for (const Value& v : node.inputs) {
        inputs.push_back(v.type());
        c.bytes_read += v.type().bytes();
    }
    for (const TensorType& t : node.types) c.bytes_written += t.bytes();
    if (node.kind == NodeKind::op && node.op->cost) {
        node.op->cost(inputs, node.types, node.attrs, c);
    } else {
        for (const GraphPtr& region : node.regions) {
            for (const NodePtr& member : region->nodes) c.flops += cost_of(*member).flops;
        }
        if (node.kind == NodeKind::input || node.kind == NodeKind::parameter || node.kind == NodeKind::constant) {
            c = {};
        }
    }
    return c;
}

}  // namespace fusescope::ir
