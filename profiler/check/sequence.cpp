#include "profiler/check/sequence.hpp"

#include <utility>

namespace fusescope::check {

std::uint32_t Keys::intern(const Frame& frame, const std::string& op, Phase phase) {
    const std::string text = frame.path + '\0' + std::to_string(frame.line) + '\0' + op + '\0' + name_of(phase);
    return numbers_.emplace(text, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

namespace {

/// One run of a graph or of a region of it.
struct Instance {
    NodeId owner = 0;  // branch or loop node that ran; 0 for the graph itself
    std::uint32_t region = 0;
    std::unordered_map<NodeId, const Event*> events;
    std::vector<std::size_t> inner;  // regions that ran inside, in order
};

struct GraphRun {
    const GraphMap* map = nullptr;
    std::vector<Instance> instances{Instance{}};

    /// The latest run of the region that holds a node.
    std::size_t holder_of(NodeId node) const {
        const auto it = map->in_regions.find(node);
        if (it == map->in_regions.end()) return 0;
        for (std::size_t i = instances.size(); i-- > 1;) {
            if (instances[i].owner == it->second.parent && instances[i].region == it->second.region) return i;
        }
        return 0;
    }
};

/// Captured nodes of each region, as numbers in GraphMap::captured.
struct Regions {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> nodes;
    std::vector<std::uint32_t> keys;  // of the captured nodes

    static std::uint64_t key(NodeId parent, std::uint32_t region) { return parent << 1 ^ region; }
};

class Builder {
 public:
    Builder(const Log& log, Keys& keys) : log_(log), keys_(keys) {}

    Sequence build() {
        // A run is told in the order in which the program asked for its ops, at the place where it began; what runs
        // later belongs to it all the same. So all runs are put together first.
        for (const auto& [id, map] : log_.graphs) {
            for (const CapturedNode& node : map.captured) {
                for (const FinalValue& value : node.outputs) graph_of_[value.node] = id;
            }
        }
        for (const Log::Item& item : log_.items) {
            switch (item.kind) {
                case Log::Item::Kind::graph:
                    if (const auto map = log_.graphs.find(item.number); map != log_.graphs.end()) {
                        latest_[item.number] = runs_.size();
                        steps_.push_back({nullptr, runs_.size()});
                        runs_.push_back({&map->second});
                    }
                    break;
                case Log::Item::Kind::region:
                    if (GraphRun* run = run_of(item.node)) {
                        const std::size_t outer = run->holder_of(item.node);
                        run->instances.push_back({item.node, item.number, {}, {}});
                        run->instances[outer].inner.push_back(run->instances.size() - 1);
                    }
                    break;
                case Log::Item::Kind::event: {
                    const Event& event = log_.events[item.number];
                    if (event.node == 0) {
                        steps_.push_back({&event, 0});
                    } else if (GraphRun* run = run_of(event.node)) {
                        run->instances[run->holder_of(event.node)].events[event.node] = &event;
                    }
                    break;
                }
            }
        }
        for (const auto& [event, run] : steps_) {
            if (event) {
                emit(*event);
            } else {
                emit(runs_[run], 0, 0, 0);
            }
        }
        return std::move(sequence_);
    }

 private:
    /// The run that a node belongs to; null for nodes that stand for nothing the program asked for.
    GraphRun* run_of(NodeId node) {
        const auto graph = graph_of_.find(node);
        if (graph == graph_of_.end()) return nullptr;
        const auto run = latest_.find(graph->second);
        return run == latest_.end() ? nullptr : &runs_[run->second];
    }

    void put(Execution execution) {
        if (sequence_.by_key.size() <= execution.key) sequence_.by_key.resize(execution.key + 1);
        std::vector<std::uint32_t>& same = sequence_.by_key[execution.key];
        execution.occurrence = static_cast<std::uint32_t>(same.size());
        same.push_back(static_cast<std::uint32_t>(sequence_.executions.size()));
        sequence_.executions.push_back(std::move(execution));
    }

    void emit(const Event& event) {
        const std::uint64_t place =
            static_cast<std::uint64_t>(event.frame) << 32 | event.kind << 2 | static_cast<std::uint64_t>(event.phase);
        auto [it, fresh] = eager_keys_.try_emplace(place, 0);
        if (fresh) it->second = keys_.intern(log_.frame(event.frame), log_.kind(event.kind), event.phase);
        Execution execution;
        execution.key = it->second;
        execution.event = &event;
        for (const Value& value : event.outputs) execution.outputs.push_back(&value);
        put(std::move(execution));
    }

    const Regions& regions_of(const GraphMap& map) {
        auto [it, fresh] = regions_.try_emplace(&map);
        if (fresh) {
            for (std::uint32_t i = 0; i < map.captured.size(); ++i) {
                const CapturedNode& node = map.captured[i];
                it->second.nodes[Regions::key(node.parent, node.region)].push_back(i);
                it->second.keys.push_back(keys_.intern(log_.frame(node.frame), node.op, node.phase));
            }
        }
        return it->second;
    }

    void emit(const GraphRun& run, std::size_t instance, NodeId parent, std::uint32_t region) {
        const Regions& regions = regions_of(*run.map);
        const auto nodes = regions.nodes.find(Regions::key(parent, region));
        if (nodes == regions.nodes.end()) return;
        for (const std::uint32_t number : nodes->second) {
            const CapturedNode& node = run.map->captured[number];
            if (node.op == "If" || node.op == "While") {
                emit_regions(run, instance, node);
                continue;
            }
            Execution execution;
            execution.key = regions.keys[number];
            execution.graph = run.map;
            execution.node = &node;
            for (const FinalValue& value : node.outputs) {
                const auto event = run.instances[instance].events.find(value.node);
                const bool ran = event != run.instances[instance].events.end();
                if (ran && execution.event == nullptr) execution.event = event->second;
                const bool there = ran && value.output < event->second->outputs.size();
                execution.outputs.push_back(there ? &event->second->outputs[value.output] : nullptr);
            }
            put(std::move(execution));
        }
    }

    /// What ran of a branch or loop, as often as it did; eagerly its ops are Python's.
    void emit_regions(const GraphRun& run, std::size_t instance, const CapturedNode& node) {
        const NodeId owner = node.outputs.empty() ? node.id : node.outputs[0].node;
        for (const std::size_t inner : run.instances[instance].inner) {
            const Instance& i = run.instances[inner];
            if (i.owner == owner) emit(run, inner, node.id, i.region);
        }
    }

    const Log& log_;
    Keys& keys_;
    Sequence sequence_;
    std::unordered_map<NodeId, GraphId> graph_of_;
    std::unordered_map<GraphId, std::size_t> latest_;  // run of each graph
    std::vector<GraphRun> runs_;
    std::vector<std::pair<const Event*, std::size_t>> steps_;
    std::unordered_map<std::uint64_t, std::uint32_t> eager_keys_;
    std::unordered_map<const GraphMap*, Regions> regions_;
};

}  // namespace

Sequence sequence_of(const Log& log, Keys& keys) { return Builder(log, keys).build(); }

}  // namespace fusescope::check
