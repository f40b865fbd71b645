// Small types that many queries share.
#include "profiler/query/common.hpp"

namespace fusescope::query {

std::string EventFilter::sql() const {
    std::string condition = "1";
    auto add = [&condition](bool set, const char* text) {
        if (set) condition += std::string(" AND ") + text;
    };
    add(run_id.has_value(), "e.run_id = ?");
    add(range.has_value(), "e.start_ns >= ? AND e.start_ns < ?");
    add(mode.has_value(), "e.mode = ?");
    add(device.has_value(), "e.device = ?");
    add(phase.has_value(), "e.phase = ?");
    add(kind_id.has_value(), "e.kind_id = ?");
    add(node_id.has_value(), "e.node_id = ?");
    add(frame_id.has_value(), "e.frame_id = ?");
    add(source_id.has_value(), "f.source_id = ?");
    add(line.has_value(), "f.line = ?");
    add(first_step.has_value(), "e.step >= ?");
    add(last_step.has_value(), "e.step <= ?");
    return condition;
}

int EventFilter::bind_to(Statement& statement, int parameter) const {
    auto bind = [&](const auto& value) {
        if (value) statement.bind(parameter++, *value);
    };
    bind(run_id);
    if (range) {
        statement.bind(parameter++, range->begin_ns);
        statement.bind(parameter++, range->end_ns);
    }
    bind(mode);
    bind(device);
    bind(phase);
    bind(kind_id);
    bind(node_id);
    bind(frame_id);
    bind(source_id);
    bind(line);
    bind(first_step);
    bind(last_step);
    return parameter;
}

}  // namespace fusescope::query
