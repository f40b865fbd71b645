// Looking for what is legal and probably wrong. Each kind is one file, check_*.cpp, and one row of the lists in
// checks.cpp. Types are looked at for every op; values only where the op's class makes it worth while.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/core/debug_hook.hpp"
#include "engine/debug/history.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/finding.hpp"

namespace fusescope::debug {

/// What a check looks at: an op with its operands' types and, when it has run, their values.
struct Checked {
    const OpDef& op;
    const Attrs& attrs;
    std::span<const TensorType> inputs;  ///< absent operands have the default type
    const TensorType& result;
    std::span<const Tensor> values;   ///< of the operands; empty before a graph runs
    std::span<const Tensor> outputs;  ///< empty before a graph runs
    FrameId frame = 0;
    Phase phase = Phase::forward;
    EventId event = 0;
    const ir::Node* node = nullptr;  ///< of a captured graph; null for eager ops
};

class Checks {
 public:
    /// Findings go to the recorder that `context` has now.
    Checks(Context& context, History& history) : context_(context), history_(history), recorder_(context.recorder) {}

    /// An op ran by itself.
    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event);
    /// An op of a graph, which was looked at before it ran, is run again.
    void inside_graph(const OpCall& call, std::span<const Tensor> outputs, EventId event);
    void before_graph(const GraphCall& call);
    /// The program asked whether a tensor is true.
    void asked_truth(const Tensor& t, bool answer);
    /// The condition of a loop in a graph gave False for these inputs.
    void loop_ended(const ir::Graph& condition, std::span<const Tensor> inputs);
    /// The run is over: what was met again is told.
    void finish();

    // For the checks.

    /// Told once for a line; later ones are counted. Op, line, phase and event are those of `at` unless given.
    void say(const Checked& at, Finding f);
    void say(Finding f);
    History& history() noexcept { return history_; }

 private:
    /// Nodes of a captured graph whose values are worth looking at.
    struct GraphFacts {
        std::vector<const ir::Node*> ints;
        std::vector<const ir::Node*> labels;
        std::uint32_t runs = 0;
    };
    GraphFacts look_at_types(const ir::Graph& graph);
    void values_of(const GraphCall& call, std::span<const ir::Node* const> wanted, bool always);
    void find_nan_comparison(const ir::Graph& graph, std::span<const Tensor> inputs, FrameId asked);
    void tell_nan_condition(const OpDef& op, FrameId frame, FrameId asked, const Tensor& operand);

    Context& context_;
    History& history_;
    Recorder* recorder_;
    std::map<std::tuple<std::string, std::string, FrameId, Phase>, std::size_t> by_place_;
    std::vector<Finding> findings_;
    std::unordered_map<GraphId, GraphFacts> graphs_;
    std::unordered_map<FrameId, std::int64_t> true_answers_;  ///< by line
    std::unordered_map<FrameId, int> searched_;               ///< how often a line's graph was run again
};

// One file each.
void check_broadcast_enlarges(Checks& checks, const Checked& c);
void check_softmax_of_one(Checks& checks, const Checked& c);
void check_number_vanishes(Checks& checks, const Checked& c);
void check_inf_absorbed(Checks& checks, const Checked& c);
void check_int_wraps(Checks& checks, const Checked& c);
void check_labels_ignored(Checks& checks, const Checked& c);
void check_label_range(Checks& checks, const Checked& c);

/// Whether the op computes with ints that may wrap around, or makes ints, by its types alone.
bool computes_ints(const OpDef& op, std::span<const TensorType> inputs, const TensorType& result);
/// Of `candidates`, those whose results may wrap around for these inputs of the graph, by the ranges of values.
std::vector<const ir::Node*> nodes_that_may_wrap(const ir::Graph& graph, std::span<const Tensor> inputs,
                                                 std::span<const ir::Node* const> candidates);

bool is_comparison(const OpDef& op);

}  // namespace fusescope::debug
