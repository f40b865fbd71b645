// The only way to get a new graph from an old one. It keeps provenance, so that no pass can forget it: what is created
// has origins, what is replaced leaves its origins to its successor, what is dropped leaves a reason.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/graph.hpp"

namespace fusescope::ir {

/// What a pass says of a node that it makes; id, origins, frame, scope and phase are the Rewriter's.
struct NodeSpec {
    NodeKind kind = NodeKind::op;
    const OpDef* op = nullptr;
    Attrs attrs;
    std::vector<Value> inputs;
    std::vector<bool> present;
    std::vector<TensorType> types;  ///< may be empty for ops: they are inferred
    std::vector<GraphPtr> regions;
    std::string name;
    std::string kernel;
    Tensor value;
};

/// A node that went without a successor.
struct Drop {
    NodePtr node;
    std::string reason;
};

/// Collects changes to one graph; `finish` makes the new graph. Nodes that no change reaches are shared with the old
/// graph. Values of created nodes may be used at once as operands and replacements. Linear in the size of the graph.
class Rewriter {
 public:
    explicit Rewriter(GraphPtr graph);
    Rewriter(const Rewriter&) = delete;
    Rewriter& operator=(const Rewriter&) = delete;

    const Graph& graph() const noexcept { return *graph_; }

    /// A new node of the graph. It inherits frame, scope and phase of the first origin and stands where the last one
    /// stood (earlier when a reader stands earlier). Throws std::logic_error without origins, UserError when its types
    /// cannot be inferred.
    NodePtr create(NodeSpec spec, std::span<const NodePtr> origins);
    NodePtr create(NodeSpec spec, const NodePtr& origin) { return create(std::move(spec), {&origin, 1}); }

    /// A copy of `member` for the body of a fused node, with other operands; its origin is `member`.
    static NodePtr member(const NodePtr& member, std::vector<Value> inputs);
    /// Stands for an operand of a fused node in its body. The one kind of node without origins: it is a name.
    static NodePtr stand_in(const TensorType& type, std::string name);

    /// Readers of output k of `old` read `with[k]` from now on; an empty Value is for an output without readers. The
    /// origins of `old` go to the nodes of `with`; where that is an input of the graph they go to a drop record that
    /// names `rule`.
    void replace(const NodePtr& old, std::vector<Value> with, std::string_view rule);
    void replace(const NodePtr& old, Value with, std::string_view rule) {
        replace(old, std::vector<Value>{std::move(with)}, rule);
    }
    /// Nobody may read `old` any more.
    void drop(const NodePtr& old, std::string reason);
    /// Drops of a region's own rewriter, to be kept with this graph's.
    void add_drops(std::vector<Drop> drops);

    bool gone(const NodePtr& node) const { return replaced_.contains(node.get()) || dropped_.contains(node.get()); }
    /// What a reader of `v` gets after the changes so far.
    Value current(Value v) const;

    /// Keeps only the first `most` rewrites that put something in a node's place. What they leave without readers goes;
    /// what the others would have replaced or dropped stays when it is still read. Each rewrite alone keeps all values,
    /// so any number of them does. Returns how many there are then. Once, when the pass has done its work.
    std::uint64_t limit(std::uint64_t most);
    /// After `finish`: what a value of the old graph is in the new one. Empty when it is nowhere.
    Value successor(const Value& old) const;
    struct Made {
        NodePtr node;  ///< that was replaced
        std::string rule;
    };
    /// After `finish`: the rewrites that put something in a node's place, in order.
    std::vector<Made> made() const;

    std::uint32_t rewrites() const noexcept { return rewrites_; }
    bool changed() const noexcept { return rewrites_ > 0; }
    const std::vector<Drop>& drops() const noexcept { return drops_; }
    /// How often each rule was used, in order of first use.
    const std::vector<std::pair<std::string, std::uint32_t>>& rules() const noexcept { return rules_; }

    /// The new graph, or the old one when nothing changed. Throws std::logic_error, with the text of the nodes, when
    /// the changes make a cycle or leave a reader without a value: faults of a pass.
    GraphPtr finish();

 private:
    struct Created {
        std::shared_ptr<Node> node;
        std::size_t anchor;
    };
    std::size_t position(const Node* n) const;
    bool counts(const Node* replaced) const;

    GraphPtr graph_;
    std::unordered_map<const Node*, std::size_t> position_;
    std::vector<Created> made_;
    std::unordered_map<const Node*, std::size_t> made_index_;
    std::unordered_map<const Node*, std::vector<Value>> replaced_;
    std::unordered_map<const Node*, std::string> replaced_rule_;
    std::vector<NodePtr> replaced_order_;
    std::unordered_map<const Node*, bool> dropped_;
    std::vector<Drop> drops_;
    std::vector<std::pair<std::string, std::uint32_t>> rules_;
    std::uint32_t rewrites_ = 0;
    bool limited_ = false;                           // rewrites were left out
    std::unordered_set<const Node*> unasked_;        // in the new graph only when somebody reads them
    std::unordered_map<const Node*, NodePtr> done_;  // nodes as they are in the new graph
};

/// Result types of an op node. Throws UserError.
std::vector<TensorType> infer_types(const OpDef& op, std::span<const Value> inputs, std::span<const bool> present,
                                    const Attrs& attrs);
std::vector<TensorType> infer_types(const OpDef& op, std::span<const Value> inputs, const std::vector<bool>& present,
                                    const Attrs& attrs);

}  // namespace fusescope::ir
