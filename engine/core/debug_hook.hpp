// Who is told of each op that runs and may look at its values, stop the program, or throw. Apart from Recorder, which
// must never wait: a debugger, and the explanation of bad values, which needs what came before.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "fusescope/event.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope {

struct OpDef;
class Attrs;
struct TensorHealth;
namespace ir {
class Graph;
class Node;
}  // namespace ir

/// One op on concrete tensors, about to run or just run.
struct OpCall {
    const OpDef& op;
    const Attrs& attrs;
    std::span<const Tensor> inputs;  ///< absent optional operands are undefined
    std::span<const TensorType> results;
    FrameId frame = 0;
    ScopeId scope = 0;
    Phase phase = Phase::forward;
    const OpDef* part_of = nullptr;  ///< the composite that this op is part of, or the forward op whose gradient it is
    const ir::Node* node = nullptr;  ///< of the captured graph when it is run op by op; null for eager ops
    std::uint64_t random_op = 0;     ///< number of the random op, for ops that draw
};

/// A compiled graph that runs as a whole.
struct GraphCall {
    std::shared_ptr<const void> owner;  ///< of the captured graph
    const ir::Graph& captured;          ///< as the program wrote it, before any pass
    const ir::Graph& compiled;
    GraphId id;
    std::span<const Tensor> inputs;  ///< parallel to captured.inputs
};

/// Finite data of the program that an element type cannot hold.
struct Overflowed {
    std::int64_t index = 0;  ///< flat, of the first
    std::int64_t count = 0;
    double number = 0;  ///< as the program had it
};

/// A NaN or Inf in a result.
struct BirthSite {
    EventId event = 0;
    NodeId node = 0;  ///< of the compiled graph; 0 when the op ran by itself
    std::string_view op;
    FrameId frame = 0;
    Phase phase = Phase::forward;
    std::size_t output = 0;
    bool nan = false;      ///< else an Inf
    bool carried = false;  ///< an operand had one too: whether one was born beside it takes a closer look
    const TensorHealth& health;
};

class DebugHook {
 public:
    virtual ~DebugHook() = default;

    virtual void before_op(const OpCall& call) = 0;
    /// `event` is the op's event when something records, else 0.
    virtual void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) = 0;
    /// The watch found a bad value in a result of a compiled graph's node: between before_graph and after_graph.
    virtual void born(const BirthSite& site) = 0;

    /// Compiled graphs are not to run: their captured graphs run op by op.
    virtual bool op_by_op() const noexcept = 0;
    virtual void before_graph(const GraphCall& call) = 0;
    /// `outputs` parallel to captured.outputs, which may be none; Parameters have their new values.
    virtual void after_graph(const GraphCall& call, std::span<const Tensor> outputs) = 0;
    /// Instead, when the run threw.
    virtual void graph_threw(const GraphCall&) {}

    /// A tensor was made of the program's data at the line that is running.
    virtual void input_made(const Tensor& made) = 0;
    /// The same, when elements of it became infinite.
    virtual void input_overflowed(const Tensor& made, const Overflowed&) { input_made(made); }
    /// The program looks at a value (print, asnumpy, float), or it is a loss or a gradient.
    virtual void value_seen(const Tensor& value, std::string_view as) = 0;
    /// The program asked whether a tensor is true, for a branch or a loop.
    virtual void asked_truth(const Tensor&, bool /*answer*/) {}
    /// A loop inside a compiled graph is about to turn once more. From here on it runs op by op while
    /// op_by_op() is true.
    virtual void loop_turns() {}
    /// The condition of a loop inside a compiled graph gave False for these inputs, parallel to condition.inputs;
    /// undefined are those that it does not read.
    virtual void loop_ended(const ir::Graph& /*condition*/, std::span<const Tensor> /*inputs*/) {}
};

}  // namespace fusescope
