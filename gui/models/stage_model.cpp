// Columns of the list of passes and of the list of changes.
#include "gui/models/stage_model.hpp"

#include <algorithm>

#include "gui/app/theme.hpp"
#include "gui/graph/graph_colors.hpp"
#include "gui/graph/stage_reader.hpp"
#include "gui/widgets/format.hpp"
#include "profiler/query/graphs.hpp"
#include "profiler/query/stage_costs.hpp"

namespace fusescope::gui {

namespace {

// "22 → 18", or one number when it stayed.
QString fromTo(const StageRow& row, const qint64 values[2], QString (*text)(qint64)) {
    return row.previous == 0 || values[0] == values[1] ? text(values[1])
                                                       : text(values[0]) + QStringLiteral(" → ") + text(values[1]);
}

QString trafficText(qint64 bytes) { return bytesText(static_cast<double>(bytes)); }

QVariant fadedUnlessChanged(const StageRow& row) { return row.changed ? QVariant() : QVariant(theme().mutedText); }

}  // namespace

QVector<StageRow> stageRows(Database& database, qint64 graph) {
    QVector<StageRow> rows;
    const auto costs = query::stage_costs(database, graph);
    for (const auto& stage : query::stages(database, graph)) {
        StageRow row;
        row.id = stage.id;
        row.ordinal = static_cast<int>(stage.ordinal);
        row.pass = QString::fromStdString(stage.pass);
        row.changed = stage.changed;
        row.durationNs = stage.duration_ns;
        row.note = QString::fromStdString(stage.note);
        row.peakBytes = stage.peak_bytes;
        row.nodes[1] = stage.nodes;
        const auto cost =
            std::find_if(costs.begin(), costs.end(), [&](const auto& each) { return each.ordinal == stage.ordinal; });
        if (cost != costs.end()) {
            row.ops[1] = cost->ops;
            row.bytes[1] = cost->bytes;
        }
        if (!rows.isEmpty()) {
            row.previous = rows.back().id;
            row.nodes[0] = rows.back().nodes[1];
            row.ops[0] = rows.back().ops[1];
            row.bytes[0] = rows.back().bytes[1];
        }
        rows.push_back(row);
    }
    return rows;
}

StageModel::StageModel(QObject* parent) : RowModel<StageRow>(parent) {
    Column ordinal{tr("#"), {},  [](const StageRow& row) { return QString::number(row.ordinal); }, {}, {}, {}, {},
                   {},      true};
    ordinal.color = fadedUnlessChanged;
    Column pass{tr("Pass"), {}, [](const StageRow& row) { return row.pass; }, {}, {}, {}, {}, {}, false};
    pass.color = fadedUnlessChanged;
    Column did{tr("What it did"), {}, {}, {}, {}, {}, {}, {}, false};
    did.text = [](const StageRow& row) {
        return row.previous == 0             ? tr("the graph as captured")
               : !row.note.isEmpty()         ? row.note
               : row.nodes[1] < row.nodes[0] ? tr("%1 nodes removed").arg(integerText(row.nodes[0] - row.nodes[1]))
               : row.changed                 ? tr("nodes added or rewritten")
                                             : tr("no change");
    };
    did.cellTip = [](const StageRow& row) {
        return row.peakBytes ? row.note + '\n' +
                                   tr("at most %1 in use at a time").arg(bytesText(static_cast<double>(*row.peakBytes)))
                             : row.note;
    };
    did.color = fadedUnlessChanged;
    Column time{tr("Time"), tr("How long the pass took"), {}, {}, {}, {}, {}, {}, true};
    time.text = [](const StageRow& row) {
        return row.previous == 0 ? QString() : durationText(static_cast<double>(row.durationNs));
    };
    time.color = fadedUnlessChanged;
    Column ops{tr("Ops"), tr("Nodes that compute, before and after; a fused kernel is one"), {}, {}, {}, {}, {}, {},
               true};
    ops.text = [](const StageRow& row) { return fromTo(row, row.ops, integerText); };
    ops.color = fadedUnlessChanged;
    Column traffic{tr("Traffic"), tr("Bytes read and written in one run, before and after"), {}, {}, {}, {}, {}, {},
                   true};
    traffic.text = [](const StageRow& row) { return fromTo(row, row.bytes, trafficText); };
    traffic.color = fadedUnlessChanged;
    setColumns({ordinal, pass, did, time, ops, traffic});
}

Selection StageModel::selectionAt(int row) const {
    return row >= 0 && row < rows_.size() ? Selection::stage(rows_[row].id) : Selection();
}

int StageModel::rowOf(const Selection& selection) const {
    for (int i = 0; selection.kind == Selection::Kind::Stage && i < rows_.size(); ++i) {
        if (rows_[i].id == selection.id) {
            return i;
        }
    }
    return -1;
}

QVector<ChangeRow> changeRows(Database& database, qint64 graph, qint64 earlier, qint64 later) {
    QVector<ChangeRow> rows;
    if (earlier == 0 || later == 0 || earlier == later) {
        return rows;
    }
    const auto [before, after] = readMarked(database, graph, earlier, later);
    const auto add = [&rows](const GraphNode& node) {
        rows.push_back({node.id, node.change, node.op, node.name, node.scope, node.note});
    };
    for (const GraphNode& node : after.nodes) {
        if (node.change != Change::None) {
            add(node);
        }
    }
    for (const GraphNode& node : before.nodes) {
        if (node.change == Change::Removed) {
            add(node);
        }
    }
    // What was made first, then what is gone.
    static constexpr Change order[] = {Change::Fused, Change::Changed, Change::Added, Change::Removed, Change::None};
    std::stable_sort(rows.begin(), rows.end(), [](const ChangeRow& a, const ChangeRow& b) {
        return std::find(std::begin(order), std::end(order), a.change) <
               std::find(std::begin(order), std::end(order), b.change);
    });
    return rows;
}

ChangeModel::ChangeModel(QObject* parent) : RowModel<ChangeRow>(parent) {
    Column what{tr("Change"), {}, {}, {}, {}, {}, {}, {}, false};
    what.text = [](const ChangeRow& row) {
        return signOfChange(row.change) + QStringLiteral("  ") + textOfChange(row.change);
    };
    what.color = [](const ChangeRow& row) { return QVariant(colorOfChange(row.change)); };
    Column op{tr("Op"), {}, [](const ChangeRow& row) { return row.op; }, {}, {}, {}, {}, {}, false};
    Column why{tr("How"), {}, [](const ChangeRow& row) { return row.note; }, {}, {}, {}, {}, {}, false};
    why.cellTip = [](const ChangeRow& row) { return row.note; };
    Column name{tr("Name"), {}, [](const ChangeRow& row) { return row.name; }, {}, {}, {}, {}, {}, false};
    Column where{tr("Scope"), {}, [](const ChangeRow& row) { return row.scope; }, {}, {}, {}, {}, {}, false};
    setColumns({what, op, why, name, where});
}

Selection ChangeModel::selectionAt(int row) const {
    return row >= 0 && row < rows_.size() ? Selection::node(rows_[row].node) : Selection();
}

int ChangeModel::rowOf(const Selection& selection) const {
    for (int i = 0; selection.kind == Selection::Kind::Node && i < rows_.size(); ++i) {
        if (rows_[i].node == selection.id) {
            return i;
        }
    }
    return -1;
}

}  // namespace fusescope::gui
