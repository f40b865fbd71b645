// Small graphs and a recorder that remembers, for the tests of the executor and of generated kernels.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ir/graph_builder.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::testing {

inline Tensor floats(const Shape& shape, std::vector<float> values) {
    values.resize(static_cast<std::size_t>(shape.count()), values.empty() ? 0.0f : values.back());
    return Tensor::from_bytes(DType::Float32, shape, values.data());
}

inline Tensor parameter(const std::string& name, const Tensor& value) {
    Tensor p = Tensor::from_bytes(value.dtype(), value.shape(), value.data());
    p.impl()->parameter = std::make_unique<ParameterInfo>(ParameterInfo{name, true});
    return p;
}

inline std::vector<float> values_of(const Tensor& t) {
    std::vector<float> v;
    for (std::int64_t i = 0; i < t.count(); ++i) v.push_back(static_cast<float>(load_double(t.dtype(), t.data(), i)));
    return v;
}

/// Empty when all bits agree (any NaN equals any NaN), else the first element that differs.
inline std::string difference(const Tensor& a, const Tensor& b) {
    if (a.type() != b.type()) return to_string(a.type()) + " against " + to_string(b.type());
    const std::size_t size = size_of(a.dtype());
    for (std::int64_t i = 0; i < a.count(); ++i) {
        const char* x = static_cast<const char*>(a.data()) + static_cast<std::size_t>(i) * size;
        const char* y = static_cast<const char*>(b.data()) + static_cast<std::size_t>(i) * size;
        if (std::memcmp(x, y, size) == 0) continue;
        const double p = load_double(a.dtype(), a.data(), i), q = load_double(b.dtype(), b.data(), i);
        if (is_float(a.dtype()) && std::isnan(p) && std::isnan(q)) continue;
        char text[160];
        std::snprintf(text, sizeof text, "%s element %lld: %.17g against %.17g", to_string(a.type()).c_str(),
                      static_cast<long long>(i), p, q);
        return text;
    }
    return {};
}

/// Builds a graph out of ops that `f` calls on stand-ins of the given types.
template <class F>
ir::GraphPtr graph_of(const std::vector<TensorType>& types, F&& f) {
    ir::GraphBuilder builder;
    std::vector<Tensor> inputs;
    for (const TensorType& t : types) {
        inputs.push_back(builder.input("x" + std::to_string(inputs.size()), t.dtype, t.shape));
    }
    ir::GraphBuilder::Scope scope(builder);
    const std::vector<Tensor> outputs = f(std::span<const Tensor>(inputs));
    return builder.finish("test", outputs);
}

/// The graph with its first `count` inputs turned into Parameters that get the last `count` outputs.
inline ir::GraphPtr with_updates(const ir::GraphPtr& graph, std::size_t count) {
    auto g = std::make_shared<ir::Graph>(*graph);
    for (std::size_t k = 0; k < count; ++k) {
        // The leaf keeps its identity, so that readers need no change.
        const_cast<ir::Node&>(*g->inputs[k]).kind = ir::NodeKind::parameter;
        g->updates.push_back({g->inputs[k], g->outputs[g->outputs.size() - count + k]});
    }
    g->outputs.resize(g->outputs.size() - count);
    return g;
}

/// A graph that is one fused node over `regions`, with their inputs and outputs in order.
inline ir::GraphPtr fused_graph(const std::vector<ir::GraphPtr>& regions, const std::string& kernel) {
    auto g = std::make_shared<ir::Graph>();
    auto node = std::make_shared<ir::Node>();
    node->id = ir::next_node_id();
    node->kind = ir::NodeKind::fused;
    node->name = "test_fusion";
    node->kernel = kernel;
    node->regions = regions;
    for (const ir::GraphPtr& region : regions) {
        for (const ir::NodePtr& input : region->inputs) {
            auto leaf = std::make_shared<ir::Node>();
            leaf->id = ir::next_node_id();
            leaf->kind = ir::NodeKind::input;
            leaf->types = input->types;
            leaf->name = "a" + std::to_string(g->inputs.size());
            g->inputs.push_back(leaf);
            node->inputs.push_back({leaf, 0});
        }
        for (const ir::Value& v : region->outputs) node->types.push_back(v.type());
    }
    g->nodes.push_back(node);
    for (std::uint32_t k = 0; k < node->types.size(); ++k) g->outputs.push_back({node, k});
    return g;
}

/// Remembers what it is told; any thread.
class Memory final : public Recorder {
 public:
    void define_frame(FrameId, const FrameInfo&) noexcept override {}
    void define_scope(ScopeId, std::string_view) noexcept override {}
    void define_kind(KindId id, std::string_view name) noexcept override {
        std::scoped_lock lock(mutex);
        kinds[id] = std::string(name);
    }
    void op(const OpEvent& event) noexcept override {
        std::scoped_lock lock(mutex);
        if (!kinds.contains(event.kind)) ++unknown_kinds;
        ops.push_back(event);
    }
    void transfer(const TransferEvent& event) noexcept override { transfers.push_back(event); }
    void memory(const MemoryEvent&) noexcept override {}
    void tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept override {
        tensors.push_back(health);
        const auto size = static_cast<std::size_t>(shape.count()) * size_of(health.dtype);
        bytes.emplace_back(static_cast<const char*>(value), value ? size : 0);
    }
    void graph_run(GraphId id) noexcept override { graph_runs.push_back(id); }
    void region_run(NodeId node, std::uint32_t region) noexcept override { region_runs.emplace_back(node, region); }
    void graph(std::shared_ptr<const GraphSnapshot> graph) noexcept override { graphs.push_back(std::move(graph)); }
    void graph_break(GraphId, FrameId, std::string_view) noexcept override {}
    void finding(const Finding& finding) noexcept override { findings.push_back(finding); }
    void output(std::string_view, std::int64_t, std::string_view) noexcept override {}

    std::mutex mutex;
    std::map<KindId, std::string> kinds;
    std::vector<OpEvent> ops;
    std::vector<TransferEvent> transfers;
    std::vector<TensorHealth> tensors;
    std::vector<std::string> bytes;  ///< of each, when they were given
    std::vector<GraphId> graph_runs;
    std::vector<std::pair<NodeId, std::uint32_t>> region_runs;
    std::vector<std::shared_ptr<const GraphSnapshot>> graphs;
    std::vector<Finding> findings;
    int unknown_kinds = 0;
};

}  // namespace fusescope::testing
