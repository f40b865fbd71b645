// Measures how long the event loop goes without turning, so that tests can say "the window never blocks".
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace fusescope::gui {

/// Lives on the GUI thread. A timer that should fire every few milliseconds notes by how much it came late.
class Watchdog : public QObject {
    Q_OBJECT

 public:
    explicit Watchdog(QObject* parent = nullptr);

    void reset();
    /// Longest time in ms between two turns of the event loop since reset(), the present one included.
    qint64 longestStall() const;

 private:
    void tick();

    QTimer timer_;
    QElapsedTimer sinceTick_;
    qint64 longest_ = 0;
};

}  // namespace fusescope::gui
