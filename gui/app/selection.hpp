// What is chosen: one thing, named by its kind and row, and maybe a time range. All panels show the same selection.
#pragma once

#include <QMetaType>
#include <QSet>
#include <QString>
#include <QVector>
#include <optional>

namespace fusescope::gui {

/// Nanoseconds of the run's clock, [begin, end).
struct TimeRange {
    qint64 begin = 0;
    qint64 end = 0;
    bool operator==(const TimeRange&) const = default;
};

struct Selection {
    enum class Kind { None, OpEvent, OpKind, Node, Line, Scope, Transfer, Finding, Stage, Graph };

    Kind kind = Kind::None;
    qint64 id = 0;  ///< row id; of the source when kind is Line
    int line = 0;   ///< 1-based, when kind is Line
    std::optional<TimeRange> range;

    static Selection opEvent(qint64 id) { return {Kind::OpEvent, id, 0, {}}; }
    static Selection opKind(qint64 id) { return {Kind::OpKind, id, 0, {}}; }
    static Selection node(qint64 id) { return {Kind::Node, id, 0, {}}; }
    static Selection sourceLine(qint64 source, int line) { return {Kind::Line, source, line, {}}; }
    static Selection scope(qint64 id) { return {Kind::Scope, id, 0, {}}; }
    static Selection transfer(qint64 id) { return {Kind::Transfer, id, 0, {}}; }
    static Selection finding(qint64 id) { return {Kind::Finding, id, 0, {}}; }
    static Selection stage(qint64 id) { return {Kind::Stage, id, 0, {}}; }
    static Selection graph(qint64 id) { return {Kind::Graph, id, 0, {}}; }

    bool isNone() const { return kind == Kind::None; }
    bool operator==(const Selection&) const = default;
};

/// Everything that the selected thing touches, worked out once per selection for all panels. Nodes of a given stage
/// are asked for by who shows that stage.
struct Related {
    Selection of;
    QSet<qint64> events;      ///< op events, the first few thousand of them
    QSet<qint64> kinds;       ///< op kinds of those events
    QSet<qint64> finalNodes;  ///< nodes of the graph that ran
    QSet<qint64> transfers;
    QSet<qint64> findings;
    QVector<QPair<qint64, int>> lines;  ///< (source, line), the most direct first
    QVector<qint64> graphs;             ///< that have the thing
    qint64 firstEvent = 0;              ///< event to show when there are many, 0 when there is none

    /// Whether what stands for `target` (an op kind, a kernel, a line) is to be marked.
    bool marks(const Selection& target) const {
        switch (target.kind) {
            case Selection::Kind::None:
                return false;
            case Selection::Kind::OpKind:
                return target == of || kinds.contains(target.id);
            case Selection::Kind::Node:
                return target == of || finalNodes.contains(target.id);
            case Selection::Kind::Line:
                // A line that is selected touches others through its ops; it alone is meant.
                return target == of || (of.kind != Selection::Kind::Line && lines.contains({target.id, target.line}));
            default:
                return target == of;
        }
    }
};

}  // namespace fusescope::gui

Q_DECLARE_METATYPE(fusescope::gui::Selection)
