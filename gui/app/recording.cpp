// Starts, watches and stops the child that records.
#include "gui/app/recording.hpp"

#include <signal.h>

#include <QFileInfo>

namespace fusescope::gui {

// A script that is interrupted leaves its profile whole.
Recording::Recording(QObject* parent) : QObject(parent), process_(SIGINT) {
    connect(&profile_, &GrowingFile::appeared, this, &Recording::profileAppeared);
    connect(&profile_, &GrowingFile::grew, this, &Recording::profileGrew);
    connect(&process_, &QProcess::readyReadStandardOutput, this,
            [this] { emit wrote(QString::fromUtf8(process_.readAllStandardOutput()), false); });
    connect(&process_, &QProcess::readyReadStandardError, this,
            [this] { emit wrote(QString::fromUtf8(process_.readAllStandardError()), true); });
    connect(&process_, &QProcess::finished, this, &Recording::ended);
    connect(&process_, &ChildProcess::notStarted, this, [this](const QString& why) {
        profile_.stop();
        emit finished(why, false);
    });
}

bool Recording::start(const RecordOptions& options, QString* whyNot) {
    std::optional<ChildPlace> place = placeForChild(whyNot);
    if (!place) {
        return false;
    }
    directory_ = std::move(place->folder);
    options_ = options;
    const QString profile =
        directory_->filePath(QFileInfo(options.script).completeBaseName() + QStringLiteral(".fscope"));
    QStringList arguments{"--record",     profile,   "--mode",      options.mode,  "--device",
                          options.device, "--watch", options.watch, options.script};
    arguments += options.arguments;
    // What the program prints is to be seen at once, as in a terminal.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    process_.setProcessEnvironment(environment);
    process_.run(place->program, arguments, options.script);
    clock_.start();
    profile_.watch(profile);
    return true;
}

void Recording::ended(int code, QProcess::ExitStatus status) {
    profile_.finish();
    const QString name = QFileInfo(options_.script).fileName();
    const QString took = QString::number(static_cast<double>(clock_.elapsed()) / 1000, 'f', 1);
    QString how;
    if (process_.wasStopped()) {
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
    emit finished(how, status == QProcess::NormalExit && code == 0 && !process_.wasStopped());
}

}  // namespace fusescope::gui
