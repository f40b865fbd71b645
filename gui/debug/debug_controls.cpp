#include "gui/debug/debug_controls.hpp"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include "gui/app/icons.hpp"
#include "gui/app/theme.hpp"
#include "gui/debug/debug_session.hpp"

namespace fusescope::gui {

DebugControls::DebugControls(DebugSession& debug, QWidget* parent)
    : QFrame(parent), debug_(debug), text_(new QLabel), place_(new QLabel) {
    setObjectName(QStringLiteral("debugBar"));
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    make("go", "continue", Qt::Key_F5, [this] {
        if (debug_.isActive()) {
            debug_.resume();
        } else {
            emit startRequested();
        }
    });
    make("pause", "pause", Qt::Key_F6, [this] { debug_.pause(); });
    make("op", "step_op", Qt::Key_F9, [this] { debug_.stepOp(); });
    make("over", "step_over", Qt::Key_F10, [this] { debug_.stepOver(); });
    make("in", "step_in", Qt::Key_F11, [this] { debug_.stepIn(); });
    make("out", "step_out", Qt::SHIFT | Qt::Key_F11, [this] { debug_.stepOut(); });
    make("back", "step_back", Qt::SHIFT | Qt::Key_F9, [this] { debug_.stepBack(); });
    make("reverse", "reverse", Qt::CTRL | Qt::SHIFT | Qt::Key_F9, [this] { debug_.reverse(); });
    make("stop", "stop", Qt::SHIFT | Qt::Key_F5, [this] { debug_.stop(); });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 10, 3);
    row->setSpacing(2);
    for (const QString& name : std::as_const(order_)) {
        auto* button = new QToolButton;
        button->setDefaultAction(actions_[name]);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setIconSize({18, 18});
        buttons_.insert(name, button);
        row->addWidget(button);
    }
    row->addSpacing(10);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    text_->setObjectName(QStringLiteral("debugState"));
    row->addWidget(text_, 1);
    place_->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(place_);
    connect(&debug, &DebugSession::stateChanged, this, &DebugControls::showState);
    connect(&debug, &DebugSession::frameChanged, this, &DebugControls::showState);
    retranslate();
}

void DebugControls::make(const QString& name, const QString& iconName, const QKeySequence& key,
                         const std::function<void()>& run) {
    auto* action = new QAction(icon(iconName), QString(), this);
    action->setObjectName(QStringLiteral("debug_") + name);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WindowShortcut);
    connect(action, &QAction::triggered, this, run);
    actions_.insert(name, action);
    icons_.insert(name, iconName);
    order_ << name;
}

void DebugControls::retranslate() {
    const QHash<QString, QString> texts{{"go", tr("Start Debugging")},
                                        {"pause", tr("Pause")},
                                        {"op", tr("Step Op: to just before the next op")},
                                        {"over", tr("Step Over")},
                                        {"in", tr("Step Into")},
                                        {"out", tr("Step Out")},
                                        {"back", tr("Step Back: to the op before")},
                                        {"reverse", tr("Reverse Continue: to the breakpoint before")},
                                        {"stop", tr("Stop Debugging")}};
    for (auto it = texts.cbegin(); it != texts.cend(); ++it) {
        QAction* const action = actions_[it.key()];
        action->setText(it.value());
        action->setToolTip(
            QStringLiteral("%1 (%2)").arg(it.value(), action->shortcut().toString(QKeySequence::NativeText)));
        buttons_[it.key()]->setAccessibleName(it.value());
    }
    showState();
}

void DebugControls::fillMenu(QMenu& menu) {
    for (const QString& name : std::as_const(order_)) {
        menu.addAction(actions_[name]);
        if (name == QStringLiteral("pause") || name == QStringLiteral("out") || name == QStringLiteral("reverse")) {
            menu.addSeparator();
        }
    }
}

void DebugControls::setCanStart(bool can) {
    canStart_ = can;
    showState();
}

void DebugControls::showState() {
    const auto state = debug_.state();
    const bool stopped = state == DebugSession::State::Stopped;
    const bool running = state == DebugSession::State::Running;
    QAction* const go = actions_["go"];
    go->setText(debug_.isActive() ? tr("Continue") : tr("Start Debugging"));
    go->setToolTip(QStringLiteral("%1 (F5)").arg(go->text()));
    go->setEnabled(stopped || (!running && canStart_));
    actions_["pause"]->setEnabled(running);
    actions_["stop"]->setEnabled(running || stopped);
    for (const char* name : {"op", "over", "in", "out", "back", "reverse"}) {
        actions_[QString::fromLatin1(name)]->setEnabled(stopped);
    }
    setVisible(running || stopped);
    const QString script = QFileInfo(debug_.script()).fileName();
    const DebugFrame* const frame = debug_.frame();
    if (stopped) {
        text_->setText(tr("<b>Stopped</b> %1").arg(debug_.whyStopped().toHtmlEscaped()));
        text_->setToolTip(debug_.whyStopped());
        place_->setText(frame && frame->line > 0
                            ? QStringLiteral("%1:%2").arg(QFileInfo(frame->path).fileName()).arg(frame->line)
                            : QString());
    } else {
        text_->setText(tr("<b>%1</b> is running under the debugger.").arg(script.toHtmlEscaped()));
        text_->setToolTip(debug_.script());
        place_->clear();
    }
    const Theme& t = theme();
    const QColor hue = stopped && debug_.stoppedByFault() ? t.error : stopped ? t.warning : t.related;
    const auto mix = [](int a, int b) { return static_cast<int>(a + (b - a) * 0.16); };
    QPalette tinted = palette();
    tinted.setColor(QPalette::Window, QColor(mix(t.background.red(), hue.red()), mix(t.background.green(), hue.green()),
                                             mix(t.background.blue(), hue.blue())));
    if (tinted != palette()) {
        setPalette(tinted);
    }
}

void DebugControls::drawIcons() {
    for (auto it = icons_.cbegin(); it != icons_.cend(); ++it) {
        actions_[it.key()]->setIcon(icon(it.value()));
    }
}

void DebugControls::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    // The one comes to the application only; the other to a widget with colours of its own.
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange) {
        drawIcons();
        showState();
    } else if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

}  // namespace fusescope::gui
