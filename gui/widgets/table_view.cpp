// Selection, copying as text, and the painting of bars and marks in cells.
#include "gui/widgets/table_view.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <algorithm>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

class CellDelegate : public QStyledItemDelegate {
 public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& t = theme();
        if (index.data(RelatedRole).toBool() && !(option.state & QStyle::State_Selected)) {
            QColor shade = t.related;
            shade.setAlpha(45);
            painter->fillRect(option.rect, shade);
        }
        const QVariant share = index.data(ShareRole);
        const bool modelled = index.data(ModelledRole).toBool();
        if (share.isValid()) {
            QRectF bar = QRectF(option.rect).adjusted(3, 3, -3, -3);
            bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
            QColor color = t.device;
            color.setAlpha(120);
            painter->fillRect(bar, color);
            if (modelled) {
                painter->fillRect(bar, QBrush(t.background, Qt::BDiagPattern));
            }
        }
        QStyledItemDelegate::paint(painter, option, index);
    }

 protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(ModelledRole).toBool()) {
            option->font.setItalic(true);
        }
    }
};

}  // namespace

TableView::TableView(const QString& accessibleName, QWidget* parent) : QTableView(parent) {
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    horizontalHeader()->setHighlightSections(false);
    setItemDelegate(new CellDelegate(this));
}

void TableView::setTable(TableModel* model, bool sortable) {
    table_ = model;
    if (sortable) {
        proxy_ = new QSortFilterProxyModel(this);
        proxy_->setSourceModel(model);
        proxy_->setSortRole(SortRole);
        proxy_->setFilterKeyColumn(-1);
        proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
        setModel(proxy_);
        setSortingEnabled(true);
    } else {
        setModel(model);
    }
    connect(this->model(), &QAbstractItemModel::modelAboutToBeReset, this, [this] { quiet_ = true; });
    connect(this->model(), &QAbstractItemModel::modelReset, this, [this] { quiet_ = false; });
}

void TableView::setFilter(const QString& text) {
    if (proxy_) {
        const QScopedValueRollback<bool> quiet(quiet_, true);
        proxy_->setFilterFixedString(text);
    }
}

QModelIndex TableView::viewIndex(int row) const {
    const QModelIndex index = table_->index(row, 0);
    return proxy_ ? proxy_->mapFromSource(index) : index;
}

void TableView::showSelection(const Selection& selection) {
    const QScopedValueRollback<bool> quiet(quiet_, true);
    const int row = table_ ? table_->rowOf(selection) : -1;
    const QModelIndex index = row >= 0 ? viewIndex(row) : QModelIndex();
    if (index.isValid()) {
        if (currentIndex().row() != index.row()) {
            setCurrentIndex(index);
        }
        selectRow(index.row());
        scrollTo(index);
    } else {
        clearSelection();
        setCurrentIndex({});
    }
}

void TableView::revealRelated() {
    if (!model() || selectionModel()->hasSelection()) {
        return;
    }
    const int rows = std::min(model()->rowCount(), 20000);
    for (int row = 0; row < rows; ++row) {
        if (model()->index(row, 0).data(RelatedRole).toBool()) {
            scrollTo(model()->index(row, 0));
            return;
        }
    }
}

void TableView::fitColumns(int stretch) {
    for (int column = 0; model() && column < model()->columnCount(); ++column) {
        if (column == stretch) {
            horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
        } else {
            horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
            const int least =
                fontMetrics().horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString()) + 28;
            setColumnWidth(column, std::clamp(sizeHintForColumn(column) + 12, least, 320));
        }
    }
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (!quiet_ && current.isValid()) {
        const auto selection = current.data(SelectionRole).value<Selection>();
        if (!selection.isNone()) {
            emit chosen(selection);
        }
    }
}

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    QTableView::keyPressEvent(event);
}

void TableView::copy() const {
    QStringList lines;
    QStringList header;
    for (int column = 0; column < model()->columnCount(); ++column) {
        header << model()->headerData(column, Qt::Horizontal).toString();
    }
    lines << header.join('\t');
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column) {
            cells << row.siblingAtColumn(column).data().toString();
        }
        lines << cells.join('\t');
    }
    QApplication::clipboard()->setText(lines.join('\n'));
}

}  // namespace fusescope::gui
