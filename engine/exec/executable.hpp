// A compiled graph that runs on tensors.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/exec/plan.hpp"

namespace fusescope::exec {

class Executable {
 public:
    Executable(ir::GraphPtr graph, std::shared_ptr<FusedKernelFactory> factory, GraphId id);

    /// `inputs` parallel to graph.inputs; for Parameters the Parameters themselves. Their new values are written into
    /// them: in place when nobody else looks at the old one, else by giving them new storage. Not for two threads at
    /// once.
    std::vector<Tensor> run(Context& context, std::span<const Tensor> inputs);

    GraphId graph_id() const noexcept { return id_; }
    const ir::Graph& graph() const noexcept { return plan_.graph(); }
    const MemoryPlan& memory() const noexcept { return plan_.memory(); }

 private:
    std::shared_ptr<FusedKernelFactory> factory_;
    Plan plan_;
    GraphId id_;
    std::vector<std::size_t> update_input_;  ///< which input is the Parameter of each update
};

}  // namespace fusescope::exec
