// Panel: where the program under debugging is to stop, and how often each place was hit.
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSet>
#include <QShortcut>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/debug/breakpoint_dialog.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/debug/watch_condition.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/icon_button.hpp"
#include "profiler/query/frames.hpp"
#include "profiler/query/op_events.hpp"

namespace fusescope::gui {

namespace {

enum Column { Place, More, Hits };

constexpr int kHitRole = Qt::UserRole + 2;
constexpr int kMostHits = 200;  // that are shown of one watchpoint

class BreakpointsPanel : public Panel {
    Q_OBJECT

 public:
    explicit BreakpointsPanel(Session& session)
        : Panel(session), all_(session.debug().breakpoints()), tree_(new QTreeWidget) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* row = new QHBoxLayout;
        row->setContentsMargins(4, 2, 4, 2);
        row->setSpacing(2);
        auto* add = new IconButton(QStringLiteral("add"), tr("Add a breakpoint or watchpoint"));
        auto* menu = new QMenu(add);
        menu->addAction(tr("Function, Op or Cell…"), this, [this] { addNew(Breakpoint::Kind::Function); });
        menu->addAction(tr("Watchpoint…"), this, [this] { addNew(Breakpoint::Kind::Watch); });
        menu->addAction(tr("Change of a Parameter…"), this, [this] { addNew(Breakpoint::Kind::Data); });
        add->setMenu(menu);
        add->setPopupMode(QToolButton::InstantPopup);
        add->setObjectName("addBreakpoint");
        auto* remove = new IconButton(QStringLiteral("remove"), tr("Remove the chosen one (Del)"));
        connect(remove, &QToolButton::clicked, this, &BreakpointsPanel::removeChosen);
        row->addWidget(add);
        row->addWidget(remove);
        row->addStretch(1);
        column->addLayout(row);
        column->addWidget(tree_, 1);
        tree_->setObjectName("breakpoints");
        tree_->setAccessibleName(tr("Breakpoints"));
        tree_->setFrameShape(QFrame::NoFrame);
        tree_->setUniformRowHeights(true);
        tree_->setIndentation(16);
        tree_->setHeaderLabels({tr("Stop at"), tr("When"), tr("Hits")});
        tree_->header()->setStretchLastSection(false);
        tree_->header()->setSectionResizeMode(Place, QHeaderView::Stretch);
        tree_->header()->setSectionResizeMode(More, QHeaderView::ResizeToContents);
        tree_->header()->setSectionResizeMode(Hits, QHeaderView::ResizeToContents);
        tree_->header()->setMaximumSectionSize(260);
        tree_->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(tree_, &QWidget::customContextMenuRequested, this, &BreakpointsPanel::showMenu);
        connect(tree_, &QTreeWidget::itemChanged, this, &BreakpointsPanel::checked);
        tree_->setExpandsOnDoubleClick(false);
        connect(tree_, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) { edit(indexOf(item)); });
        connect(tree_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
            if (!quiet_) {
                goToHit(item);
            }
        });
        connect(tree_, &QTreeWidget::itemClicked, this, &BreakpointsPanel::goToHit);
        connect(tree_, &QTreeWidget::itemExpanded, this,
                [this](QTreeWidgetItem* item) { open_.insert(item->data(0, Qt::UserRole).toInt()); });
        connect(tree_, &QTreeWidget::itemCollapsed, this,
                [this](QTreeWidgetItem* item) { open_.remove(item->data(0, Qt::UserRole).toInt()); });
        auto* key = new QShortcut(QKeySequence::Delete, tree_);
        key->setContext(Qt::WidgetShortcut);
        connect(key, &QShortcut::activated, this, &BreakpointsPanel::removeChosen);
        connect(&all_, &Breakpoints::changed, this, [this] {
            if (!quiet_) {
                invalidate();
            }
        });
        fill();
    }

 protected:
    void reload() override { fill(); }
    void clear() override { fill(); }

    void changeEvent(QEvent* event) override {
        Panel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            invalidate();
        }
    }

 private:
    static QString conditionsOf(const Breakpoint& b) {
        QStringList parts;
        if (!b.condition.isEmpty()) {
            parts << b.condition;
        }
        if (!b.hitCondition.isEmpty()) {
            parts << tr("hits %1").arg(b.hitCondition);
        }
        if (!b.logMessage.isEmpty()) {
            parts << tr("log %1").arg(b.logMessage);
        }
        return parts.join(QStringLiteral(", "));
    }

    void fill() {
        quiet_ = true;
        QTreeWidgetItem* const before = tree_->currentItem();
        const QTreeWidgetItem* const holder = before && before->parent() ? before->parent() : before;
        const int chosen = holder ? tree_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(holder)) : -1;
        const int chosenHit = before && before->parent() ? before->data(0, kHitRole).toInt() : -1;
        const int scrolled = tree_->verticalScrollBar()->value();
        tree_->clear();
        // The style draws empty boxes a little darker than the window, which on a dark one cannot be seen.
        QPalette boxes = palette();
        if (theme().dark) {
            boxes.setColor(QPalette::Window, theme().mutedText);
        }
        tree_->setPalette(boxes);
        for (const Breakpoint& b : all_.all()) {
            const bool line = b.kind == Breakpoint::Kind::Line;
            auto* item =
                new QTreeWidgetItem({line ? QStringLiteral("%1:%2").arg(QFileInfo(b.path).fileName()).arg(b.line)
                                     : b.kind == Breakpoint::Kind::Watch ? tr("watch %1").arg(b.text)
                                     : b.kind == Breakpoint::Kind::Data  ? tr("change of %1").arg(b.text)
                                                                         : b.text,
                                     b.refused() && !b.message.isEmpty() ? b.message : conditionsOf(b),
                                     b.hits > 0 ? integerText(b.hits) : QString()});
            item->setData(0, Qt::UserRole, b.key);
            item->setCheckState(Place, b.enabled ? Qt::Checked : Qt::Unchecked);
            item->setToolTip(Place, b.refused()                         ? b.message
                                    : line                              ? b.path
                                    : b.kind == Breakpoint::Kind::Watch ? WatchCondition::sentence(b.text)
                                                                        : b.text);
            item->setToolTip(More, item->text(More));
            item->setTextAlignment(Hits, Qt::AlignRight | Qt::AlignVCenter);
            if (b.refused()) {
                item->setForeground(Place, theme().mutedText);
                item->setForeground(More, theme().error);
            }
            tree_->addTopLevelItem(item);
            addHits(*item, b);
            item->setExpanded(open_.contains(b.key));
        }
        for (const ExceptionFilter& filter : Breakpoints::knownFilters()) {
            auto* item = new QTreeWidgetItem({filter.title});
            item->setData(0, Qt::UserRole + 1, filter.id);
            item->setCheckState(Place, all_.filters().contains(filter.id) ? Qt::Checked : Qt::Unchecked);
            item->setToolTip(Place, filter.tip);
            tree_->addTopLevelItem(item);
            item->setFirstColumnSpanned(true);
        }
        if (chosen >= 0 && chosen < tree_->topLevelItemCount()) {
            QTreeWidgetItem* now = tree_->topLevelItem(chosen);
            for (int i = 0; chosenHit >= 0 && i < now->childCount(); ++i) {
                if (now->child(i)->data(0, kHitRole).toInt() == chosenHit) {
                    now = now->child(i);
                    break;
                }
            }
            tree_->setCurrentItem(now);
        }
        tree_->verticalScrollBar()->setValue(scrolled);
        quiet_ = false;
    }

    // The latest first.
    void addHits(QTreeWidgetItem& item, const Breakpoint& b) const {
        const auto size = static_cast<int>(b.list.size());
        for (int i = size; i-- > std::max(0, size - kMostHits);) {
            const WatchHit& hit = b.list[i];
            const QString place = hit.path.isEmpty()
                                      ? tr("an unknown line")
                                      : QStringLiteral("%1:%2").arg(QFileInfo(hit.path).fileName()).arg(hit.line);
            auto* child = new QTreeWidgetItem(
                {hit.op.isEmpty() ? tr("gradient at %1").arg(place) : tr("%1 at %2").arg(hit.op, place), hit.shape,
                 tr("step %1").arg(hit.step)});
            child->setData(0, Qt::UserRole, b.key);
            child->setData(0, kHitRole,
                           static_cast<int>(b.hits) - (size - i));  // the how-manieth: stays as others come
            child->setToolTip(Place, hit.path);
            child->setTextAlignment(Hits, Qt::AlignRight | Qt::AlignVCenter);
            item.addChild(child);
        }
    }

    /// To the op in the recording; to its line where that is not recorded.
    void goToHit(const QTreeWidgetItem* item) {
        const int at = item && item->parent() ? indexOf(item->parent()) : -1;
        if (at < 0 || !session_.hasProfile()) {
            return;
        }
        const Breakpoint& b = all_.all()[at];
        const auto number = static_cast<qsizetype>(item->data(0, kHitRole).toInt() - b.hits + b.list.size());
        if (number < 0 || number >= b.list.size()) {
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("hit"),
            [hit = b.list[number]](JobContext& context) -> Selection {
                const auto event = query::op_event(context.database(), hit.event);
                if (event && QString::fromStdString(event->name) == hit.op) {
                    return Selection::opEvent(event->id);
                }
                qint64 source = 0;
                for (const auto& each : query::sources(context.database())) {
                    const QString path = QString::fromStdString(each.path);
                    if (path == hit.path || (source == 0 && hit.path.endsWith(QLatin1Char('/') + path))) {
                        source = each.id;
                    }
                }
                return source > 0 ? Selection::sourceLine(source, hit.line) : Selection();
            },
            [this](const Selection& selection) {
                if (selection.isNone()) {
                    emit session_.note(tr("The line of this hit is not in the recording."));
                } else {
                    session_.select(selection);
                }
            });
    }

    int indexOf(const QTreeWidgetItem* item) const {
        for (int i = 0; item && !item->parent() && i < all_.all().size(); ++i) {
            if (all_.all()[i].key == item->data(0, Qt::UserRole).toInt()) {
                return i;
            }
        }
        return -1;
    }

    void checked(QTreeWidgetItem* item, int column) {
        if (quiet_ || column != Place) {
            return;
        }
        const bool on = item->checkState(Place) == Qt::Checked;
        const QString filter = item->data(0, Qt::UserRole + 1).toString();
        if (!filter.isEmpty()) {
            all_.setFilter(filter, on);
            return;
        }
        const int at = indexOf(item);
        if (at >= 0) {
            Breakpoint b = all_.all()[at];
            b.enabled = on;
            all_.replace(at, b);
        }
    }

    void removeChosen() { all_.remove(indexOf(tree_->currentItem())); }

    void addNew(Breakpoint::Kind kind) {
        Breakpoint b;
        b.kind = kind;
        auto* dialog = new BreakpointDialog(b, false, this);
        connect(dialog, &QDialog::accepted, this, [this, dialog] { all_.add(dialog->breakpoint()); });
        dialog->open();
    }

    void edit(int at) {
        if (at < 0) {
            return;
        }
        const Breakpoint& b = all_.all()[at];
        auto* dialog = new BreakpointDialog(b, false, this);
        connect(dialog, &QDialog::accepted, this, [this, dialog, key = b.key] {
            for (int i = 0; i < all_.all().size(); ++i) {
                if (all_.all()[i].key == key) {
                    all_.replace(i, dialog->breakpoint());
                    return;
                }
            }
        });
        dialog->open();
    }

    void showMenu(const QPoint& at) {
        const int index = indexOf(tree_->itemAt(at));
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        if (index >= 0) {
            menu->addAction(tr("Edit…"), this, [this, index] { edit(index); });
            menu->addAction(tr("Remove"), this, [this, index] { all_.remove(index); });
            menu->addSeparator();
        }
        menu->addAction(tr("Add Function, Op or Cell…"), this, [this] { addNew(Breakpoint::Kind::Function); });
        menu->addAction(tr("Add Watchpoint…"), this, [this] { addNew(Breakpoint::Kind::Watch); });
        menu->addAction(tr("Add Change of a Parameter…"), this, [this] { addNew(Breakpoint::Kind::Data); });
        menu->addSeparator();
        menu->addAction(tr("Remove All"), this, [this] { all_.removeAll(); });
        menu->popup(tree_->viewport()->mapToGlobal(at));
    }

    Breakpoints& all_;
    QTreeWidget* tree_;
    QSet<int> open_;  // keys of those whose hits are shown
    bool quiet_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_breakpoints() {
    return {QStringLiteral("breakpoints"),
            QT_TRANSLATE_NOOP("panel", "Breakpoints"),
            QStringLiteral("breakpoint"),
            gui::DockPlace::RightBelow,
            11,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_3),
            [](gui::Session& session) { return new gui::BreakpointsPanel(session); },
            true};
}

}  // namespace fusescope

#include "breakpoints.moc"
