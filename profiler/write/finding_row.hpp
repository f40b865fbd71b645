// A finding as a row: sentence and detail.
#pragma once

#include <cstdint>
#include <string>

#include "fusescope/finding.hpp"
#include "profiler/schema/rows.hpp"

namespace fusescope {

struct FindingPlace {
    std::string file;
    std::int64_t line = 0;
};

FindingRow finding_row(std::int64_t id, const Finding& finding, const FindingPlace& place, const FindingPlace& root);

}  // namespace fusescope
