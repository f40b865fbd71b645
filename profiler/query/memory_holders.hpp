// Who holds the memory that is live at a moment?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// Bytes by the line and op that raised the memory to where it is. A profile tells how much was allocated and given
/// back, and not which piece: what is given back counts as the latest of what is live, as a stack would have it. The
/// sums are exact, and so is who holds them as long as memory is given back in that order.
struct MemoryHolder {
    enum class What { op, outside, before };
    What what = What::op;  ///< an op; no op was running (data, parameters); allocated before the recording began
    std::int64_t kind_id = 0;
    std::string op;
    std::int64_t source_id = 0;  ///< 0 when it has no line
    std::int64_t line = 0;
    std::string path;
    std::int64_t bytes = 0;
    std::int64_t pieces = 0;       ///< growths that are still live
    std::int64_t op_event_id = 0;  ///< the one that holds most, 0 when none
    std::int64_t since_ns = 0;     ///< when the oldest of them was allocated
};

/// The most bytes first.
std::vector<MemoryHolder> memory_holders(Database& database, const std::string& device, std::int64_t time_ns);

}  // namespace fusescope::query
