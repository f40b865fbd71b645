// A table that follows the session's selection: choosing a row selects what it stands for, and the other way round.
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>

#include "gui/models/table_model.hpp"

namespace fusescope::gui {

class TableView : public QTableView {
    Q_OBJECT

 public:
    explicit TableView(const QString& accessibleName, QWidget* parent = nullptr);

    /// `sortable` puts a sorting and filtering model between; without it the rows keep the model's order.
    void setTable(TableModel* model, bool sortable);
    void setFilter(const QString& text);
    /// Marks the row without telling anybody; none when no row stands for the selection.
    void showSelection(const Selection& selection);
    /// Scrolls to the first row that the selection touches, unless its own row is here.
    void revealRelated();
    /// Gives each column the width of its contents; `stretch` takes what is left.
    void fitColumns(int stretch);

 signals:
    void chosen(const fusescope::gui::Selection& selection);

 protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
    QModelIndex viewIndex(int row) const;
    void copy() const;

    TableModel* table_ = nullptr;
    QSortFilterProxyModel* proxy_ = nullptr;
    bool quiet_ = false;
};

}  // namespace fusescope::gui
