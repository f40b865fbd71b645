// Numbers as people read them. One place, so that all panels agree.
#pragma once

#include <QString>

namespace fusescope::gui {

/// "1.24 ms"; three significant digits, ns to s.
QString durationText(double ns);
/// A point on a time axis whose ticks are `stepNs` apart: as many digits as tell neighbours apart, "244.172 ms".
QString axisTimeText(double ns, double stepNs);
/// "12.0 MiB"; binary units.
QString bytesText(double bytes);
/// "1.5 G"; decimal units, for FLOPs.
QString countText(double count);
/// "1 234 567" with thin grouping as the locale has it.
QString integerText(qint64 value);
/// "12.3 %" of a share in 0…1; "<0.1 %" for what would round to nothing.
QString percentText(double share);

}  // namespace fusescope::gui
