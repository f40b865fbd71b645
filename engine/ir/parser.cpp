#include "engine/ir/parser.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "engine/ir/cursor.hpp"
#include "engine/ir/verifier.hpp"

namespace fusescope::ir {
namespace {

constexpr int kDeepest = 100;  // regions within regions

struct Where {
    int line = 0, column = 0;
    [[noreturn]] void fail(const std::string& message) const { throw ParseError(line, column, message); }
};

/// What stands where a value is read.
struct Operand {
    enum class Kind : std::uint8_t { none, node, leaf, constant, graph } kind = Kind::none;
    std::int64_t number = 0;
    std::int64_t output = 0;
    std::string name;  // of a graph; text of a constant
    Tensor value;
    Where where;
};

struct Statement {
    enum class Kind : std::uint8_t { call, constant, store, result } kind = Kind::call;
    Where where;
    std::int64_t number = -1;
    std::string op;  // empty for fused calls
    std::vector<std::string> callees;
    std::vector<Operand> operands;
    std::vector<std::pair<std::string, AttrValue>> attributes;
    Tensor value;
    std::vector<TensorType> types;
    bool typed = false;
};

struct Leaf {
    std::int64_t number;
    std::string name;
    TensorType type;
    bool parameter;
};

struct Subgraph {
    Where where;
    std::string fused_name, kernel;
    std::vector<Leaf> leaves;
    std::vector<Statement> statements;
};

/// First half: lines to statements.
class Reader {
 public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::string entry;
    std::map<std::string, Subgraph> graphs;

    void read() {
        while (next_line()) top_level();
        if (entry.empty()) last().fail("there is no line \"# IR entry: @name\"");
        if (!graphs.contains(entry)) last().fail("subgraph @" + entry + ", the entry, is missing");
        graphs.at(entry).leaves = entry_leaves_;
    }

 private:
    Where last() const { return {number_, 1}; }

    bool next_line() {
        if (at_ >= text_.size()) return false;
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        line_ = text_.substr(at_, end - at_);
        at_ = end + 1;
        ++number_;
        return true;
    }

    static std::string title(Cursor& c) {
        c.expect("@");
        return c.name();
    }

    void top_level() {
        Cursor c(line_, number_);
        if (line_.empty()) return;
        if (c.take("# IR entry: ")) {
            if (!entry.empty()) c.fail("a second entry");
            entry = title(c);
            c.expect_end();
        } else if (c.take("# Parameters: ")) {
            c.integer();
            c.expect(", (");
            while (!c.take(")")) {
                if (!header_types_.empty()) c.expect(", ");
                bool parameter = false;
                const TensorType t = c.type(&parameter);
                header_types_.emplace_back(t, parameter);
            }
            c.expect_end();
        } else if (c.take("#") || c.take("Node counting information:") || c.take("Total number of ") ||
                   c.take("subgraph attr:") || c.take("subgraph instance:")) {
            return;
        } else if (c.peek() == '%') {
            entry_leaves_.push_back(leaf_name(c));
            c.expect(": ");
            entry_leaves_.back().type = c.type(&entry_leaves_.back().parameter);
            c.take("  :  has_default");
            c.expect_end();
        } else if (c.take("graph_kernel: ")) {
            fused_name_ = c.name();
            c.expect_end();
        } else if (c.take("kernel: ")) {
            kernel_ = c.name();
            c.expect_end();
        } else if (c.take("subgraph ")) {
            subgraph(c);
        } else {
            c.fail("expected a header line or a subgraph");
        }
    }

    static Leaf leaf_name(Cursor& c) {
        c.expect("%para");
        Leaf leaf{};
        leaf.number = c.integer();
        c.expect("_");
        leaf.name = c.name();
        return leaf;
    }

    void subgraph(Cursor& c) {
        const std::string name = title(c);
        if (graphs.contains(name)) c.fail("subgraph @" + name + " stands here a second time");
        Subgraph g;
        g.where = {number_, 1};
        g.fused_name = std::exchange(fused_name_, {});
        g.kernel = std::exchange(kernel_, {});
        const auto types = std::exchange(header_types_, {});
        c.expect("(");
        while (!c.take(")")) {
            if (!g.leaves.empty()) c.expect(", ");
            Leaf leaf = leaf_name(c);
            if (g.leaves.size() >= types.size()) c.fail("the line \"# Parameters:\" gives no type for this parameter");
            leaf.type = types[g.leaves.size()].first;
            leaf.parameter = types[g.leaves.size()].second;
            g.leaves.push_back(std::move(leaf));
        }
        if (types.size() > g.leaves.size())
            c.fail("the line \"# Parameters:\" has more types than there are parameters");
        c.expect(" {");
        c.expect_end();
        for (;;) {
            if (!next_line()) last().fail("the text ends inside subgraph @" + name);
            if (line_ == "}") break;
            statement(g);
        }
        if (g.statements.empty() || g.statements.back().kind != Statement::Kind::result) {
            last().fail("subgraph @" + name + " does not end with Return(…)");
        }
        for (const Statement& s : g.statements) {
            if (!s.typed && s.kind != Statement::Kind::store) {
                s.where.fail("the line with the types of this node is missing");
            }
        }
        graphs.emplace(name, std::move(g));
    }

    void statement(Subgraph& g) {
        Cursor c(line_, number_);
        if (c.take("      #")) return;
        if (c.take("      : ")) return types(c, g);
        if (!c.take("  ")) c.fail("expected a node, or } at the end of the subgraph");
        if (!g.statements.empty() && g.statements.back().kind == Statement::Kind::result) {
            c.fail("a node after Return");
        }
        Statement s;
        s.where = {number_, c.column()};
        if (c.take("Return(")) {
            s.kind = Statement::Kind::result;
            operands(c, s);
            c.expect_end();
        } else if (c.take("Store(")) {
            s.kind = Statement::Kind::store;
            operands(c, s);
            c.expect_end();
            if (s.operands.size() != 2) s.where.fail("Store takes a Parameter and its new value");
        } else {
            c.expect("%");
            s.number = c.integer();
            c.expect("(");
            c.name();
            c.expect(") = ");
            right_side(c, s);
            c.expect_end();
        }
        g.statements.push_back(std::move(s));
    }

    void right_side(Cursor& c, Statement& s) {
        if (c.take("Tensor(")) {
            s.kind = Statement::Kind::constant;
            s.value = c.constant();
            return;
        }
        if (c.take("call FuncUnion(")) {
            while (!c.take(")(")) {
                if (!s.callees.empty()) c.expect(", ");
                s.callees.push_back(title(c));
            }
        } else if (c.take("call ")) {
            s.callees.push_back(title(c));
            c.expect("(");
        } else {
            s.op = c.name();
            c.expect("(");
        }
        operands(c, s);
        if (!c.take(" primitive_attrs: {")) return;
        while (!c.take("}")) {
            if (!s.attributes.empty()) c.expect(", ");
            std::string name = c.name();
            c.expect(": ");
            s.attributes.emplace_back(std::move(name), c.attribute());
        }
    }

    /// Up to and with the closing parenthesis.
    static void operands(Cursor& c, Statement& s) {
        bool first = true;
        while (!c.take(")")) {
            if (!first) c.expect(", ");
            first = false;
            Operand o;
            o.where = {c.line(), c.column()};
            if (c.take("None")) {
                o.kind = Operand::Kind::none;
            } else if (c.take("Tensor(")) {
                o.kind = Operand::Kind::constant;
                o.value = c.constant();
            } else if (c.peek() == '@') {
                o.kind = Operand::Kind::graph;
                o.name = title(c);
            } else if (c.take("%para")) {
                o.kind = Operand::Kind::leaf;
                o.number = c.integer();
                c.expect("_");
                o.name = c.name();
            } else {
                c.expect("%");
                o.kind = Operand::Kind::node;
                o.number = c.integer();
                if (c.take("[")) {
                    o.output = c.integer();
                    c.expect("]");
                }
            }
            s.operands.push_back(std::move(o));
        }
    }

    static void types(Cursor& c, Subgraph& g) {
        if (g.statements.empty() || g.statements.back().typed || g.statements.back().kind == Statement::Kind::store) {
            c.fail("types that belong to no node");
        }
        Statement& s = g.statements.back();
        s.types = c.types();
        if (s.kind != Statement::Kind::result) {
            c.expect(" -> ");
            s.types = c.types();
        }
        c.expect_end();
        s.typed = true;
    }

    std::string_view text_, line_;
    std::size_t at_ = 0;
    int number_ = 0;
    std::vector<Leaf> entry_leaves_;
    std::vector<std::pair<TensorType, bool>> header_types_;
    std::string fused_name_, kernel_;
};

/// Second half: statements to graphs, bodies first.
class Maker {
 public:
    explicit Maker(const std::map<std::string, Subgraph>& graphs) : graphs_(graphs) {}

    GraphPtr make(const std::string& name, const Where& caller, int depth) {
        const auto it = graphs_.find(name);
        if (it == graphs_.end()) caller.fail("there is no subgraph @" + name);
        if (const auto done = made_.find(name); done != made_.end()) {
            if (!done->second) caller.fail("subgraph @" + name + " calls itself");
            return done->second;
        }
        if (depth > kDeepest) caller.fail("subgraphs call each other more than " + std::to_string(kDeepest) + " deep");
        made_[name] = nullptr;
        GraphPtr g = body(name, it->second, depth);
        made_[name] = g;
        return g;
    }

 private:
    struct Names {
        std::unordered_map<std::int64_t, NodePtr> leaves, nodes;
        std::vector<NodePtr> constants;
    };

    GraphPtr body(const std::string& title, const Subgraph& s, int depth) {
        auto g = std::make_shared<Graph>();
        const std::size_t cut = title.rfind('_');
        if (cut == std::string::npos) s.where.fail("the graph's name lacks its number: @" + title);
        g->name = title.substr(0, cut);
        Names names;
        for (const Leaf& leaf : s.leaves) {
            auto n = std::make_shared<Node>();
            n->id = next_node_id();
            n->kind = leaf.parameter ? NodeKind::parameter : NodeKind::input;
            n->name = leaf.name;
            n->types = {leaf.type};
            if (!names.leaves.emplace(leaf.number, n).second) {
                s.where.fail("%para" + std::to_string(leaf.number) + " stands twice among the parameters");
            }
            g->inputs.push_back(std::move(n));
        }
        for (const Statement& st : s.statements) statement(*g, st, names, depth);
        return g;
    }

    static Value value(Graph& g, const Operand& o, Names& names) {
        switch (o.kind) {
            case Operand::Kind::none:
                return {};
            case Operand::Kind::graph:
                o.where.fail("a subgraph stands where a value is expected");
            case Operand::Kind::leaf: {
                const auto it = names.leaves.find(o.number);
                if (it == names.leaves.end() || it->second->name != o.name) {
                    o.where.fail("%para" + std::to_string(o.number) + "_" + o.name +
                                 " is no parameter of this subgraph");
                }
                return {it->second, 0};
            }
            case Operand::Kind::constant:
                return {constant(g, o.value), 0};
            case Operand::Kind::node: {
                const auto it = names.nodes.find(o.number);
                if (it == names.nodes.end()) {
                    o.where.fail("%" + std::to_string(o.number) + " is not made before this node");
                }
                if (o.output < 0 || o.output >= static_cast<std::int64_t>(it->second->types.size())) {
                    o.where.fail("%" + std::to_string(o.number) + " has " + std::to_string(it->second->types.size()) +
                                 " outputs");
                }
                return {it->second, static_cast<std::uint32_t>(o.output)};
            }
        }
        return {};
    }

    static NodePtr constant(Graph& g, const Tensor& t) {
        auto n = std::make_shared<Node>();
        n->id = next_node_id();
        n->kind = NodeKind::constant;
        n->types = {t.type()};
        n->value = t;
        g.nodes.push_back(n);
        return n;
    }

    void statement(Graph& g, const Statement& st, Names& names, int depth) {
        if (st.kind == Statement::Kind::result) {
            for (const Operand& o : st.operands) {
                g.outputs.push_back(value(g, o, names));
                if (!g.outputs.back().node) o.where.fail("a result is missing");
            }
            std::vector<TensorType> got;
            for (const Value& v : g.outputs) got.push_back(v.type());
            if (got != st.types) st.where.fail("the types of the results are not those of the values");
            return;
        }
        if (st.kind == Statement::Kind::store) {
            const Value target = value(g, st.operands[0], names), now = value(g, st.operands[1], names);
            if (!target.node || !now.node || target.node->kind != NodeKind::parameter) {
                st.where.fail("Store takes a Parameter and its new value");
            }
            g.updates.push_back({target.node, now});
            return;
        }
        auto n = std::make_shared<Node>();
        n->id = next_node_id();
        n->types = st.types;
        if (st.kind == Statement::Kind::constant) {
            n->kind = NodeKind::constant;
            n->value = st.value;
        } else {
            call(g, st, *n, names, depth);
        }
        // Inference has no business with values that do not exist: those are found first.
        if (std::string fault = find_fault(*n); !fault.empty()) st.where.fail(fault);
        if (!names.nodes.emplace(st.number, n).second) {
            st.where.fail("%" + std::to_string(st.number) + " is made twice");
        }
        g.nodes.push_back(std::move(n));
    }

    void call(Graph& g, const Statement& st, Node& n, Names& names, int depth) {
        std::vector<std::string> callees = st.callees;
        for (const Operand& o : st.operands) {
            if (o.kind == Operand::Kind::graph) {
                callees.push_back(o.name);
            } else {
                n.inputs.push_back(value(g, o, names));
            }
        }
        for (const std::string& name : callees) n.regions.push_back(make(name, st.where, depth + 1));
        if (st.op.empty()) {
            n.kind = NodeKind::fused;
            if (callees.empty()) st.where.fail("a call of nothing");
            const Subgraph& first = graphs_.at(callees[0]);
            n.name = first.fused_name;
            n.kernel = first.kernel;
        } else if (!callees.empty()) {
            if (st.op != "If" && st.op != "While") st.where.fail("only If and While take subgraphs, not " + st.op);
            n.kind = st.op == "If" ? NodeKind::cond : NodeKind::loop;
        } else {
            n.kind = NodeKind::op;
            n.op = OpTable::get().find(st.op);
            if (!n.op) st.where.fail("there is no op named " + st.op);
        }
        for (const Value& v : n.inputs) {
            if (v.node) continue;
            if (n.kind != NodeKind::op) st.where.fail("an operand is missing");
            n.present.clear();
            for (const Value& x : n.inputs) n.present.push_back(static_cast<bool>(x.node));
        }
        attributes(st, n);
    }

    static void attributes(const Statement& st, Node& n) {
        if (n.kind != NodeKind::op) {
            if (!st.attributes.empty()) st.where.fail("only ops have attributes");
            return;
        }
        std::vector<bool> given(n.op->schema.attributes.size(), false);
        n.attrs = n.op->defaults();
        for (const auto& [name, v] : st.attributes) {
            const int k = n.op->attribute(name);
            if (k < 0) st.where.fail(n.op->name() + " has no attribute \"" + name + "\"");
            const auto at = static_cast<std::size_t>(k);
            if (given[at]) st.where.fail("attribute \"" + name + "\" is given twice");
            given[at] = true;
            n.attrs[at] = v;
        }
        for (std::size_t k = 0; k < given.size(); ++k) {
            if (!given[k] && n.op->schema.attributes[k].required) {
                st.where.fail(n.op->name() + " lacks its attribute \"" + n.op->schema.attributes[k].name + "\"");
            }
        }
    }

    const std::map<std::string, Subgraph>& graphs_;
    std::map<std::string, GraphPtr> made_;
};

}  // namespace

GraphPtr parse(std::string_view text) {
    Reader reader(text);
    reader.read();
    const Where start = reader.graphs.at(reader.entry).where;
    GraphPtr g = Maker(reader.graphs).make(reader.entry, start, 0);
    if (std::string fault = find_fault(*g); !fault.empty()) start.fail(fault);
    return g;
}

}  // namespace fusescope::ir
