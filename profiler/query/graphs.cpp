// Which graphs were compiled, through which stages, and where were they left?
#include "profiler/query/graphs.hpp"

namespace fusescope::query {

std::vector<Graph> graphs(Database& database, std::int64_t after_id) {
    std::vector<Graph> all;
    Statement statement = database.prepare(
        "SELECT g.id, g.name, g.signature, g.frame_id, s.path, f.line, g.compile_start_ns, g.compile_ns, (SELECT "
        "count(*) FROM stage WHERE graph_id = g.id) FROM graph g LEFT JOIN frame f ON f.id = g.frame_id LEFT JOIN "
        "source s ON s.id = f.source_id WHERE g.id > ?1 ORDER BY g.id");
    statement.bind_all(after_id);
    while (statement.step()) {
        Graph& graph = all.emplace_back();
        statement.read(graph.id, graph.name, graph.signature, graph.frame_id, graph.path, graph.line,
                       graph.compile_start_ns, graph.compile_ns, graph.stages);
    }
    for (Graph& graph : all) {
        std::vector<Stage> list = stages(database, graph.id);
        if (list.empty()) continue;
        graph.captured_nodes = list.front().nodes;
        graph.final_nodes = list.back().nodes;
    }
    return all;
}

std::vector<Stage> stages(Database& database, std::int64_t graph_id) {
    std::vector<Stage> all;
    Statement statement = database.prepare(
        "SELECT id, graph_id, ordinal, pass, duration_ns, changed, rewrites, note, coalesce(nodes, (SELECT count(*) "
        "FROM node WHERE stage_id = s.id)), coalesce(edges, (SELECT count(*) FROM edge WHERE stage_id = s.id)), "
        "peak_bytes FROM stage s WHERE graph_id = ?1 ORDER BY ordinal");
    statement.bind_all(graph_id);
    while (statement.step()) {
        Stage& stage = all.emplace_back();
        statement.read(stage.id, stage.graph_id, stage.ordinal, stage.pass, stage.duration_ns, stage.changed,
                       stage.rewrites, stage.note, stage.nodes, stage.edges, stage.peak_bytes);
    }
    return all;
}

std::string stage_text(Database& database, std::int64_t stage_id) {
    Statement statement = database.prepare(
        "SELECT b.text FROM stage s JOIN stage b ON b.graph_id = s.graph_id AND b.ordinal <= s.ordinal WHERE s.id = ?1 "
        "AND b.text <> '' ORDER BY b.ordinal DESC LIMIT 1");
    statement.bind_all(stage_id);
    return statement.step() ? statement.text(0) : std::string();
}

std::vector<GraphBreak> graph_breaks(Database& database, std::int64_t after_id) {
    std::vector<GraphBreak> all;
    Statement statement = database.prepare(
        "SELECT b.id, b.graph_id, b.frame_id, s.path, f.line, f.function, b.reason FROM graph_break b LEFT JOIN frame "
        "f "
        "ON f.id = b.frame_id LEFT JOIN source s ON s.id = f.source_id WHERE b.id > ?1 ORDER BY b.id");
    statement.bind_all(after_id);
    while (statement.step()) {
        GraphBreak& each = all.emplace_back();
        statement.read(each.id, each.graph_id, each.frame_id, each.path, each.line, each.function, each.reason);
    }
    return all;
}

}  // namespace fusescope::query
