// A graph laid out for running: a flat list of steps over numbered slots, with a memory plan.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/core/allocator.hpp"
#include "engine/core/context.hpp"
#include "engine/exec/fused_kernel.hpp"
#include "engine/exec/watch.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::exec {

/// Bytes and reuse, as the stage "plan-memory" shows them.
struct MemoryPlan {
    std::int64_t arena_bytes = 0;     ///< one buffer for all values that live only inside the graph
    std::int64_t unshared_bytes = 0;  ///< what they would take without reuse
    std::int64_t result_bytes = 0;    ///< results and new Parameter values, which have memory of their own
    int reused = 0;                   ///< values that got bytes of an earlier one
    int in_place = 0;                 ///< values written over an operand
    int updates_in_place = 0;         ///< Parameters that may be written where they are
};

/// The fused nodes of a graph, also those in branches and loops.
std::vector<ir::NodePtr> fused_nodes(const ir::Graph& graph);

/// Immutable after construction; `run` may be called from one thread at a time and not from inside itself.
class Plan {
 public:
    /// `factory` may be null: fused nodes then run member by member, with the same results. `reuse` switches sharing of
    /// memory and writing in place on.
    explicit Plan(ir::GraphPtr graph, FusedKernelFactory* factory, bool reuse = true);
    ~Plan();

    /// Computes the graph. `inputs` parallel to graph.inputs; `outputs` to graph.outputs followed by the new values of
    /// graph.updates: each is where that value shall be written, and may be the address of the Parameter's old value
    /// where `may_update_in_place` says so. When it throws, what is written in place has not been touched.
    void run(Context& context, std::span<void* const> inputs, std::span<void* const> outputs);

    const ir::Graph& graph() const noexcept { return *graph_; }
    const MemoryPlan& memory() const noexcept { return memory_; }
    /// HealthBits of a result (parallel to run's `outputs`) after a run that was watched; 0 when nobody looked.
    std::uint8_t health_of_result(std::size_t output) const noexcept;
    bool may_update_in_place(std::size_t update) const noexcept { return update_in_place_[update]; }
    /// What makes the text of a fused node's generated code, "llvm" or "asm"; empty when there is none.
    std::function<std::string()> kernel_text(NodeId node, const std::string& form) const;
    /// How many steps run a kernel made by the factory, also in regions.
    int generated() const noexcept;

 private:
    struct Step {
        ir::NodePtr node;
        std::vector<std::uint32_t> inputs;  ///< slots; kAbsent for an operand that is not given
        std::vector<std::uint32_t> outputs;
        std::vector<TensorType> input_types;
        std::unique_ptr<FusedKernel> fused;  ///< null: the regions are run member by member
        std::vector<std::unique_ptr<Plan>> regions;
        Cost cost;
        KindId kind = 0;
        bool view = false;    ///< outputs are inputs' bytes: nothing runs
        bool throws = false;  ///< may refuse its operands' values
    };
    static constexpr std::uint32_t kAbsent = ~0u;

    struct Slot {
        enum class Place : std::uint8_t { input, constant, arena, output, alias } place = Place::arena;
        bool parameter = false;
        std::uint32_t number = 0;  ///< of the input or output; of the slot that is aliased
        std::int64_t offset = 0;   ///< in the arena
        TensorType type;
        std::int64_t first = -1, last = -1;  ///< steps that write and last read it
    };

    void lay_out();
    void add_leaf(const ir::Node& n, std::uint32_t number);
    void add_step(const ir::NodePtr& n);
    void give_outputs();
    void find_updates_in_place();
    bool may_write_over(const Step& step, std::size_t output, std::uint32_t slot) const;
    void plan_memory();
    std::uint32_t root(std::uint32_t slot) const noexcept;
    std::uint32_t slot_of(const ir::Value& v) const;

    void place_slots(Context& context, std::span<void* const> inputs, std::span<void* const> outputs);
    void run_step(Context& context, Step& step);
    void compute_step(Context& context, Step& step);
    void run_members(Context& context, Step& step);
    void run_kernel(Context& context, Step& step);
    void run_decomposed(Context& context, Step& step);
    void run_cond(Context& context, Step& step);
    void run_loop(Context& context, Step& step);
    void look_before(const Step& step);
    void take_found(const Step& step);
    void publish_step(Context& context, Step& step, std::int64_t start);

    ir::GraphPtr graph_;
    FusedKernelFactory* factory_;
    bool reuse_;
    std::vector<Step> steps_;
    std::vector<Slot> slots_;
    std::vector<void*> data_;           ///< where each slot is in this run
    std::vector<std::uint8_t> health_;  ///< of each slot in this run, while something is watched
    std::vector<Tensor> constants_;
    std::vector<bool> update_in_place_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies_;  ///< (slot, output) where a value has a second taker
    MemoryPlan memory_;
    std::int64_t own_arena_ = 0;  ///< bytes of arena_; memory_ counts those of regions too
    StorageRef arena_;
    Recorder* told_ = nullptr;  ///< knows the names of our kernels
    std::unordered_map<const ir::Node*, std::uint32_t> first_slot_;
};

}  // namespace fusescope::exec
