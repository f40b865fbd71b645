// A stall is the gap between two ticks beyond the tick's own interval.
#include "gui/app/watchdog.hpp"

#include <algorithm>

namespace fusescope::gui {

namespace {

constexpr int kIntervalMs = 5;

}  // namespace

Watchdog::Watchdog(QObject* parent) : QObject(parent) {
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.setInterval(kIntervalMs);
    connect(&timer_, &QTimer::timeout, this, &Watchdog::tick);
    reset();
    timer_.start();
}

void Watchdog::reset() {
    longest_ = 0;
    sinceTick_.start();
}

qint64 Watchdog::longestStall() const { return std::max<qint64>({longest_, sinceTick_.elapsed() - kIntervalMs, 0}); }

void Watchdog::tick() { longest_ = std::max(longest_, sinceTick_.restart() - kIntervalMs); }

}  // namespace fusescope::gui
