// Panel: what can be looked at where the program under debugging stands: the op before and after, locals, globals.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/models/variable_model.hpp"
#include "gui/widgets/hint.hpp"

namespace fusescope::gui {

namespace {

class VariablesPanel : public Panel {
    Q_OBJECT

 public:
    explicit VariablesPanel(Session& session)
        : Panel(session),
          debug_(session.debug()),
          tree_(new QTreeView),
          hint_(new Hint(*tree_)),
          model_(new VariableModel(
              [this](int reference, const QString& filter, int start, int count, VariableModel::Answer answer) {
                  debug_.askVariables(reference, filter, start, count, this, std::move(answer));
              },
              [this](int reference, const QString& name, const QString& value) {
                  debug_.setVariable(reference, name, value, this, [this](bool ok, const QString& text) {
                      if (!ok) {
                          emit session_.note(text);
                      }
                  });
              },
              this)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(tree_);
        tree_->setObjectName("variables");
        tree_->setAccessibleName(tr("Variables"));
        tree_->setUniformRowHeights(true);
        tree_->setFrameShape(QFrame::NoFrame);
        tree_->setModel(model_);
        tree_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
        tree_->setContextMenuPolicy(Qt::CustomContextMenu);
        tree_->setIndentation(14);
        tree_->setTextElideMode(Qt::ElideRight);
        tree_->header()->setStretchLastSection(false);
        tree_->header()->setSectionResizeMode(VariableModel::Name, QHeaderView::Interactive);
        tree_->header()->setSectionResizeMode(VariableModel::Value, QHeaderView::Stretch);
        tree_->hideColumn(VariableModel::Type);  // a value says what it is, and the tip names the rest
        tree_->setColumnWidth(VariableModel::Name, 116);
        connect(tree_, &QWidget::customContextMenuRequested, this, &VariablesPanel::menu);
        connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& at) {
            open_.insert(model_->pathOf(at));
            closed_.remove(model_->pathOf(at));
        });
        connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex& at) {
            open_.remove(model_->pathOf(at));
            closed_.insert(model_->pathOf(at));
        });
        connect(model_, &QAbstractItemModel::rowsInserted, this,
                [this](const QModelIndex& parent, int first, int last) { reopen(parent, first, last); });
        connect(&debug_, &DebugSession::frameChanged, this, [this] { invalidate(); });
        connect(&debug_, &DebugSession::valuesChanged, this, [this] {
            stop_ = {};
            invalidate();
        });
        showHint();
    }

 protected:
    void reload() override {
        const DebugFrame* const frame = debug_.frame();
        if (!frame || debug_.state() != DebugSession::State::Stopped) {
            stop_ = {};
            model_->setScopes({});
            showHint();
            return;
        }
        // The recording grows, too: the same place is not read again for that.
        if (stop_ == std::pair(debug_.stopNumber(), debug_.frameIndex())) {
            return;
        }
        stop_ = {debug_.stopNumber(), debug_.frameIndex()};
        debug_.askScopes(this, [this](const QVector<DebugVariable>& scopes) {
            const bool first = model_->rowCount() == 0;
            model_->setScopes(scopes);
            for (int row = 0; row < model_->rowCount(); ++row) {
                tree_->setFirstColumnSpanned(row, {}, true);
            }
            reopen({}, 0, model_->rowCount() - 1);
            if (first) {
                tree_->setCurrentIndex({});
            }
            showHint();
        });
    }

    void clear() override {
        stop_ = {};
        model_->setScopes({});
        showHint();
    }

 private:
    void showHint() {
        hint_->setText(model_->rowCount() > 0 ? QString()
                       : debug_.isActive()    ? tr("Variables are shown while the program stands still.")
                                              : tr("No program is being debugged."));
    }

    // Opened are, besides what the user opened: the op and the locals, at the script's top level the globals.
    void reopen(const QModelIndex& parent, int first, int last) {
        const bool scopes = !parent.isValid();
        bool locals = false;
        for (int row = first; scopes && row <= last; ++row) {
            locals = locals || model_->index(row, 0).data().toString() == QStringLiteral("Locals");
        }
        for (int row = first; row <= last; ++row) {
            const QModelIndex at = model_->index(row, 0, parent);
            const QString path = model_->pathOf(at);
            const bool byItself =
                scopes && !path.startsWith(QStringLiteral("Last op")) && (path != QStringLiteral("Globals") || !locals);
            if (open_.contains(path) || (byItself && !closed_.contains(path))) {
                tree_->expand(at);
            }
        }
    }

    static bool isTensor(const DebugVariable& variable) {
        return variable.reference > 0 &&
               (variable.type == QStringLiteral("Tensor") || variable.type == QStringLiteral("Parameter"));
    }

    void menu(const QPoint& at) {
        const QModelIndex index = tree_->indexAt(at);
        const DebugVariable* const variable = model_->variable(index);
        if (!variable) {
            return;
        }
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Copy Value"), this, [text = variable->value] { QApplication::clipboard()->setText(text); });
        if (isTensor(*variable)) {
            menu->addAction(tr("Show as Tensor"), this, [this, reference = variable->reference, name = variable->name] {
                debug_.askTensor(reference, name);
            });
        }
        if (!variable->expression.isEmpty()) {
            menu->addAction(tr("Copy Expression"), this,
                            [text = variable->expression] { QApplication::clipboard()->setText(text); });
            const QModelIndex value = index.siblingAtColumn(VariableModel::Value);
            menu->addAction(tr("Set Value…"), this, [this, value = QPersistentModelIndex(value)] {
                if (value.isValid()) {
                    tree_->edit(value);
                }
            });
        }
        if (variable->type == QStringLiteral("Parameter") && !variable->expression.isEmpty()) {
            menu->addAction(tr("Stop When It Changes"), this, [this, name = variable->expression] { watchData(name); });
        }
        const int operand = model_->operandOf(index.siblingAtColumn(0));
        if (operand >= 0) {
            menu->addAction(tr("Go to Where It Was Made"), this, [this, operand] { debug_.goToBirth(operand); });
        }
        menu->popup(tree_->viewport()->mapToGlobal(at));
    }

    void watchData(const QString& expression) {
        debug_.askData(expression, this, [this](bool ok, const QString& text) {
            if (!ok) {
                emit session_.note(text);
                return;
            }
            Breakpoint b;
            b.kind = Breakpoint::Kind::Data;
            b.text = text;
            debug_.breakpoints().add(b);
            emit session_.note(tr("The program will stop when %1 changes.").arg(text));
        });
    }

    DebugSession& debug_;
    QTreeView* tree_;
    Hint* hint_;
    VariableModel* model_;
    QSet<QString> open_, closed_;  // paths that the user opened and closed
    std::pair<quint64, int> stop_{};
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_variables() {
    return {QStringLiteral("variables"),
            QT_TRANSLATE_NOOP("panel", "Variables"),
            QStringLiteral("variables"),
            gui::DockPlace::Right,
            1,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_2),
            [](gui::Session& session) { return new gui::VariablesPanel(session); },
            true};
}

}  // namespace fusescope

#include "variables.moc"
