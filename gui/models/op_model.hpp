// Op times as a table: grouped by kind, source line, kernel or scope.
#pragma once

#include "gui/models/table_model.hpp"
#include "profiler/query/common.hpp"

namespace fusescope::gui {

enum class OpGrouping { Kind, Line, Kernel, Scope };

struct OpRow {
    Selection target;
    QString name;
    QString where;  ///< second name: the function of a line, the graph of a kernel
    qint64 calls = 0;
    qint64 totalNs = 0;
    qint64 minNs = 0;
    qint64 maxNs = 0;
    double meanNs = 0;
    qint64 bytes = 0;
    qint64 flops = 0;
    double share = 0;  ///< of all time with the same clock
    bool modelled = false;
    QString fullName;  ///< for the tool tip
};

/// Asks the profile; any thread.
QVector<OpRow> opRows(Database& database, OpGrouping grouping, const query::EventFilter& filter = {});
/// What begins in the range; everything without one.
query::EventFilter filterOf(const std::optional<TimeRange>& range);

class OpModel : public RowModel<OpRow> {
    Q_OBJECT

 public:
    enum Columns { Name, Calls, Total, Share, Average, Minimum, Maximum, Bytes, Flops, ClockColumn };

    explicit OpModel(QObject* parent = nullptr);

    void setGrouping(OpGrouping grouping);
    Selection selectionAt(int row) const override;
    int rowOf(const Selection& selection) const override;
};

}  // namespace fusescope::gui
