#include "gui/app/child_process.hpp"

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

namespace fusescope::gui {

namespace {

constexpr int kPatienceMs = 5000;  // a program that ignores the signal for this long is killed

}  // namespace

QString fusescopeCommand() {
    const QString named = qEnvironmentVariable("FUSESCOPE_COMMAND");
    if (!named.isEmpty()) {
        return named;
    }
    const QString beside = QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("fusescope"));
    if (QFileInfo(beside).isExecutable()) {
        return beside;
    }
    return QStandardPaths::findExecutable(QStringLiteral("fusescope"));
}

std::optional<ChildPlace> placeForChild(QString* whyNot) {
    ChildPlace place{fusescopeCommand(), nullptr};
    if (place.program.isEmpty()) {
        *whyNot = ChildProcess::tr("The fusescope command was found neither beside the window's program nor on PATH.");
        return {};
    }
    place.folder = std::make_unique<QTemporaryDir>(QDir::temp().filePath(QStringLiteral("fusescope-XXXXXX")));
    if (!place.folder->isValid()) {
        *whyNot = ChildProcess::tr("No temporary directory for the program: %1").arg(place.folder->errorString());
        return {};
    }
    return place;
}

ChildProcess::ChildProcess(int politely) : politely_(politely) {
    connect(this, &QProcess::errorOccurred, this, [this](ProcessError error) {
        if (error == FailedToStart) {
            emit notStarted(tr("%1 could not be started: %2").arg(program(), errorString()));
        }
    });
}

ChildProcess::~ChildProcess() {
    disconnect();
    if (isRunning()) {
        kill();
        waitForFinished(1000);
    }
}

void ChildProcess::run(const QString& program, const QStringList& arguments, const QString& script) {
    stopped_ = false;
    setWorkingDirectory(QFileInfo(script).absolutePath());
    setStandardInputFile(nullDevice());
    start(program, arguments);
}

void ChildProcess::stop() {
    if (!isRunning()) {
        return;
    }
    if (stopped_) {
        kill();
        return;
    }
    stopped_ = true;
    ::kill(static_cast<pid_t>(processId()), politely_);
    QTimer::singleShot(kPatienceMs, this, [this] {
        if (isRunning() && stopped_) {
            kill();
        }
    });
}

}  // namespace fusescope::gui
