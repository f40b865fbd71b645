// Starts, watches and stops the child that records.
#include "gui/app/recording.hpp"

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

namespace fusescope::gui {

namespace {

constexpr int kPatienceMs = 5000;  // a program that ignores SIGINT for this long is killed

}  // namespace

Recording::Recording(QObject* parent) : QObject(parent) {
    connect(&profile_, &GrowingFile::appeared, this, &Recording::profileAppeared);
    connect(&profile_, &GrowingFile::grew, this, &Recording::profileGrew);
    connect(&process_, &QProcess::readyReadStandardOutput, this,
            [this] { emit wrote(QString::fromUtf8(process_.readAllStandardOutput()), false); });
    connect(&process_, &QProcess::readyReadStandardError, this,
            [this] { emit wrote(QString::fromUtf8(process_.readAllStandardError()), true); });
    connect(&process_, &QProcess::finished, this, &Recording::ended);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            profile_.stop();
            emit finished(tr("%1 could not be started: %2").arg(process_.program(), process_.errorString()), false);
        }
    });
}

Recording::~Recording() {
    process_.disconnect(this);
    if (isRunning()) {
        process_.kill();
        process_.waitForFinished(1000);
    }
}

QString Recording::command() {
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

bool Recording::start(const RecordOptions& options, QString* whyNot) {
    const QString program = command();
    if (program.isEmpty()) {
        *whyNot = tr("The fusescope command was found neither beside the window's program nor on PATH.");
        return false;
    }
    directory_ = std::make_unique<QTemporaryDir>(QDir::temp().filePath(QStringLiteral("fusescope-XXXXXX")));
    if (!directory_->isValid()) {
        *whyNot = tr("No temporary directory for the profile: %1").arg(directory_->errorString());
        return false;
    }
    options_ = options;
    const QString profile =
        directory_->filePath(QFileInfo(options.script).completeBaseName() + QStringLiteral(".fscope"));
    stopped_ = false;
    QStringList arguments{"--record",     profile,   "--mode",      options.mode,  "--device",
                          options.device, "--watch", options.watch, options.script};
    arguments += options.arguments;
    // What the program prints is to be seen at once, as in a terminal.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    process_.setProcessEnvironment(environment);
    process_.setWorkingDirectory(QFileInfo(options.script).absolutePath());
    process_.setStandardInputFile(QProcess::nullDevice());
    process_.start(program, arguments);
    clock_.start();
    profile_.watch(profile);
    return true;
}

void Recording::stop() {
    if (!isRunning()) {
        return;
    }
    if (stopped_) {
        process_.kill();
        return;
    }
    stopped_ = true;
    ::kill(static_cast<pid_t>(process_.processId()), SIGINT);
    QTimer::singleShot(kPatienceMs, this, [this] {
        if (isRunning() && stopped_) {
            process_.kill();
        }
    });
}

void Recording::ended(int code, QProcess::ExitStatus status) {
    profile_.finish();
    const QString name = QFileInfo(options_.script).fileName();
    const QString took = QString::number(static_cast<double>(clock_.elapsed()) / 1000, 'f', 1);
    QString how;
    if (stopped_) {
        how = tr("%1 was stopped after %2 s; what was recorded until then is shown.").arg(name, took);
    } else if (status == QProcess::CrashExit) {
        how = tr("%1 crashed after %2 s; what was recorded until then is shown.").arg(name, took);
    } else if (code == 0) {
        how = tr("%1 ended after %2 s.").arg(name, took);
    } else if (code == 1) {
        how = tr("%1 raised an exception after %2 s; see Output.").arg(name, took);
    } else if (code == 4) {
        how = tr("A file could not be read or written; see Output.");
    } else {
        how = tr("%1 ended with exit status %2 after %3 s.").arg(name).arg(code).arg(took);
    }
    emit finished(how, status == QProcess::NormalExit && code == 0 && !stopped_);
}

}  // namespace fusescope::gui
