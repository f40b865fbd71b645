#include "engine/ir/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/ir/literal.hpp"

namespace fusescope::ir {

std::string Numbering::name(const Node& node) {
    switch (node.kind) {
        case NodeKind::input:
        case NodeKind::parameter:
            return node.name;
        case NodeKind::constant:
            return "ValueNode_" + std::to_string(of(node.id));
        case NodeKind::fused:
            return node.name + "_" + std::to_string(of(node.id));
        default:
            return "CNode_" + std::to_string(of(node.id));
    }
}

std::string node_text(const Node& node) {
    std::string s = fmt::format("%{} = {}(", node.id, node.op_name());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Value& v = node.inputs[i];
        const bool known = v.node && v.index < v.node->types.size();
        s += (i ? ", " : "") + (known ? to_string(v.type()) : std::string(v.node ? "?" : "None"));
    }
    s += ")";
    if (!node.name.empty()) s += " \"" + node.name + "\"";
    for (std::size_t i = 0; i < node.attrs.size(); ++i) {
        s += i ? ", " : " {";
        if (node.op && i < node.op->schema.attributes.size()) s += node.op->schema.attributes[i].name + ": ";
        s += attribute_text(node.attrs[i]);
    }
    if (node.attrs.size()) s += "}";
    s += " -> ";
    for (std::size_t i = 0; i < node.types.size(); ++i) s += (i ? ", " : "") + to_string(node.types[i]);
    return s;
}

namespace {

class Printer {
 public:
    explicit Printer(const PrintOptions& options)
        : options_(options), numbering_(options.numbering ? *options.numbering : own_) {}

    std::string text(const Graph& entry) {
        enter(entry, {}, {});
        // Bodies are found while their callers are written.
        for (std::size_t i = 0; i < graphs_.size(); ++i) subgraph(i);
        std::string head = fmt::format("# IR entry: @{}\n# Total subgraphs: {}\n\n", title(0), graphs_.size());
        if (!entry.inputs.empty()) {
            head += fmt::format("# Total params: {}\n# Params:\n", entry.inputs.size());
            std::size_t number = 1;
            for (const NodePtr& n : entry.inputs) {
                head += fmt::format("%para{}_{}: {}", number++, name_text(n->name), leaf_type(*n));
                head += n->kind == NodeKind::parameter ? "  :  has_default\n" : "\n";
            }
            head += "\n";
        }
        head += fmt::format("Node counting information:\nTotal number of nodes: {}\nTotal number of cnodes: {}\n\n",
                            nodes_, calls_);
        return head + body_;
    }

 private:
    struct Listed {
        const Graph* graph;
        std::string fused_name, kernel;  // of the fused node that calls it
    };

    std::size_t enter(const Graph& g, const std::string& fused_name, const std::string& kernel) {
        const auto key = std::make_tuple(&g, fused_name, kernel);
        const auto [it, fresh] = listed_.try_emplace(key, graphs_.size());
        if (fresh) graphs_.push_back({&g, fused_name, kernel});
        return it->second;
    }
    std::string title(std::size_t index) const {
        return name_text(graphs_[index].graph->name + "_" + std::to_string(index + 1));
    }
    static std::string leaf_type(const Node& n) {
        return n.kind == NodeKind::parameter ? parameter_type_text(n.types[0], n.name) : type_text(n.types[0]);
    }

    ConstantForm form_of(const Tensor& t) const {
        if (t.type().bytes() > options_.constant_bytes) return ConstantForm::left_out;
        return t.count() <= options_.inline_elements && decimal_is_exact(t) ? ConstantForm::decimal : ConstantForm::hex;
    }
    bool stands_inline(const Node& n) const {
        return n.kind == NodeKind::constant && n.value.count() <= options_.inline_elements;
    }

    std::string operand(const Value& v) const {
        if (!v.node) return "None";
        if (stands_inline(*v.node)) return constant_text(v.node->value, form_of(v.node->value));
        const auto it = names_.find(v.node.get());
        if (it == names_.end()) return "%?";  // a graph that the verifier refuses; the text is for its message
        return v.node->types.size() > 1 ? fmt::format("{}[{}]", it->second, v.index) : it->second;
    }
    std::string operands(std::span<const Value> values) const {
        std::string s;
        for (std::size_t i = 0; i < values.size(); ++i) s += (i ? ", " : "") + operand(values[i]);
        return s;
    }
    static std::string types(std::span<const Value> values) {
        std::string s;
        for (const Value& v : values) s += (s.empty() ? "" : ", ") + (v.node ? type_text(v.type()) : "<None>");
        return "(" + s + ")";
    }
    static std::string types(std::span<const TensorType> list) {
        std::string s;
        for (const TensorType& t : list) s += (s.empty() ? "" : ", ") + type_text(t);
        return "(" + s + ")";
    }

    void subgraph(std::size_t index) {
        const Graph& g = *graphs_[index].graph;
        const std::string name = title(index);
        names_.clear();
        std::string parameters;
        for (const NodePtr& n : g.inputs) {
            const std::string word = fmt::format("%para{}_{}", ++parameters_, name_text(n->name));
            names_[n.get()] = word;
            parameters += (parameters.empty() ? "" : ", ") + word;
        }
        body_ += "subgraph attr:\n";
        if (!graphs_[index].kernel.empty()) {
            body_ += fmt::format("graph_kernel: {}\nkernel: {}\n", name_text(graphs_[index].fused_name),
                                 name_text(graphs_[index].kernel));
        }
        body_ += fmt::format("subgraph instance: {}\n", name);
        if (index > 0) {
            std::string list;
            for (const NodePtr& n : g.inputs) list += (list.empty() ? "" : ", ") + leaf_type(*n);
            body_ += fmt::format("# Parameters: {}, ({})\n", g.inputs.size(), list);
        }
        body_ += "# " + location(g.frame) + "\n";
        body_ += fmt::format("subgraph @{}({}) {{\n", name, index > 0 ? parameters : std::string());
        std::size_t next = 0;
        nodes_ += g.inputs.size() + 1;
        for (const NodePtr& n : g.nodes) {
            if (stands_inline(*n)) continue;
            const std::string label = fmt::format("%{}", next++);
            node(*n, label);
            names_[n.get()] = label;
        }
        for (const StateUpdate& u : g.updates) {
            const Value parameter{u.parameter, 0};
            body_ += fmt::format("  Store({}, {})\n", operand(parameter), operand(u.value));
        }
        body_ += fmt::format("  Return({})\n      : {}\n", operands(g.outputs), types(g.outputs));
        body_ += "}\n\n\n";
    }

    void node(const Node& n, const std::string& label) {
        ++nodes_;
        if (n.kind == NodeKind::constant) {
            body_ += fmt::format("  {}({}) = {}\n      : () -> {}\n", label, numbering_.name(n),
                                 constant_text(n.value, form_of(n.value)), types(n.types));
            return;
        }
        ++calls_;
        std::string call;
        std::vector<std::string> callees;
        for (const GraphPtr& region : n.regions) {
            const bool fused = n.kind == NodeKind::fused;
            callees.push_back("@" + title(enter(*region, fused ? n.name : "", fused ? n.kernel : "")));
        }
        if (n.kind == NodeKind::fused && callees.size() == 1) {
            call = fmt::format("call {}({})", callees[0], operands(n.inputs));
        } else if (n.kind == NodeKind::fused) {
            call = fmt::format("call FuncUnion({})({})", fmt::join(callees, ", "), operands(n.inputs));
        } else if (n.kind == NodeKind::op) {
            call = fmt::format("{}({})", n.op->name(), operands(n.inputs));
        } else {
            // The predicate comes before the branches, as in Switch.
            std::vector<std::string> words;
            std::size_t first = 0;
            if (n.kind == NodeKind::cond && !n.inputs.empty()) words.push_back(operand(n.inputs[first++]));
            words.insert(words.end(), callees.begin(), callees.end());
            for (std::size_t i = first; i < n.inputs.size(); ++i) words.push_back(operand(n.inputs[i]));
            call = fmt::format("{}({})", n.op_name(), fmt::join(words, ", "));
        }
        body_ += fmt::format("  {}(CNode_{}) = {}", label, numbering_.of(n.id), call);
        if (n.attrs.size() > 0) {
            body_ += " primitive_attrs: {";
            for (std::size_t i = 0; i < n.attrs.size(); ++i) {
                body_ +=
                    fmt::format("{}{}: {}", i ? ", " : "", n.op->schema.attributes[i].name, attribute_text(n.attrs[i]));
            }
            body_ += "}";
        }
        body_ += fmt::format("\n      : {} -> {}\n", types(n.inputs), types(n.types));
        if (options_.scopes) {
            std::string op = n.kind == NodeKind::fused ? "GraphKernel_" + n.name : std::string(n.op_name());
            std::string scope = scope_path(n.scope);
            std::replace(scope.begin(), scope.end(), '\n', ' ');
            const std::uint32_t count = counts_[op]++;
            body_ += fmt::format("      # Fullname with scope: ({}{}/{}-op{})\n",
                                 n.phase == Phase::backward ? "Gradients/" : "", scope, op, count);
        }
        if (options_.frame) locations(n);
    }

    std::string location(FrameId frame) const {
        if (!frame || !options_.frame) return {};
        const std::optional<SourceLine> line = options_.frame(frame);
        if (!line) return {};
        std::string text = fmt::format("In file {}:{}/{}/", line->path, line->line, line->text);
        std::replace(text.begin(), text.end(), '\n', '/');
        return text;
    }

    void locations(const Node& n) {
        if (n.kind != NodeKind::fused) {
            if (const std::string where = location(n.frame); !where.empty()) body_ += "      # " + where + "\n";
            return;
        }
        std::unordered_set<FrameId> seen;
        for (const GraphPtr& region : n.regions) {
            for (const NodePtr& member : region->nodes) {
                if (!seen.insert(member->frame).second) continue;
                const std::string where = location(member->frame);
                if (!where.empty()) body_ += "      # Corresponding code candidate:\n      # " + where + "\n";
            }
        }
    }

    const PrintOptions& options_;
    Numbering own_;
    Numbering& numbering_;
    std::vector<Listed> graphs_;
    std::map<std::tuple<const Graph*, std::string, std::string>, std::size_t> listed_;
    std::unordered_map<const Node*, std::string> names_;  // in the subgraph that is being written
    std::unordered_map<std::string, std::uint32_t> counts_;
    std::size_t parameters_ = 0, nodes_ = 0, calls_ = 0;
    std::string body_;
};

}  // namespace

std::string print(const Graph& graph, const PrintOptions& options) { return Printer(options).text(graph); }

}  // namespace fusescope::ir
