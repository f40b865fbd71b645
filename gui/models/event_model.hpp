// Every single op event, fetched a page at a time as the view scrolls.
#pragma once

#include <QCache>
#include <QSet>
#include <vector>

#include "gui/models/table_model.hpp"
#include "profiler/query/op_events.hpp"

namespace fusescope::gui {

class Session;

class EventModel : public TableModel {
    Q_OBJECT

 public:
    enum Columns { Number, Op, Start, Duration, Where, Scope, Mode, Device, Step, ColumnCount };

    explicit EventModel(Session& session, QObject* parent = nullptr);

    /// Takes the number of events from the session's summary; pages are asked for when they are shown.
    void reload();
    void clear();
    void setRelated(const QSet<qint64>& events);

    Selection selectionAt(int row) const override;
    int rowOf(const Selection& selection) const override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
    using Page = std::vector<query::OpEventInfo>;

    const query::OpEventInfo* eventAt(int row) const;
    void fetch(int page) const;
    QVariant text(const query::OpEventInfo& event, int column) const;

    Session& session_;
    int count_ = 0;
    mutable QCache<int, Page> pages_;
    mutable QSet<int> asked_;
    QSet<qint64> related_;
};

}  // namespace fusescope::gui
