// Nodes and edges of a graph at one stage.
#include "profiler/query/stage_graph.hpp"

#include <unordered_set>

namespace fusescope::query {

namespace {

constexpr const char* kColumns =
    "SELECT n.id, n.stage_id, n.name, n.op, n.attributes, n.dtype, n.shape, n.scope, n.frame_id, p.path, f.line, "
    "n.flops, n.bytes, n.parent_id, n.phase FROM node n LEFT JOIN frame f ON f.id = n.frame_id LEFT JOIN source p ON "
    "p.id = "
    "f.source_id ";

// Rows whose life covers the stage ?1: they began in a stage of the same graph, at or before it. A profile of another
// writer may lack last_ordinal; then a row stands for its own stage only.
constexpr const char* kAlive =
    "JOIN stage b ON b.id = n.stage_id JOIN stage s ON s.id = ?1 AND b.graph_id = s.graph_id AND b.ordinal <= "
    "s.ordinal AND coalesce(n.last_ordinal, b.ordinal) >= s.ordinal ";

Node read(const Statement& statement) {
    Node n;
    statement.read(n.id, n.stage_id, n.name, n.op, n.attributes, n.dtype, n.shape, n.scope, n.frame_id, n.path, n.line,
                   n.flops, n.bytes, n.parent_id, n.phase);
    return n;
}

std::vector<Edge> edges_among(Database& database, std::int64_t stage_id, const std::vector<Node>& nodes) {
    std::unordered_set<std::int64_t> wanted;
    for (const Node& each : nodes) wanted.insert(each.id);
    std::vector<Edge> edges;
    Statement statement = database.prepare(
        std::string("SELECT e.source_node, e.source_output, e.target_node, e.target_input FROM edge e JOIN node n ON "
                    "n.id = e.target_node AND n.stage_id = e.stage_id ") +
        kAlive + "ORDER BY e.target_node, e.target_input");
    statement.bind_all(stage_id);
    while (statement.step()) {
        Edge edge;
        statement.read(edge.source, edge.source_output, edge.target, edge.target_input);
        if (wanted.contains(edge.source) && wanted.contains(edge.target)) edges.push_back(edge);
    }
    return edges;
}

}  // namespace

StageGraph stage_graph(Database& database, std::int64_t stage_id, Nesting nesting) {
    StageGraph graph;
    Statement statement = database.prepare(std::string(kColumns) + kAlive +
                                           (nesting == Nesting::top_level ? "WHERE n.parent_id IS NULL " : "") +
                                           "ORDER BY n.position, n.id");
    statement.bind_all(stage_id);
    while (statement.step()) graph.nodes.push_back(read(statement));
    graph.edges = edges_among(database, stage_id, graph.nodes);
    return graph;
}

StageGraph region(Database& database, std::int64_t stage_id, std::int64_t parent_id) {
    StageGraph graph;
    Statement statement =
        database.prepare(std::string(kColumns) + kAlive + "WHERE n.parent_id = ?2 ORDER BY n.position, n.id");
    statement.bind_all(stage_id, parent_id);
    while (statement.step()) graph.nodes.push_back(read(statement));
    graph.edges = edges_among(database, stage_id, graph.nodes);
    return graph;
}

std::optional<Node> node(Database& database, std::int64_t id) {
    Statement statement = database.prepare(std::string(kColumns) + "WHERE n.id = ?1");
    statement.bind_all(id);
    if (!statement.step()) return std::nullopt;
    return read(statement);
}

std::vector<Drop> drops(Database& database, std::int64_t stage_id) {
    std::vector<Drop> all;
    Statement statement = database.prepare(
        "SELECT d.node_id, n.name, n.op, d.reason FROM drop_record d LEFT JOIN node n ON n.id = d.node_id WHERE "
        "d.stage_id = ?1 ORDER BY d.node_id");
    statement.bind_all(stage_id);
    while (statement.step()) {
        Drop& drop = all.emplace_back();
        statement.read(drop.node_id, drop.name, drop.op, drop.reason);
    }
    return all;
}

}  // namespace fusescope::query
