#include "gui/app/check_run.hpp"

#include <signal.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace fusescope::gui {

namespace {

constexpr int kPollMs = 150;
constexpr qsizetype kKeptErrors = 4000;

QString answerPath(const QString& folder) { return QDir(folder).filePath(QStringLiteral("check.json")); }

std::optional<CheckAnswer> readAnswer(const QString& path, QString* whyNot) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        *whyNot = file.errorString();
        return std::nullopt;
    }
    return parseCheckAnswer(file.readAll(), QFileInfo(path).absolutePath(), whyNot);
}

}  // namespace

CheckRun::CheckRun(QObject* parent) : QObject(parent), process_(SIGTERM) {
    poll_.setInterval(kPollMs);
    connect(&poll_, &QTimer::timeout, this, &CheckRun::look);
    connect(&process_, &QProcess::readyReadStandardOutput, this, [this] { process_.readAllStandardOutput(); });
    connect(&process_, &QProcess::readyReadStandardError, this,
            [this] { errors_ = (errors_ + QString::fromUtf8(process_.readAllStandardError())).right(kKeptErrors); });
    connect(&process_, &QProcess::finished, this, &CheckRun::ended);
    connect(&process_, &ChildProcess::notStarted, this, [this](const QString& why) {
        poll_.stop();
        emit finished(why, false);
    });
}

bool CheckRun::start(const CheckOptions& options, QString* whyNot) {
    std::optional<ChildPlace> place = placeForChild(whyNot);
    if (!place) {
        return false;
    }
    directory_ = std::move(place->folder);
    options_ = options;
    answer_.reset();
    seen_ = {};
    errors_.clear();
    profileTold_ = false;
    QStringList arguments{QStringLiteral("--check"),
                          QStringLiteral("--format"),
                          QStringLiteral("json"),
                          QStringLiteral("-o"),
                          QDir(directory_->path()).filePath(QStringLiteral("answer.json")),
                          QStringLiteral("--keep"),
                          directory_->path(),
                          QStringLiteral("--device"),
                          options.device};
    const auto add = [&](const char* option, const QString& value) {
        if (!value.isEmpty()) {
            arguments << QLatin1String(option) + QLatin1Char('=') + value;
        }
    };
    add("--rtol", options.rtol);
    add("--atol", options.atol);
    add("--passes", options.passes);
    arguments << options.script << options.arguments;
    process_.run(place->program, arguments, options.script);
    poll_.start();
    emit changed();
    return true;
}

bool CheckRun::open(const QString& path, QString* whyNot) {
    const std::optional<CheckAnswer> answer = readAnswer(path, whyNot);
    if (!answer) {
        return false;
    }
    profileTold_ = false;
    take(*answer);
    return true;
}

bool CheckRun::owns(const QString& path) const {
    return directory_ && QFileInfo(path).absolutePath() == QFileInfo(directory_->path()).absoluteFilePath();
}

void CheckRun::look() {
    QFileInfo file(answerPath(directory_->path()));
    file.setCaching(false);
    if (!file.exists() || file.lastModified() == seen_) {
        return;
    }
    seen_ = file.lastModified();
    QString whyNot;
    if (const std::optional<CheckAnswer> answer = readAnswer(file.filePath(), &whyNot)) {
        take(*answer);
    }
}

void CheckRun::take(const CheckAnswer& answer) {
    answer_ = answer;
    emit changed();
    const QString profile = answer.graphProfile.isEmpty() ? answer.eagerProfile : answer.graphProfile;
    if (answer.compares() && !profileTold_ && !profile.isEmpty()) {
        profileTold_ = true;
        emit profileAppeared(profile);
    }
}

void CheckRun::ended() {
    poll_.stop();
    seen_ = {};
    look();
    const QString name = QFileInfo(options_.script).fileName();
    if (answer_ && answer_->finished()) {
        const bool ok = answer_->verdict == QStringLiteral("agree") || answer_->verdict == QStringLiteral("close");
        QString how = QStringLiteral("%1: %2").arg(name, verdictText(*answer_));
        if (const QString more = behaviourText(*answer_); !more.isEmpty()) {
            how += QLatin1Char(' ') + more;
        }
        emit finished(how, ok && answer_->eager.exception.isEmpty());
        return;
    }
    if (answer_) {
        // Nothing is being looked for any more.
        const bool compared = answer_->compares();
        answer_->doing.clear();
        if (!compared) {
            answer_.reset();
        }
        emit changed();
    }
    const QString last = errors_.trimmed().section(QLatin1Char('\n'), -1);
    emit finished(process_.wasStopped() ? tr("The comparison of %1 was stopped.").arg(name)
                  : last.isEmpty()      ? tr("The comparison of %1 broke off.").arg(name)
                                        : tr("The comparison of %1 broke off: %2").arg(name, last),
                  false);
}

}  // namespace fusescope::gui
