// The passes that a graph went through, and what became of the nodes in one of them.
#pragma once

#include <optional>

#include "gui/graph/graph_data.hpp"
#include "gui/models/table_model.hpp"

namespace fusescope {
class Database;
}

namespace fusescope::gui {

struct StageRow {
    qint64 id = 0;
    qint64 previous = 0;  ///< stage before it, 0 for the graph as captured
    int ordinal = 0;
    QString pass;
    bool changed = false;
    qint64 durationNs = 0;
    QString note;
    qint64 nodes[2] = {0, 0};  ///< of all kinds, with those in kernels
    qint64 ops[2] = {0, 0};    ///< nodes that compute, before and after; a fused kernel is one
    qint64 bytes[2] = {0, 0};  ///< memory traffic of one run
    std::optional<qint64> peakBytes;
};

/// Any thread.
QVector<StageRow> stageRows(Database& database, qint64 graph);

class StageModel : public RowModel<StageRow> {
    Q_OBJECT

 public:
    enum Columns { Ordinal, Pass, Did, Time, Ops, Traffic };

    explicit StageModel(QObject* parent = nullptr);
    Selection selectionAt(int row) const override;
    int rowOf(const Selection& selection) const override;
};

struct ChangeRow {
    qint64 node = 0;
    Change change = Change::None;
    QString op;
    QString name;
    QString scope;
    QString note;
};

/// What is different between two stages: nodes that came, went, changed or were fused. Any thread.
QVector<ChangeRow> changeRows(Database& database, qint64 graph, qint64 earlier, qint64 later);

class ChangeModel : public RowModel<ChangeRow> {
    Q_OBJECT

 public:
    enum Columns { What, Op, Why, Name, Scope };

    explicit ChangeModel(QObject* parent = nullptr);
    Selection selectionAt(int row) const override;
    int rowOf(const Selection& selection) const override;
};

}  // namespace fusescope::gui
