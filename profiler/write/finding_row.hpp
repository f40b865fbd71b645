// A finding as a row: sentence and detail.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "fusescope/finding.hpp"
#include "profiler/schema/rows.hpp"

namespace fusescope {

struct FindingPlace {
    std::string file;
    std::int64_t line = 0;
    std::string name;  ///< variable that the line assigns to; empty when it is no plain assignment
};

/// Finds the place of a frame.
using PlaceOf = std::function<FindingPlace(FrameId)>;

FindingRow finding_row(std::int64_t id, const Finding& finding, const PlaceOf& place_of);

/// "probs" of the line "    probs = ops.softmax(x)"; empty when it assigns to no single name.
std::string assigned_name(std::string_view line);

}  // namespace fusescope
