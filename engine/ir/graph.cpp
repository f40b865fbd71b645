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

bool Node::keeps_order() const noexcept {
    if (kind == NodeKind::op) return op->schema.traits.effect || op->schema.traits.random;
    for (const GraphPtr& region : regions) {
        for (const NodePtr& n : region->nodes) {
            if (n->keeps_order()) return true;
        }
    }
    return false;
}

Node::~Node() {
    // Whoever dies while another node is dying hands its operands to that one.
    thread_local std::vector<NodePtr>* pending = nullptr;
    auto hand_over = [this](std::vector<NodePtr>& to) {
        for (Value& v : inputs) {
            if (v.node.use_count() == 1) to.push_back(std::move(v.node));
        }
        for (NodePtr& n : origins) {
            if (n.use_count() == 1) to.push_back(std::move(n));
        }
    };
    if (pending) {
        hand_over(*pending);
        return;
    }
    std::vector<NodePtr> mine;
    hand_over(mine);
    if (mine.empty()) return;
    pending = &mine;
    while (!mine.empty()) {
        const NodePtr last = std::move(mine.back());
        mine.pop_back();
    }
    pending = nullptr;
}

NodeId next_node_id() noexcept {
    static std::atomic<NodeId> counter{0};
    return counter.fetch_add(1, std::memory_order_relaxed) + 1;
}

Cost cost_of(const Node& node) {
    Cost c;
    std::vector<TensorType> inputs;
    for (const Value& v : node.inputs) {
        inputs.push_back(v.node ? v.type() : TensorType{});  // an operand that was left out
        if (v.node) c.bytes_read += v.type().bytes();
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
