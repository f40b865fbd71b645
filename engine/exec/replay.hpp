// Running the ops of a fused kernel one by one, to find the one that made a NaN or Inf.
#pragma once

#include <vector>

#include "engine/exec/watch.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::exec {

/// The members of a fused node on the operands of a run. Members compute what the kernel computes, bit for bit or by
/// the same library, so the replay finds what the run met.
class Replay final : public Members {
 public:
    /// `operands` parallel to the node's inputs, as they were before the kernel ran.
    Replay(Context& context, const ir::Node& node, std::vector<Seen> operands)
        : context_(context), node_(node), operands_(std::move(operands)) {}
    bool report_births(EventId event) override;

 private:
    Context& context_;
    const ir::Node& node_;
    std::vector<Seen> operands_;
};

}  // namespace fusescope::exec
