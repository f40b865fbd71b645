// The way every op goes: promotion, inference, then the current trace or a kernel, then tapes and the recorder.
#pragma once

#include <span>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/core/debug_hook.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/error.hpp"

namespace fusescope::exec {

/// Runs or traces `op`. Absent optional operands are undefined Tensors. `inputs` may be changed: promotion casts in
/// place. Throws UserError.
void dispatch(Context& context, const OpDef& op, std::span<Tensor> inputs, const Attrs& attrs,
              std::vector<Tensor>& outputs);

/// For ops with one output and no optional operands; the shortest way for small eager ops.
Tensor dispatch1(Context& context, const OpDef& op, std::span<Tensor> inputs, const Attrs& attrs);

/// Whether an operand declared so takes elements of this type.
bool accepts(Accept accept, DType dtype) noexcept;
/// Runs one op on concrete tensors of the context's device, tells the recorder and the debug hook, and gives Parameters
/// that it writes their new values, unless it is a node of a graph, which does so at its end.
void run_op(Context& context, const OpCall& call, std::vector<Tensor>& outputs);

/// The same without telling anybody and without writing to any Parameter.
void compute(Context& context, const OpCall& call, std::vector<Tensor>& outputs);

/// Runs the kernel (or the decomposition) of an op on concrete tensors, with no tracing, tape or recording.
void run_kernel(Context& context, const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                std::span<Tensor> outputs);

/// Makes `target`, which is no Parameter, hold the value of `value` from now on: item assignment and methods such as
/// add_. Gradients flow through the value that each op has read.
void assign_in_place(Context& context, const Tensor& target, const Tensor& value);

/// Fills in what the recorder needs to know of one executed op and publishes it; looks at outputs as `context.watch`
/// says. `node` is 0 for eager ops. Returns the event's id.
struct Execution {
    const OpDef* op = nullptr;
    KindId kind = 0;  ///< op's id plus one, or an interned name for fused kernels
    NodeId node = 0;
    ExecMode mode = ExecMode::eager;
    std::int64_t launch_ns = 0;
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
    Cost cost;
    FrameId frame = 0;
    ScopeId scope = 0;
    Phase phase = Phase::forward;
    std::string_view name;  ///< for findings
};
EventId publish(Context& context, const Execution& execution, std::span<const Tensor> inputs,
                std::span<Tensor> outputs);

/// Announces the op table's names to a recorder that has just been attached.
void announce_kinds(Recorder& recorder);

std::int64_t now_ns() noexcept;

}  // namespace fusescope::exec
