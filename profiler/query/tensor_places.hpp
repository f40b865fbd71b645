// Which values belong to an op, what became of one of them over the steps, and which were recorded at all?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/tensors.hpp"

namespace fusescope::query {

/// A value that an op made or read.
struct TensorPlace {
    bool input = false;
    std::int64_t number = 0;         ///< which output or input, from 0
    std::string name;                ///< of the op that made it, or of the Parameter that it is
    std::int64_t op_event_id = 0;    ///< that made it; 0 when no recorded one did
    std::int64_t output = 0;         ///< of that event
    std::string dtype, shape;        ///< of the node when nothing was recorded; empty when not known
    std::optional<TensorInfo> info;  ///< empty when neither statistics nor values were recorded
};

/// The outputs of an event, then its inputs as far as they are known: those of ops in graphs, by the graph's edges.
std::vector<TensorPlace> tensor_places(Database& database, std::int64_t op_event_id);

/// One value of a row of runs of the same op.
struct TensorPoint {
    std::int64_t step = 0;
    TensorInfo info;
};
/// All values that the same op made as the same output, in order: of the same node, or of the same line, op and Cell.
std::vector<TensorPoint> tensor_history(Database& database, std::int64_t op_event_id, std::int64_t output,
                                        std::int64_t limit = 100000);

/// How closely the run looked at its tensors.
struct WatchLevel {
    std::string watch;                ///< "off", "health", "stats", "values"; empty when it is not told
    std::int64_t values_skipped = 0;  ///< values that did not fit into the budget
};
WatchLevel watch_level(Database& database);

/// What the ops of a line made: the outputs of the last that ran there, and how often one was NaN or Inf.
struct LineTensors {
    std::int64_t line = 0;
    std::string op, dtype, shape;
    std::int64_t unhealthy = 0;  ///< outputs with NaN or Inf, of all that ran there
};
std::vector<LineTensors> tensors_by_line(Database& database, std::int64_t source_id);

}  // namespace fusescope::query
