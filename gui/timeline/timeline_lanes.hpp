// How what was read is put together to lanes, in which order and under which names.
#pragma once

#include <QString>

#include "gui/timeline/timeline_reader.hpp"

namespace fusescope::gui {

/// "CPU thread 1", "Ascend stream 0"; never a word about the clock, which is shown for itself.
QString laneName(const QString& device, qint64 number);
QString deviceName(const QString& device);

/// Lanes of ops keep the order that they have in the reading.
void assembleLanes(Database& database, TimelineReading& reading, TimelineData& data);

}  // namespace fusescope::gui
