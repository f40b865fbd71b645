// Where did the time go, from the outside in?
#include "profiler/query/time_tree.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "profiler/query/frames.hpp"

namespace fusescope::query {

namespace {

struct Sum {
    std::int64_t calls = 0, total_ns = 0;
};

/// Sums of the events by a column of op_event `e` and op kind.
using Sums = std::map<std::pair<std::int64_t, std::int64_t>, Sum>;

void read_sums(Database& database, const EventFilter& filter, const char* column, Sums (&sums)[2]) {
    std::string sql =
        std::string("SELECT ") + column + ", e.kind_id, e.clock = 'modelled', e.duration_ns FROM op_event e";
    if (filter.needs_frame()) sql += " LEFT JOIN frame f ON f.id = e.frame_id";
    Statement statement = database.prepare(sql + " WHERE " + filter.sql());
    filter.bind_to(statement, 1);
    struct Hash {
        std::size_t operator()(const std::pair<std::int64_t, std::int64_t>& key) const {
            return static_cast<std::size_t>(key.first * 1'000'003 + key.second);
        }
    };
    std::unordered_map<std::pair<std::int64_t, std::int64_t>, Sum, Hash> found[2];
    while (statement.step()) {
        const std::int64_t duration = statement.integer(3);
        if (duration < 0) continue;
        Sum& sum = found[statement.integer(2) != 0][{statement.integer(0), statement.integer(1)}];
        ++sum.calls;
        sum.total_ns += duration;
    }
    for (int clock = 0; clock < 2; ++clock) sums[clock] = Sums(found[clock].begin(), found[clock].end());
}

/// Grows a tree by paths from the outside in; equal beginnings are one.
class Grower {
 public:
    explicit Grower(Clock clock) { tree_.clock = clock; }

    int child(int parent, TimeNode node) {
        const auto key =
            std::tuple(parent, node.what, node.id, node.line, node.what == TimeNode::What::op ? "" : node.name);
        const auto [known, fresh] = known_.try_emplace(key, static_cast<int>(tree_.nodes.size()));
        if (fresh) {
            node.parent = parent;
            tree_.nodes.push_back(std::move(node));
        }
        return known->second;
    }

    /// To the node and all that hold it.
    void add(int node, const Sum& sum) {
        for (; node >= 0; node = tree_.nodes[static_cast<std::size_t>(node)].parent) {
            tree_.nodes[static_cast<std::size_t>(node)].calls += sum.calls;
            tree_.nodes[static_cast<std::size_t>(node)].total_ns += sum.total_ns;
        }
    }

    TimeTree take() { return std::move(tree_); }

 private:
    TimeTree tree_;
    std::map<std::tuple<int, TimeNode::What, std::int64_t, std::int64_t, std::string>, int> known_;
};

template <class Outside>
std::vector<TimeTree> grow(Database& database, const EventFilter& filter, const char* column, Outside outside) {
    Sums sums[2];
    read_sums(database, filter, column, sums);
    std::map<std::int64_t, std::string> kinds;
    for (const Kind& kind : op_kinds(database)) kinds[kind.id] = kind.name;
    std::vector<TimeTree> trees;
    for (int clock = 0; clock < 2; ++clock) {
        if (sums[clock].empty()) continue;
        Grower grower(clock == 0 ? Clock::measured : Clock::modelled);
        for (const auto& [key, sum] : sums[clock]) {
            TimeNode op;
            op.what = TimeNode::What::op;
            op.id = key.second;
            op.name = kinds[key.second];
            grower.add(grower.child(outside(grower, key.first), std::move(op)), sum);
        }
        trees.push_back(grower.take());
    }
    return trees;
}

constexpr int kDeepest = 512;  // a damaged file may have frames in a ring

}  // namespace

std::vector<TimeTree> times_by_stack(Database& database, const EventFilter& filter) {
    struct Place {
        std::int64_t parent = 0, source = 0, line = 0;
        std::string function;
    };
    std::unordered_map<std::int64_t, Place> frames;
    Statement all = database.prepare("SELECT id, parent_id, source_id, line, function FROM frame");
    while (all.step()) {
        std::int64_t id = 0;
        Place place;
        all.read(id, place.parent, place.source, place.line, place.function);
        frames[id] = std::move(place);
    }
    std::unordered_map<std::int64_t, std::string> paths;
    for (const Source& source : sources(database)) paths[source.id] = source.path;
    return grow(database, filter, "e.frame_id", [&](Grower& grower, std::int64_t frame) {
        std::vector<const Place*> stack;
        for (auto at = frames.find(frame); at != frames.end() && stack.size() < kDeepest;
             at = frames.find(at->second.parent)) {
            stack.push_back(&at->second);
        }
        int node = -1;
        for (auto place = stack.rbegin(); place != stack.rend(); ++place) {
            TimeNode line;
            line.what = TimeNode::What::line;
            line.id = (*place)->source;
            line.line = (*place)->line;
            line.name = (*place)->function;
            line.path = paths[line.id];
            node = grower.child(node, std::move(line));
        }
        return node;
    });
}

std::vector<TimeTree> times_by_cell(Database& database, const EventFilter& filter) {
    std::unordered_map<std::int64_t, std::string> scope_paths;
    std::unordered_map<std::string, std::int64_t> rows;
    for (Scope& scope : scopes(database)) {
        rows[scope.path] = scope.id;
        scope_paths[scope.id] = std::move(scope.path);
    }
    return grow(database, filter, "e.scope_id", [&](Grower& grower, std::int64_t scope) {
        const std::string& path = scope_paths[scope];
        int node = -1;
        for (std::size_t begin = 0, depth = 0; begin < path.size() && depth < kDeepest; ++depth) {
            const std::size_t end = std::min(path.find('/', begin), path.size());
            TimeNode cell;
            cell.what = TimeNode::What::scope;
            cell.path = path.substr(0, end);
            cell.name = path.substr(begin, end - begin);
            if (const auto row = rows.find(cell.path); row != rows.end()) cell.id = row->second;
            begin = end + 1;
            // Paths begin with "Default", which says nothing when more follows.
            if (depth == 0 && cell.name == "Default" && begin < path.size()) continue;
            node = grower.child(node, std::move(cell));
        }
        return node;
    });
}

}  // namespace fusescope::query
