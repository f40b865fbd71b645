// Reverse mode over the op table. A tape notes the ops that depend on watched tensors; gradients are then built by
// running the rows' gradient functions backwards, which themselves are ops: they run eagerly, join the current trace,
// or are noted by an outer tape (for gradients of gradients).
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
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

    /// Stops recording (the backward pass is not part of the tape; outer tapes still see it).
    void stop();

    /// Gradients of `outputs` seeded with `seeds` (undefined: ones) with respect to `wrt`; zeros where nothing flows.
    std::vector<Tensor> gradient(std::span<const Tensor> outputs, std::span<const Tensor> seeds,
                                 std::span<const Tensor> wrt);

 private:
    struct Entry {
        const OpDef* op;
        Attrs attrs;
        std::vector<Tensor> inputs;          // values as they were: later assignments do not change them
        std::vector<const void*> input_ids;  // identity of the tensors that were given
        std::vector<Tensor> outputs;
        FrameId frame;
        ScopeId scope;
    };

    Context& context_;
    bool active_ = true;
    std::unordered_set<const void*> tracked_;
    std::vector<Tensor> keep_;  // watched handles stay alive, so that identities stay unique
    std::vector<Entry> entries_;
};

}  // namespace fusescope::autodiff
