#include "engine/ir/snapshot_builder.hpp"

#include "engine/core/context.hpp"
#include "engine/ir/literal.hpp"

namespace fusescope::ir {
namespace {

// Data of constants beyond this is not copied into every stage's text.
constexpr std::size_t kTextConstantBytes = 512;

void types_into(std::span<const TensorType> types, NodeSnapshot& s) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (i) {
            s.dtype += ';';
            s.shape += ';';
        }
        s.dtype += name_of(types[i].dtype);
        s.shape += to_string(types[i].shape);
    }
}

std::string json_text(const std::string& text) { return to_json(AttrValue(text)); }

}  // namespace

SnapshotBuilder::SnapshotBuilder(FrameResolver frame) : frame_(std::move(frame)) {}

NodeSnapshot SnapshotBuilder::describe(const Node& n, NodeId parent) {
    NodeSnapshot s;
    s.id = n.id;
    s.name = numbering_.name(n);
    s.op = n.op_name();
    if (n.op) {
        for (std::size_t i = 0; i < n.attrs.size(); ++i) {
            s.attributes.push_back({n.op->schema.attributes[i].name, to_json(n.attrs[i])});
        }
    }
    if (n.kind == NodeKind::fused) s.attributes.push_back({"kernel", json_text(n.kernel)});
    if (n.kind == NodeKind::parameter) s.attributes.push_back({"parameter", "true"});
    if (n.kind == NodeKind::constant && n.value.count() <= 16 && n.value.device() == DeviceKind::cpu) {
        s.attributes.push_back({"value", json_text(constant_text(n.value, ConstantForm::decimal))});
    }
    types_into(n.types, s);
    s.scope = scope_path(n.scope);
    s.frame = n.frame;
    if (!n.leaf() && n.kind != NodeKind::constant) {
        const Cost c = cost_of(n);
        s.flops = c.flops;
        s.bytes = c.bytes_read + c.bytes_written;
    }
    s.parent = parent;
    s.phase = n.phase;
    return s;
}

void SnapshotBuilder::nodes(const Graph& g, NodeId parent, std::uint32_t region, StageSnapshot& out,
                            std::unordered_map<NodeId, NodeId>& parents, std::unordered_map<NodeId, bool>& listed) {
    auto put = [&](const Node& n) {
        if (!listed.emplace(n.id, true).second) return false;  // a region that two nodes share
        NodeSnapshot s = describe(n, parent);
        s.region = region;
        parents.emplace(n.id, parent);
        const auto before = parent_before_.find(n.id);
        if (before != parent_before_.end()) {
            // The very same node; but a row says where it lives, so one that moved is told anew.
            s.shared = before->second == parent;
            s.origins = {n.id};
        } else {
            for (const NodePtr& o : n.origins) s.origins.push_back(o->id);
        }
        out.nodes.push_back(std::move(s));
        for (std::uint32_t i = 0; i < n.inputs.size(); ++i) {
            if (n.inputs[i].node) out.edges.push_back({n.inputs[i].node->id, n.inputs[i].index, n.id, i});
        }
        return true;
    };
    for (const NodePtr& n : g.inputs) put(*n);
    for (const NodePtr& n : g.nodes) {
        if (!put(*n)) continue;
        for (std::uint32_t r = 0; r < n->regions.size(); ++r) nodes(*n->regions[r], n->id, r, out, parents, listed);
    }
}

void SnapshotBuilder::add(const GraphPtr& graph, Stage stage) {
    StageSnapshot s;
    s.pass = std::move(stage.pass);
    s.duration_ns = stage.duration_ns;
    s.rewrites = stage.rewrites;
    s.note = std::move(stage.note);
    s.peak_bytes = stage.peak_bytes;
    s.changed = graph != last_;
    s.successors = std::move(stage.successors);
    s.rewritten = std::move(stage.rewritten);
    for (const Drop& d : stage.drops) s.drops.push_back({d.node->id, d.reason});
    if (!s.changed) {
        stages_.push_back(std::move(s));
        return;
    }
    std::unordered_map<NodeId, NodeId> parents;
    std::unordered_map<NodeId, bool> listed;
    parents.reserve(graph->nodes.size() + graph->inputs.size());
    listed.reserve(graph->nodes.size() + graph->inputs.size());
    s.nodes.reserve(graph->nodes.size() + graph->inputs.size() + 1);
    nodes(*graph, 0, 0, s, parents, listed);

    NodeSnapshot sink;
    sink.id = next_node_id();
    sink.name = "Return";
    sink.op = "Return";
    std::uint32_t input = 0;
    std::vector<TensorType> results;
    for (const Value& v : graph->outputs) {
        s.edges.push_back({v.node->id, v.index, sink.id, input++});
        results.push_back(v.type());
    }
    for (const StateUpdate& u : graph->updates) s.edges.push_back({u.value.node->id, u.value.index, sink.id, input++});
    types_into(results, sink);
    if (!graph->updates.empty()) {
        std::string list = "[";
        for (const StateUpdate& u : graph->updates) {
            list += (list.size() > 1 ? ", " : "") + json_text(u.parameter ? u.parameter->name : std::string());
        }
        sink.attributes.push_back({"updates", list + "]"});
    }
    sink.scope = "Default";
    sink.frame = graph->frame;
    if (return_before_) sink.origins = {return_before_};
    return_before_ = sink.id;
    s.nodes.push_back(std::move(sink));

    PrintOptions print_options;
    print_options.constant_bytes = kTextConstantBytes;
    print_options.frame = frame_;
    print_options.numbering = &numbering_;
    s.text = print(*graph, print_options);
    parent_before_ = std::move(parents);
    last_ = graph;
    stages_.push_back(std::move(s));
}

}  // namespace fusescope::ir
