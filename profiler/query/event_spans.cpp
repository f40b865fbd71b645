#include "profiler/query/event_spans.hpp"

namespace fusescope::query {

void for_each_event_span(Database& database, const std::function<void(const EventSpan&)>& take) {
    Statement statement = database.prepare(
        "SELECT e.id, e.step, e.kind_id, e.node_id, f.source_id, f.line, e.scope_id, e.thread, e.stream, "
        "e.launch_ns, e.start_ns, e.duration_ns, e.bytes_read + e.bytes_written, e.flops, e.clock, e.device = 'cpu', "
        "e.phase, e.mode, e.device "
        "FROM op_event e LEFT JOIN frame f ON f.id = e.frame_id ORDER BY e.id");
    EventSpan span;
    while (statement.step()) {
        statement.read(span.id, span.step, span.kind_id, span.node_id, span.source_id, span.line, span.scope_id,
                       span.thread, span.stream, span.launch_ns, span.start_ns, span.duration_ns, span.bytes,
                       span.flops, span.clock, span.on_host, span.phase, span.mode, span.device);
        take(span);
    }
}

void for_each_output(Database& database,
                     const std::function<void(std::int64_t op_event_id, std::int64_t output, std::string text)>& take) {
    Statement statement = database.prepare(
        "SELECT op_event_id, output, dtype, shape FROM tensor WHERE op_event_id IS NOT NULL ORDER BY op_event_id, "
        "output");
    while (statement.step()) {
        take(statement.integer(0), statement.integer(1), statement.text(2) + " " + statement.text(3));
    }
}

}  // namespace fusescope::query
