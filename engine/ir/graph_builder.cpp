#include "engine/ir/graph_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace fusescope::ir {

GraphBuilder::~GraphBuilder() {
    for (TensorImpl* impl : waiting_) impl->pending = nullptr;
}

Tensor GraphBuilder::pending(const Value& value) {
    const TensorType& type = value.type();
    Tensor t = Tensor::adopt(make_impl(type.dtype, type.shape));
    t.impl()->pending = this;
    t.impl()->pending_index = static_cast<std::uint32_t>(values_.size());
    values_.push_back(value);
    waiting_.insert(t.impl());
    return t;
}

Tensor GraphBuilder::stand_in(const Value& value) { return pending(value); }

Tensor GraphBuilder::input(std::string name, DType dtype, const Shape& shape) {
    auto n = std::make_shared<Node>();
    n->id = next_node_id();
    n->kind = NodeKind::input;
    n->name = std::move(name);
    n->types = {{dtype, shape}};
    leaves_.push_back(n);
    return pending({n, 0});
}

Tensor GraphBuilder::parameter(const Tensor& parameter) {
    auto n = std::make_shared<Node>();
    n->id = next_node_id();
    n->kind = NodeKind::parameter;
    n->name = parameter.impl()->parameter ? parameter.impl()->parameter->name : std::string();
    n->types = {parameter.type()};
    n->value = parameter;
    leaves_.push_back(n);
    known_[parameter.impl()] = {n, 0};
    keep_.push_back(parameter);
    return parameter;
}

Value GraphBuilder::value_of(const Tensor& t) {
    if (!t.defined()) return {};
    TensorImpl* impl = t.impl();
    if (impl->pending == this) return values_[impl->pending_index];
    if (impl->pending) throw std::logic_error("GraphBuilder: a tensor of another trace was given");
    if (const auto it = known_.find(impl); it != known_.end()) return it->second;
    auto n = std::make_shared<Node>();
    n->id = next_node_id();
    n->kind = NodeKind::constant;
    n->types = {t.type()};
    n->value = snapshot_tensor(t);
    nodes_.push_back(n);
    keep_.push_back(t);
    return known_[impl] = {n, 0};
}

std::vector<Tensor> GraphBuilder::append(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                                         std::span<const TensorType> outputs) {
    auto n = std::make_shared<Node>();
    n->id = next_node_id();
    n->op = &op;
    n->attrs = attrs;
    n->types.assign(outputs.begin(), outputs.end());
    for (const Tensor& t : inputs) n->inputs.push_back(value_of(t));
    if (std::any_of(inputs.begin(), inputs.end(), [](const Tensor& t) { return !t.defined(); })) {
        for (const Tensor& t : inputs) n->present.push_back(t.defined());
    }
    const Context& context = Context::current();
    n->scope = context.scope;
    n->phase = context.phase;
    nodes_.push_back(n);
    std::vector<Tensor> made;
    for (std::uint32_t k = 0; k < outputs.size(); ++k) made.push_back(pending({n, k}));
    for (std::size_t k = 0; k < op.schema.traits.writes; ++k) write(inputs[k], made[k]);
    return made;
}

void GraphBuilder::same_value(const Tensor& copy, const Tensor& original) {
    if (copy.impl()->pending == this) return;
    known_[copy.impl()] = value_of(original);
    keep_.push_back(copy);
}

void GraphBuilder::write(const Tensor& parameter, const Tensor& value) {
    const auto it = known_.find(parameter.impl());
    if (it != known_.end() && it->second.node->kind == NodeKind::parameter) {
        written_.push_back({parameter, it->second.node});
        known_.erase(it);
    }
    assign_value(parameter, value);
}

std::vector<Tensor> GraphBuilder::append_regions(NodeKind kind, std::span<const Tensor> inputs,
                                                 std::vector<GraphPtr> regions, std::span<const TensorType> outputs) {
    auto n = std::make_shared<Node>();
    n->id = next_node_id();
    n->kind = kind;
    n->types.assign(outputs.begin(), outputs.end());
    n->regions = std::move(regions);
    for (const Tensor& t : inputs) n->inputs.push_back(value_of(t));
    nodes_.push_back(n);
    std::vector<Tensor> made;
    for (std::uint32_t k = 0; k < outputs.size(); ++k) made.push_back(pending({n, k}));
    return made;
}

GraphPtr GraphBuilder::finish(std::string name, std::span<const Tensor> outputs) {
    auto g = std::make_shared<Graph>();
    g->name = std::move(name);
    for (const Tensor& t : outputs) g->outputs.push_back(value_of(t));
    for (const Written& w : written_) g->updates.push_back({w.leaf, value_of(w.tensor)});
    g->inputs = leaves_;
    g->nodes.assign(nodes_.begin(), nodes_.end());
    return g;
}

void GraphBuilder::force(TensorImpl&, TransferReason) {
    throw std::logic_error("GraphBuilder: a value was looked at while a graph is built");
}

void GraphBuilder::follow(TensorImpl& from, TensorImpl& to) {
    to.pending = this;
    to.pending_index = from.pending_index;
    waiting_.insert(&to);
}

void GraphBuilder::forget(TensorImpl& impl) noexcept { waiting_.erase(&impl); }

GraphBuilder::Scope::Scope(GraphBuilder& builder) {
    const Context& now = Context::current();
    own_.device = now.device;
    own_.seed = now.seed;
    own_.scope = now.scope;
    own_.phase = now.phase;
    own_.trace = &builder;
    own_.update();
    outer_ = Context::set_current(&own_);
}

GraphBuilder::Scope::~Scope() { Context::set_current(outer_); }

}  // namespace fusescope::ir
