// A number over time, drawn as a curve under the slices: memory, queue, bandwidth. Each is asked a pixel at a time.
#pragma once

#include <QString>
#include <QVector>
#include <memory>
#include <vector>

#include "gui/timeline/slice_store.hpp"

namespace fusescope::gui {

class Counter {
 public:
    virtual ~Counter() = default;
    /// The highest value in [begin, end).
    virtual double highest(double begin, double end) const = 0;
    /// What the height of the row stands for; 0 when that is the highest value in sight.
    virtual double scale() const { return 0; }
    virtual QString text(double value) const = 0;
};

/// Live bytes: a staircase. Keeps the highest and the last of neighbouring events when there are very many.
class MemoryCounter : public Counter {
 public:
    void add(qint64 time, qint64 bytes);
    double highest(double begin, double end) const override;
    double scale() const override { return static_cast<double>(peak_); }
    QString text(double value) const override;
    qsizetype size() const { return static_cast<qsizetype>(time_.size()); }
    qint64 lastTime() const { return time_.empty() ? 0 : time_.back(); }
    qint64 firstTime() const { return time_.empty() ? 0 : time_.front(); }

 private:
    void halve();

    static constexpr qsizetype kMost = 400'000;
    static constexpr qsizetype kBlock = 16;
    std::vector<qint64> time_;
    std::vector<qint64> highest_;  ///< of the stretch that begins at the time
    std::vector<qint64> last_;     ///< at the end of that stretch
    std::vector<qint64> blocks_;   ///< highest of each full block
    qsizetype each_ = 1;           ///< events of a stretch
    qsizetype held_ = 0;           ///< events in the last stretch
    qint64 peak_ = 0;
};

/// Ops that were launched and have not ended: told from the columns of a stream that takes them in order, so that it
/// needs no memory of its own.
class QueueCounter : public Counter {
 public:
    explicit QueueCounter(QVector<SliceStore> rows) : rows_(std::move(rows)) {}
    double highest(double begin, double end) const override;
    QString text(double value) const override;

 private:
    QVector<SliceStore> rows_;
};

/// Bytes that were copied by time: the average over each pixel.
class BandwidthCounter : public Counter {
 public:
    explicit BandwidthCounter(SliceStore transfers);
    double highest(double begin, double end) const override;
    QString text(double value) const override;

 private:
    double copiedUntil(double time) const;

    SliceStore transfers_;
    std::vector<qint64> before_;  ///< bytes of all transfers before each, one longer than the store
};

}  // namespace fusescope::gui
