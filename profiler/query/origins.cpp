// Where does a node come from, and what became of it?
#include "profiler/query/origins.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace fusescope::query {

namespace {

struct StagePlace {
    std::int64_t graph = 0;
    std::int64_t ordinal = 0;
};

StagePlace place_of(Database& database, std::int64_t stage_id) {
    StagePlace place;
    Statement statement = database.prepare("SELECT graph_id, ordinal FROM stage WHERE id = ?1");
    statement.bind_all(stage_id);
    if (statement.step()) statement.read(place.graph, place.ordinal);
    return place;
}

/// Walks from `start` along rows of `origin` until it stands on rows that live at `ordinal`.
class Walk {
 public:
    Walk(Database& database, StagePlace target)
        : target_(target),
          life_(database.prepare("SELECT b.graph_id, b.ordinal, coalesce(n.last_ordinal, b.ordinal) FROM node n JOIN "
                                 "stage b ON b.id = n.stage_id WHERE n.id = ?1")),
          down_(database.prepare("SELECT from_node_id FROM origin WHERE node_id = ?1")),
          up_(database.prepare("SELECT node_id FROM origin WHERE from_node_id = ?1")) {}

    void visit(std::int64_t node) {
        std::vector<std::int64_t> pending{node};
        while (!pending.empty()) {
            std::int64_t id = pending.back();
            pending.pop_back();
            if (!seen_.insert(id).second) continue;
            life_.bind_all(id);
            if (!life_.step()) continue;
            std::int64_t graph = 0, first = 0, last = 0;
            life_.read(graph, first, last);
            life_.reset();
            if (graph != target_.graph) continue;
            if (first <= target_.ordinal && target_.ordinal <= last) {
                found_.insert(id);
                continue;
            }
            Statement& next = first > target_.ordinal ? down_ : up_;
            next.bind_all(id);
            while (next.step()) pending.push_back(next.integer(0));
        }
    }

    std::vector<std::int64_t> found() const { return {found_.begin(), found_.end()}; }

 private:
    StagePlace target_;
    Statement life_, down_, up_;
    std::unordered_set<std::int64_t> seen_;
    std::set<std::int64_t> found_;
};

std::int64_t stage_at_end(Database& database, std::int64_t node_id, bool last) {
    Statement statement = database.prepare(
        last
            ? "SELECT t.id FROM node n JOIN stage b ON b.id = n.stage_id JOIN stage t ON t.graph_id = b.graph_id WHERE "
              "n.id = ?1 ORDER BY t.ordinal DESC LIMIT 1"
            : "SELECT t.id FROM node n JOIN stage b ON b.id = n.stage_id JOIN stage t ON t.graph_id = b.graph_id WHERE "
              "n.id = ?1 ORDER BY t.ordinal LIMIT 1");
    statement.bind_all(node_id);
    return statement.step() ? statement.integer(0) : 0;
}

}  // namespace

std::vector<std::int64_t> counterparts(Database& database, const std::vector<std::int64_t>& nodes,
                                       std::int64_t stage_id) {
    Walk walk(database, place_of(database, stage_id));
    for (std::int64_t node : nodes) walk.visit(node);
    return walk.found();
}

std::vector<std::int64_t> captured_nodes(Database& database, std::int64_t node_id) {
    return counterparts(database, {node_id}, stage_at_end(database, node_id, false));
}

std::vector<std::int64_t> final_nodes(Database& database, std::int64_t node_id) {
    return counterparts(database, {node_id}, stage_at_end(database, node_id, true));
}

std::map<std::int64_t, std::vector<std::int64_t>> origins_between(Database& database, std::int64_t upper_stage_id,
                                                                  std::int64_t lower_stage_id) {
    StagePlace upper = place_of(database, upper_stage_id);
    StagePlace lower = place_of(database, lower_stage_id);
    std::map<std::int64_t, std::vector<std::int64_t>> result;
    if (upper.graph != lower.graph) return result;

    struct Life {
        std::int64_t first = 0, last = 0;
    };
    std::unordered_map<std::int64_t, Life> lives;
    Statement nodes = database.prepare(
        "SELECT n.id, b.ordinal, coalesce(n.last_ordinal, b.ordinal) FROM stage b JOIN node n ON n.stage_id = b.id "
        "WHERE b.graph_id = ?1");
    nodes.bind_all(upper.graph);
    while (nodes.step()) {
        std::int64_t id = 0;
        Life life;
        nodes.read(id, life.first, life.last);
        lives[id] = life;
    }
    std::unordered_map<std::int64_t, std::vector<std::int64_t>> from;
    Statement origins = database.prepare(
        "SELECT o.node_id, o.from_node_id FROM stage b JOIN node n ON n.stage_id = b.id JOIN origin o ON o.node_id = "
        "n.id WHERE b.graph_id = ?1");
    origins.bind_all(upper.graph);
    while (origins.step()) from[origins.integer(0)].push_back(origins.integer(1));

    for (const auto& [id, life] : lives) {
        if (life.first > upper.ordinal || life.last < upper.ordinal) continue;
        std::set<std::int64_t> found;
        std::unordered_set<std::int64_t> seen;
        std::vector<std::int64_t> pending{id};
        while (!pending.empty()) {
            std::int64_t at = pending.back();
            pending.pop_back();
            auto known = lives.find(at);
            if (known == lives.end() || !seen.insert(at).second) continue;
            if (known->second.first <= lower.ordinal) {
                if (lower.ordinal <= known->second.last) found.insert(at);
                continue;
            }
            if (auto next = from.find(at); next != from.end()) {
                pending.insert(pending.end(), next->second.begin(), next->second.end());
            }
        }
        result[id].assign(found.begin(), found.end());
    }
    return result;
}

std::vector<Fusion> fusions(Database& database, std::int64_t graph_id) {
    auto stage = [&](const char* sql) {
        Statement statement = database.prepare(sql);
        statement.bind_all(graph_id);
        return statement.step() ? statement.integer(0) : 0;
    };
    std::int64_t first = stage("SELECT id FROM stage WHERE graph_id = ?1 ORDER BY ordinal LIMIT 1");
    std::int64_t last = stage("SELECT id FROM stage WHERE graph_id = ?1 ORDER BY ordinal DESC LIMIT 1");
    std::vector<Fusion> all;
    Statement node = database.prepare("SELECT name, op, bytes, parent_id FROM node WHERE id = ?1");
    for (const auto& [id, members] : origins_between(database, last, first)) {
        Fusion fusion;
        fusion.graph_id = graph_id;
        fusion.node_id = id;
        for (std::int64_t member : members) {
            node.bind_all(member);
            if (!node.step()) continue;
            std::string name, op;
            std::int64_t bytes = 0;
            node.read(name, op, bytes);
            node.reset();
            if (op == "Parameter" || op == "Constant" || op == "Return") continue;
            fusion.members.push_back(member);
            fusion.member_ops.push_back(op);
            fusion.bytes_before += bytes;
        }
        if (fusion.members.size() < 2) continue;
        node.bind_all(id);
        if (!node.step()) continue;
        std::int64_t parent = 0;
        node.read(fusion.name, fusion.op, fusion.bytes_after, parent);
        node.reset();
        if (parent != 0) continue;  // the inside of a fused node is part of it
        all.push_back(std::move(fusion));
    }
    std::stable_sort(all.begin(), all.end(), [](const Fusion& a, const Fusion& b) {
        return a.bytes_before - a.bytes_after > b.bytes_before - b.bytes_after;
    });
    return all;
}

}  // namespace fusescope::query
