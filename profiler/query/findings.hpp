// What should the user know?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct FindingInfo {
    std::int64_t id = 0;
    std::string kind;      ///< "nan", "shape", …: see fusescope/finding.hpp
    std::string severity;  ///< "info", "warning", "error"
    std::int64_t op_event_id = 0;
    std::int64_t frame_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::string message;  ///< English sentence
    std::string detail;   ///< JSON object as stored
};
/// In order of id, after `after_id`.
std::vector<FindingInfo> findings(Database& database, std::int64_t after_id = 0);
std::optional<FindingInfo> finding(Database& database, std::int64_t id);

}  // namespace fusescope::query
