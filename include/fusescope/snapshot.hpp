// What the engine tells a recorder about graphs: plain copies of every stage, so that the profile library never sees
// the engine's own Graph.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fusescope/dtype.hpp"
#include "fusescope/event.hpp"
#include "fusescope/shape.hpp"

namespace fusescope {

/// One named attribute of a node; `json` is its value as a JSON text (`2.5`, `[1, 2]`, `"same"`).
struct AttributeSnapshot {
    std::string name;
    std::string json;
};

struct NodeSnapshot {
    NodeId id = 0;
    std::string name;  ///< unique in its stage: "CNode_3", a parameter's name, "Add_Mul_fusion_12"
    std::string op;    ///< "Add"; "Parameter" and "Constant" for leaves; "Return" for the sink
    std::vector<AttributeSnapshot> attributes;
    std::string dtype;  ///< of output 0; outputs after the first are joined with ';'
    std::string shape;  ///< "(2, 3)"; outputs after the first are joined with ';'
    std::string scope;  ///< "Default/fc-Dense"
    FrameId frame = 0;
    std::uint64_t flops = 0;
    std::uint64_t bytes = 0;      ///< memory traffic of one run: read plus written
    std::vector<NodeId> origins;  ///< nodes of the stage before that this one came from
    NodeId parent = 0;            ///< node whose region (cond branch, fused body) holds this one; 0 at the top level
    bool shared = false;          ///< the very node of the stage before: its row has been written already
    std::uint32_t region = 0;     ///< which of the parent's regions
    Phase phase = Phase::forward;
};

struct EdgeSnapshot {
    NodeId source = 0;
    std::uint32_t source_output = 0;
    NodeId target = 0;
    std::uint32_t target_input = 0;
};

/// A node that a pass removed without a successor, with the reason ("dead", "constant folded into %3").
struct DropSnapshot {
    NodeId node = 0;
    std::string reason;
};

/// Where a value of the stage before is found in this one: a pass made `after` to stand for `before`.
struct SuccessorSnapshot {
    NodeId before = 0;
    std::uint32_t before_output = 0;
    NodeId after = 0;
    std::uint32_t after_output = 0;
};

/// One rewrite of a pass: the node of the stage before that it replaced, and by which rule.
struct RewriteSnapshot {
    NodeId node = 0;
    std::string rule;
};

struct StageSnapshot {
    std::string pass;  ///< "capture" for ordinal 0
    std::int64_t duration_ns = 0;
    bool changed = true;  ///< when false, nodes, edges and text are empty: the stage equals the one before
    std::uint32_t rewrites = 0;
    std::string text;  ///< the graph in MindSpore's manner
    std::string note;  ///< what the pass says about itself, e.g. by how much it may change rounding
    std::vector<NodeSnapshot> nodes;
    std::vector<EdgeSnapshot> edges;
    std::vector<DropSnapshot> drops;
    std::int64_t peak_bytes = -1;  ///< planned peak of the memory plan, -1 when there is none yet
    /// Only with Watch::bytes. Values that are not named here are found under their own node's id, when that is still
    /// there, and have no successor otherwise.
    std::vector<SuccessorSnapshot> successors;
    std::vector<RewriteSnapshot> rewritten;  ///< only with Watch::bytes; in the order in which they were made
};

/// What a fused node of the graph that runs was compiled to. Making the text is slow, and none of a program's business:
/// a recorder asks for it on a thread of its own.
struct KernelSnapshot {
    NodeId node = 0;
    std::string form;                   ///< "llvm" or "asm"
    std::function<std::string()> text;  ///< any thread, also after the graph has gone; empty when it cannot be made
};

struct GraphSnapshot {
    GraphId id = 0;
    std::string name;       ///< the jitted function or Cell, "train_step"
    std::string signature;  ///< "(Float32[32,1024], Float32[32,1024])"
    FrameId frame = 0;
    std::int64_t compile_start_ns = 0;
    std::int64_t compile_ns = 0;
    std::vector<KernelSnapshot> kernels;
    std::vector<StageSnapshot> stages;  ///< first is the graph as captured, last the graph that runs
};

}  // namespace fusescope
