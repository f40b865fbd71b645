#include "engine/exec/replay.hpp"

#include <cstring>
#include <unordered_map>

#include "engine/core/tensor_impl.hpp"
#include "engine/exec/kinds.hpp"

namespace fusescope::exec {
namespace {

Tensor copy_of(Context& context, const Seen& value) {
    Tensor t = make_tensor(value.type->dtype, value.type->shape, context.device);
    if (const std::size_t n = value.type->bytes()) std::memcpy(t.impl()->raw(), value.data, n);
    t.impl()->health = value.health ? *value.health : 0;
    return t;
}

class Walk {
 public:
    Walk(Context& context, EventId event) : context_(context), event_(event) {}

    /// Computes a region; true when a birth was reported.
    bool run(const ir::Graph& graph, std::span<const Tensor> inputs) {
        for (std::size_t i = 0; i < graph.inputs.size(); ++i) values_[graph.inputs[i].get()] = {inputs[i]};
        bool born = false;
        for (const ir::NodePtr& n : graph.nodes) {
            if (!compute(*n)) break;
            born = report(*n) || born;
        }
        return born;
    }

 private:
    std::vector<Tensor> operands(const ir::Node& n) {
        std::vector<Tensor> in;
        for (const ir::Value& v : n.inputs) in.push_back(v.node ? values_.at(v.node.get())[v.index] : Tensor());
        return in;
    }

    // False: a node of a kind that no fused kernel holds.
    bool compute(const ir::Node& n) {
        std::vector<Tensor>& out = values_[&n];
        if (n.kind == ir::NodeKind::constant) {
            out = {n.value};
            return true;
        }
        if (n.kind != ir::NodeKind::op || n.op->schema.traits.random) return false;
        const std::vector<Tensor> in = operands(n);
        if (n.op->schema.traits.view && !n.op->kernel && !n.op->decompose) {
            out = {alias_tensor(in[0], n.types[0].shape)};
            return true;
        }
        for (const TensorType& t : n.types) out.push_back(make_tensor(t.dtype, t.shape, context_.device));
        run_kernel(context_, *n.op, in, n.attrs, out);
        return true;
    }

    bool report(const ir::Node& n) {
        if (n.kind != ir::NodeKind::op) return false;
        Execution x;
        x.op = n.op;
        x.node = n.id;
        x.frame = n.frame;
        x.scope = n.scope;
        x.phase = n.phase;
        const std::string name(n.op_name());
        x.name = name;
        const std::vector<Tensor> in = operands(n);
        std::vector<Seen> seen_inputs;
        for (const Tensor& t : in) seen_inputs.push_back(seen(t));
        bool born = false;
        for (const Tensor& t : values_[&n]) born = report_if_born(context_, x, event_, seen_inputs, seen(t)) || born;
        return born;
    }

    Context& context_;
    EventId event_;
    std::unordered_map<const ir::Node*, std::vector<Tensor>> values_;
};

}  // namespace

bool Replay::report_births(EventId event) {
    std::vector<Tensor> operands;
    for (const Seen& value : operands_) operands.push_back(copy_of(context_, value));
    bool born = false;
    std::size_t next = 0;
    // Several regions take their inputs one after the other.
    for (const ir::GraphPtr& region : node_.regions) {
        const std::size_t count = region->inputs.size();
        born = Walk(context_, event).run(*region, std::span(operands).subspan(next, count)) || born;
        next += count;
    }
    return born;
}

}  // namespace fusescope::exec
