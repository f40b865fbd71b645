// What did the program print?
#pragma once

#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct OutputPiece {
    std::int64_t id = 0;
    std::string stream;  ///< "stdout" or "stderr"
    std::int64_t time_ns = 0;
    std::string text;
};
/// In order of id, after `after_id`.
std::vector<OutputPiece> output(Database& database, std::int64_t after_id = 0);

}  // namespace fusescope::query
