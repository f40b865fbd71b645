#include "engine/ir/rewriter.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_set>

#include "engine/ir/printer.hpp"

namespace fusescope::ir {

std::vector<TensorType> infer_types(const OpDef& op, std::span<const Value> inputs, std::span<const bool> present,
                                    const Attrs& attrs) {
    std::vector<TensorType> in, out;
    for (const Value& v : inputs) in.push_back(v.node ? v.type() : TensorType{});
    InferContext c{op, in, present, attrs, out};
    op.infer(c);
    return out;
}

std::vector<TensorType> infer_types(const OpDef& op, std::span<const Value> inputs, const std::vector<bool>& present,
                                    const Attrs& attrs) {
    const auto flags = std::make_unique<bool[]>(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) flags[i] = present.empty() || (i < present.size() && present[i]);
    return infer_types(op, inputs, std::span<const bool>(flags.get(), inputs.size()), attrs);
}

namespace {

std::shared_ptr<Node> make_node(NodeSpec spec) {
    auto n = std::make_shared<Node>();
    n->id = next_node_id();
    n->kind = spec.kind;
    n->op = spec.op;
    n->attrs = std::move(spec.attrs);
    n->inputs = std::move(spec.inputs);
    n->present = std::move(spec.present);
    n->types = std::move(spec.types);
    n->regions = std::move(spec.regions);
    n->name = std::move(spec.name);
    n->kernel = std::move(spec.kernel);
    n->value = std::move(spec.value);
    return n;
}

[[noreturn]] void fault(const Node& n, const std::string& what) {
    throw std::logic_error("Rewriter: " + what + ": " + node_text(n));
}

void add_origin(std::vector<NodePtr>& origins, const NodePtr& n) {
    // Few origins are the rule; long lists get their duplicates taken out once, at the end.
    if (origins.size() > 64 || std::find(origins.begin(), origins.end(), n) == origins.end()) origins.push_back(n);
}

}  // namespace

Rewriter::Rewriter(GraphPtr graph) : graph_(std::move(graph)) {
    position_.reserve(graph_->nodes.size() + graph_->inputs.size());
    for (const NodePtr& n : graph_->inputs) position_.emplace(n.get(), 0);
    for (std::size_t i = 0; i < graph_->nodes.size(); ++i) position_.emplace(graph_->nodes[i].get(), i);
}

std::size_t Rewriter::position(const Node* n) const {
    if (auto it = position_.find(n); it != position_.end()) return it->second;
    if (auto it = made_index_.find(n); it != made_index_.end()) return made_[it->second].anchor;
    fault(*n, "a node of another graph was given");
}

NodePtr Rewriter::create(NodeSpec spec, std::span<const NodePtr> origins) {
    if (origins.empty()) throw std::logic_error("Rewriter: a node was created without origins");
    if (spec.kind == NodeKind::op && spec.types.empty()) {
        spec.types = infer_types(*spec.op, spec.inputs, spec.present, spec.attrs);
    }
    auto n = make_node(std::move(spec));
    n->frame = origins[0]->frame;
    n->scope = origins[0]->scope;
    n->phase = origins[0]->phase;
    std::size_t anchor = 0;
    for (const NodePtr& o : origins) {
        anchor = std::max(anchor, position(o.get()));
        if (auto it = made_index_.find(o.get()); it != made_index_.end()) {
            for (const NodePtr& older : made_[it->second].node->origins) add_origin(n->origins, older);
        } else {
            add_origin(n->origins, o);
        }
    }
    made_index_.emplace(n.get(), made_.size());
    made_.push_back({n, anchor});
    return n;
}

NodePtr Rewriter::member(const NodePtr& member, std::vector<Value> inputs) {
    auto n = std::make_shared<Node>(*member);
    n->id = next_node_id();
    n->inputs = std::move(inputs);
    n->origins = {member};
    return n;
}

NodePtr Rewriter::stand_in(const TensorType& type, std::string name) {
    NodeSpec spec;
    spec.kind = NodeKind::input;
    spec.types = {type};
    spec.name = std::move(name);
    return make_node(std::move(spec));
}

void Rewriter::replace(const NodePtr& old, std::vector<Value> with, std::string_view rule) {
    if (gone(old)) fault(*old, "a node was replaced that is gone already");
    if (with.size() != old->types.size()) fault(*old, "a replacement has another number of outputs than");
    for (std::size_t k = 0; k < with.size(); ++k) {
        if (with[k].node && with[k].type() != old->types[k]) {
            fault(*old, "output " + std::to_string(k) + " was replaced by " + to_string(with[k].type()) + " in");
        }
    }
    replaced_.emplace(old.get(), std::move(with));
    replaced_rule_.emplace(old.get(), std::string(rule));
    replaced_order_.push_back(old);
    ++rewrites_;
    auto it = std::find_if(rules_.begin(), rules_.end(), [&](const auto& r) { return r.first == rule; });
    if (it == rules_.end()) it = rules_.insert(rules_.end(), {std::string(rule), 0});
    ++it->second;
}

void Rewriter::drop(const NodePtr& old, std::string reason) {
    if (gone(old)) fault(*old, "a node was dropped that is gone already");
    dropped_.emplace(old.get(), true);
    drops_.push_back({old, std::move(reason)});
    ++rewrites_;
}

void Rewriter::add_drops(std::vector<Drop> drops) {
    for (Drop& d : drops) drops_.push_back(std::move(d));
}

Value Rewriter::current(Value v) const {
    // A chain of replacements is as long as the number of passes' rules that hit one node; a circle is a fault.
    for (std::size_t hops = 0; v.node; ++hops) {
        const auto it = replaced_.find(v.node.get());
        if (it == replaced_.end()) return v;
        if (hops > replaced_.size()) fault(*v.node, "replacements go round in a circle at");
        // The rewrite that would have taken the reader away may be one of those left out.
        if (limited_ && !it->second[v.index].node) return v;
        v = it->second[v.index];
    }
    return v;
}

// Whether it was replaced by something and not only taken away, and not for the sake of its regions.
bool Rewriter::counts(const Node* replaced) const {
    const std::vector<Value>& with = replaced_.at(replaced);
    return !replaced_rule_.at(replaced).empty() &&
           std::any_of(with.begin(), with.end(), [](const Value& v) { return v.node != nullptr; });
}

std::uint64_t Rewriter::limit(std::uint64_t most) {
    std::uint64_t count = 0;
    for (const NodePtr& old : replaced_order_) count += counts(old.get());
    if (count <= most) return count;
    limited_ = true;
    for (const Created& c : made_) unasked_.insert(c.node.get());
    auto undo = [&](const NodePtr& old) {
        const std::string& rule = replaced_rule_.at(old.get());
        auto it = std::find_if(rules_.begin(), rules_.end(), [&](const auto& r) { return r.first == rule; });
        if (--it->second == 0) rules_.erase(it);
        --rewrites_;
        replaced_.erase(old.get());
    };
    count = 0;
    std::erase_if(replaced_order_, [&](const NodePtr& old) {
        const std::vector<Value>& with = replaced_.at(old.get());
        const bool taken_away =
            std::none_of(with.begin(), with.end(), [](const Value& v) { return v.node != nullptr; });
        const bool made = made_index_.contains(old.get());
        if (taken_away || (counts(old.get()) && count++ >= most)) {
            // What was only made on the way is not asked for anyhow.
            if (taken_away) unasked_.insert(old.get());
            undo(old);
            return true;
        }
        for (const Value& v : with) {
            if (v.node && !made) unasked_.erase(v.node.get());
        }
        return false;
    });
    for (const auto& [node, dropped] : dropped_) unasked_.insert(node);
    dropped_.clear();
    return most;
}

std::vector<Rewriter::Made> Rewriter::made() const {
    std::vector<Made> list;
    for (const NodePtr& old : replaced_order_) {
        if (counts(old.get())) list.push_back({old, replaced_rule_.at(old.get())});
    }
    return list;
}

Value Rewriter::successor(const Value& old) const {
    const Value now = current(old);
    if (!now.node || now.node->leaf()) return now;
    if (!changed()) return now;
    const auto it = done_.find(now.node.get());
    return it == done_.end() ? Value{} : Value{it->second, now.index};
}

GraphPtr Rewriter::finish() {
    if (!changed()) return graph_;

    // Origins of what was replaced go to the successors.
    std::unordered_map<const Node*, std::vector<NodePtr>> inherited;
    for (const NodePtr& old : replaced_order_) {
        const bool was_made = made_index_.contains(old.get());
        const std::vector<Value>& with = replaced_.at(old.get());
        bool kept = false;
        const Node* leaf = nullptr;
        const Node* before = nullptr;
        for (const Value& direct : with) {
            const Value v = current(direct);
            if (!v.node) continue;
            if (v.node.get() == before) continue;
            before = v.node.get();
            if (v.node->leaf()) {
                leaf = v.node.get();
                continue;
            }
            kept = true;
            const auto made = made_index_.find(v.node.get());
            std::vector<NodePtr>& to =
                made != made_index_.end() ? made_[made->second].node->origins : inherited[v.node.get()];
            if (!was_made) {
                add_origin(to, old);
            } else {
                for (const NodePtr& o : made_[made_index_.at(old.get())].node->origins) add_origin(to, o);
            }
        }
        if (!kept && leaf && !was_made) {
            drops_.push_back({old, replaced_rule_.at(old.get()) + ": readers use " + leaf->name});
        }
    }

    std::vector<std::vector<std::size_t>> anchored(graph_->nodes.size() + 1);
    for (std::size_t i = 0; i < made_.size(); ++i) {
        if (!gone(made_[i].node)) anchored[made_[i].anchor].push_back(i);
    }

    // The order of effects is a dependency like any other.
    std::unordered_map<const Node*, NodePtr> effect_before;
    NodePtr last_effect;
    std::vector<NodePtr> wanted;
    wanted.reserve(graph_->nodes.size() + made_.size());
    auto want = [&](const NodePtr& n) {
        wanted.push_back(n);
        if (!n->keeps_order()) return;
        if (last_effect) effect_before.emplace(n.get(), last_effect);
        last_effect = n;
    };
    auto asked = [&](const NodePtr& n) { return !unasked_.contains(n.get()) || n->keeps_order(); };
    for (std::size_t p = 0; p <= graph_->nodes.size(); ++p) {
        if (p < graph_->nodes.size() && !gone(graph_->nodes[p]) && asked(graph_->nodes[p])) want(graph_->nodes[p]);
        for (std::size_t i : anchored[p]) {
            if (!unasked_.contains(made_[i].node.get())) want(made_[i].node);
        }
    }

    auto result = std::make_shared<Graph>();
    result->name = graph_->name;
    result->frame = graph_->frame;
    result->inputs = graph_->inputs;
    result->nodes.reserve(wanted.size());
    std::unordered_map<const Node*, NodePtr>& done = done_;
    done.reserve(wanted.size());

    auto finished = [&](const Value& v, const Node* reader) -> Value {
        if (!v.node) return {};
        const Value now = current(v);
        if (!now.node) fault(reader ? *reader : *v.node, "a value was taken away that is still read by");
        if (now.node->leaf()) return now;
        const auto it = done.find(now.node.get());
        if (it == done.end()) fault(reader ? *reader : *now.node, "a dropped node is still read by");
        return {it->second, now.index};
    };
    auto emit = [&](const NodePtr& n) {
        if (auto made = made_index_.find(n.get()); made != made_index_.end()) {
            const std::shared_ptr<Node>& own = made_[made->second].node;
            for (Value& v : own->inputs) v = finished(v, own.get());
            if (own->origins.size() > 64) {
                std::unordered_set<const Node*> seen;
                std::erase_if(own->origins, [&](const NodePtr& o) { return !seen.insert(o.get()).second; });
            }
            done.emplace(own.get(), own);
            result->nodes.push_back(own);
            return;
        }
        std::vector<Value> inputs;
        inputs.reserve(n->inputs.size());
        bool same = true;
        for (const Value& v : n->inputs) {
            inputs.push_back(finished(v, n.get()));
            same = same && inputs.back() == v;
        }
        const auto more = inherited.find(n.get());
        if (same && more == inherited.end()) {
            done.emplace(n.get(), n);
            result->nodes.push_back(n);
            return;
        }
        auto copy = std::make_shared<Node>(*n);
        copy->id = next_node_id();
        copy->inputs = std::move(inputs);
        copy->origins = {n};
        if (more != inherited.end())
            copy->origins.insert(copy->origins.end(), more->second.begin(), more->second.end());
        done.emplace(n.get(), copy);
        result->nodes.push_back(std::move(copy));
    };

    // Depth first with a stack of our own; graphs may be long chains.
    std::unordered_map<const Node*, bool> open;
    struct Frame {
        NodePtr node;
        std::size_t next;
    };
    std::vector<Frame> stack;
    auto push = [&](const NodePtr& n) {
        if (!n || n->leaf() || done.contains(n.get())) return;
        if (dropped_.contains(n.get())) fault(*n, "a dropped node is still read");
        if (!open.emplace(n.get(), true).second) fault(*n, "the changes make a cycle through");
        stack.push_back({n, 0});
    };
    for (const NodePtr& w : wanted) {
        push(w);
        while (!stack.empty()) {
            Frame& f = stack.back();
            const std::size_t count = f.node->inputs.size();
            if (f.next < count) {
                const Value v = current(f.node->inputs[f.next++]);
                push(v.node);
            } else if (f.next == count) {
                ++f.next;
                if (auto it = effect_before.find(f.node.get()); it != effect_before.end()) push(it->second);
            } else {
                const NodePtr n = f.node;
                stack.pop_back();
                emit(n);
                open.erase(n.get());
            }
        }
    }
    for (const Value& v : graph_->outputs) result->outputs.push_back(finished(v, nullptr));
    for (const StateUpdate& u : graph_->updates) result->updates.push_back({u.parameter, finished(u.value, nullptr)});
    if (limited_) std::erase_if(drops_, [&](const Drop& d) { return done.contains(d.node.get()); });
    return result;
}

}  // namespace fusescope::ir
