// Base of the flat item models: a concrete model states its columns and hands over rows.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QVector>
#include <functional>

#include "gui/app/selection.hpp"

namespace fusescope::gui {

/// Beside the roles of Qt.
enum TableRole {
    SortRole = Qt::UserRole,  ///< the raw value of a cell
    ShareRole,                ///< 0…1: length of the bar behind a cell; invalid when there is none
    ModelledRole,             ///< true when the value is from a cost model
    RelatedRole,              ///< true when the selection touches the row
    SelectionRole,            ///< Selection that the row stands for
};

/// Sealed contract of a table of values; no parents, no children.
class TableModel : public QAbstractTableModel {
    Q_OBJECT

 public:
    using QAbstractTableModel::QAbstractTableModel;

    virtual Selection selectionAt(int row) const = 0;
    /// Row that stands for the selection, -1 when none does.
    virtual int rowOf(const Selection& selection) const = 0;
};

template <typename Row>
class RowModel : public TableModel {
 public:
    struct Column {
        QString title;
        QString toolTip;
        std::function<QString(const Row&)> text;
        std::function<QVariant(const Row&)> sort;    ///< empty: by text
        std::function<QVariant(const Row&)> share;   ///< empty: no bar
        std::function<bool(const Row&)> modelled;    ///< empty: never
        std::function<QString(const Row&)> cellTip;  ///< empty: none
        std::function<QVariant(const Row&)> color;   ///< text colour; empty: the palette's
        bool number = false;
    };

    using TableModel::TableModel;

    void setColumns(QVector<Column> columns) {
        beginResetModel();
        columns_ = std::move(columns);
        endResetModel();
    }

    void setRows(QVector<Row> rows) {
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
    }
    const QVector<Row>& rows() const { return rows_; }

    /// Which rows the selection touches.
    void setRelated(std::function<bool(const Row&)> related) {
        related_ = std::move(related);
        if (!rows_.isEmpty() && !columns_.isEmpty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {RelatedRole});
        }
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(rows_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns_.size());
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
            return {};
        }
        const Row& row = rows_[index.row()];
        const Column& column = columns_[index.column()];
        switch (role) {
            case Qt::DisplayRole:
                return column.text(row);
            case Qt::ToolTipRole:
                return column.cellTip ? QVariant(column.cellTip(row)) : QVariant();
            case Qt::TextAlignmentRole:
                return QVariant::fromValue(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft));
            case Qt::ForegroundRole:
                return column.color ? column.color(row) : QVariant();
            case SortRole:
                return column.sort ? column.sort(row) : QVariant(column.text(row));
            case ShareRole:
                return column.share ? column.share(row) : QVariant();
            case ModelledRole:
                return column.modelled && column.modelled(row);
            case RelatedRole:
                return related_ && related_(row);
            case SelectionRole:
                return QVariant::fromValue(selectionAt(index.row()));
            default:
                return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columns_.size()) {
            return QAbstractTableModel::headerData(section, orientation, role);
        }
        switch (role) {
            case Qt::DisplayRole:
                return columns_[section].title;
            case Qt::ToolTipRole:
                return columns_[section].toolTip;
            case Qt::TextAlignmentRole:
                return QVariant::fromValue(Qt::AlignVCenter |
                                           (columns_[section].number ? Qt::AlignRight : Qt::AlignLeft));
            default:
                return {};
        }
    }

 protected:
    QVector<Row> rows_;
    QVector<Column> columns_;
    std::function<bool(const Row&)> related_;
};

}  // namespace fusescope::gui
