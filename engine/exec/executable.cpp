#include "engine/exec/executable.hpp"

#include <algorithm>

#include "engine/core/tensor_impl.hpp"
#include "engine/exec/unfused.hpp"

namespace fusescope::exec {

// A plan that nobody else uses meanwhile. A second one is made when a run starts while another is under way, in a
// second thread or from inside a Print.
class Executable::Borrowed {
 public:
    explicit Borrowed(Executable& owner) : owner_(owner) {
        std::scoped_lock lock(owner.mutex_);
        if (owner.idle_.empty()) {
            plan_ = owner.make_plan();
        } else {
            plan_ = std::move(owner.idle_.back());
            owner.idle_.pop_back();
        }
    }
    ~Borrowed() {
        std::scoped_lock lock(owner_.mutex_);
        owner_.idle_.push_back(std::move(plan_));
    }
    Plan* operator->() noexcept { return plan_.get(); }

 private:
    Executable& owner_;
    std::unique_ptr<Plan> plan_;
};

Executable::Executable(ir::GraphPtr graph, std::shared_ptr<FusedKernelFactory> factory, GraphId id, bool reuse,
                       ir::GraphPtr captured)
    : graph_(std::move(graph)),
      captured_(captured ? std::move(captured) : graph_),
      factory_(std::move(factory)),
      id_(id),
      reuse_(reuse) {
    for (const ir::StateUpdate& u : graph_->updates) {
        const auto it = std::find(graph_->inputs.begin(), graph_->inputs.end(), u.parameter);
        update_input_.push_back(static_cast<std::size_t>(it - graph_->inputs.begin()));
    }
    idle_.push_back(make_plan());
    memory_ = idle_.back()->memory();
    generated_ = idle_.back()->generated();
}

Executable::~Executable() = default;

std::unique_ptr<Plan> Executable::make_plan() {
    if (factory_) {
        const std::vector<ir::NodePtr> nodes = fused_nodes(*graph_);
        if (!nodes.empty()) factory_->prepare(nodes);
    }
    return std::make_unique<Plan>(graph_, factory_.get(), reuse_);
}

std::function<std::string()> Executable::kernel_text(NodeId node, const std::string& form) {
    Borrowed plan(*this);
    return plan->kernel_text(node, form);
}

std::vector<Tensor> Executable::run(Context& context, std::span<const Tensor> inputs) {
    DebugHook* const hook = context.hook;
    if (!hook) return run_compiled(context, inputs);
    if (hook->op_by_op()) return run_op_by_op(context, inputs);
    const GraphCall call{captured_, *captured_, *graph_, id_, inputs};
    hook->before_graph(call);
    std::vector<Tensor> outputs;
    try {
        outputs = run_compiled(context, inputs);
    } catch (...) {
        hook->graph_threw(call);
        throw;
    }
    hook->after_graph(call, outputs);
    return outputs;
}

std::vector<Tensor> Executable::run_op_by_op(Context& context, std::span<const Tensor> inputs) {
    UnfusedRun run(context, *captured_, inputs);
    run.all();
    for (std::size_t u = 0; u < captured_->updates.size(); ++u) {
        const auto it = std::find(captured_->inputs.begin(), captured_->inputs.end(), captured_->updates[u].parameter);
        assign_value(inputs[static_cast<std::size_t>(it - captured_->inputs.begin())], run.updates()[u]);
    }
    return run.outputs();
}

std::vector<Tensor> Executable::run_compiled(Context& context, std::span<const Tensor> inputs) {
    Borrowed plan(*this);
    const ir::Graph& g = *graph_;
    SmallVector<void*, 32> in;
    SmallVector<void*, 32> out;
    std::vector<Tensor> moved;  // copies on the device of inputs that were elsewhere
    for (const Tensor& t : inputs) {
        if (t.device() == context.device) {
            in.push_back(t.impl()->raw());
            continue;
        }
        moved.push_back(
            move_storage(t, context.device, t.impl()->parameter ? TransferReason::parameter : TransferReason::input));
        in.push_back(moved.back().impl()->raw());
    }
    std::vector<Tensor> results;
    results.reserve(g.outputs.size());
    for (const ir::Value& v : g.outputs) {
        results.push_back(make_tensor(v.type().dtype, v.type().shape, context.device));
        out.push_back(results.back().impl()->raw());
    }
    // The same bytes under two inputs (a Parameter that is also an argument): the second would see the new value.
    SmallVector<void*, 32> sorted;
    if (!g.updates.empty()) {
        sorted = in;
        std::sort(sorted.begin(), sorted.end());
    }
    std::vector<Tensor> fresh(g.updates.size());
    for (std::size_t u = 0; u < g.updates.size(); ++u) {
        TensorImpl* impl = inputs[update_input_[u]].impl();
        void* const at = in[update_input_[u]];
        if (plan->may_update_in_place(u) && !impl->storage->shared() && impl->device() == context.device &&
            at == impl->raw()) {
            const auto range = std::equal_range(sorted.begin(), sorted.end(), at);
            if (range.second - range.first == 1) {
                out.push_back(at);
                continue;
            }
        }
        const TensorType& type = g.updates[u].value.type();
        fresh[u] = make_tensor(type.dtype, type.shape, context.device);
        out.push_back(fresh[u].impl()->raw());
    }
    if (context.recorder) context.recorder->graph_run(id_);
    plan->run(context, in, out);
    const bool watched = context.recorder && looks_for_births(context.watch);
    for (std::size_t o = 0; watched && o < results.size(); ++o) results[o].impl()->health = plan->health_of_result(o);
    for (std::size_t u = 0; u < fresh.size(); ++u) {
        const Tensor& target = inputs[update_input_[u]];
        if (fresh[u].defined()) {
            assign_value(target, fresh[u]);
        } else {
            target.impl()->host_copy = StorageRef();
            target.impl()->history = 0;
        }
        target.impl()->health = watched ? plan->health_of_result(results.size() + u) : 0;
    }
    return results;
}

}  // namespace fusescope::exec
