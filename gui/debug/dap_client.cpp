// Messages are handled for a few milliseconds a turn, so that a program that prints without end does not stop the
// window.
#include "gui/debug/dap_client.hpp"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <utility>

namespace fusescope::gui {

namespace {

constexpr qint64 kTurnMs = 8;
constexpr qint64 kPieceBytes = 64 << 10;
constexpr int kPatienceMs = 4000;  // the adapter itself gives the program half a second
constexpr int kLongestComplaint = 2000;

}  // namespace

DapClient::DapClient(QObject* parent) : QObject(parent) {
    more_.setSingleShot(true);
    more_.setInterval(0);
    connect(&more_, &QTimer::timeout, this, &DapClient::take);
    connect(&process_, &QProcess::readyReadStandardOutput, this, [this] {
        if (!more_.isActive()) {
            take();
        }
    });
    connect(&process_, &QProcess::readyReadStandardError, this, [this] {
        complaints_ += QString::fromUtf8(process_.readAllStandardError());
        complaints_ = complaints_.right(kLongestComplaint);
    });
    connect(&process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        const QString last = complaints_.trimmed().section('\n', -1);
        QString why;
        if (status == QProcess::CrashExit) {
            why = tr("The debugger's process was ended.");
        } else if (code != 0) {
            why = last.isEmpty() ? tr("The debugger ended with exit status %1.").arg(code) : last;
        }
        close(why);
    });
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            close(tr("%1 could not be started: %2").arg(process_.program(), process_.errorString()));
        }
    });
}

DapClient::~DapClient() {
    process_.disconnect(this);
    if (isRunning()) {
        // At the end of its input the adapter ends the program, too; killed, it could not.
        process_.closeWriteChannel();
        if (!process_.waitForFinished(1500)) {
            process_.kill();
            process_.waitForFinished(500);
        }
    }
}

void DapClient::start(const QString& program, const QStringList& arguments, const QString& folder) {
    reader_ = {};
    complaints_.clear();
    quitting_ = false;
    started_ = true;
    process_.setWorkingDirectory(folder);
    process_.start(program, arguments);
}

void DapClient::request(const QString& command, const QJsonObject& arguments, QObject* context, Callback callback) {
    if (!isRunning()) {
        callback({false, tr("No program is being debugged."), {}});
        return;
    }
    const qint64 seq = ++seq_;
    open_.insert(seq, {context, std::move(callback)});
    const QByteArray json =
        QJsonDocument(QJsonObject{{"seq", seq}, {"type", "request"}, {"command", command}, {"arguments", arguments}})
            .toJson(QJsonDocument::Compact);
    process_.write(QByteArray::fromStdString(dap::framed(json.toStdString())));
}

void DapClient::quit() {
    if (!isRunning() || quitting_) {
        return;
    }
    quitting_ = true;
    request(QStringLiteral("disconnect"), {{"terminateDebuggee", true}}, this, [](const Response&) {});
    QTimer::singleShot(kPatienceMs, this, [this] {
        if (isRunning() && quitting_) {
            process_.kill();
        }
    });
}

void DapClient::take() {
    QElapsedTimer turn;
    turn.start();
    try {
        for (;;) {
            while (auto text = reader_.next()) {
                handle(QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object());
                if (turn.elapsed() >= kTurnMs) {
                    more_.start();
                    return;
                }
            }
            const QByteArray piece = process_.read(kPieceBytes);
            if (piece.isEmpty()) {
                return;
            }
            reader_.feed({piece.constData(), static_cast<std::size_t>(piece.size())});
        }
    } catch (const dap::FramingError& error) {
        complaints_ = QString::fromUtf8(error.what());
        process_.kill();
    }
}

void DapClient::handle(const QJsonObject& message) {
    const QString type = message["type"].toString();
    if (type == QStringLiteral("event")) {
        emit event(message["event"].toString(), message["body"].toObject());
        return;
    }
    const Open open = open_.take(message["request_seq"].toInteger());
    if (open.callback && open.context) {
        open.callback({message["success"].toBool(), message["message"].toString(), message["body"].toObject()});
    }
}

void DapClient::close(const QString& why) {
    if (!std::exchange(started_, false)) {
        return;
    }
    // What came before the end is still told.
    try {
        reader_.feed(process_.readAllStandardOutput().toStdString());
        while (auto text = reader_.next()) {
            handle(QJsonDocument::fromJson(QByteArray::fromStdString(*text)).object());
        }
    } catch (const dap::FramingError&) {
        complaints_ = why;
    }
    more_.stop();
    for (const Open& open : std::exchange(open_, {})) {
        if (open.context) {
            open.callback({false, tr("The program has ended."), {}});
        }
    }
    emit closed(quitting_ ? QString() : why);
}

}  // namespace fusescope::gui
