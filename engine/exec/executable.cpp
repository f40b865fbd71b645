#include "engine/exec/executable.hpp"

#include <algorithm>

#include "engine/core/tensor_impl.hpp"

namespace fusescope::exec {

Executable::Executable(ir::GraphPtr graph, std::shared_ptr<FusedKernelFactory> factory, GraphId id)
    : factory_(std::move(factory)), plan_(std::move(graph), factory_.get()), id_(id) {
    const ir::Graph& g = plan_.graph();
    for (const ir::StateUpdate& u : g.updates) {
        const auto it = std::find(g.inputs.begin(), g.inputs.end(), u.parameter);
        update_input_.push_back(static_cast<std::size_t>(it - g.inputs.begin()));
    }
}

std::vector<Tensor> Executable::run(Context& context, std::span<const Tensor> inputs) {
    const ir::Graph& g = plan_.graph();
    SmallVector<void*, 32> in;
    SmallVector<void*, 32> out;
    std::vector<Tensor> moved;  // copies on the device of inputs that were elsewhere
    for (const Tensor& t : inputs) {
        if (t.device() == context.device) {
            in.push_back(t.impl()->raw());
            continue;
        }
        moved.push_back(
            to_device(t, context.device, t.impl()->parameter ? TransferReason::parameter : TransferReason::input));
        in.push_back(moved.back().impl()->raw());
    }
    std::vector<Tensor> results;
    results.reserve(g.outputs.size());
    for (const ir::Value& v : g.outputs) {
        results.push_back(make_tensor(v.type().dtype, v.type().shape, context.device));
        out.push_back(results.back().impl()->raw());
    }
    std::vector<Tensor> fresh(g.updates.size());
    for (std::size_t u = 0; u < g.updates.size(); ++u) {
        TensorImpl* impl = inputs[update_input_[u]].impl();
        if (plan_.may_update_in_place(u) && !impl->storage->shared() && impl->device() == context.device) {
            out.push_back(impl->raw());
            impl->health = 0;
            continue;
        }
        const TensorType& type = g.updates[u].value.type();
        fresh[u] = make_tensor(type.dtype, type.shape, context.device);
        out.push_back(fresh[u].impl()->raw());
    }
    plan_.run(context, in, out);
    for (std::size_t u = 0; u < fresh.size(); ++u) {
        if (fresh[u].defined()) assign_value(inputs[update_input_[u]], fresh[u]);
    }
    return results;
}

}  // namespace fusescope::exec
