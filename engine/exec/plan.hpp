// A graph laid out for running: a flat list of steps over numbered slots, with a memory plan.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/core/allocator.hpp"
#include "engine/core/context.hpp"
#include "engine/exec/fused_kernel.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::exec {

/// Bytes and reuse, as the stage "plan-memory" shows them.
struct MemoryPlan {
    std::int64_t arena_bytes = 0;     ///< one buffer for all values that live only inside the graph
    std::int64_t unshared_bytes = 0;  ///< what they would take without reuse
    int reused = 0;                   ///< values that got bytes of an earlier one
    int in_place = 0;                 ///< values written over an operand
};

/// Immutable after construction; `run` may be called from one thread at a time.
class Plan {
 public:
    explicit Plan(ir::GraphPtr graph, FusedKernelFactory* factory);
    ~Plan();

    /// Computes the graph. `inputs` parallel to graph.inputs; `outputs` to graph.outputs followed by the new values of
    /// graph.updates: each is where that value shall be written, and may be the address of the Parameter's old value
    /// where `may_update_in_place` says so.
    void run(Context& context, std::span<void* const> inputs, std::span<void* const> outputs);

    const ir::Graph& graph() const noexcept { return *graph_; }
    const MemoryPlan& memory() const noexcept { return memory_; }
    bool may_update_in_place(std::size_t update) const noexcept { return update_in_place_[update]; }

 private:
    struct Step {
        ir::NodePtr node;
        std::vector<std::uint32_t> inputs;  ///< slots; kAbsent for an operand that is not given
        std::vector<std::uint32_t> outputs;
        std::vector<TensorType> input_types;
        std::unique_ptr<FusedKernel> fused;  ///< null: `regions[0]` is run member by member
        std::vector<std::unique_ptr<Plan>> regions;
        Cost cost;
        KindId kind = 0;
        bool view = false;  ///< outputs are inputs' bytes: nothing runs
    };
    static constexpr std::uint32_t kAbsent = ~0u;

    struct Slot {
        enum class Place : std::uint8_t { input, constant, arena, output, alias } place = Place::arena;
        std::uint32_t number = 0;  ///< of the input or output; of the slot that is aliased
        std::int64_t offset = 0;   ///< in the arena
        TensorType type;
        std::int64_t first = -1, last = -1;  ///< steps that write and last read it
    };

    void lay_out();
    void plan_memory();
    void run_step(Context& context, Step& step);
    void run_kernel_step(Context& context, Step& step);
    void run_cond(Context& context, Step& step);
    void run_loop(Context& context, Step& step);
    void publish_step(Context& context, Step& step, std::int64_t start);
    std::uint32_t slot_of(const ir::Value& v) const;

    ir::GraphPtr graph_;
    FusedKernelFactory* factory_;
    std::vector<Step> steps_;
    std::vector<Slot> slots_;
    std::vector<void*> data_;  ///< where each slot is in this run
    std::vector<Tensor> constants_;
    std::vector<bool> update_in_place_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies_;  ///< (slot, output) where a value has a second taker
    MemoryPlan memory_;
    StorageRef arena_;
    std::unordered_map<const ir::Node*, std::uint32_t> first_slot_;
};

}  // namespace fusescope::exec
