// Ops that wait: a trace notes what a program asks for and hands out pending tensors; looking at one compiles and runs
// what has been noted.
//
// A trace is a list of records, not a graph: the graph is built only when no compiled segment of the same shape is
// cached. Two traces with equal fingerprints compute the same thing, so a program that breaks its graph in every
// iteration still compiles each segment once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::exec {
class Executable;
}

namespace fusescope::trace {

/// Where a value of a trace comes from.
struct Ref {
    enum class Kind : std::uint8_t { leaf, record } kind = Kind::leaf;
    std::uint32_t number = 0;  ///< of the leaf or record
    std::uint32_t output = 0;
};

/// A tensor that was there before the trace.
struct Leaf {
    ir::NodeKind kind;  ///< input, parameter or constant
    Tensor tensor;      ///< the Parameter itself; for others a snapshot of the value at first use
    const void* id;     ///< identity of the tensor that was given
};

struct Record {
    const OpDef* op = nullptr;  ///< null for cond and loop, which have regions
    ir::NodeKind kind = ir::NodeKind::op;
    Attrs attrs;
    std::vector<Ref> inputs;
    std::vector<bool> present;  ///< empty when all operands are given
    std::vector<TensorType> types;
    std::vector<ir::GraphPtr> regions;
    FrameId frame = 0;
    ScopeId scope = 0;
    Phase phase = Phase::forward;
    const OpDef* part_of = nullptr;
    std::uint32_t step = 0;         ///< of the program when it was recorded
    std::uint32_t first_value = 0;  ///< number of output 0 in Trace::values_
};

/// Why a graph is left when somebody looks at a value for `reason`, as findings and reports say it.
std::string break_reason(TransferReason reason);

/// Exact description of a trace; equal ones may share a compiled graph.
using Fingerprint = std::vector<std::uint64_t>;

class Trace final : public TraceSink, public PendingSlot {
 public:
    explicit Trace(Context& context, std::string name);
    ~Trace() override;
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;

    std::vector<Tensor> append(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                               std::span<const TensorType> outputs) override;
    void same_value(const Tensor& copy, const Tensor& original) override;
    void assigning(const Tensor& target) override;
    void looked_at(TransferReason reason) override;
    /// Appends a cond or loop node over finished regions.
    std::vector<Tensor> append_regions(ir::NodeKind kind, std::span<const Tensor> inputs,
                                       std::vector<ir::GraphPtr> regions, std::span<const TensorType> outputs);

    void force(TensorImpl& impl, TransferReason reason) override;
    void follow(TensorImpl& from, TensorImpl& to) override;
    void forget(TensorImpl& impl) noexcept override;

    /// Compiles (or finds) and runs everything noted so far; afterwards the trace is empty and goes on.
    void flush();
    /// Forgets everything noted: Parameters keep the values that they had, other tensors have none any more (see
    /// lost_values). For a trace that failed.
    void abandon() noexcept;

    bool empty() const noexcept { return records_.empty(); }
    /// Something noted acts on the world (Print, Parameter updates), so it must run before the program ends.
    bool has_effects() const noexcept { return effects_; }
    /// How often a value was looked at while the trace was open: one that waited, or while `hold` any.
    int breaks() const noexcept { return breaks_; }
    Context& context() noexcept { return context_; }

    /// In a region (branch or loop body) nothing may be looked at and no Parameter written: then this is set, and
    /// `append` and `force` throw Unsupported.
    bool region = false;
    /// A capture wants the trace whole: it is not run by itself however long it grows.
    bool hold = false;
    struct Unsupported {
        std::string reason;
    };

    /// Values of a surrounding trace are taken as inputs instead of being run (regions only).
    bool outer_values = false;
    /// Makes `t` a leaf before anything uses it, so that leaves come in a known order.
    void add_leaf(const Tensor& t);
    /// A value of this trace that equals `t`, by an op that copies nothing.
    Tensor pass_through(const Tensor& t);
    /// The tensor that was given for a leaf (its snapshot is in Leaf::tensor).
    Tensor original(const Leaf& leaf) const {
        return Tensor::share(static_cast<TensorImpl*>(const_cast<void*>(leaf.id)));
    }

    /// The tensor of which `t` is known to be a copy, or itself when it was read as it is; undefined for others.
    Tensor original_of(const Tensor& t) const;

    // What a capture needs to make a cached function of the trace.
    struct Built {
        ir::GraphPtr graph;
        std::vector<Leaf> leaves;                  ///< inputs and parameters, in the order of graph->inputs
        std::vector<std::uint32_t> output_values;  ///< value numbers, in the order of graph->outputs
    };
    /// Builds the graph that yields `outputs` (value numbers) and the Parameter updates. `first` leaves come first.
    Built build(const std::vector<std::uint32_t>& outputs, std::span<const Tensor> first_leaves);
    /// Value number of a tensor that waits in this trace; -1 for others.
    std::int64_t value_of(const Tensor& t) const noexcept;
    /// Value numbers that somebody outside still waits for, Parameters not counted.
    std::vector<std::uint32_t> live_values() const;
    /// Gives every waiting tensor its value; `results` parallel to `numbers`.
    void settle(const std::vector<std::uint32_t>& numbers, std::span<const Tensor> results);
    const std::vector<Leaf>& leaves() const noexcept { return leaves_; }
    const std::vector<Record>& records() const noexcept { return records_; }

 private:
    struct ValueInfo {
        std::uint32_t record;
        std::uint32_t output;
        std::vector<TensorImpl*> waiting;
    };

    void report_break(GraphId graph, FrameId frame, const std::string& why, const std::string& op);
    bool begins_again(const OpDef& op) const;
    Ref ref_of(const Tensor& t);
    std::vector<Tensor> run_segment(const std::vector<std::uint32_t>& outputs);
    std::vector<Tensor> finish_record(Record record);
    Fingerprint fingerprint(const std::vector<std::uint32_t>& outputs) const;
    static void put_region(Fingerprint& f, const ir::Graph& graph);
    void reset() noexcept;

    Context& context_;
    std::string name_;
    std::vector<Leaf> leaves_;
    std::unordered_map<const void*, std::uint32_t> leaf_of_;
    std::vector<Record> records_;
    std::vector<ValueInfo> values_;
    // Parameters written, in order of first write; the tensor keeps the Parameter alive.
    std::vector<Tensor> written_;
    bool effects_ = false;
    int breaks_ = 0;
    std::vector<Tensor> keep_;  // handles whose identity leaf_of_ relies on
    bool flushing_ = false;
    bool pending_break_ = false;
    FrameId break_frame_ = 0;
    std::string break_text_;
    std::string break_op_;  ///< whose value was wanted
};

/// While it exists, ops run at once: what a graph computes must be neither traced nor differentiated again.
class Suspended {
 public:
    explicit Suspended(Context& context)
        : context_(context), trace_(std::exchange(context.trace, nullptr)), tapes_(std::move(context.tapes)) {
        context_.tapes.clear();
        context_.update();
    }
    ~Suspended() {
        context_.trace = trace_;
        context_.tapes = std::move(tapes_);
        context_.update();
    }
    Suspended(const Suspended&) = delete;
    Suspended& operator=(const Suspended&) = delete;

 private:
    Context& context_;
    TraceSink* trace_;
    std::vector<TapeSink*> tapes_;
};

/// Number of segments kept compiled per thread; the least recently used goes first.
inline constexpr std::size_t kSegmentCache = 512;

/// Records after which a trace is run by itself where its first op comes again, as in a loop.
inline constexpr std::size_t kLongTrace = 512;

/// Records of one trace after which it is run anywhere, so that a program that never looks at a value does not grow
/// without bound.
inline constexpr std::size_t kLongestTrace = 4096;

}  // namespace fusescope::trace
