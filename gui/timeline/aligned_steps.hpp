// Steps below each other, all beginning at 0, and what they are on average: which step is unlike the others, and where.
#pragma once

#include <functional>
#include <memory>

#include "gui/timeline/timeline_reader.hpp"

namespace fusescope::gui {

/// All steps when they are few, else the slowest, the middle one and the fastest. The average is over the steps that
/// ran the same ops in the same order as most did. Null when there are fewer than two steps, or when `stale` says so.
std::shared_ptr<const TimelineData> alignSteps(const TimelineReading& reading, const std::function<bool()>& stale);

}  // namespace fusescope::gui
