#include "gui/app/growing_file.hpp"

#include <QFile>
#include <QFileInfo>

namespace fusescope::gui {

namespace {

constexpr int kPollMs = 300;

}  // namespace

GrowingFile::GrowingFile(QObject* parent) : QObject(parent) {
    timer_.setInterval(kPollMs);
    connect(&timer_, &QTimer::timeout, this, &GrowingFile::look);
}

void GrowingFile::watch(const QString& path) {
    path_ = path;
    seenBytes_ = -1;
    appeared_ = false;
    timer_.start();
}

void GrowingFile::finish() {
    timer_.stop();
    look();
    if (appeared_) {
        emit grew();
    }
}

void GrowingFile::look() {
    const qint64 bytes =
        QFile::exists(path_) ? QFileInfo(path_).size() + QFileInfo(path_ + QStringLiteral("-wal")).size() : -1;
    if (bytes <= 0 || bytes == seenBytes_) {
        return;
    }
    seenBytes_ = bytes;
    if (!appeared_) {
        appeared_ = true;
        emit appeared(path_);
    } else {
        emit grew();
    }
}

}  // namespace fusescope::gui
