// Which graphs were compiled, through which stages, and where were they left?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct Graph {
    std::int64_t id = 0;
    std::string name;
    std::string signature;
    std::int64_t frame_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::int64_t compile_start_ns = 0;
    std::int64_t compile_ns = 0;
    std::int64_t stages = 0;
    std::int64_t captured_nodes = 0;  ///< at ordinal 0, with those in regions
    std::int64_t final_nodes = 0;     ///< at the last ordinal
};
std::vector<Graph> graphs(Database& database, std::int64_t after_id = 0);

struct Stage {
    std::int64_t id = 0;
    std::int64_t graph_id = 0;
    std::int64_t ordinal = 0;
    std::string pass;
    std::int64_t duration_ns = 0;
    bool changed = true;
    std::int64_t rewrites = 0;
    std::string note;
    std::int64_t nodes = 0;
    std::int64_t edges = 0;
    std::optional<std::int64_t> peak_bytes;
};
std::vector<Stage> stages(Database& database, std::int64_t graph_id);

/// The IR text of a stage; that of the last changed stage before it when the pass changed nothing.
std::string stage_text(Database& database, std::int64_t stage_id);

struct GraphBreak {
    std::int64_t id = 0;
    std::int64_t graph_id = 0;
    std::int64_t frame_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::string function;
    std::string reason;
};
std::vector<GraphBreak> graph_breaks(Database& database, std::int64_t after_id = 0);

}  // namespace fusescope::query
