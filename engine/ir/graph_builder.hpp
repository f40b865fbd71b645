// Makes nodes out of ops that are called: while it is a context's trace, every op that runs becomes a node here. Passes
// run decompositions through it, and tests write graphs with it.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::ir {

/// Tensors it hands out are pending here and die with it. Looking at one throws std::logic_error: what is built has no
/// values. A concrete tensor becomes a constant. One thread.
class GraphBuilder final : public TraceSink, public PendingSlot {
 public:
    GraphBuilder() = default;
    ~GraphBuilder() override;
    GraphBuilder(const GraphBuilder&) = delete;
    GraphBuilder& operator=(const GraphBuilder&) = delete;

    /// A tensor that stands for a value of a graph that exists already.
    Tensor stand_in(const Value& value);
    /// New leaves of the graph that is built.
    Tensor input(std::string name, DType dtype, const Shape& shape);
    /// The Parameter itself is the tensor; ops that write it change what it stands for.
    Tensor parameter(const Tensor& parameter);
    /// The Parameter has this value from now on.
    void write(const Tensor& parameter, const Tensor& value);

    std::vector<Tensor> append(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs,
                               std::span<const TensorType> outputs) override;
    void same_value(const Tensor& copy, const Tensor& original) override;
    std::vector<Tensor> append_regions(NodeKind kind, std::span<const Tensor> inputs, std::vector<GraphPtr> regions,
                                       std::span<const TensorType> outputs);

    /// Where a tensor's value comes from; a concrete tensor becomes a constant node.
    Value value_of(const Tensor& t);
    /// Nodes in the order in which they were made, constants among them, without leaves.
    const std::vector<std::shared_ptr<Node>>& nodes() const noexcept { return nodes_; }
    /// The graph that yields `outputs` and writes the Parameters that were written.
    GraphPtr finish(std::string name, std::span<const Tensor> outputs);

    void force(TensorImpl& impl, TransferReason reason) override;
    void follow(TensorImpl& from, TensorImpl& to) override;
    void forget(TensorImpl& impl) noexcept override;

    /// While it exists, ops go to the builder and nobody records or differentiates.
    class Scope {
     public:
        explicit Scope(GraphBuilder& builder);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

     private:
        Context own_;
        Context* outer_;
    };

 private:
    Tensor pending(const Value& value);

    std::vector<std::shared_ptr<Node>> nodes_;
    std::vector<NodePtr> leaves_;
    std::vector<Value> values_;
    std::unordered_set<TensorImpl*> waiting_;
    std::unordered_map<const TensorImpl*, Value> known_;  // constants, and Parameters that are not written yet
    std::vector<Tensor> keep_;                            // identities that known_ relies on
    struct Written {
        Tensor tensor;
        NodePtr leaf;
    };
    std::vector<Written> written_;
};

}  // namespace fusescope::ir
