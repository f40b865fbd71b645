#include "gui/app/check_command.hpp"

#include <QFileInfo>
#include <QMenu>

#include "gui/app/icons.hpp"
#include "gui/app/session.hpp"
#include "gui/widgets/check_dialog.hpp"
#include "gui/widgets/run_bar.hpp"

namespace fusescope::gui {

CheckCommand::CheckCommand(Session& session, RunBar& bar, QWidget& window)
    : QObject(&window), session_(session), bar_(bar), window_(window), action_(new QAction(this)) {
    action_->setObjectName(QStringLiteral("compareAction"));
    action_->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F6));
    action_->setEnabled(false);
    CheckRun& run = session.check();
    connect(action_, &QAction::triggered, this, &CheckCommand::ask);
    connect(&bar, &RunBar::stopRequested, &run, &CheckRun::stop);
    connect(&run, &CheckRun::changed, this, &CheckCommand::showProgress);
    connect(&session, &Session::profileClosed, this, &CheckCommand::changed);
    connect(&run, &CheckRun::profileAppeared, this, [this](const QString& path) { session_.open(path); });
    connect(&run, &CheckRun::finished, this, [this](const QString& how, bool ok) {
        bar_.showEnded(how, ok);
        emit changed();
    });
}

QString CheckCommand::script() const {
    if (!bar_.script().isEmpty()) {
        return bar_.script();
    }
    const QString recorded = session_.hasProfile() ? session_.summary().script : QString();
    return QFileInfo(recorded).isAbsolute() && QFileInfo(recorded).isReadable() ? recorded : QString();
}

void CheckCommand::fillMenu(QMenu& menu) {
    action_->setIcon(icon("compare"));
    action_->setText(tr("&Compare Eager and Graph…"));
    menu.addAction(action_);
    showProgress();
}

CheckOptions CheckCommand::offered() const {
    CheckOptions options = session_.check().options();
    const QString script = this->script();
    const RecordOptions chosen = bar_.chosen();
    if (options.script != script) {
        options = {};
        options.script = script;
    }
    if (chosen.script == script) {
        options.device = chosen.device;
        options.arguments = chosen.arguments.isEmpty() ? options.arguments : chosen.arguments;
    }
    return options;
}

void CheckCommand::ask() {
    auto* dialog = new CheckDialog(offered(), &window_);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { start(dialog->options()); });
    dialog->open();
}

void CheckCommand::start(const CheckOptions& options) {
    QString whyNot;
    if (!session_.check().start(options, &whyNot)) {
        bar_.showMessage(whyNot, false);
        return;
    }
    showProgress();
    emit changed();
}

void CheckCommand::showProgress() {
    const CheckRun& run = session_.check();
    if (!run.isRunning()) {
        return;
    }
    const CheckAnswer* const answer = run.answer();
    const QString doing = answer && !answer->finished() ? doingText(*answer) : tr("it begins");
    const QString soFar = answer && answer->compares() ? QLatin1Char(' ') + verdictText(*answer) : QString();
    bar_.showBusy(run.options().script, tr("Comparing eager and graph runs of <b>%1</b>: %2.%3")
                                            .arg(QFileInfo(run.options().script).fileName().toHtmlEscaped(),
                                                 doing.toHtmlEscaped(), soFar.toHtmlEscaped()));
}

}  // namespace fusescope::gui
