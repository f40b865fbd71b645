// A `fusescope` command as a child process. The window never runs user programs in its own.
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <memory>
#include <optional>

namespace fusescope::gui {

/// What a child needs before it can be started.
struct ChildPlace {
    QString program;                        ///< the `fusescope` command
    std::unique_ptr<QTemporaryDir> folder;  ///< for what it writes; gone with this object
};

/// The `fusescope` command: the one named by the environment's FUSESCOPE_COMMAND, else beside this program, else on
/// PATH; empty when there is none.
QString fusescopeCommand();

/// Empty with a reason when there is no command, or no place for temporary files.
std::optional<ChildPlace> placeForChild(QString* whyNot);

/// Ended by a signal that lets it save what it has, and killed when it does not listen.
class ChildProcess : public QProcess {
    Q_OBJECT

 public:
    /// `politely`: the signal that asks it to end.
    explicit ChildProcess(int politely);
    /// Kills what still runs; no signal is emitted any more.
    ~ChildProcess() override;

    /// Standard input is empty; the working directory is the script's.
    void run(const QString& program, const QStringList& arguments, const QString& script);
    /// Asks it to end, and kills it some seconds later, or at once when asked again.
    void stop();
    bool isRunning() const { return state() != NotRunning; }
    bool wasStopped() const { return stopped_; }

 signals:
    /// A sentence; finished() does not follow.
    void notStarted(const QString& why);

 private:
    int politely_;
    bool stopped_ = false;
};

}  // namespace fusescope::gui
