// Panel: the bookmarks of the profile, with a note for each.
#include "gui/app/bookmarks.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QShortcut>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/widgets/hint.hpp"
#include "gui/widgets/icon_button.hpp"

namespace fusescope::gui {

namespace {

class BookmarksPanel : public Panel {
    Q_OBJECT

 public:
    explicit BookmarksPanel(Session& session)
        : Panel(session), all_(session.bookmarks()), tree_(new QTreeWidget), hint_(new Hint(*tree_)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* row = new QHBoxLayout;
        row->setContentsMargins(4, 2, 4, 2);
        remove_ = new IconButton(QStringLiteral("remove"), tr("Remove the chosen one (Del)"));
        restore_ = new IconButton(QStringLiteral("reverse"), tr("Bring back what was removed (Ctrl+Z)"));
        row->addWidget(remove_);
        row->addWidget(restore_);
        row->addStretch(1);
        column->addLayout(row);
        column->addWidget(tree_, 1);
        tree_->setObjectName("bookmarkList");
        tree_->setAccessibleName(tr("Bookmarks"));
        tree_->setFrameShape(QFrame::NoFrame);
        tree_->setUniformRowHeights(true);
        tree_->setRootIsDecorated(false);
        tree_->setHeaderLabels({tr("Note"), tr("Place")});
        tree_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
        tree_->header()->setSectionResizeMode(Note, QHeaderView::Interactive);
        tree_->header()->resizeSection(Note, 260);
        connect(tree_, &QTreeWidget::itemActivated, this,
                [this](QTreeWidgetItem* item) { session_.goTo(item->data(Note, Qt::UserRole).toString()); });
        connect(tree_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
            if (!filling_) {
                all_.setNote(tree_->indexOfTopLevelItem(item), item->text(Note));
            }
        });
        connect(tree_, &QTreeWidget::itemSelectionChanged, this, &BookmarksPanel::showButtons);
        connect(remove_, &QToolButton::clicked, this, &BookmarksPanel::removeChosen);
        connect(restore_, &QToolButton::clicked, this, [this] { all_.restore(); });
        const auto shortcut = [this](const QKeySequence& keys, auto run) {
            auto* key = new QShortcut(keys, tree_);
            key->setContext(Qt::WidgetShortcut);
            connect(key, &QShortcut::activated, this, run);
        };
        shortcut(QKeySequence::Delete, [this] { removeChosen(); });
        shortcut(QKeySequence::Undo, [this] { all_.restore(); });
        // Later: a list is not filled anew while it hands over an edit.
        connect(&all_, &Bookmarks::changed, this, &BookmarksPanel::fill, Qt::QueuedConnection);
        fill();
    }

 protected:
    void reload() override { fill(); }
    void clear() override { fill(); }

 private:
    enum Columns { Note, Where };

    void fill() {
        filling_ = true;
        const int current = tree_->indexOfTopLevelItem(tree_->currentItem());
        tree_->clear();
        for (const Bookmark& bookmark : all_.all()) {
            auto* item = new QTreeWidgetItem({bookmark.note, bookmark.text});
            item->setFlags(item->flags() | Qt::ItemIsEditable);
            item->setData(Note, Qt::UserRole, bookmark.address);
            item->setToolTip(Where, bookmark.address);
            tree_->addTopLevelItem(item);
        }
        tree_->setCurrentItem(tree_->topLevelItem(std::min(current, tree_->topLevelItemCount() - 1)));
        hint_->setText(all_.all().isEmpty() ? tr("Ctrl+D bookmarks what is selected.") : QString());
        filling_ = false;
        showButtons();
    }

    void removeChosen() { all_.remove(tree_->indexOfTopLevelItem(tree_->currentItem())); }

    void showButtons() {
        remove_->setEnabled(tree_->currentItem() != nullptr);
        restore_->setEnabled(all_.canRestore());
    }

    Bookmarks& all_;
    QTreeWidget* tree_;
    Hint* hint_;
    IconButton* remove_;
    IconButton* restore_;
    bool filling_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_bookmarks() {
    return {QStringLiteral("bookmarks"),
            QT_TRANSLATE_NOOP("panel", "Bookmarks"),
            QStringLiteral("bookmark"),
            gui::DockPlace::Bottom,
            9,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B),
            [](gui::Session& session) { return new gui::BookmarksPanel(session); }};
}

}  // namespace fusescope

#include "bookmarks.moc"
