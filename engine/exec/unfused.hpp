// Running a captured graph op by op, as eager mode would: for a debugger that stops at each, and for finding out
// afterwards what a fused kernel met inside.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::exec {

/// One run of a graph, of its branches and of its loops. Each op goes through run_op: the recorder and the debug hook
/// of `context` are told. Results equal those of the compiled graph (DESIGN's rule that fusion changes no bit).
class UnfusedRun {
 public:
    /// `inputs` parallel to graph.inputs; those that nothing reads may be undefined. `effects` false: ops that act on
    /// the world (Print) are left out.
    UnfusedRun(Context& context, const ir::Graph& graph, std::span<const Tensor> inputs, bool effects = true);

    void all();
    /// After all(): parallel to graph.outputs.
    std::vector<Tensor> outputs() const;
    /// After all(): new values parallel to graph.updates. The Parameters themselves are left alone.
    std::vector<Tensor> updates() const;

 private:
    Tensor value(const ir::Value& v) const;
    std::vector<Tensor> operands(const ir::Node& n) const;
    void step(const ir::Node& n);
    std::vector<Tensor> run_region(const ir::Graph& region, std::span<const Tensor> inputs);

    Context& context_;
    const ir::Graph& graph_;
    bool effects_;
    std::unordered_map<const ir::Node*, std::vector<Tensor>> values_;
};

}  // namespace fusescope::exec
