// Units with three significant digits.
#include "gui/widgets/format.hpp"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace fusescope::gui {

namespace {

QString scaled(double value, const char* const* units, int count, double base) {
    int unit = 0;
    // 999.5 already shows as the next unit's 1.00.
    while (std::abs(value) >= base * 0.9995 && unit + 1 < count) {
        value /= base;
        ++unit;
    }
    const double size = std::abs(value);
    const int decimals = unit == 0 && size == std::floor(size) ? 0 : size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(value, 0, 'f', decimals).arg(QLatin1String(units[unit])).trimmed();
}

}  // namespace

QString durationText(double ns) {
    static const char* const units[] = {"ns", "µs", "ms", "s"};
    int unit = 0;
    while (std::abs(ns) >= 999.5 && unit < 3) {
        ns /= 1000;
        ++unit;
    }
    const double size = std::abs(ns);
    const int decimals = unit == 0 ? 0 : size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QStringLiteral("%1 %2").arg(ns, 0, 'f', decimals).arg(QString::fromUtf8(units[unit]));
}

QString axisTimeText(double ns, double stepNs) {
    static const char* const units[] = {"ns", "µs", "ms", "s"};
    int unit = 0;
    double scale = 1;
    while (std::abs(ns) >= scale * 999.5 && unit < 3) {
        scale *= 1000;
        ++unit;
    }
    if (ns == 0) {
        return QStringLiteral("0");
    }
    const int decimals = stepNs > 0 ? static_cast<int>(std::ceil(std::log10(scale / stepNs) - 1e-9)) : 0;
    return QStringLiteral("%1 %2")
        .arg(ns / scale, 0, 'f', std::clamp(decimals, 0, 9))
        .arg(QString::fromUtf8(units[unit]));
}

QString bytesText(double bytes) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return scaled(bytes, units, 5, 1024);
}

QString countText(double count) {
    static const char* const units[] = {"", "k", "M", "G", "T", "P"};
    return scaled(count, units, 6, 1000);
}

QString integerText(qint64 value) { return QLocale().toString(value); }

QString percentText(double share) {
    const double percent = share * 100;
    if (percent > 0 && percent < 0.1) {
        return QStringLiteral("<0.1 %");
    }
    return QStringLiteral("%1 %").arg(percent, 0, 'f', 1);
}

}  // namespace fusescope::gui
