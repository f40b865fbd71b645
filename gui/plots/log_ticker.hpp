// Ticks of a logarithmic axis, written in the units of the plot.
#pragma once

#include <qcustomplot.h>

#include <QString>
#include <cmath>
#include <functional>

namespace fusescope::gui {

class LogTicker : public QCPAxisTickerLog {
 public:
    explicit LogTicker(std::function<QString(double)> format, double base = 10) : format_(std::move(format)) {
        setLogBase(base);
        setSubTickCount(base == 10 ? 8 : 0);
    }

 protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return format_(tick); }

 private:
    std::function<QString(double)> format_;
};

/// Powers of ten around a positive value, so that an axis has at least two ticks.
inline double decadeBelow(double value) { return std::pow(10, std::floor(std::log10(value * 0.98))); }
inline double decadeAbove(double value) { return std::pow(10, std::ceil(std::log10(value * 1.02))); }

}  // namespace fusescope::gui
