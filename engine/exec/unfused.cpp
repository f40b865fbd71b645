#include "engine/exec/unfused.hpp"

#include "engine/core/tensor_impl.hpp"
#include "engine/exec/dispatch.hpp"
#include "fusescope/error.hpp"

namespace fusescope::exec {
namespace {

// A node stands where the program wrote it.
struct AtNode {
    Context& context;
    FrameId frame;
    ScopeId scope;
    Phase phase;
    std::uint32_t step;
    AtNode(Context& c, const ir::Node& n)
        : context(c), frame(c.forced_frame), scope(c.scope), phase(c.phase), step(c.step) {
        if (n.frame) c.forced_frame = n.frame;
        c.scope = n.scope;
        c.phase = n.phase;
        c.step += n.step;
    }
    ~AtNode() {
        context.forced_frame = frame;
        context.scope = scope;
        context.phase = phase;
        context.step = step;
    }
};

}  // namespace

UnfusedRun::UnfusedRun(Context& context, const ir::Graph& graph, std::span<const Tensor> inputs, bool effects)
    : context_(context), graph_(graph), effects_(effects) {
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
        if (!inputs[i].defined()) continue;
        // A Parameter keeps the value that it has now, whatever is assigned meanwhile.
        const TransferReason why = inputs[i].impl()->parameter ? TransferReason::parameter : TransferReason::input;
        values_[graph.inputs[i].get()] = {stored_tensor(move_storage(inputs[i], context.device, why))};
    }
}

void UnfusedRun::all() {
    for (const ir::NodePtr& n : graph_.nodes) {
        const AtNode here(context_, *n);
        step(*n);
    }
}

Tensor UnfusedRun::value(const ir::Value& v) const { return values_.at(v.node.get())[v.index]; }

std::vector<Tensor> UnfusedRun::operands(const ir::Node& n) const {
    std::vector<Tensor> in;
    in.reserve(n.inputs.size());
    for (const ir::Value& v : n.inputs) in.push_back(v.node ? value(v) : Tensor());
    return in;
}

std::vector<Tensor> UnfusedRun::outputs() const {
    std::vector<Tensor> list;
    for (const ir::Value& v : graph_.outputs) list.push_back(value(v));
    return list;
}

std::vector<Tensor> UnfusedRun::updates() const {
    std::vector<Tensor> list;
    for (const ir::StateUpdate& u : graph_.updates) list.push_back(value(u.value));
    return list;
}

std::vector<Tensor> UnfusedRun::run_region(const ir::Graph& region, std::span<const Tensor> inputs) {
    UnfusedRun run(context_, region, inputs, effects_);
    run.all();
    return run.outputs();
}

void UnfusedRun::step(const ir::Node& n) {
    std::vector<Tensor> in = operands(n);
    std::vector<Tensor> out;
    switch (n.kind) {
        case ir::NodeKind::constant:
            out = {to_device(n.value, context_.device, TransferReason::input)};
            break;
        case ir::NodeKind::cond: {
            const bool yes = in[0].item() != 0;
            out = run_region(*n.regions[yes ? 0 : 1], std::span<const Tensor>(in).subspan(1));
            break;
        }
        case ir::NodeKind::loop: {
            const std::size_t state = n.types.size();
            while (run_region(*n.regions[0], in)[0].item() != 0) {
                std::vector<Tensor> next = run_region(*n.regions[1], in);
                for (std::size_t i = 0; i < state; ++i) in[i] = std::move(next[i]);
                if (context_.between_turns) context_.between_turns();
            }
            in.resize(state);
            out = std::move(in);
            break;
        }
        case ir::NodeKind::fused: {
            // Of a graph that has been compiled. Several regions take their inputs one after the other.
            std::size_t next = 0;
            for (const ir::GraphPtr& region : n.regions) {
                const std::size_t count = region->inputs.size();
                for (Tensor& t : run_region(*region, std::span<const Tensor>(in).subspan(next, count))) {
                    out.push_back(std::move(t));
                }
                next += count;
            }
            break;
        }
        default: {
            const Traits& traits = n.op->schema.traits;
            if (!effects_ && traits.effect && !traits.writes) {
                out = {in[0]};
                break;
            }
            const OpCall call{*n.op,   n.attrs, in,        n.types, n.frame,
                              n.scope, n.phase, n.part_of, &n,      context_.random_ops};
            try {
                run_op(context_, call, out);
            } catch (UserError& e) {
                if (e.frame() == 0) e.set_frame(n.frame);
                throw;
            }
        }
    }
    values_[&n] = std::move(out);
}

}  // namespace fusescope::exec
