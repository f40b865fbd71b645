// The graph IR: immutable nodes with origins, graphs that share them between stages, and nested regions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/ir/op_def.hpp"
#include "fusescope/event.hpp"

namespace fusescope::ir {

class Node;
class Graph;
using NodePtr = std::shared_ptr<const Node>;
using GraphPtr = std::shared_ptr<const Graph>;

/// One output of one node.
struct Value {
    NodePtr node;
    std::uint32_t index = 0;

    const TensorType& type() const;
    friend bool operator==(const Value&, const Value&) = default;
};

enum class NodeKind : std::uint8_t {
    input,      ///< a tensor given at each call
    parameter,  ///< a Parameter; reads give the value it has when the graph starts
    constant,   ///< a tensor known when the graph was captured
    op,         ///< a row of the op table
    fused,      ///< one generated or library kernel; regions[0] holds what it computes
    cond,       ///< inputs: predicate, then the operands of both regions (true first)
    loop,       ///< inputs: loop state, then captured values; regions: condition, body
};

/// Immutable once made. A change means a new node that has the old one among its origins.
class Node {
 public:
    Node() = default;
    Node(const Node&) = default;
    Node& operator=(const Node&) = delete;
    /// Lets go of its operands and origins one after the other: chains of 100k nodes must not die by recursion.
    ~Node();

    NodeId id = 0;  ///< unique in the process, also over stages
    NodeKind kind = NodeKind::op;
    const OpDef* op = nullptr;  ///< for kind op
    std::string name;  ///< "x", "fc.weight" for leaves; the kernel's name for fused ("Add_Mul_fusion"); else empty
    Attrs attrs;
    std::vector<Value> inputs;
    std::vector<bool> present;      ///< which operands are given, when some optional one is not; empty: all are
    std::vector<TensorType> types;  ///< one per output
    std::vector<GraphPtr> regions;
    std::vector<NodePtr> origins;  ///< nodes of the stage before; empty in the captured graph
    Tensor value;                  ///< of a constant; of a parameter: the tensor itself
    FrameId frame = 0;
    ScopeId scope = 0;
    Phase phase = Phase::forward;
    const OpDef* part_of = nullptr;  ///< captured graph: as in OpCall
    std::uint32_t step = 0;          ///< captured graph: steps of the program that had ended since the first node
    std::string kernel;              ///< fused: who runs it ("elementwise", "matmul", "conv"), see exec

    /// The op's name, or "Parameter", "Constant", "If", "While", or the fused kernel's name.
    std::string_view op_name() const noexcept;
    bool has_effect() const noexcept;
    /// Acts on the world or draws random numbers, itself or in a region: it keeps its place among its like and is
    /// never dropped. Writing a Parameter alone does not count: in a graph that is a value like any other.
    bool keeps_order() const noexcept;
    bool leaf() const noexcept { return kind == NodeKind::input || kind == NodeKind::parameter; }
};

NodeId next_node_id() noexcept;

/// A final value of a Parameter that the graph writes.
struct StateUpdate {
    NodePtr parameter;
    Value value;
};

/// Nodes in an order in which each comes after its inputs; effects keep program order. No public mutator: passes go
/// through the Rewriter.
class Graph {
 public:
    std::string name;
    std::vector<NodePtr> inputs;  ///< leaves of kind input or parameter, in call order
    std::vector<NodePtr> nodes;   ///< all other nodes (constants among them), topological
    std::vector<Value> outputs;
    std::vector<StateUpdate> updates;  ///< Parameters written, in order of their first write
    FrameId frame = 0;
};

/// Adds FLOPs and memory traffic of one run. For fused nodes: traffic of the kernel's own inputs and outputs, FLOPs of
/// all members.
Cost cost_of(const Node& node);

}  // namespace fusescope::ir
