// What ran, in order, with the values that fit a budget: for explaining a bad value by what came before it, and for
// going back. Values are immutable in this engine (an assignment gives a Parameter another one), so keeping one is
// keeping a reference, and running an op again on the same operands gives the same bits.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/core/debug_hook.hpp"
#include "engine/ir/attribute.hpp"
#include "engine/ir/graph.hpp"
#include "fusescope/small_vector.hpp"

namespace fusescope {
struct Context;
}

namespace fusescope::debug {

using ValueId = std::uint64_t;  ///< in order of making, from 1; 0: none
using EntryId = std::uint64_t;  ///< the same for entries

enum class EntryKind : std::uint8_t {
    input,  ///< made of the program's data, or there before the history began
    op,
    graph,  ///< a compiled graph that ran as a whole
};

struct Entry {
    EntryKind kind = EntryKind::op;
    Phase phase = Phase::forward;
    std::uint32_t graph_number = 0;  ///< kind graph: in order of runs
    bool followed = false;           ///< everything bad behind it is known to have reached something
    bool number = false;             ///< an input that stands for a Python number
    const OpDef* op = nullptr;
    const OpDef* part_of = nullptr;
    Attrs attrs;
    SmallVector<ValueId, 4> inputs;  ///< 0 for an absent operand
    ValueId first_output = 0;
    std::uint32_t outputs = 0;
    FrameId frame = 0;
    ScopeId scope = 0;
    std::uint32_t step = 0;
    EventId event = 0;
    NodeId node = 0;         ///< of the captured graph, when one ran op by op
    std::uint64_t seed = 0;  ///< random state before it ran
    std::uint64_t random_op = 0;
    std::shared_ptr<const ir::Graph> graph;  ///< kind graph: as captured; inputs are parallel to its inputs, outputs to
                                             ///< its outputs and then its updates
    SmallVector<std::uint64_t, 1> findings;  ///< keys of findings about bad values born here
};

struct Value {
    EntryId made_by = 0;
    std::uint8_t health = 0;  ///< HealthBits
    bool kept = false;
    TensorType type;
    Tensor tensor;                      ///< undefined when it was let go to stay within the budget
    std::unique_ptr<std::byte[]> copy;  ///< instead of `tensor`, see HistoryLimits
};

struct HistoryLimits {
    std::size_t bytes = std::size_t{32} << 20;  ///< of tensor data kept
    std::size_t entries = 20'000;
    /// Let go first of what is cheap to compute again from what stays; else simply of the oldest.
    bool recompute = false;
    /// Not 0: values of up to so many bytes are copied, larger ones are not kept, and no tensor lives longer than in
    /// the program. A recording must not change what it says of memory.
    std::size_t copy_up_to = 0;
};

/// For recordings that explain bad values.
inline constexpr HistoryLimits kRecordingLimits{std::size_t{16} << 20, 20'000, false, 4096};

class History {
 public:
    History(Context& context, HistoryLimits limits) : context_(context), limits_(limits) {}

    EntryId add_op(const OpCall& call, std::span<const Tensor> outputs, EventId event);
    EntryId add_input(const Tensor& made, FrameId frame);
    EntryId add_graph(const GraphCall& call, std::span<const ValueId> inputs, std::uint64_t random_op,
                      std::span<const Tensor> outputs);

    /// The number of a tensor's value in storage; a value that no entry made becomes an input. 0 for undefined tensors
    /// and those that have none yet, for they wait in a trace.
    ValueId value_of(const Tensor& t);

    const Entry* entry(EntryId id) const noexcept;
    Entry* entry(EntryId id) noexcept;
    const Value* value(ValueId id) const noexcept;
    EntryId first() const noexcept { return first_entry_; }
    EntryId last() const noexcept { return first_entry_ + entries_.size() - 1; }
    bool empty() const noexcept { return entries_.empty(); }

    /// The value itself: kept, or computed again from what is kept, random draws included. Undefined when neither is
    /// possible any more. Nothing is recorded and nobody is told meanwhile.
    Tensor materialize(ValueId id);
    /// Whether materialize would have to compute.
    bool is_kept(ValueId id) const noexcept;

    std::size_t kept_bytes() const noexcept { return kept_bytes_; }
    void clear();

 private:
    void add_value(const Tensor& t, bool keeps_large);
    EntryId finish_entry(Entry entry, std::span<const Tensor> outputs);
    void let_go(Value& v) noexcept;
    void stay_within_limits();
    bool stays(const Entry& e, EntryId id) const noexcept;
    bool cheap_again(const Value& v) const noexcept;
    bool run_again(const Entry& e);
    bool collect(ValueId wanted, std::set<EntryId>& needed) const;

    Context& context_;
    HistoryLimits limits_;
    std::deque<Entry> entries_;
    std::deque<Value> values_;
    EntryId first_entry_ = 1;
    ValueId first_value_ = 1;
    std::size_t kept_bytes_ = 0;
    ValueId sweep_ = 1;  ///< values before it that are cheap to compute again were let go, but for one entry in stride_
    std::uint64_t stride_ = 16;
    std::uint32_t steps_between_ = 16;  ///< steps, or runs of graphs, from one that is kept whole to the next
    std::uint32_t graphs_ = 0;
};

}  // namespace fusescope::debug
