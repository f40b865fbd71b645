// Wiring of the window. It names no panel: PanelDocks makes them from their definitions.
#include "gui/app/main_window.hpp"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "gui/app/check_command.hpp"
#include "gui/app/file_copy.hpp"
#include "gui/app/finder.hpp"
#include "gui/app/panel_docks.hpp"
#include "gui/app/settings.hpp"
#include "gui/debug/code_breaks.hpp"
#include "gui/debug/debug_controls.hpp"
#include "gui/debug/debug_session.hpp"
#include "gui/models/place.hpp"
#include "gui/widgets/breadcrumb.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/run_bar.hpp"
#include "gui/widgets/start_page.hpp"

namespace fusescope::gui {

namespace {

constexpr qint64 kPreviewBytes = 4 << 20;

}  // namespace

MainWindow::MainWindow()
    : stack_(new QStackedWidget),
      start_(new StartPage),
      preview_(new CodeView(CodeView::Language::Python)),
      centre_(new QTabWidget),
      menus_(new QMenuBar),
      runBar_(new RunBar),
      debugBar_(new DebugControls(session_.debug())),
      previewBreaks_(new CodeBreaks(session_.debug(), *preview_)),
      compare_(new CheckCommand(session_, *runBar_, *this)),
      breadcrumb_(new Breadcrumb(session_)),
      summary_(new QLabel),
      busy_(new QProgressBar) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    centre_->setDocumentMode(true);
    for (QWidget* page : std::initializer_list<QWidget*>{start_, preview_, centre_}) {
        stack_->addWidget(page);
    }
    setCentralWidget(stack_);
    // The run bar sits between the menus and everything else, over the whole width.
    auto* head = new QWidget;
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(menus_);
    column->addWidget(runBar_);
    column->addWidget(debugBar_);
    setMenuWidget(head);
    busy_->setRange(0, 0);
    busy_->setMaximumSize(80, 10);
    busy_->setTextVisible(false);
    busy_->hide();
    statusBar()->addWidget(breadcrumb_, 1);
    statusBar()->addPermanentWidget(busy_);
    statusBar()->addPermanentWidget(summary_);
    resize(1440, 900);
    restoreGeometry(settings::geometry());
    finder_ = new Finder(session_, *menus_, this);
    panels_ = std::make_unique<PanelDocks>(session_, *this, *centre_);
    makeMenus();
    retranslation_.setSingleShot(true);
    connect(&retranslation_, &QTimer::timeout, this, &MainWindow::retranslate);
    connectSession();
    connectRecording();
    connectDebugging();
    showSummary();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectSession() {
    connect(&session_, &Session::profileOpened, this, [this] {
        stack_->setCurrentWidget(centre_);
        panels_->setShown(true);
        if (!session_.isLive() && !session_.check().owns(session_.path())) {
            settings::addRecentFile(session_.path());
        }
        if (!session_.debug().isActive() && QFileInfo(session_.summary().script).isAbsolute()) {
            session_.debug().breakpoints().setScript(session_.summary().script);
        }
        showSummary();
        showWhatCanRun();
    });
    connect(&session_, &Session::profileGrew, this, &MainWindow::showSummary);
    connect(&session_, &Session::profileClosed, this, [this] {
        start_->refresh();
        stack_->setCurrentWidget(start_);
        panels_->setShown(false);
        panels_->setDebugging(session_.debug().isActive());
        showSummary();
    });
    connect(&session_, &Session::openFailed, this, [this](const QString&, const QString& reason) {
        runBar_->showMessage(reason, false);
        showSummary();
    });
    connect(&session_, &Session::note, this, [this](const QString& text) { statusBar()->showMessage(text, 10000); });
    connect(&session_.jobs(), &Jobs::busy, busy_, &QWidget::show);
    connect(&session_.jobs(), &Jobs::idle, busy_, &QWidget::hide);
    connect(start_, &StartPage::openRequested, this, &MainWindow::openDialog);
    connect(start_, &StartPage::fileChosen, this, &MainWindow::openPath);
}

void MainWindow::connectRecording() {
    connect(runBar_, &RunBar::runRequested, this, &MainWindow::run);
    connect(runBar_, &RunBar::stopRequested, &recording_, &Recording::stop);
    connect(&recording_, &Recording::profileAppeared, this, [this](const QString& path) { session_.open(path, true); });
    connect(&recording_, &Recording::profileGrew, &session_, &Session::refresh);
    connect(&recording_, &Recording::wrote, this, [this](const QString& text, bool error) {
        if (error) {
            lastError_ = (lastError_ + text).right(4000);
        }
    });
    connect(&recording_, &Recording::finished, this, [this](const QString& how, bool ok) {
        session_.finishLive();
        const QString last = lastError_.trimmed().section('\n', -1);
        runBar_->showEnded(ok || last.isEmpty() ? how : how + QStringLiteral("  ") + last, ok);
        showWhatCanRun();
        showSummary();
    });
}

void MainWindow::connectDebugging() {
    DebugSession& program = session_.debug();
    connect(runBar_, &RunBar::debugRequested, this, &MainWindow::debug);
    connect(runBar_, &RunBar::changed, this, &MainWindow::showWhatCanRun);
    connect(debugBar_, &DebugControls::startRequested, runBar_, &RunBar::startDebugging);
    connect(compare_, &CheckCommand::changed, this, &MainWindow::showWhatCanRun);
    connect(&program, &DebugSession::profileAppeared, this, [this](const QString& path) { session_.open(path, true); });
    connect(&program, &DebugSession::profileGrew, &session_, &Session::refresh);
    connect(&program, &DebugSession::refused, &session_, &Session::note);
    connect(&program, &DebugSession::stateChanged, this, [this, &program] {
        if (program.isActive()) {
            runBar_->hide();
            panels_->setDebugging(true);
        }
        if (program.state() == DebugSession::State::Stopped) {
            session_.refresh();  // all that led here is in the recording
        }
        showWhatCanRun();
    });
    connect(&program, &DebugSession::finished, this, [this](const QString& how, bool ok) {
        session_.finishLive();
        runBar_->showEnded(how, ok);
        showSummary();
    });
}

void MainWindow::showWhatCanRun() {
    const bool idle = !recording_.isRunning() && !session_.debug().isActive() && !session_.check().isRunning();
    compare_->setIdle(idle);
    stopAction_->setEnabled(recording_.isRunning() || session_.check().isRunning());
    runAction_->setEnabled(idle && !runBar_->script().isEmpty());
    debugBar_->setCanStart(idle && !runBar_->script().isEmpty());
}

void MainWindow::openPath(const QString& text) {
    const Link link = linkOf(text);
    const QString path = link.profile;
    const QFileInfo file(path);
    if (!link.address.isEmpty() && session_.hasProfile() && file == QFileInfo(session_.path())) {
        session_.goTo(link.address);
        return;
    }
    if (!file.exists()) {
        runBar_->showMessage(tr("%1 does not exist.").arg(path), false);
        return;
    }
    if (session_.debug().isActive()) {
        statusBar()->showMessage(tr("Stop the program that is debugged before opening another file."), 10000);
        return;
    }
    if (session_.check().isRunning()) {
        statusBar()->showMessage(tr("Stop the comparison before opening another file."), 10000);
        return;
    }
    if (file.suffix().compare(QStringLiteral("json"), Qt::CaseInsensitive) == 0) {
        QString whyNot;
        runBar_->dismiss();
        if (!session_.check().open(file.absoluteFilePath(), &whyNot)) {
            runBar_->showMessage(tr("%1 cannot be opened: %2").arg(path, whyNot), false);
        } else {
            settings::addRecentFile(file.absoluteFilePath());
        }
        return;
    }
    if (file.suffix().compare(QStringLiteral("py"), Qt::CaseInsensitive) != 0) {
        runBar_->dismiss();
        session_.open(file.absoluteFilePath());
        if (!link.address.isEmpty()) {
            session_.goTo(link.address);
        }
        return;
    }
    if (recording_.isRunning()) {
        runBar_->showRunning(recording_.options().script);
        statusBar()->showMessage(tr("Stop the program that runs before opening another."), 10000);
        return;
    }
    QFile script(path);
    if (!script.open(QIODevice::ReadOnly)) {
        runBar_->showMessage(tr("%1 cannot be read: %2").arg(path, script.errorString()), false);
        return;
    }
    session_.close();
    preview_->setText(QString::fromUtf8(script.read(kPreviewBytes)));
    session_.debug().breakpoints().setScript(file.absoluteFilePath());
    previewBreaks_->setPath(file.absoluteFilePath());
    stack_->setCurrentWidget(preview_);
    settings::addRecentFile(file.absoluteFilePath());
    runBar_->offer(file.absoluteFilePath());
    showSummary();
}

void MainWindow::run(const RecordOptions& options) {
    QString whyNot;
    lastError_.clear();
    session_.close();
    stack_->setCurrentWidget(preview_);
    if (!recording_.start(options, &whyNot)) {
        runBar_->showMessage(whyNot, false);
        return;
    }
    runBar_->showRunning(options.script);
    showWhatCanRun();
}

void MainWindow::debug(const RecordOptions& options) {
    QString whyNot;
    session_.close();
    stack_->setCurrentWidget(preview_);
    if (!session_.debug().start(options, &whyNot)) {
        runBar_->showMessage(whyNot, false);
    }
}

void MainWindow::openDialog() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), session_.path().isEmpty() ? QString() : QFileInfo(session_.path()).absolutePath(),
        tr("Profiles, scripts and comparisons (*.fscope *.py check.json);;All files (*)"));
    if (!path.isEmpty()) {
        openPath(path);
    }
}

void MainWindow::saveAs() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Profile As"),
                                                      QFileInfo(session_.path()).fileName(), tr("Profiles (*.fscope)"));
    if (path.isEmpty()) {
        return;
    }
    copyFile(session_.jobs(), this, session_.path(), path, [this, path](const QString& problem) {
        if (problem.isEmpty()) {
            statusBar()->showMessage(tr("Saved %1").arg(path), 10000);
            settings::addRecentFile(path);
        } else {
            runBar_->showMessage(problem, false);
        }
    });
}

void MainWindow::showSummary() {
    const bool open = session_.hasProfile();
    closeAction_->setEnabled(open || stack_->currentWidget() == preview_);
    saveAction_->setEnabled(open && !session_.isLive());
    if (!open) {
        setWindowTitle(QStringLiteral("fusescope"));
        summary_->clear();
        return;
    }
    setWindowTitle(tr("%1 — fusescope").arg(QFileInfo(session_.path()).fileName()));
    const ProfileSummary& s = session_.summary();
    QStringList parts{QFileInfo(s.script).fileName(), tr("mode: %1").arg(s.mode), tr("device: %1").arg(s.device),
                      tr("%1 op events").arg(integerText(s.opEvents)),
                      session_.isLive() ? tr("recording") : tr("run: %1").arg(s.status)};
    summary_->setText(parts.join(QStringLiteral("   ·   ")));
}

// Panels are built anew, and not while Qt goes through the window's children to tell them.
void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslation_.start(0);
    }
}

void MainWindow::retranslate() {
    makeMenus();
    panels_->rebuild(session_);
    start_->refresh();
    breadcrumb_->refresh();
    preview_->retranslate();
    showWhatCanRun();
    showSummary();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    panels_->save();
    recording_.stop();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            openPath(url.toLocalFile());
            event->acceptProposedAction();
            return;
        }
    }
}

}  // namespace fusescope::gui
