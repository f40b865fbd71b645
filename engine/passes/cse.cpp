// Computes equal things once:
//
//     %0 = Mul(%a, %b)            |   %0 = Mul(%a, %b)
//     %1 = Mul(%a, %b)            |   %1 = Add(%0, %0)
//     %2 = Add(%0, %1)            |
//
// Equal means the same op, operands and attributes bit for bit. What draws random numbers or acts on the world is never
// merged: two dropouts are two.
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "engine/core/tensor_impl.hpp"
#include "engine/ir/equality.hpp"
#include "engine/passes/pass.hpp"

namespace fusescope {
namespace {

// Bigger constants are compared by storage alone.
constexpr std::size_t kCompareBytes = 4096;

void mix(std::size_t& h, std::size_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15ull + (h >> 29); }

std::size_t hash_node(const ir::Node& n, const std::vector<ir::Value>& inputs) {
    std::size_t h = static_cast<std::size_t>(n.kind);
    for (const TensorType& t : n.types) {
        mix(h, static_cast<std::size_t>(t.dtype));
        for (std::int64_t e : t.shape) mix(h, static_cast<std::size_t>(e) + 3);
    }
    if (n.kind == ir::NodeKind::constant) {
        const std::size_t bytes = n.types[0].bytes();
        if (bytes <= kCompareBytes) {
            mix(h, std::hash<std::string_view>{}({static_cast<const char*>(n.value.impl()->raw()), bytes}));
        } else {
            mix(h, reinterpret_cast<std::size_t>(n.value.impl()->raw()));
        }
        return h;
    }
    mix(h, static_cast<std::size_t>(n.op->id));
    mix(h, hash_of(n.attrs));
    for (const ir::Value& v : inputs) {
        mix(h, reinterpret_cast<std::size_t>(v.node.get()));
        mix(h, v.index);
    }
    return h;
}

bool equal(const ir::Node& a, const std::vector<ir::Value>& a_inputs, const ir::Node& b,
           const std::vector<ir::Value>& b_inputs) {
    if (a.kind != b.kind || a.types != b.types) return false;
    if (a.kind == ir::NodeKind::constant) {
        if (a.types[0].bytes() > kCompareBytes) return a.value.impl()->raw() == b.value.impl()->raw();
        return ir::same_bits(a.value, b.value);
    }
    return a.op == b.op && a_inputs == b_inputs && a.present == b.present && ir::same_bits(a.attrs, b.attrs);
}

struct First {
    ir::NodePtr node;
    std::vector<ir::Value> inputs;
};

void run(passes::PassContext& c) {
    std::unordered_multimap<std::size_t, First> seen;
    seen.reserve(c.graph.nodes.size());
    for (const ir::NodePtr& n : c.graph.nodes) {
        const bool mergeable = n->kind == ir::NodeKind::constant ? n->value.device() == DeviceKind::cpu
                                                                 : n->kind == ir::NodeKind::op && !n->has_effect();
        if (!mergeable) continue;
        std::vector<ir::Value> inputs;
        for (const ir::Value& v : n->inputs) inputs.push_back(c.rewriter.current(v));
        const std::size_t h = hash_node(*n, inputs);
        bool merged = false;
        for (auto [it, end] = seen.equal_range(h); it != end && !merged; ++it) {
            if (!equal(*it->second.node, it->second.inputs, *n, inputs)) continue;
            std::vector<ir::Value> with;
            for (std::uint32_t k = 0; k < n->types.size(); ++k) with.push_back({it->second.node, k});
            c.rewriter.replace(n, std::move(with), n->op ? "equal op merged" : "equal constant merged");
            merged = true;
        }
        if (!merged) seen.emplace(h, First{n, std::move(inputs)});
    }
}

}  // namespace

passes::Pass pass_cse() { return {"cse", "Computes what is asked for twice only once.", run}; }

}  // namespace fusescope
