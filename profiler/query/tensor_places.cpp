#include "profiler/query/tensor_places.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "profiler/query/op_events.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/stage_graph.hpp"

namespace fusescope::query {

namespace {

/// Of a node with several outputs they are joined by ';'.
std::string part(const std::string& joined, std::int64_t number) {
    std::size_t begin = 0;
    for (; number > 0; --number) {
        begin = joined.find(';', begin);
        if (begin == std::string::npos) return {};
        ++begin;
    }
    return joined.substr(begin, joined.find(';', begin) - begin);
}

void describe(TensorPlace& place, const std::optional<Node>& made_by) {
    if (place.info) {
        place.dtype = place.info->dtype;
        place.shape = place.info->shape;
    } else if (made_by) {
        place.dtype = part(made_by->dtype, place.output);
        place.shape = part(made_by->shape, place.output);
    }
}

std::optional<TensorInfo> output_of(Database& database, std::int64_t event, std::int64_t output) {
    for (TensorInfo& info : tensors_of(database, event)) {
        if (info.output == output) return std::move(info);
    }
    return std::nullopt;
}

}  // namespace

std::vector<TensorPlace> tensor_places(Database& database, std::int64_t op_event_id) {
    std::vector<TensorPlace> places;
    const auto event = op_event(database, op_event_id);
    if (!event) return places;
    const auto own = event->node_id != 0 ? node(database, event->node_id) : std::nullopt;
    for (TensorInfo& info : tensors_of(database, op_event_id)) {
        TensorPlace& p = places.emplace_back();
        p.number = p.output = info.output;
        p.name = event->name;
        p.op_event_id = op_event_id;
        p.info = std::move(info);
        describe(p, own);
    }
    if (places.empty()) {
        TensorPlace& p = places.emplace_back();
        p.name = event->name;
        p.op_event_id = op_event_id;
        describe(p, own);
    }
    if (!own) return places;
    // The edges of the last stage that has the node are those that ran.
    Statement edges = database.prepare(
        "SELECT source_node, source_output, target_input FROM edge WHERE target_node = ?1 AND stage_id = "
        "(SELECT max(stage_id) FROM edge WHERE target_node = ?1) ORDER BY target_input");
    edges.bind_all(own->id);
    std::vector<Edge> read;
    while (edges.step()) {
        Edge& e = read.emplace_back();
        edges.read(e.source, e.source_output, e.target_input);
    }
    Statement before =
        database.prepare("SELECT id FROM op_event WHERE node_id = ?1 AND id < ?2 ORDER BY start_ns DESC LIMIT 1");
    for (const Edge& e : read) {
        const auto source = node(database, e.source);
        if (!source || source->op == "Constant") continue;
        TensorPlace& p = places.emplace_back();
        p.input = true;
        p.number = e.target_input;
        p.output = e.source_output;
        p.name = source->op == "Parameter" ? source->name : source->op;
        before.reset();
        before.bind_all(e.source, op_event_id);
        if (before.step()) {
            p.op_event_id = before.integer(0);
            p.info = output_of(database, p.op_event_id, e.source_output);
        }
        describe(p, source);
    }
    return places;
}

std::vector<TensorPoint> tensor_history(Database& database, std::int64_t op_event_id, std::int64_t output,
                                        std::int64_t limit) {
    std::vector<TensorPoint> points;
    const auto event = op_event(database, op_event_id);
    if (!event) return points;
    const std::string columns =
        "SELECT e.step, t.id, t.op_event_id, t.output, t.dtype, t.shape, t.count, t.nan, t.inf, t.zero, t.min, t.max, "
        "t.mean, t.std, t.first_bad_index, coalesce(length(t.value), 0) FROM op_event e JOIN tensor t ON "
        "t.op_event_id = e.id AND t.output = ?1 WHERE ";
    const bool graph = event->node_id != 0;
    Statement rows = database.prepare(
        columns + (graph ? "e.node_id = ?3 ORDER BY e.start_ns LIMIT ?2"
                         : "e.frame_id IS ?3 AND e.kind_id = ?4 AND e.scope_id IS ?5 AND e.node_id IS NULL AND "
                           "e.phase = ?6 ORDER BY e.id LIMIT ?2"));
    rows.bind(1, output);
    rows.bind(2, limit);
    if (graph) {
        rows.bind(3, event->node_id);
    } else {
        rows.bind(3, RowId{static_cast<std::uint64_t>(event->frame_id)});
        rows.bind(4, event->kind_id);
        rows.bind(5, RowId{static_cast<std::uint64_t>(event->scope_id)});
        rows.bind(6, event->phase);
    }
    while (rows.step()) {
        TensorPoint& p = points.emplace_back();
        TensorInfo& i = p.info;
        rows.read(p.step, i.id, i.op_event_id, i.output, i.dtype, i.shape, i.count, i.nan, i.inf, i.zero, i.min, i.max,
                  i.mean, i.std, i.first_bad_index, i.value_bytes);
    }
    return points;
}

WatchLevel watch_level(Database& database) {
    WatchLevel level;
    const auto all = runs(database);
    if (!all.empty()) {
        const auto options = nlohmann::json::parse(all.front().options, nullptr, false);
        if (options.is_object() && options.contains("watch") && options["watch"].is_string()) {
            level.watch = options["watch"].get<std::string>();
        }
    }
    const auto facts = meta(database);
    if (const auto skipped = facts.find("values_skipped"); skipped != facts.end()) {
        level.values_skipped = std::strtoll(skipped->second.c_str(), nullptr, 10);
    }
    return level;
}

std::vector<LineTensors> tensors_by_line(Database& database, std::int64_t source_id) {
    std::map<std::int64_t, LineTensors> lines;
    Statement last = database.prepare(
        "SELECT f.line, max(e.id) FROM frame f JOIN op_event e ON e.frame_id = f.id "
        "WHERE f.source_id = ?1 AND e.phase = 'forward' GROUP BY f.line");
    last.bind_all(source_id);
    while (last.step()) {
        const std::int64_t line = last.integer(0), id = last.integer(1);
        const auto made = tensors_of(database, id);
        const auto event = op_event(database, id);
        if (made.empty() || !event) continue;
        lines[line] = {line, event->name, made.front().dtype, made.front().shape, 0};
    }
    Statement bad = database.prepare(
        "SELECT f.line, count(*) FROM tensor t JOIN op_event e ON e.id = t.op_event_id JOIN frame f ON f.id = "
        "e.frame_id WHERE (t.nan > 0 OR t.inf > 0) AND f.source_id = ?1 GROUP BY f.line");
    bad.bind_all(source_id);
    while (bad.step()) {
        if (const auto at = lines.find(bad.integer(0)); at != lines.end()) at->second.unhealthy = bad.integer(1);
    }
    std::vector<LineTensors> all;
    for (auto& [line, tensors] : lines) all.push_back(std::move(tensors));
    return all;
}

}  // namespace fusescope::query
