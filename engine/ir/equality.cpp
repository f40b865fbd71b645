#include "engine/ir/equality.hpp"

#include <bit>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "engine/core/tensor_impl.hpp"

namespace fusescope::ir {

bool same_bits(const AttrValue& a, const AttrValue& b) noexcept {
    if (a.index() != b.index()) return false;
    if (const double* x = std::get_if<double>(&a)) {
        return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(std::get<double>(b));
    }
    return a == b;
}

bool same_bits(const Attrs& a, const Attrs& b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!same_bits(a[i], b[i])) return false;
    }
    return true;
}

bool same_bits(const Tensor& a, const Tensor& b) noexcept {
    if (!a.defined() || !b.defined()) return a.defined() == b.defined();
    if (a.type() != b.type()) return false;
    const void* x = a.impl()->raw();
    const void* y = b.impl()->raw();
    return x == y || std::memcmp(x, y, a.type().bytes()) == 0;
}

namespace {

const char* word_of(NodeKind kind) noexcept {
    constexpr const char* words[] = {"input", "parameter", "constant", "op", "fused", "cond", "loop"};
    return words[static_cast<int>(kind)];
}

class Comparison {
 public:
    std::string graphs(const Graph& a, const Graph& b) {
        if (a.name != b.name) return "graph names differ: \"" + a.name + "\" and \"" + b.name + "\"";
        if (a.inputs.size() != b.inputs.size()) return counts("inputs", a.inputs.size(), b.inputs.size());
        for (std::size_t i = 0; i < a.inputs.size(); ++i) {
            std::string d = leaves(*a.inputs[i], *b.inputs[i]);
            if (!d.empty()) return "input " + std::to_string(i) + ": " + d;
            pair_[a.inputs[i].get()] = b.inputs[i].get();
        }
        std::size_t i = 0, j = 0;
        for (;;) {
            while (i < a.nodes.size() && a.nodes[i]->kind == NodeKind::constant) ++i;
            while (j < b.nodes.size() && b.nodes[j]->kind == NodeKind::constant) ++j;
            if (i == a.nodes.size() || j == b.nodes.size()) break;
            std::string d = nodes(*a.nodes[i], *b.nodes[j]);
            if (!d.empty()) return "node " + std::to_string(i) + ": " + d;
            pair_[a.nodes[i].get()] = b.nodes[j].get();
            ++i, ++j;
        }
        if (i != a.nodes.size() || j != b.nodes.size()) return "one graph has more nodes than the other";
        if (a.outputs.size() != b.outputs.size()) return counts("outputs", a.outputs.size(), b.outputs.size());
        for (std::size_t k = 0; k < a.outputs.size(); ++k) {
            if (!same(a.outputs[k], b.outputs[k])) return "output " + std::to_string(k) + " is another value";
        }
        if (a.updates.size() != b.updates.size()) return counts("updates", a.updates.size(), b.updates.size());
        for (std::size_t k = 0; k < a.updates.size(); ++k) {
            const NodePtr& p = a.updates[k].parameter;
            const NodePtr& q = b.updates[k].parameter;
            const bool parameters = p && q ? pair_.contains(p.get()) && pair_.at(p.get()) == q.get() : !p && !q;
            if (!parameters || !same(a.updates[k].value, b.updates[k].value)) {
                return "update " + std::to_string(k) + " differs";
            }
        }
        return {};
    }

 private:
    static std::string counts(const char* what, std::size_t a, std::size_t b) {
        return std::string(what) + ": " + std::to_string(a) + " and " + std::to_string(b);
    }

    static std::string leaves(const Node& a, const Node& b) {
        if (a.kind != b.kind) return std::string(word_of(a.kind)) + " and " + word_of(b.kind);
        if (a.name != b.name) return "names \"" + a.name + "\" and \"" + b.name + "\"";
        if (a.types != b.types) return "types " + to_string(a.types[0]) + " and " + to_string(b.types[0]);
        return {};
    }

    bool same(const Value& a, const Value& b) const {
        if (!a.node || !b.node) return !a.node && !b.node;
        if (a.index != b.index || a.node->kind != b.node->kind) return false;
        if (a.node->kind == NodeKind::constant) return same_bits(a.node->value, b.node->value);
        const auto it = pair_.find(a.node.get());
        return it != pair_.end() && it->second == b.node.get();
    }

    std::string nodes(const Node& a, const Node& b) {
        if (a.kind != b.kind) return std::string(word_of(a.kind)) + " and " + word_of(b.kind);
        if (a.op != b.op) return a.op->name() + " and " + b.op->name();
        if (a.name != b.name || a.kernel != b.kernel) {
            return a.name + " by \"" + a.kernel + "\" and " + b.name + " by \"" + b.kernel + "\"";
        }
        const std::string who(a.op_name());
        if (!same_bits(a.attrs, b.attrs)) return who + ": attributes differ";
        if (a.types != b.types) return who + ": result types differ";
        if (a.present != b.present) return who + ": other optional operands are given";
        if (a.inputs.size() != b.inputs.size()) return who + " " + counts("operands", a.inputs.size(), b.inputs.size());
        for (std::size_t i = 0; i < a.inputs.size(); ++i) {
            if (!same(a.inputs[i], b.inputs[i])) return who + ": operand " + std::to_string(i) + " is another value";
        }
        if (a.regions.size() != b.regions.size()) return who + ": numbers of regions differ";
        for (std::size_t i = 0; i < a.regions.size(); ++i) {
            Comparison inner;
            std::string d = inner.graphs(*a.regions[i], *b.regions[i]);
            if (!d.empty()) return who + ", region " + std::to_string(i) + ": " + d;
        }
        return {};
    }

    std::unordered_map<const Node*, const Node*> pair_;
};

void mix(std::size_t& h, std::size_t v) noexcept { h = (h ^ v) * 0x9e3779b97f4a7c15ull + (h >> 29); }
void mix_type(std::size_t& h, const TensorType& t) noexcept {
    mix(h, static_cast<std::size_t>(t.dtype));
    for (std::int64_t e : t.shape) mix(h, static_cast<std::size_t>(e) + 1);
    mix(h, t.shape.size());
}

}  // namespace

std::string difference(const Graph& a, const Graph& b) { return Comparison().graphs(a, b); }

std::size_t structural_hash(const Graph& graph) {
    std::unordered_map<const Node*, std::size_t> hash;
    auto value = [&](const Value& v) -> std::size_t { return v.node ? hash[v.node.get()] * 31 + v.index : 7; };
    std::size_t h = std::hash<std::string>{}(graph.name);
    for (const NodePtr& n : graph.inputs) {
        std::size_t own = std::hash<std::string>{}(n->name) + hash.size();
        mix_type(own, n->types[0]);
        hash[n.get()] = own;
        mix(h, own);
    }
    for (const NodePtr& n : graph.nodes) {
        std::size_t own = static_cast<std::size_t>(n->kind);
        for (const TensorType& t : n->types) mix_type(own, t);
        if (n->kind == NodeKind::constant) {
            const std::size_t bytes = std::min<std::size_t>(n->types[0].bytes(), 4096);
            mix(own, std::hash<std::string_view>{}({static_cast<const char*>(n->value.impl()->raw()), bytes}));
            hash[n.get()] = own;
            continue;
        }
        mix(own, n->op ? static_cast<std::size_t>(n->op->id) : 0);
        mix(own, hash_of(n->attrs));
        mix(own, std::hash<std::string>{}(n->name));
        for (const Value& v : n->inputs) mix(own, value(v));
        for (const GraphPtr& region : n->regions) mix(own, structural_hash(*region));
        hash[n.get()] = own;
        mix(h, own);
    }
    for (const Value& v : graph.outputs) mix(h, value(v));
    for (const StateUpdate& u : graph.updates) mix(h, value(u.value));
    return h;
}

}  // namespace fusescope::ir
