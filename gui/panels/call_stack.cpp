// Panel: the calls that led to where the program under debugging stands, innermost first.
#include <QFileInfo>
#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/app/theme.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/widgets/hint.hpp"

namespace fusescope::gui {

namespace {

class CallStackPanel : public Panel {
    Q_OBJECT

 public:
    explicit CallStackPanel(Session& session)
        : Panel(session), debug_(session.debug()), list_(new QTreeWidget), hint_(new Hint(*list_)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(list_);
        list_->setObjectName("callStack");
        list_->setAccessibleName(tr("Call stack"));
        list_->setRootIsDecorated(false);
        list_->setUniformRowHeights(true);
        list_->setFrameShape(QFrame::NoFrame);
        list_->setHeaderLabels({tr("Function"), tr("Place")});
        list_->header()->setStretchLastSection(false);
        list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
        list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
        list_->header()->setMaximumSectionSize(260);
        connect(list_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
            if (!quiet_ && item) {
                debug_.chooseFrame(list_->indexOfTopLevelItem(item));
            }
        });
        connect(&debug_, &DebugSession::frameChanged, this, [this] { invalidate(); });
        connect(&debug_, &DebugSession::stateChanged, this, [this] { invalidate(); });
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
    void fill() {
        quiet_ = true;
        list_->clear();
        QList<QTreeWidgetItem*> items;
        for (const DebugFrame& frame : debug_.frames()) {
            const QString file = QFileInfo(frame.path).fileName();
            auto* item = new QTreeWidgetItem(
                {frame.name, frame.line > 0 ? QStringLiteral("%1:%2").arg(file).arg(frame.line) : file});
            item->setToolTip(0, frame.name);
            item->setToolTip(1, frame.path);
            if (frame.graph) {
                item->setForeground(0, theme().mutedText);
            }
            items << item;
        }
        list_->addTopLevelItems(items);
        if (debug_.frameIndex() >= 0) {
            list_->setCurrentItem(list_->topLevelItem(debug_.frameIndex()));
        }
        quiet_ = false;
        hint_->setText(!items.isEmpty()    ? QString()
                       : debug_.isActive() ? tr("The program is running.")
                                           : tr("No program is being debugged."));
    }

    DebugSession& debug_;
    QTreeWidget* list_;
    Hint* hint_;
    bool quiet_ = false;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_call_stack() {
    return {QStringLiteral("call_stack"),
            QT_TRANSLATE_NOOP("panel", "Call Stack"),
            QStringLiteral("stack"),
            gui::DockPlace::RightBelow,
            10,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_1),
            [](gui::Session& session) { return new gui::CallStackPanel(session); },
            true};
}

}  // namespace fusescope

#include "call_stack.moc"
