// A program that runs in a child process: `fusescope --record`.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <memory>

#include "gui/app/child_process.hpp"
#include "gui/app/growing_file.hpp"

namespace fusescope::gui {

/// What the run bar lets one choose; the words are those of the command line.
struct RecordOptions {
    QString script;
    QStringList arguments;
    QString mode = QStringLiteral("script");
    QString device = QStringLiteral("script");
    QString watch = QStringLiteral("health");
};

class Recording : public QObject {
    Q_OBJECT

 public:
    explicit Recording(QObject* parent = nullptr);

    /// Starts the child; false with a reason when that is impossible at once. The profile grows at profilePath().
    bool start(const RecordOptions& options, QString* whyNot);
    /// Asks the child to end (SIGINT, so that its profile is kept), and kills it when it does not.
    void stop() { process_.stop(); }
    bool isRunning() const { return process_.isRunning(); }

    QString profilePath() const { return profile_.path(); }
    const RecordOptions& options() const { return options_; }
    qint64 elapsedMs() const { return clock_.elapsed(); }

 signals:
    /// The profile can be opened now.
    void profileAppeared(const QString& path);
    /// The profile's file has grown since the last signal.
    void profileGrew();
    /// What the child wrote: `error` for its stderr.
    void wrote(const QString& text, bool error);
    /// A sentence on how it ended; ok when it did so with status 0.
    void finished(const QString& how, bool ok);

 private:
    void ended(int code, QProcess::ExitStatus status);

    ChildProcess process_;
    RecordOptions options_;
    std::unique_ptr<QTemporaryDir> directory_;
    GrowingFile profile_;
    QElapsedTimer clock_;
};

}  // namespace fusescope::gui
