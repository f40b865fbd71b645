// Where did the time go, from the outside in? Op events by the stack of lines that issued them, and by the Cells they
// ran in.
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// Parents come before their children.
struct TimeNode {
    enum class What { line, scope, op };
    What what = What::op;
    int parent = -1;         ///< position in the tree, -1 for an outermost one
    std::int64_t id = 0;     ///< source of a line (0: not known), row of a scope (0: it only holds others), or op kind
    std::int64_t line = 0;   ///< of a line
    std::string name;        ///< function of a line, last part of a scope's path, name of the op
    std::string path;        ///< file of a line, whole path of a scope
    std::int64_t calls = 0;  ///< op events in it
    std::int64_t total_ns = 0;
};

struct TimeTree {
    Clock clock = Clock::measured;
    std::vector<TimeNode> nodes;
};

/// One tree for each clock that occurs. The ops are the leaves; an op without a frame is an outermost one.
std::vector<TimeTree> times_by_stack(Database& database, const EventFilter& filter = {});
std::vector<TimeTree> times_by_cell(Database& database, const EventFilter& filter = {});

}  // namespace fusescope::query
