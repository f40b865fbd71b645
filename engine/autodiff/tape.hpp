// Reverse mode over the op table. A tape notes the ops that depend on watched tensors; gradients are then built by
// running the rows' gradient functions backwards, which themselves are ops: they run eagerly, join the current trace,
// or are noted by an outer tape (for gradients of gradients).
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::autodiff {

class Tape : public TapeSink {
 public:
    /// Registers with `context`, innermost.
    explicit Tape(Context& context);
    ~Tape() override;
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    /// Gradients with respect to `t` will be asked for.
    void watch(const Tensor& t);
    void record(const OpDef& op, std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                const Attrs& attrs) override;
    void record_own(std::span<const Tensor> inputs, std::span<const Tensor> outputs, OwnGradient gradient) override;
    void assigning(const Tensor& target, const Tensor& value) override;

    /// Stops recording (the backward pass is not part of the tape; outer tapes still see it).
    void stop();

    /// Gradients of `outputs` seeded with `seeds` (undefined: ones) with respect to `wrt`, which have been watched;
    /// zeros where nothing flows.
    std::vector<Tensor> gradient(std::span<const Tensor> outputs, std::span<const Tensor> seeds,
                                 std::span<const Tensor> wrt);

 private:
    /// A value that depends on what is watched. A tensor that is assigned to stands for another one afterwards.
    using ValueId = std::uint64_t;
    static constexpr ValueId kUntracked = 0;

    struct Entry {
        const OpDef* op = nullptr;  ///< null: `own` is its gradient
        OwnGradient own;
        Attrs attrs;
        std::vector<Tensor> inputs, outputs;  // values as they were: later assignments do not change them
        std::vector<ValueId> input_ids, output_ids;
        FrameId frame = 0;
        ScopeId scope = 0;
    };

    ValueId value_of(const Tensor& t) const;
    bool depends(std::span<const Tensor> inputs) const;
    void add(Entry e, std::span<const Tensor> inputs, std::span<const Tensor> outputs);

    Context& context_;
    bool active_ = true;
    ValueId last_value_ = kUntracked;
    std::unordered_map<const void*, ValueId> tracked_;  // what a tensor stands for now, by its identity
    std::unordered_map<const void*, ValueId> watched_;  // what it stood for when it was watched
    std::vector<Tensor> keep_;                          // handles whose identities the maps rely on
    std::vector<Entry> entries_;
};

}  // namespace fusescope::autodiff
