#include "gui/timeline/aligned_steps.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <unordered_map>

#include "gui/timeline/timeline_lanes.hpp"
#include "gui/widgets/format.hpp"

namespace fusescope::gui {

namespace {

constexpr size_t kAllUpTo = 60;  // steps; of more the slowest are shown
constexpr size_t kSlowest = 30;

struct Step {
    qint64 number = 0;
    qint64 begin = 0;
    qint64 next = 0;      ///< where the one after it begins
    qint64 duration = 0;  ///< until its last op ends, which on a device may be after `next`
};

struct Range {
    qsizetype first = 0, last = 0;
};

// Ops of a step lie together in a row: on a device by when they were launched, if those times grow.
Range rangeOf(const OpLaneState& lane, const SliceStore& row, const Step& step) {
    if (row.hasLinks() && lane.inOrder) {
        return {row.firstLinkFrom(step.begin), row.firstLinkFrom(step.next)};
    }
    return {row.firstFrom(step.begin), row.firstFrom(step.next)};
}

std::vector<Step> stepsOf(const TimelineReading& reading) {
    std::vector<Step> steps;
    for (const auto& [number, extent] : reading.steps) {
        steps.push_back({number, extent.begin, INT64_MAX, extent.end - extent.begin});
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.begin < b.begin; });
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
        steps[i].next = steps[i + 1].begin;
    }
    return steps;
}

// What ran, in which order, as one number.
quint64 sequenceOf(const OpLaneState& lane, const Step& step) {
    quint64 hash = 14695981039346656037u;
    for (const auto& row : lane.rows) {
        const Range range = rangeOf(lane, row, step);
        for (qsizetype i = range.first; i < range.last; ++i) {
            hash = (hash ^ (row.label(i) + 1)) * 1099511628211u;
        }
        hash = (hash ^ 0xffffffffu) * 1099511628211u;
    }
    return hash;
}

bool isEmpty(const OpLaneState& lane, const Step& step) {
    return std::all_of(lane.rows.begin(), lane.rows.end(), [&](const SliceStore& row) {
        const Range range = rangeOf(lane, row, step);
        return range.first >= range.last;
    });
}

TimelineLane laneOf(const OpLaneState& ops, const QString& name) {
    TimelineLane lane;
    lane.kind = ops.device == QStringLiteral("cpu") ? LaneKind::Host : LaneKind::Device;
    lane.modelled = ops.modelled;
    lane.name = name;
    return lane;
}

void addAverage(const OpLaneState& ops, const std::vector<Step>& steps, const QString& place, TimelineData& data) {
    std::unordered_map<quint64, std::vector<const Step*>> alike;
    for (const Step& step : steps) {
        if (!isEmpty(ops, step)) {
            alike[sequenceOf(ops, step)].push_back(&step);
        }
    }
    const auto most = std::max_element(alike.begin(), alike.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == alike.end() || most->second.size() < 2) {
        return;
    }
    const auto& same = most->second;
    TimelineLane lane =
        laneOf(ops, QCoreApplication::translate("timeline", "average of %1 steps%2").arg(same.size()).arg(place));
    for (const auto& row : ops.rows) {
        const Range model = rangeOf(ops, row, *same.front());
        std::vector<double> begins(static_cast<size_t>(model.last - model.first)), durations(begins.size());
        for (const Step* step : same) {
            const qsizetype first = rangeOf(ops, row, *step).first;
            for (size_t i = 0; i < begins.size(); ++i) {
                begins[i] += static_cast<double>(row.begin(first + static_cast<qsizetype>(i)) - step->begin);
                durations[i] += static_cast<double>(row.duration(first + static_cast<qsizetype>(i)));
            }
        }
        SliceBuilder builder;
        const double count = static_cast<double>(same.size());
        for (size_t i = 0; i < begins.size(); ++i) {
            builder.add(static_cast<qint64>(begins[i] / count), static_cast<qint64>(durations[i] / count), 0,
                        row.label(model.first + static_cast<qsizetype>(i)));
        }
        if (builder.size() > 0) {
            TimelineRow made;
            made.slices = builder.take();
            made.target = Selection::Kind::None;
            lane.rows.push_back(std::move(made));
        }
    }
    data.lanes.push_back(std::move(lane));
}

void addStep(const OpLaneState& ops, const Step& step, const QString& place, TimelineData& data) {
    if (isEmpty(ops, step)) {
        return;
    }
    TimelineLane lane = laneOf(ops, QCoreApplication::translate("timeline", "step %1 · %2%3")
                                        .arg(step.number)
                                        .arg(durationText(static_cast<double>(step.duration)), place));
    for (const auto& row : ops.rows) {
        SliceBuilder builder;
        const Range range = rangeOf(ops, row, step);
        for (qsizetype i = range.first; i < range.last; ++i) {
            builder.add(row.begin(i) - step.begin, row.duration(i), row.id(i), row.label(i));
        }
        if (builder.size() > 0) {
            TimelineRow made;
            made.slices = builder.take();
            lane.rows.push_back(std::move(made));
        }
    }
    data.lanes.push_back(std::move(lane));
}

}  // namespace

std::shared_ptr<const TimelineData> alignSteps(const TimelineReading& reading, const std::function<bool()>& stale) {
    std::vector<Step> steps = stepsOf(reading);
    if (steps.size() < 2 || !reading.data) {
        return nullptr;
    }
    auto data = std::make_shared<TimelineData>();
    data->aligned = true;
    data->labels = reading.data->labels;
    const auto placeOf = [&reading](const OpLaneState& ops) {
        return reading.ops.size() > 1 ? QStringLiteral(", ") + laneName(ops.device, ops.number) : QString();
    };
    for (const auto& ops : reading.ops) {
        if (stale()) {
            return nullptr;
        }
        addAverage(ops, steps, placeOf(ops), *data);
    }
    const size_t all = steps.size();
    if (all > kAllUpTo) {
        std::stable_sort(steps.begin(), steps.end(),
                         [](const Step& a, const Step& b) { return a.duration > b.duration; });
        const Step middle = steps[all / 2], fastest = steps.back();
        steps.resize(kSlowest);
        steps.push_back(middle);
        steps.push_back(fastest);
        data->remark = QCoreApplication::translate(
                           "timeline", "Steps begin at 0 · the %1 slowest of %2, the middle one and the fastest")
                           .arg(kSlowest)
                           .arg(all);
    } else {
        data->remark = QCoreApplication::translate("timeline", "Steps begin at 0 · all %1").arg(all);
    }
    for (const Step& step : steps) {
        for (const auto& ops : reading.ops) {
            addStep(ops, step, placeOf(ops), *data);
        }
    }
    data->finish();
    data->first = std::min<qint64>(0, data->first);
    return stale() ? nullptr : data;
}

}  // namespace fusescope::gui
