// A compiled graph that runs on tensors.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/exec/plan.hpp"

namespace fusescope::exec {

class Executable {
 public:
    /// `reuse`: the pass plan-memory is on. `captured`: what `graph` was made of, for a debugger; null: the same.
    Executable(ir::GraphPtr graph, std::shared_ptr<FusedKernelFactory> factory, GraphId id, bool reuse = true,
               ir::GraphPtr captured = nullptr);
    ~Executable();

    /// `inputs` parallel to graph.inputs; for Parameters the Parameters themselves. Their new values are written into
    /// them: in place when nobody else looks at the old one, else by giving them new storage. When it throws, all
    /// Parameters are as they were. From any thread; runs that overlap get working memory of their own.
    std::vector<Tensor> run(Context& context, std::span<const Tensor> inputs);

    GraphId graph_id() const noexcept { return id_; }
    const ir::Graph& graph() const noexcept { return *graph_; }
    const MemoryPlan& memory() const noexcept { return memory_; }
    /// What makes the text of a fused node's generated code, "llvm" or "asm"; empty when there is none.
    std::function<std::string()> kernel_text(NodeId node, const std::string& form);
    /// Fused nodes that run generated or library kernels; the others run member by member.
    int generated() const noexcept { return generated_; }

 private:
    class Borrowed;
    std::unique_ptr<Plan> make_plan();

    std::vector<Tensor> run_compiled(Context& context, std::span<const Tensor> inputs);
    std::vector<Tensor> run_op_by_op(Context& context, std::span<const Tensor> inputs);

    ir::GraphPtr graph_;
    ir::GraphPtr captured_;
    std::shared_ptr<FusedKernelFactory> factory_;
    GraphId id_;
    bool reuse_;
    std::vector<std::size_t> update_input_;  ///< which input is the Parameter of each update
    MemoryPlan memory_;
    int generated_ = 0;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Plan>> idle_;  ///< as many as ever ran at once
};

}  // namespace fusescope::exec
