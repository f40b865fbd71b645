// Putting nodes together into one fused node.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ir/rewriter.hpp"

namespace fusescope::passes {

/// The graph that a fused node computes, made of copies of nodes of the graph.
class Body {
 public:
    explicit Body(std::string name) : name_(std::move(name)) {}
    /// Adds a copy of `member`; members come in the graph's order. Operands that are no members become inputs of the
    /// body, one for each value; constants of one element are copied in.
    void add(const ir::NodePtr& member);
    /// Outer values in the order of the body's inputs.
    const std::vector<ir::Value>& operands() const noexcept { return operands_; }
    /// `outputs` are values of members.
    ir::GraphPtr finish(std::span<const ir::Value> outputs);

 private:
    ir::Value inner(const ir::Value& outer);

    std::string name_;
    std::unordered_map<const ir::Node*, ir::NodePtr> copies_;
    std::unordered_map<const ir::Node*, std::vector<std::pair<std::uint32_t, ir::NodePtr>>> inputs_;
    std::vector<ir::NodePtr> leaves_, nodes_;
    std::vector<ir::Value> operands_;
};

/// "Add_Mul_fusion": names of the members' ops in order, repetitions left out, cut where it gets long.
std::string fusion_name(std::span<const ir::NodePtr> members);

/// Replaces `members` (in the graph's order) by one node run by `kernel`. `outputs` are the members' values that others
/// read.
ir::NodePtr fuse(ir::Rewriter& rewriter, std::span<const ir::NodePtr> members, std::span<const ir::Value> outputs,
                 const std::string& name, const std::string& kernel, std::string_view rule);

}  // namespace fusescope::passes
