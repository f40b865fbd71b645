// The text of a graph, in the manner of MindSpore's dumps since 2.3, made so that engine/ir/parser reads it back to an
// equal graph. Departures: constants stand as Tensor(…) with their data; an output of a node that has several is
// `%3[1]`; branches and loops are `If(%predicate, @true, @false, operands…)` and `While(@condition, @body, operands…)`;
// a kernel over several regions is `call FuncUnion(@a, @b)(…)`; a Parameter's new value is `Store(%para1_w, %7)`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "engine/ir/graph.hpp"

namespace fusescope::ir {

/// Small numbers for node ids, in order of first sight. One over all stages of a graph keeps "CNode_9" the same node.
class Numbering {
 public:
    std::uint32_t of(NodeId id) {
        return numbers_.try_emplace(id, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
    }
    /// "CNode_3", "ValueNode_4", "Add_Mul_fusion_12", a leaf's own name.
    std::string name(const Node& node);

 private:
    std::unordered_map<NodeId, std::uint32_t> numbers_;
};

/// Where a frame is in the program.
struct SourceLine {
    std::string path;
    int line = 0;
    std::string text;  ///< of the line; may be empty
};
using FrameResolver = std::function<std::optional<SourceLine>(FrameId)>;

struct PrintOptions {
    bool scopes = true;                            ///< "# Fullname with scope:" lines
    std::int64_t inline_elements = 16;             ///< constants up to this size stand where they are used
    std::size_t constant_bytes = ~std::size_t{0};  ///< larger constants lose their data: value=[...]
    FrameResolver frame;                           ///< null: no source lines
    Numbering* numbering = nullptr;                ///< null: numbers of this text alone
};

std::string print(const Graph& graph, const PrintOptions& options = {});

/// One line about one node, for messages: "%CNode_41 = Add(Float32[2, 3], Float32[3]) -> Float32[2, 3]".
std::string node_text(const Node& node);

}  // namespace fusescope::ir
