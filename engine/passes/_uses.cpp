#include <algorithm>

#include "engine/passes/uses.hpp"

namespace fusescope::passes {

Uses::Uses(const ir::Graph& graph) {
    nodes_ = graph.inputs;
    leaves_ = static_cast<std::uint32_t>(nodes_.size());
    nodes_.insert(nodes_.end(), graph.nodes.begin(), graph.nodes.end());
    numbers_.reserve(nodes_.size());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) numbers_.emplace(nodes_[i].get(), i);
    first_.assign(nodes_.size() + 2, 0);
    for (const ir::NodePtr& n : graph.nodes) {
        for (const ir::Value& v : n->inputs) {
            if (v.node) ++first_[numbers_.at(v.node.get()) + 2];
        }
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    readers_.resize(first_.back());
    for (std::uint32_t i = leaves_; i < nodes_.size(); ++i) {
        const auto& inputs = nodes_[i]->inputs;
        for (std::uint32_t k = 0; k < inputs.size(); ++k) {
            if (inputs[k].node) readers_[first_[numbers_.at(inputs[k].node.get()) + 1]++] = {i, k, inputs[k].index};
        }
    }
    first_.pop_back();
    escaping_.assign(nodes_.size(), false);
    for (const ir::Value& v : graph.outputs) out_.push_back(v);
    for (const ir::StateUpdate& u : graph.updates) out_.push_back(u.value);
    for (const ir::Value& v : out_) escaping_[numbers_.at(v.node.get())] = true;
}

bool Uses::escapes(const ir::Value& v) const {
    if (!escaping_[number(v.node.get())]) return false;
    return v.node->types.size() == 1 || std::find(out_.begin(), out_.end(), v) != out_.end();
}

std::uint32_t Uses::count(const ir::Value& v) const {
    std::uint32_t n = escapes(v) ? 1 : 0;
    for (const Reader& r : readers(number(v.node.get()))) n += r.output == v.index;
    return n;
}

}  // namespace fusescope::passes
