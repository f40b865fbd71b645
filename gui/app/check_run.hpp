// A comparison of eager and graph runs in a child process: `fusescope --check --keep`. Its answer grows in a folder of
// its own, which stays until the next comparison.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <optional>

#include "gui/app/child_process.hpp"
#include "gui/models/check_answer.hpp"

namespace fusescope::gui {

/// The words are those of the command line; what is empty has its default.
struct CheckOptions {
    QString script;
    QStringList arguments;
    QString device = QStringLiteral("script");
    QString rtol, atol, passes;
};

class CheckRun : public QObject {
    Q_OBJECT

 public:
    explicit CheckRun(QObject* parent = nullptr);

    /// False with a reason when that is impossible at once.
    bool start(const CheckOptions& options, QString* whyNot);
    /// Ends the child; what is known by then stays.
    void stop() { process_.stop(); }
    bool isRunning() const { return process_.isRunning(); }
    /// Shows a check.json that was kept; false with a reason when it is none.
    bool open(const QString& path, QString* whyNot);

    /// It is in the folder of the running or latest comparison, which does not stay.
    bool owns(const QString& path) const;

    const CheckOptions& options() const { return options_; }
    /// The latest; null before the first.
    const CheckAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }

 signals:
    /// More is known; finished() may follow.
    void changed();
    /// The runs have been compared, and this is the profile of the one of graphs (or, without that, the other's).
    void profileAppeared(const QString& path);
    /// A sentence on how it ended; ok when nothing is beyond the tolerance.
    void finished(const QString& how, bool ok);

 private:
    void look();
    void take(const CheckAnswer& answer);
    void ended();

    ChildProcess process_;
    QTimer poll_;
    CheckOptions options_;
    std::unique_ptr<QTemporaryDir> directory_;
    QDateTime seen_;
    QString errors_;  ///< end of what the child wrote to stderr
    std::optional<CheckAnswer> answer_;
    bool profileTold_ = false;
};

}  // namespace fusescope::gui
