// The copy is written beside its target and renamed, so that a full disk loses nothing that was there.
#include "gui/app/file_copy.hpp"

#include <QFile>
#include <QObject>
#include <QSaveFile>

namespace fusescope::gui {

namespace {

constexpr qint64 kChunk = 1 << 20;

QString copy(const QString& from, const QString& to) {
    QFile source(from);
    if (!source.open(QIODevice::ReadOnly)) {
        return QObject::tr("%1 cannot be read: %2").arg(from, source.errorString());
    }
    QSaveFile target(to);
    if (!target.open(QIODevice::WriteOnly)) {
        return QObject::tr("%1 cannot be written: %2").arg(to, target.errorString());
    }
    while (!source.atEnd()) {
        if (target.write(source.read(kChunk)) < 0) {
            break;
        }
    }
    return target.commit() ? QString() : QObject::tr("%1 cannot be written: %2").arg(to, target.errorString());
}

}  // namespace

void copyFile(Jobs& jobs, QObject* owner, const QString& from, const QString& to, std::function<void(QString)> done) {
    jobs.run(
        owner, QStringLiteral("copy"), [from, to](JobContext&) { return copy(from, to); },
        [done](const QString& problem) { done(problem); });
}

}  // namespace fusescope::gui
