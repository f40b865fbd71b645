// Turns a graph snapshot into rows, so that what a pass left alone is not written again.
#include "profiler/write/graph_writer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace fusescope {

namespace {

using Input = std::tuple<NodeId, std::uint32_t, std::uint32_t>;  // source, source output, target input

/// A node object over the stages that it is unchanged in: one row.
struct Life {
    const NodeSnapshot* node = nullptr;
    std::size_t first = 0;
    std::size_t last = 0;
    std::int64_t row = 0;
    std::int64_t position = 0;  // among the nodes of its first stage
    std::vector<Input> inputs;
    std::vector<std::size_t> sources;  // lives of inputs, in the same order
    std::vector<std::size_t> origins;  // lives of the stage before
    std::size_t parent = kNone;
    static constexpr std::size_t kNone = ~std::size_t{0};
};

struct DroppedNode {
    std::size_t stage;
    std::size_t life;
    const std::string* reason;
};

std::string attributes_json(const std::vector<AttributeSnapshot>& attributes) {
    using nlohmann::json;
    json object = json::object();
    for (const AttributeSnapshot& attribute : attributes) {
        json value = json::parse(attribute.json, nullptr, false);
        object[attribute.name] = value.is_discarded() ? json(attribute.json) : value;
    }
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// The lives of all nodes of a graph.
class Lives {
 public:
    explicit Lives(const GraphSnapshot& graph) : graph_(graph) {
        for (std::size_t ordinal = 0; ordinal < graph.stages.size(); ++ordinal) add_stage(ordinal);
    }

    std::vector<Life> lives;
    std::vector<DroppedNode> drops;
    std::vector<std::pair<std::size_t, std::size_t>> sizes;  // nodes and edges of each stage
    const StageSnapshot* changed = nullptr;                  // the last stage that has nodes of its own

    void number(std::int64_t& next_earlier_life) {
        // The last life of a node has the node's own id.
        std::unordered_map<NodeId, std::size_t> last;
        for (std::size_t i = 0; i < lives.size(); ++i) last[lives[i].node->id] = i;
        for (std::size_t i = 0; i < lives.size(); ++i) {
            lives[i].row =
                last[lives[i].node->id] == i ? static_cast<std::int64_t>(lives[i].node->id) : next_earlier_life++;
        }
    }

 private:
    void add_stage(std::size_t ordinal) {
        const StageSnapshot& stage = graph_.stages[ordinal];
        bool is_last = ordinal + 1 == graph_.stages.size();
        bool unchanged = !stage.changed && changed != nullptr;
        if (!unchanged) changed = &stage;
        sizes.emplace_back(changed->nodes.size(), changed->edges.size());
        for (const DropSnapshot& drop : stage.drops) {
            auto found = alive_.find(drop.node);
            if (found != alive_.end()) drops.push_back({ordinal, found->second, &drop.reason});
        }
        if (unchanged && !is_last) {
            for (auto& [id, life] : alive_) lives[life].last = ordinal;
            return;
        }

        std::unordered_map<NodeId, std::vector<Input>> inputs;
        for (const EdgeSnapshot& edge : changed->edges) {
            inputs[edge.target].emplace_back(edge.source, edge.source_output, edge.target_input);
        }
        auto is_shared = [&](const NodeSnapshot& node) {
            return (node.shared || unchanged) && alive_.contains(node.id);
        };
        // A node object never changes, so a shared one has the inputs it had. Should a graph break that rule, the
        // whole stage is written anew: more rows, but right ones.
        bool all_anew = is_last;
        for (const NodeSnapshot& node : changed->nodes) {
            if (all_anew) break;
            if (!is_shared(node)) continue;
            const Life& life = lives[alive_.at(node.id)];
            auto found = inputs.find(node.id);
            bool same = (found == inputs.end() ? life.inputs.empty() : found->second == life.inputs) &&
                        life.node->parent == node.parent;
            all_anew = !same;
        }

        std::unordered_map<NodeId, std::size_t> now;
        std::vector<std::size_t> made;
        for (const NodeSnapshot& node : changed->nodes) {
            bool shared = is_shared(node);
            if (shared && !all_anew) {
                std::size_t life = alive_.at(node.id);
                lives[life].last = ordinal;
                now[node.id] = life;
                continue;
            }
            Life life;
            life.node = &node;
            life.position = &node - changed->nodes.data();
            life.first = life.last = ordinal;
            if (shared && ordinal > 0) {
                life.origins.push_back(alive_.at(node.id));
            } else if (ordinal > 0) {
                for (NodeId origin : node.origins) {
                    auto before = alive_.find(origin);
                    auto ever = ever_.find(origin);
                    if (before != alive_.end()) {
                        life.origins.push_back(before->second);
                    } else if (ever != ever_.end()) {
                        life.origins.push_back(ever->second);
                    }
                }
            }
            made.push_back(lives.size());
            now[node.id] = lives.size();
            lives.push_back(std::move(life));
        }
        for (std::size_t index : made) {
            Life& life = lives[index];
            if (auto found = inputs.find(life.node->id); found != inputs.end()) life.inputs = found->second;
            for (const Input& input : life.inputs) {
                auto source = now.find(std::get<0>(input));
                life.sources.push_back(source == now.end() ? Life::kNone : source->second);
            }
            if (auto parent = now.find(life.node->parent); parent != now.end()) life.parent = parent->second;
        }
        for (auto& [id, life] : now) ever_[id] = life;
        alive_ = std::move(now);
    }

    const GraphSnapshot& graph_;
    std::unordered_map<NodeId, std::size_t> alive_;  // at the stage before
    std::unordered_map<NodeId, std::size_t> ever_;
};

}  // namespace

void GraphWriter::write(const GraphSnapshot& graph) {
    insert_(GraphRow{graph.id, graph.name, graph.signature, graph.frame, graph.compile_start_ns, graph.compile_ns});
    Lives all(graph);
    all.number(next_earlier_life_);
    std::int64_t first_stage = next_stage_;
    next_stage_ += static_cast<std::int64_t>(graph.stages.size());
    auto stage_id = [&](std::size_t ordinal) { return first_stage + static_cast<std::int64_t>(ordinal); };

    for (std::size_t ordinal = 0; ordinal < graph.stages.size(); ++ordinal) {
        const StageSnapshot& stage = graph.stages[ordinal];
        bool is_last = ordinal + 1 == graph.stages.size();
        StageRow row;
        row.id = stage_id(ordinal);
        row.graph = graph.id;
        row.ordinal = static_cast<std::int64_t>(ordinal);
        row.pass = stage.pass;
        row.duration_ns = stage.duration_ns;
        row.changed = stage.changed;
        row.text = !stage.changed && is_last && all.changed ? all.changed->text : stage.text;
        row.rewrites = stage.rewrites;
        row.note = stage.note;
        row.nodes = static_cast<std::int64_t>(all.sizes[ordinal].first);
        row.edges = static_cast<std::int64_t>(all.sizes[ordinal].second);
        if (stage.peak_bytes >= 0) row.peak_bytes = stage.peak_bytes;
        insert_(row);
    }
    for (const Life& life : all.lives) {
        const NodeSnapshot& node = *life.node;
        NodeRow row;
        row.id = life.row;
        row.stage = stage_id(life.first);
        row.name = node.name;
        row.op = node.op;
        row.attributes = attributes_json(node.attributes);
        row.dtype = node.dtype;
        row.shape = node.shape;
        row.scope = node.scope;
        row.frame = node.frame;
        row.flops = node.flops;
        row.bytes = node.bytes;
        row.parent = life.parent == Life::kNone ? 0 : all.lives[life.parent].row;
        row.last_ordinal = static_cast<std::int64_t>(life.last);
        row.position = life.position;
        row.phase = name_of(node.phase);
        insert_(row);
        for (std::size_t i = 0; i < life.inputs.size(); ++i) {
            if (life.sources[i] == Life::kNone) continue;
            auto [source, output, input] = life.inputs[i];
            insert_(EdgeRow{row.stage, all.lives[life.sources[i]].row, output, life.row, input});
        }
        for (std::size_t origin : life.origins) insert_(OriginRow{life.row, all.lives[origin].row});
    }
    for (const KernelSnapshot& kernel : graph.kernels) {
        const std::string text = kernel.text();
        if (text.empty()) continue;
        const auto [code, fresh] = codes_.try_emplace(kernel.form + text, next_code_);
        if (fresh) insert_(KernelCodeRow{next_code_++, kernel.form, text});
        insert_(KernelRow{static_cast<std::int64_t>(kernel.node), code->second});
    }
    for (const DroppedNode& drop : all.drops) {
        insert_(DropRow{stage_id(drop.stage), all.lives[drop.life].row, *drop.reason});
    }
}

}  // namespace fusescope
