// The debug hook of a run: keeps its history and explains bad values. A debugger adds stopping to it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/core/debug_hook.hpp"
#include "engine/debug/births.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/debug/history.hpp"

namespace fusescope::debug {

class Session : public DebugHook {
 public:
    /// Becomes the hook of `context`, whose recorder and watch level are set already; leaves it at the end.
    Session(Context& context, HistoryLimits limits);
    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void before_op(const OpCall& call) override;
    void after_op(const OpCall& call, std::span<const Tensor> outputs, EventId event) override;
    void born(const BirthSite& site) override;
    bool op_by_op() const noexcept override { return false; }
    void before_graph(const GraphCall& call) override;
    void after_graph(const GraphCall& call, std::span<const Tensor> outputs) override;
    void graph_threw(const GraphCall& call) override;
    void input_made(const Tensor& made) override;
    void input_overflowed(const Tensor& made, const Overflowed& data) override;
    void value_seen(const Tensor& value, std::string_view as) override;
    void asked_truth(const Tensor& value, bool answer) override { checks_.asked_truth(value, answer); }
    void loop_ended(const ir::Graph& condition, std::span<const Tensor> inputs) override {
        checks_.loop_ended(condition, inputs);
    }

    /// The program has ended; `left` are tensors that it still holds. What no op has read of them is a result.
    void program_ended(std::span<const Tensor> left);

    History& history() noexcept { return history_; }

 protected:
    Context& context_;
    History history_;
    Births births_;
    Checks checks_;

 private:
    struct Flagged {
        NodeId node;
        EventId event;
        bool nan;
        bool carried;
    };
    /// What replays found behind a node of a compiled graph.
    struct Inside {
        std::vector<std::uint64_t> keys;
        std::uint32_t met = 0;
    };
    /// A compiled graph that is running.
    struct Running {
        std::vector<Tensor> values;  ///< what it began with, whatever is assigned meanwhile
        std::vector<ValueId> inputs;
        std::uint64_t random_op;
        std::vector<Flagged> flagged;
    };
    void flag_results(const GraphCall& call, std::span<const Tensor> outputs, std::vector<Flagged>& flagged);
    /// `outputs` is null when the run threw.
    std::vector<std::uint64_t> explain_inside(const GraphCall& call, const Running& run,
                                              const std::span<const Tensor>* outputs);

    std::vector<Running> graphs_;  ///< innermost last
    std::map<std::pair<NodeId, bool>, Inside> inside_;
};

}  // namespace fusescope::debug
