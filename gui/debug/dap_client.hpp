// Speaks the Debug Adapter Protocol with `fusescope --dap` in a child process. Nothing here waits: answers come through
// callbacks, and every request gets one, also when the child dies.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QTimer>
#include <functional>
#include <memory>

#include "profiler/dap/framing.hpp"

namespace fusescope::gui {

class DapClient : public QObject {
    Q_OBJECT

 public:
    explicit DapClient(QObject* parent = nullptr);
    /// Ends the child, and with it the program that it debugs.
    ~DapClient() override;

    struct Response {
        bool ok = false;
        QString error;  ///< when it is not ok: a sentence for the user
        QJsonObject body;
    };
    using Callback = std::function<void(const Response&)>;

    void start(const QString& program, const QStringList& arguments, const QString& folder);
    bool isRunning() const { return process_.state() != QProcess::NotRunning; }
    qint64 processId() const { return process_.processId(); }
    /// `callback` is called once, unless `context` is gone by then.
    void request(const QString& command, const QJsonObject& arguments, QObject* context, Callback callback);
    /// Asks the child to end the program and itself; it is killed when it does not.
    void quit();
    void kill() { process_.kill(); }

 signals:
    void event(const QString& name, const QJsonObject& body);
    /// The child is gone. `why` is empty when it left by itself with status 0, or was asked to.
    void closed(const QString& why);

 private:
    struct Open {
        QPointer<QObject> context;
        Callback callback;
    };

    void take();
    void handle(const QJsonObject& message);
    void close(const QString& why);

    QProcess process_;
    QTimer more_;  ///< messages are waiting that this turn of the event loop had no time for
    dap::FrameReader reader_;
    QHash<qint64, Open> open_;
    qint64 seq_ = 0;
    bool quitting_ = false;
    bool started_ = false;
    QString complaints_;  ///< end of what the child wrote to stderr
};

}  // namespace fusescope::gui
