// A program under debugging, as the window sees it: what state it is in, where it stands, and what one can ask and
// order. It holds at most one program; breakpoints stay when that has ended.
#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QSet>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>
#include <QVector>
#include <functional>
#include <memory>

#include "gui/app/growing_file.hpp"
#include "gui/app/recording.hpp"
#include "gui/debug/breakpoints.hpp"
#include "gui/debug/dap_client.hpp"

namespace fusescope::gui {

struct DebugFrame {
    int id = 0;
    QString name;
    QString path;        ///< empty for what has no file
    int line = 0;        ///< 1-based
    bool graph = false;  ///< no frame of Python: a node of a graph, or an op of the past
};

struct DebugVariable {
    QString name;
    QString value;
    QString type;
    QString expression;  ///< that gives it; empty when there is none
    int reference = 0;   ///< to ask for its parts; 0: it has none
    int named = 0;
    int indexed = 0;
};

class DebugSession : public QObject {
    Q_OBJECT

 public:
    enum class State { None, Running, Stopped, Ended };

    explicit DebugSession(QObject* parent = nullptr);
    ~DebugSession() override;

    Breakpoints& breakpoints() { return breakpoints_; }

    /// Launches the program and lets it run to the first stop; false with a reason when that is impossible at once.
    bool start(const RecordOptions& options, QString* whyNot);
    /// Ends the program; what it recorded stays.
    void stop();
    State state() const { return state_; }
    bool isActive() const { return state_ == State::Running || state_ == State::Stopped; }
    QString script() const { return options_.script; }
    QString profilePath() const { return profile_.path(); }
    qint64 adapterProcess() const { return client_ ? client_->processId() : 0; }

    // What moves a stopped program; the words are requests of the protocol.
    void resume() { go(QStringLiteral("continue")); }
    void stepOver() { go(QStringLiteral("next")); }
    void stepIn() { go(QStringLiteral("stepIn")); }
    void stepOut() { go(QStringLiteral("stepOut")); }
    void stepOp() { go(QStringLiteral("fusescope/stepOp")); }
    void stepBack() { go(QStringLiteral("stepBack")); }
    void reverse() { go(QStringLiteral("reverseContinue")); }
    /// To the op that made operand `input` of the op on show.
    void goToBirth(int input);
    void pause();

    /// Why it stands, in a sentence; empty while it runs.
    QString whyStopped() const { return whyStopped_; }
    /// It stopped by an error, or at a value that is none.
    bool stoppedByFault() const { return fault_; }
    /// Changes whenever the program stops or goes on.
    quint64 stopNumber() const { return epoch_; }
    const QVector<DebugFrame>& frames() const { return frames_; }
    /// The frame that is looked at; null while the program runs.
    const DebugFrame* frame() const;
    int frameIndex() const { return frame_; }
    void chooseFrame(int index);
    /// The local variables of the frame that is looked at.
    const QVector<DebugVariable>& locals() const { return locals_; }

    using Variables = std::function<void(const QVector<DebugVariable>&)>;
    /// The named groups of variables of the frame that is looked at. Answers that come after the program has gone on
    /// are dropped, here and below; a failure gives an empty list.
    void askScopes(QObject* context, Variables answer);
    /// Parts of a variable; `count` 0: all of that filter ("named", "indexed" or empty for both).
    void askVariables(int reference, const QString& filter, int start, int count, QObject* context, Variables answer);
    using Result = std::function<void(bool ok, const QString& text)>;
    void setVariable(int reference, const QString& name, const QString& value, QObject* context, Result answer);
    /// Evaluates in the frame that is looked at, statements too.
    void evaluate(const QString& code, QObject* context, Result answer);
    /// The value of an expression, for looking only: one variable, or none when there is no such value.
    void look(const QString& expression, QObject* context, Variables answer);
    /// The name under which changes of a value can be watched (Breakpoint::Kind::Data), or why they cannot.
    void askData(const QString& expression, QObject* context, Result answer);
    /// The elements of a tensor, as a file; tensorArrived or refused follows.
    void askTensor(int reference, const QString& name);
    /// A line for the program's standard input.
    void type(const QString& line, QObject* context, Result answer);

 signals:
    void stateChanged();
    /// Another frame is looked at, another stack came, or the program went on.
    void frameChanged();
    void localsChanged();
    /// Values were changed by the user.
    void valuesChanged();
    /// `category` as in the protocol: stdout, stderr, console, important.
    void wrote(const QString& text, const QString& category);
    /// The file has the elements in row-major order; whoever reads it removes it.
    void tensorArrived(const QString& path, const QString& name, const QString& dtype, const QString& shape);
    void profileAppeared(const QString& path);
    void profileGrew();
    /// A sentence on how it ended; ok when it did so with status 0.
    void finished(const QString& how, bool ok);
    /// A request was refused: a sentence.
    void refused(const QString& why);

 private:
    void go(const QString& command, const QJsonObject& more = {});
    void launch();
    void configure();
    void sendLines();
    void sendFunctions();
    void sendWatches();
    void sendData();
    void sendFilters();
    void place(const QVector<int>& keys, const QJsonArray& placed);
    void askHits();
    void handle(const QString& name, const QJsonObject& body);
    void stopped(const QJsonObject& body);
    void running();
    void askStack();
    void askLocals();
    void end(const QString& why);
    void setState(State state);
    template <typename Function>
    void ask(const QString& command, const QJsonObject& arguments, QObject* context, Function answer);

    Breakpoints breakpoints_;
    std::unique_ptr<DapClient> client_;
    RecordOptions options_;
    std::unique_ptr<QTemporaryDir> directory_;
    GrowingFile profile_;
    QTimer hitsTimer_;
    QElapsedTimer clock_;
    State state_ = State::None;
    bool ready_ = false;     ///< the program takes breakpoints
    bool stopping_ = false;  ///< by the user
    int exitCode_ = -1;      ///< -1: not told
    QString launchFailure_;
    QString lastWords_;  ///< last important thing that was said
    quint64 epoch_ = 0;  ///< of the stop; answers of an earlier one are dropped
    QString whyStopped_;
    bool fault_ = false;
    QVector<DebugFrame> frames_;
    int frame_ = -1;
    QVector<DebugVariable> locals_;
    QSet<QString> sentPaths_;
    int storedTensors_ = 0;
};

}  // namespace fusescope::gui
