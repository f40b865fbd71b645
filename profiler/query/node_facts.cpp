// Where did the nodes of graphs run, and what was bad in their outputs?
#include "profiler/query/node_facts.hpp"

namespace fusescope::query {

std::unordered_map<std::int64_t, NodeFact> node_facts(Database& database) {
    std::unordered_map<std::int64_t, NodeFact> facts;
    Statement events = database.prepare("SELECT node_id, device FROM op_event WHERE node_id IS NOT NULL");
    while (events.step()) {
        NodeFact& fact = facts[events.integer(0)];
        if (fact.device.empty()) fact.device = events.text(1);
    }
    Statement bad = database.prepare(
        "SELECT e.node_id, sum(t.nan), sum(t.inf) FROM tensor t JOIN op_event e ON e.id = t.op_event_id WHERE (t.nan > "
        "0 OR t.inf > 0) AND e.node_id IS NOT NULL GROUP BY e.node_id");
    while (bad.step()) {
        NodeFact& fact = facts[bad.integer(0)];
        fact.nan = bad.integer(1);
        fact.inf = bad.integer(2);
    }
    return facts;
}

}  // namespace fusescope::query
