#include "gui/timeline/counter.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "gui/widgets/format.hpp"

namespace fusescope::gui {

void MemoryCounter::add(qint64 time, qint64 bytes) {
    peak_ = std::max(peak_, bytes);
    // An event that was written late joins the stretch that is open.
    if (!time_.empty() && (held_ < each_ || time < time_.back())) {
        highest_.back() = std::max(highest_.back(), bytes);
        last_.back() = bytes;
        ++held_;
        return;
    }
    if (size() == kMost) {
        halve();
    }
    const size_t n = time_.size();
    if (n > 0 && n % kBlock == 0) {
        blocks_.push_back(*std::max_element(highest_.end() - kBlock, highest_.end()));
    }
    time_.push_back(time);
    highest_.push_back(bytes);
    last_.push_back(bytes);
    held_ = 1;
}

void MemoryCounter::halve() {
    const size_t half = time_.size() / 2;
    for (size_t i = 0; i < half; ++i) {
        time_[i] = time_[2 * i];
        highest_[i] = std::max(highest_[2 * i], highest_[2 * i + 1]);
        last_[i] = last_[2 * i + 1];
    }
    for (auto* column : {&time_, &highest_, &last_}) {
        column->resize(half);
    }
    blocks_.clear();
    for (size_t i = kBlock; i < half; i += kBlock) {
        blocks_.push_back(*std::max_element(highest_.begin() + static_cast<std::ptrdiff_t>(i - kBlock),
                                            highest_.begin() + static_cast<std::ptrdiff_t>(i)));
    }
    each_ *= 2;
}

double MemoryCounter::highest(double begin, double end) const {
    const auto from = static_cast<qint64>(std::ceil(begin)), to = static_cast<qint64>(std::ceil(end));
    size_t i = static_cast<size_t>(std::lower_bound(time_.begin(), time_.end(), from) - time_.begin());
    qint64 most = i > 0 ? last_[i - 1] : 0;  // what was live when the pixel began
    while (i < time_.size() && time_[i] < to) {
        if (i % kBlock == 0 && i / kBlock < blocks_.size() && time_[i + kBlock - 1] < to) {
            most = std::max(most, blocks_[i / kBlock]);
            i += kBlock;
        } else {
            most = std::max(most, highest_[i++]);
        }
    }
    return static_cast<double>(most);
}

QString MemoryCounter::text(double value) const { return bytesText(value); }

double QueueCounter::highest(double begin, double end) const {
    // Launched until the end of the pixel, less what had ended when it began: never less than what was there at once.
    double waiting = 0;
    for (const SliceStore& row : rows_) {
        const qsizetype launched = row.firstLinkFrom(static_cast<qint64>(std::ceil(end)));
        const auto time = static_cast<qint64>(std::floor(begin));
        qsizetype ended = row.firstFrom(time + 1);
        if (ended > 0 && row.end(ended - 1) > time) {
            --ended;
        }
        waiting += static_cast<double>(std::max<qsizetype>(0, launched - ended));
    }
    return waiting;
}

QString QueueCounter::text(double value) const {
    return QCoreApplication::translate("timeline", "%1 queued").arg(integerText(static_cast<qint64>(value)));
}

BandwidthCounter::BandwidthCounter(SliceStore transfers) : transfers_(std::move(transfers)), before_{0} {
    for (qsizetype i = 0; i < transfers_.size(); ++i) {
        before_.push_back(before_.back() + transfers_.extra(i));
    }
}

double BandwidthCounter::copiedUntil(double time) const {
    const qsizetype next = transfers_.firstFrom(static_cast<qint64>(std::ceil(time)));
    if (next == 0) {
        return 0;
    }
    const qsizetype last = next - 1;
    const double bytes = static_cast<double>(before_[static_cast<size_t>(next)] - before_[static_cast<size_t>(last)]);
    const double length = std::max<double>(1, static_cast<double>(transfers_.duration(last)));
    const double done = std::clamp((time - static_cast<double>(transfers_.begin(last))) / length, 0.0, 1.0);
    return static_cast<double>(before_[static_cast<size_t>(last)]) + bytes * done;
}

double BandwidthCounter::highest(double begin, double end) const {
    return end > begin ? std::max(0.0, (copiedUntil(end) - copiedUntil(begin)) / (end - begin) * 1e9) : 0;
}

QString BandwidthCounter::text(double value) const {
    return QCoreApplication::translate("timeline", "%1/s").arg(bytesText(value));
}

}  // namespace fusescope::gui
