#include "profiler/query/kernels.hpp"

namespace fusescope::query {

std::vector<KernelCode> kernel_code(Database& database, std::int64_t node_id) {
    std::vector<KernelCode> all;
    Statement statement = database.prepare(
        "SELECT c.form, c.text FROM kernel k JOIN kernel_code c ON c.id = k.code_id WHERE k.node_id = ?1 ORDER BY "
        "c.form DESC");
    statement.bind_all(node_id);
    while (statement.step()) all.push_back({statement.text(0), statement.text(1)});
    return all;
}

// A node has a row for each run of stages that it lives through, joined by origins of its own kind.
KernelBirth kernel_birth(Database& database, std::int64_t node_id) {
    KernelBirth birth;
    Statement statement = database.prepare(
        "SELECT s.pass, s.note, s.changed FROM node last JOIN node n ON n.name = last.name JOIN stage s ON s.id = "
        "n.stage_id JOIN stage l ON l.id = last.stage_id AND l.graph_id = s.graph_id WHERE last.id = ?1 ORDER BY "
        "s.ordinal LIMIT 1");
    statement.bind_all(node_id);
    if (statement.step()) {
        birth.pass = statement.text(0);
        birth.rule = statement.text(1);
    }
    return birth;
}

}  // namespace fusescope::query
