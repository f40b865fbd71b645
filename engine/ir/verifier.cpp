#include "engine/ir/verifier.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <unordered_set>
#include <vector>

#include "engine/ir/printer.hpp"
#include "engine/ir/rewriter.hpp"
#include "fusescope/error.hpp"

namespace fusescope::ir {
namespace {

constexpr int kDeepest = 200;  // regions within regions

std::string list(std::span<const TensorType> types) {
    std::string s;
    for (const TensorType& t : types) s += (s.empty() ? "" : ", ") + to_string(t);
    return "(" + s + ")";
}

std::vector<TensorType> types_of(std::span<const Value> values) {
    std::vector<TensorType> types;
    for (const Value& v : values) types.push_back(v.node ? v.type() : TensorType{});
    return types;
}
std::vector<TensorType> types_of(std::span<const NodePtr> leaves) {
    std::vector<TensorType> types;
    for (const NodePtr& n : leaves) types.push_back(n->types.empty() ? TensorType{} : n->types[0]);
    return types;
}

std::string expected(const char* what, std::span<const TensorType> want, std::span<const TensorType> got) {
    return fmt::format("{}: expected {}, got {}", what, list(want), list(got));
}

bool attribute_fits(AttrType type, const AttrValue& v) {
    switch (type) {
        case AttrType::boolean:
            return std::holds_alternative<bool>(v);
        case AttrType::integer:
            return std::holds_alternative<std::int64_t>(v);
        case AttrType::number:
            return std::holds_alternative<double>(v);
        case AttrType::string:
            return std::holds_alternative<std::string>(v);
        case AttrType::dtype:
            return std::holds_alternative<DType>(v);
        case AttrType::ints:
            return std::holds_alternative<Ints>(v);
        case AttrType::optional_ints:
            return std::holds_alternative<std::monostate>(v) || std::holds_alternative<Ints>(v);
        case AttrType::optional_int:
            return std::holds_alternative<std::monostate>(v) || std::holds_alternative<std::int64_t>(v);
        case AttrType::optional_dtype:
            return std::holds_alternative<std::monostate>(v) || std::holds_alternative<DType>(v);
        case AttrType::optional_number:
            return std::holds_alternative<std::monostate>(v) || std::holds_alternative<double>(v);
    }
    return false;
}

std::string op_fault(const Node& n) {
    const OpSchema& schema = n.op->schema;
    if (n.attrs.size() != schema.attributes.size()) {
        return fmt::format("expected {} attributes, got {}", schema.attributes.size(), n.attrs.size());
    }
    for (std::size_t i = 0; i < n.attrs.size(); ++i) {
        if (!attribute_fits(schema.attributes[i].type, n.attrs[i])) {
            return fmt::format("attribute \"{}\" has a value of the wrong type", schema.attributes[i].name);
        }
    }
    if (!n.present.empty() && n.present.size() != n.inputs.size()) {
        return fmt::format("expected {} flags of given operands, got {}", n.inputs.size(), n.present.size());
    }
    const auto& operands = schema.operands;
    const bool open = !operands.empty() && operands.back().kind == OperandKind::list;
    const std::size_t least = open ? operands.size() - 1 : operands.size();
    if (n.inputs.size() < least || (!open && n.inputs.size() > least)) {
        return fmt::format("expected {}{} operands, got {}", open ? "at least " : "", least, n.inputs.size());
    }
    for (std::size_t i = 0; i < n.inputs.size(); ++i) {
        const bool given = n.present.empty() || n.present[i];
        if (given != static_cast<bool>(n.inputs[i].node)) {
            return fmt::format("operand {} is {}", i, given ? "missing" : "marked as absent but given");
        }
        if (!given && operands[std::min(i, operands.size() - 1)].kind == OperandKind::tensor) {
            return fmt::format("operand {} is not optional", i);
        }
    }
    try {
        const std::vector<TensorType> want = infer_types(*n.op, n.inputs, n.present, n.attrs);
        if (want != n.types) return expected("result types", want, n.types);
    } catch (const UserError& e) {
        return std::string("its types cannot be inferred: ") + e.what();
    } catch (const std::exception& e) {
        return std::string("inference failed: ") + e.what();
    }
    return {};
}

std::string cond_fault(const Node& n) {
    if (n.regions.size() != 2) return fmt::format("expected 2 regions, got {}", n.regions.size());
    if (n.inputs.empty()) return "the predicate is missing";
    const TensorType& p = n.inputs[0].type();
    if (p.shape.count() != 1) return fmt::format("predicate: expected one element, got {}", to_string(p));
    const std::vector<TensorType> operands = types_of(std::span(n.inputs).subspan(1));
    for (const GraphPtr& region : n.regions) {
        if (auto got = types_of(region->inputs); got != operands) {
            return expected("operands of a branch", operands, got);
        }
        if (auto got = types_of(region->outputs); got != n.types) return expected("results of a branch", n.types, got);
    }
    return {};
}

std::string loop_fault(const Node& n) {
    if (n.regions.size() != 2) return fmt::format("expected 2 regions, got {}", n.regions.size());
    const std::vector<TensorType> operands = types_of(n.inputs);
    if (operands.size() < n.types.size()) {
        return fmt::format("expected at least {} operands (the state), got {}", n.types.size(), operands.size());
    }
    const std::vector<TensorType> state(operands.begin(),
                                        operands.begin() + static_cast<std::ptrdiff_t>(n.types.size()));
    if (state != n.types) return expected("state", n.types, state);
    for (const GraphPtr& region : n.regions) {
        if (auto got = types_of(region->inputs); got != operands) {
            return expected("operands of a loop's region", operands, got);
        }
    }
    const auto test = types_of(n.regions[0]->outputs);
    if (test.size() != 1 || test[0].shape.count() != 1) {
        return fmt::format("condition: expected one value of one element, got {}", list(test));
    }
    if (auto got = types_of(n.regions[1]->outputs); got != n.types)
        return expected("results of the body", n.types, got);
    return {};
}

std::string fused_fault(const Node& n) {
    if (n.regions.empty()) return "expected a region, got none";
    if (n.kernel.empty()) return "it does not say who runs it";
    std::vector<TensorType> inputs, outputs;
    for (const GraphPtr& region : n.regions) {
        for (const TensorType& t : types_of(region->inputs)) inputs.push_back(t);
        for (const TensorType& t : types_of(region->outputs)) outputs.push_back(t);
    }
    if (auto got = types_of(n.inputs); got != inputs) return expected("operands", inputs, got);
    if (n.types != outputs) return expected("results", outputs, n.types);
    return {};
}

class Check {
 public:
    std::string graph(const Graph& g, int depth) {
        if (depth > kDeepest) return fmt::format("regions are nested more than {} deep", kDeepest);
        std::unordered_set<const Node*> defined;
        const auto where = [&](const Node& n, const std::string& what) {
            return fmt::format("graph \"{}\": {}: {}", g.name, what, node_text(n));
        };
        for (const NodePtr& n : g.inputs) {
            if (!n->leaf()) return where(*n, "expected an input or a Parameter among the graph's inputs");
            if (n->types.size() != 1) return where(*n, fmt::format("expected one type, got {}", n->types.size()));
            if (!n->inputs.empty()) return where(*n, "a leaf has operands");
            if (!defined.insert(n.get()).second) return where(*n, "an input is listed twice");
        }
        auto known = [&](const Value& v) { return defined.contains(v.node.get()) && v.index < v.node->types.size(); };
        for (const NodePtr& n : g.nodes) {
            if (n->leaf()) return where(*n, "a leaf stands among the nodes");
            if (!ids_.insert(n->id).second) return where(*n, fmt::format("id {} is used twice", n->id));
            for (std::size_t i = 0; i < n->inputs.size(); ++i) {
                if (n->inputs[i].node && !known(n->inputs[i])) {
                    return where(*n, fmt::format("operand {} is no value made before this node in its graph", i));
                }
                if (!n->inputs[i].node && n->kind != NodeKind::op) return where(*n, "an operand is missing");
            }
            if (std::string fault = find_fault(*n); !fault.empty())
                return fmt::format("graph \"{}\": {}", g.name, fault);
            for (const GraphPtr& region : n->regions) {
                if (!seen_.insert(region.get()).second) continue;  // two nodes may call one region
                if (std::string fault = this->graph(*region, depth + 1); !fault.empty()) return fault;
            }
            defined.insert(n.get());
        }
        for (std::size_t i = 0; i < g.outputs.size(); ++i) {
            if (!g.outputs[i].node || !known(g.outputs[i])) {
                return fmt::format("graph \"{}\": output {} is no value of this graph", g.name, i);
            }
        }
        for (std::size_t i = 0; i < g.updates.size(); ++i) {
            const StateUpdate& u = g.updates[i];
            if (!u.value.node || !known(u.value)) {
                return fmt::format("graph \"{}\": update {} writes no value of this graph", g.name, i);
            }
            if (!u.parameter || u.parameter->kind != NodeKind::parameter || !defined.contains(u.parameter.get())) {
                return fmt::format("graph \"{}\": update {} writes no Parameter of this graph", g.name, i);
            }
            if (u.parameter->types[0] != u.value.type()) {
                return fmt::format("graph \"{}\": update of {}: expected {}, got {}", g.name, u.parameter->name,
                                   to_string(u.parameter->types[0]), to_string(u.value.type()));
            }
        }
        return {};
    }

 private:
    std::unordered_set<NodeId> ids_;
    std::unordered_set<const Graph*> seen_;
};

void effects_of(const Graph& g, std::vector<std::string>& out) {
    for (const NodePtr& n : g.nodes) {
        if (!n->keeps_order()) continue;
        if (n->kind == NodeKind::op) out.push_back(node_text(*n).substr(node_text(*n).find('=')));
        for (const GraphPtr& region : n->regions) {
            out.push_back(fmt::format("({}", n->kind == NodeKind::fused ? "" : std::string(n->op_name())));
            effects_of(*region, out);
        }
    }
}

}  // namespace

std::string find_fault(const Node& n) {
    std::string fault;
    switch (n.kind) {
        case NodeKind::input:
        case NodeKind::parameter:
            break;
        case NodeKind::constant:
            if (!n.value.defined()) {
                fault = "a constant without a value";
            } else if (n.types.size() != 1 || n.types[0] != n.value.type()) {
                const TensorType want[1] = {n.value.type()};
                fault = expected("constant", want, n.types);
            }
            break;
        case NodeKind::op:
            fault = n.op ? op_fault(n) : "an op node without an op";
            break;
        case NodeKind::fused:
            fault = fused_fault(n);
            break;
        case NodeKind::cond:
            fault = cond_fault(n);
            break;
        case NodeKind::loop:
            fault = loop_fault(n);
            break;
    }
    return fault.empty() ? fault : fmt::format("{}: {}", fault, n.op || n.kind != NodeKind::op ? node_text(n) : "");
}

std::string find_fault(const Graph& graph) { return Check().graph(graph, 0); }

std::string find_effect_fault(const Graph& before, const Graph& after) {
    std::vector<std::string> want, got;
    effects_of(before, want);
    effects_of(after, got);
    // Regions that lost all their effects or were fused do not matter: ops do, in their order.
    std::erase_if(want, [](const std::string& s) { return s[0] == '('; });
    std::erase_if(got, [](const std::string& s) { return s[0] == '('; });
    for (std::size_t i = 0; i < std::max(want.size(), got.size()); ++i) {
        const std::string a = i < want.size() ? want[i] : "nothing", b = i < got.size() ? got[i] : "nothing";
        if (a != b) return fmt::format("effect {}: expected {}, got {}", i, a, b);
    }
    return {};
}

void verify(const Graph& graph, const std::string& where) {
    if (std::string fault = find_fault(graph); !fault.empty()) {
        throw std::logic_error(fmt::format("after {}, the graph breaks a rule: {}", where, fault));
    }
}

}  // namespace fusescope::ir
