// Columns of the op table and the four ways to group it.
#include "gui/models/op_model.hpp"

#include <QFileInfo>
#include <QHash>

#include "gui/widgets/format.hpp"
#include "profiler/query/op_times.hpp"

namespace fusescope::gui {

namespace {

OpRow rowOfTotals(const query::Totals& totals) {
    OpRow row;
    row.calls = totals.calls;
    row.totalNs = totals.total_ns;
    row.minNs = totals.min_ns;
    row.maxNs = totals.max_ns;
    row.meanNs = totals.mean_ns();
    row.bytes = totals.bytes();
    row.flops = totals.flops;
    row.modelled = totals.clock == Clock::modelled;
    return row;
}

}  // namespace

query::EventFilter filterOf(const std::optional<TimeRange>& range) {
    query::EventFilter filter;
    if (range) {
        filter.range = query::TimeRange{range->begin, range->end};
    }
    return filter;
}

QVector<OpRow> opRows(Database& database, OpGrouping grouping, const query::EventFilter& filter) {
    QVector<OpRow> rows;
    switch (grouping) {
        case OpGrouping::Kind:
            for (const auto& time : query::times_by_kind(database, filter)) {
                OpRow row = rowOfTotals(time);
                row.target = Selection::opKind(time.kind_id);
                row.name = row.fullName = QString::fromStdString(time.name);
                rows.push_back(row);
            }
            break;
        case OpGrouping::Line:
            for (const auto& time : query::times_by_line(database, filter)) {
                OpRow row = rowOfTotals(time);
                if (time.source_id != 0) {
                    const QString path = QString::fromStdString(time.path);
                    row.target = Selection::sourceLine(time.source_id, static_cast<int>(time.line));
                    row.name = QStringLiteral("%1:%2").arg(QFileInfo(path).fileName()).arg(time.line);
                    row.fullName = QStringLiteral("%1:%2").arg(path).arg(time.line);
                    row.where = QString::fromStdString(time.function);
                } else {
                    row.name = row.fullName = OpModel::tr("(no line)");
                }
                rows.push_back(row);
            }
            break;
        case OpGrouping::Kernel:
            for (const auto& time : query::times_by_node(database, filter)) {
                OpRow row = rowOfTotals(time);
                row.target = Selection::node(time.node_id);
                row.name = row.fullName = QString::fromStdString(time.name);
                row.where =
                    QStringLiteral("%1 · %2").arg(QString::fromStdString(time.op), QString::fromStdString(time.graph));
                rows.push_back(row);
            }
            break;
        case OpGrouping::Scope:
            for (const auto& time : query::times_by_scope(database, filter)) {
                if (time.calls == 0) {
                    continue;
                }
                OpRow row = rowOfTotals(time);
                row.fullName = QString::fromStdString(time.path);
                row.target = time.scope_id != 0 ? Selection::scope(time.scope_id) : Selection();
                row.name = row.fullName.isEmpty() ? OpModel::tr("(no scope)") : row.fullName;
                rows.push_back(row);
            }
            break;
    }
    double total[2] = {0, 0};
    for (const auto& row : rows) {
        total[row.modelled] += static_cast<double>(row.totalNs);
    }
    for (auto& row : rows) {
        row.share = total[row.modelled] > 0 ? static_cast<double>(row.totalNs) / total[row.modelled] : 0;
    }
    return rows;
}

OpModel::OpModel(QObject* parent) : RowModel<OpRow>(parent) { setGrouping(OpGrouping::Kind); }

void OpModel::setGrouping(OpGrouping grouping) {
    const auto modelled = [](const OpRow& row) { return row.modelled; };
    const auto time = [&modelled](const QString& title, const QString& tip, auto value) {
        return Column{title,
                      tip,
                      [value](const OpRow& row) { return durationText(static_cast<double>(value(row))); },
                      [value](const OpRow& row) { return QVariant(static_cast<double>(value(row))); },
                      {},
                      modelled,
                      {},
                      {},
                      true};
    };
    QVector<Column> columns;
    const QString name = grouping == OpGrouping::Kind     ? tr("Op")
                         : grouping == OpGrouping::Line   ? tr("Line")
                         : grouping == OpGrouping::Kernel ? tr("Kernel")
                                                          : tr("Scope");
    columns.push_back(
        {name,
         {},
         [](const OpRow& row) { return row.where.isEmpty() ? row.name : row.name + QStringLiteral("   ") + row.where; },
         {},
         {},
         {},
         [](const OpRow& row) { return row.fullName; },
         {},
         false});
    columns.push_back({tr("Count"),
                       tr("How many times it ran"),
                       [](const OpRow& row) { return integerText(row.calls); },
                       [](const OpRow& row) { return QVariant(row.calls); },
                       {},
                       {},
                       {},
                       {},
                       true});
    columns.push_back(time(tr("Total"), tr("Sum of its durations"), [](const OpRow& row) { return row.totalNs; }));
    columns.push_back({tr("Share"),
                       tr("Of all op time by the same clock"),
                       [](const OpRow& row) { return percentText(row.share); },
                       [](const OpRow& row) { return QVariant(row.share); },
                       [](const OpRow& row) { return QVariant(row.share); },
                       modelled,
                       {},
                       {},
                       true});
    columns.push_back(time(tr("Average"), tr("Total by count"), [](const OpRow& row) { return row.meanNs; }));
    columns.push_back(time(tr("Min"), tr("Shortest run"), [](const OpRow& row) { return row.minNs; }));
    columns.push_back(time(tr("Max"), tr("Longest run"), [](const OpRow& row) { return row.maxNs; }));
    columns.push_back({tr("Bytes"),
                       tr("Memory read and written, all runs together"),
                       [](const OpRow& row) { return bytesText(static_cast<double>(row.bytes)); },
                       [](const OpRow& row) { return QVariant(row.bytes); },
                       {},
                       {},
                       {},
                       {},
                       true});
    columns.push_back({tr("FLOPs"),
                       tr("Floating-point operations, all runs together"),
                       [](const OpRow& row) { return countText(static_cast<double>(row.flops)); },
                       [](const OpRow& row) { return QVariant(row.flops); },
                       {},
                       {},
                       {},
                       {},
                       true});
    columns.push_back({tr("Clock"),
                       tr("Measured on this machine, or modelled by the cost model"),
                       [](const OpRow& row) { return row.modelled ? tr("modelled") : tr("measured"); },
                       {},
                       {},
                       modelled,
                       {},
                       {},
                       false});
    setColumns(std::move(columns));
}

Selection OpModel::selectionAt(int row) const { return rows_.value(row).target; }

int OpModel::rowOf(const Selection& selection) const {
    for (int i = 0; !selection.isNone() && i < rows_.size(); ++i) {
        if (rows_[i].target == selection) {
            return i;
        }
    }
    return -1;
}

}  // namespace fusescope::gui
