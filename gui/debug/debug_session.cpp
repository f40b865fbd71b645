// From launch to end of one program. Everything is asked for and answered later; a stop has a number, and what is
// answered about an older one is dropped.
#include "gui/debug/debug_session.hpp"

#include <QFileInfo>
#include <QJsonArray>

namespace fusescope::gui {

namespace {

constexpr int kMostFrames = 500;
constexpr int kMostLocals = 200;
constexpr int kHitsMs = 700;

DebugVariable variableOf(const QJsonObject& json) {
    return {json["name"].toString(),         json["value"].toString(),           json["type"].toString(),
            json["evaluateName"].toString(), json["variablesReference"].toInt(), json["namedVariables"].toInt(),
            json["indexedVariables"].toInt()};
}

QVector<DebugVariable> variablesOf(const QJsonArray& array) {
    QVector<DebugVariable> all;
    all.reserve(array.size());
    for (const QJsonValue& each : array) {
        all.push_back(variableOf(each.toObject()));
    }
    return all;
}

}  // namespace

DebugSession::DebugSession(QObject* parent) : QObject(parent) {
    connect(&profile_, &GrowingFile::appeared, this, &DebugSession::profileAppeared);
    connect(&profile_, &GrowingFile::grew, this, &DebugSession::profileGrew);
    hitsTimer_.setInterval(kHitsMs);
    connect(&hitsTimer_, &QTimer::timeout, this, [this] {
        if (state_ == State::Running) {
            askHits();
        }
    });
    connect(&breakpoints_, &Breakpoints::wanted, this, [this](Breakpoint::Kind kind) {
        if (ready_) {
            kind == Breakpoint::Kind::Line       ? sendLines()
            : kind == Breakpoint::Kind::Function ? sendFunctions()
            : kind == Breakpoint::Kind::Watch    ? sendWatches()
                                                 : sendData();
        }
    });
    connect(&breakpoints_, &Breakpoints::filtersWanted, this, [this] {
        if (ready_) {
            sendFilters();
        }
    });
}

DebugSession::~DebugSession() {
    if (client_) {
        client_->disconnect(this);
    }
}

bool DebugSession::start(const RecordOptions& options, QString* whyNot) {
    if (isActive()) {
        *whyNot = tr("A program is being debugged already.");
        return false;
    }
    std::optional<ChildPlace> place = placeForChild(whyNot);
    if (!place) {
        return false;
    }
    directory_ = std::move(place->folder);
    if (client_) {
        client_->disconnect(this);
        client_.release()->deleteLater();  // we may be in one of its signals
    }
    client_ = std::make_unique<DapClient>();
    connect(client_.get(), &DapClient::event, this, &DebugSession::handle);
    connect(client_.get(), &DapClient::closed, this, &DebugSession::end);
    options_ = options;
    breakpoints_.setScript(options.script);
    breakpoints_.forgetHits();
    ready_ = stopping_ = false;
    exitCode_ = -1;
    launchFailure_.clear();
    lastWords_.clear();
    sentPaths_.clear();
    clock_.start();
    ++epoch_;
    whyStopped_.clear();
    frames_.clear();
    frame_ = -1;
    locals_.clear();
    setState(State::Running);
    emit frameChanged();
    client_->start(place->program, {QStringLiteral("--dap")}, QFileInfo(options.script).absolutePath());
    if (client_->isRunning()) {
        launch();
    }
    return true;
}

void DebugSession::launch() {
    const auto failed = [this](const QString& why) {
        launchFailure_ = why;
        client_->quit();
    };
    client_->request(
        QStringLiteral("initialize"),
        {{"clientID", "fusescope-gui"}, {"adapterID", "fusescope"}, {"linesStartAt1", true}, {"columnsStartAt1", true}},
        this, [failed](const DapClient::Response& r) {
            if (!r.ok) {
                failed(r.error);
            }
        });
    QJsonArray arguments;
    for (const QString& each : options_.arguments) {
        arguments.append(each);
    }
    const QString profile =
        directory_->filePath(QFileInfo(options_.script).completeBaseName() + QStringLiteral(".fscope"));
    client_->request(QStringLiteral("launch"),
                     {{"program", options_.script},
                      {"args", arguments},
                      {"cwd", QFileInfo(options_.script).absolutePath()},
                      {"mode", options_.mode},
                      {"device", options_.device},
                      {"watch", options_.watch},
                      {"profile", profile},
                      {"env", QJsonObject{{"PYTHONUNBUFFERED", "1"}}}},
                     this, [failed](const DapClient::Response& r) {
                         if (!r.ok) {
                             failed(r.error);
                         }
                     });
}

void DebugSession::configure() {
    ready_ = true;
    sendLines();
    sendFunctions();
    sendWatches();
    sendData();
    sendFilters();
    client_->request(QStringLiteral("configurationDone"), {}, this, [](const DapClient::Response&) {});
    hitsTimer_.start();
}

void DebugSession::stop() {
    if (!client_ || !client_->isRunning()) {
        return;
    }
    if (stopping_) {
        client_->kill();
        return;
    }
    stopping_ = true;
    client_->quit();
}

void DebugSession::handle(const QString& name, const QJsonObject& body) {
    if (name == QStringLiteral("initialized")) {
        configure();
    } else if (name == QStringLiteral("stopped")) {
        stopped(body);
    } else if (name == QStringLiteral("continued")) {
        running();
    } else if (name == QStringLiteral("output")) {
        const QString category = body["category"].toString(QStringLiteral("console"));
        const QString text = body["output"].toString();
        if (category == QStringLiteral("important")) {
            lastWords_ = text.trimmed();
        }
        emit wrote(text, category);
    } else if (name == QStringLiteral("fusescope/profile")) {
        profile_.watch(body["path"].toString());
    } else if (name == QStringLiteral("exited")) {
        exitCode_ = body["exitCode"].toInt();
    } else if (name == QStringLiteral("terminated")) {
        client_->quit();
    }
}

void DebugSession::stopped(const QJsonObject& body) {
    const QString reason = body["reason"].toString();
    const QString description = body["description"].toString();
    const QString text = body["text"].toString();
    fault_ = reason == QStringLiteral("exception");
    if (!description.isEmpty()) {
        whyStopped_ = description.contains(text) ? description : description + QStringLiteral(": ") + text;
    } else if (!text.isEmpty()) {
        whyStopped_ = text;
    } else {
        whyStopped_ = reason == QStringLiteral("entry")        ? tr("at its first line")
                      : reason == QStringLiteral("pause")      ? tr("paused")
                      : reason == QStringLiteral("breakpoint") ? tr("at a breakpoint")
                                                               : tr("after a step");
    }
    ++epoch_;
    setState(State::Stopped);
    askStack();
    askHits();
}

void DebugSession::running() {
    if (state_ != State::Stopped) {
        return;
    }
    ++epoch_;
    whyStopped_.clear();
    fault_ = false;
    setState(State::Running);
    // The stack stays on show for a moment: a step brings the next one at once, and nothing flickers.
    QTimer::singleShot(150, this, [this, epoch = epoch_] {
        if (epoch == epoch_ && state_ != State::Stopped) {
            frames_.clear();
            frame_ = -1;
            locals_.clear();
            emit frameChanged();
            emit localsChanged();
        }
    });
}

template <typename Function>
void DebugSession::ask(const QString& command, const QJsonObject& arguments, QObject* context, Function answer) {
    if (!client_) {
        answer(DapClient::Response{false, tr("No program is being debugged."), {}});
        return;
    }
    client_->request(command, arguments, context, [this, epoch = epoch_, answer](const DapClient::Response& r) {
        if (epoch == epoch_) {
            answer(r);
        }
    });
}

void DebugSession::askStack() {
    ask(QStringLiteral("stackTrace"), {{"threadId", 1}, {"startFrame", 0}, {"levels", kMostFrames}}, this,
        [this](const DapClient::Response& r) {
            if (!r.ok) {
                return;
            }
            frames_.clear();
            for (const QJsonValue& each : r.body["stackFrames"].toArray()) {
                const QJsonObject f = each.toObject();
                frames_.push_back({f["id"].toInt(), f["name"].toString(), f["source"].toObject()["path"].toString(),
                                   f["line"].toInt(), f["presentationHint"].toString() == QStringLiteral("label")});
            }
            frame_ = frames_.isEmpty() ? -1 : 0;
            emit frameChanged();
            askLocals();
        });
}

void DebugSession::askLocals() {
    const int of = frame_;
    askScopes(this, [this, of](const QVector<DebugVariable>& scopes) {
        int reference = 0;
        for (const DebugVariable& scope : scopes) {
            if (scope.name == QStringLiteral("Locals") || (reference == 0 && scope.name == QStringLiteral("Globals"))) {
                reference = scope.reference;
            }
        }
        if (reference == 0) {
            locals_.clear();
            emit localsChanged();
            return;
        }
        askVariables(reference, QString(), 0, kMostLocals, this, [this, of](const QVector<DebugVariable>& all) {
            if (of == frame_) {
                locals_ = all;
                emit localsChanged();
            }
        });
    });
}

const DebugFrame* DebugSession::frame() const {
    return frame_ >= 0 && frame_ < frames_.size() ? &frames_[frame_] : nullptr;
}

void DebugSession::chooseFrame(int index) {
    if (index != frame_ && index >= 0 && index < frames_.size()) {
        frame_ = index;
        emit frameChanged();
        if (state_ == State::Stopped) {
            askLocals();
        }
    }
}

void DebugSession::askScopes(QObject* context, Variables answer) {
    const DebugFrame* const of = frame();
    if (!of || state_ != State::Stopped) {
        return answer({});
    }
    ask(QStringLiteral("scopes"), {{"frameId", of->id}}, context,
        [answer](const DapClient::Response& r) { answer(variablesOf(r.body["scopes"].toArray())); });
}

void DebugSession::askVariables(int reference, const QString& filter, int start, int count, QObject* context,
                                Variables answer) {
    QJsonObject arguments{{"variablesReference", reference}};
    if (!filter.isEmpty()) {
        arguments["filter"] = filter;
    }
    if (count > 0) {
        arguments["start"] = start;
        arguments["count"] = count;
    }
    ask(QStringLiteral("variables"), arguments, context,
        [answer](const DapClient::Response& r) { answer(variablesOf(r.body["variables"].toArray())); });
}

void DebugSession::setVariable(int reference, const QString& name, const QString& value, QObject* context,
                               Result answer) {
    ask(QStringLiteral("setVariable"), {{"variablesReference", reference}, {"name", name}, {"value", value}}, context,
        [this, answer](const DapClient::Response& r) {
            answer(r.ok, r.ok ? r.body["value"].toString() : r.error);
            if (r.ok) {
                emit valuesChanged();
                askLocals();
            }
        });
}

void DebugSession::askTensor(int reference, const QString& name) {
    if (!directory_) {
        return;
    }
    const QString path = directory_->filePath(QStringLiteral("tensor-%1.bin").arg(++storedTensors_));
    ask(QStringLiteral("fusescope/storeTensor"), {{"variablesReference", reference}, {"path", path}}, this,
        [this, path, name](const DapClient::Response& r) {
            if (r.ok) {
                emit tensorArrived(path, name, r.body["dtype"].toString(), r.body["shape"].toString());
            } else {
                emit refused(r.error);
            }
        });
}

void DebugSession::evaluate(const QString& code, QObject* context, Result answer) {
    const DebugFrame* const in = frame();
    ask(QStringLiteral("evaluate"), {{"expression", code}, {"frameId", in ? in->id : 0}, {"context", "repl"}}, context,
        [this, answer](const DapClient::Response& r) {
            answer(r.ok, r.ok ? r.body["result"].toString() : r.error);
            if (r.ok) {
                emit valuesChanged();
                askLocals();
            }
        });
}

void DebugSession::look(const QString& expression, QObject* context, Variables answer) {
    const DebugFrame* const in = frame();
    if (!in || state_ != State::Stopped) {
        return answer({});
    }
    ask(QStringLiteral("evaluate"), {{"expression", expression}, {"frameId", in->id}, {"context", "hover"}}, context,
        [answer, expression](const DapClient::Response& r) {
            if (!r.ok) {
                return answer({});
            }
            DebugVariable variable = variableOf(r.body);
            variable.name = variable.expression = expression;
            variable.value = r.body["result"].toString();
            answer({variable});
        });
}

void DebugSession::askData(const QString& expression, QObject* context, Result answer) {
    const DebugFrame* const in = frame();
    ask(QStringLiteral("dataBreakpointInfo"), {{"name", expression}, {"frameId", in ? in->id : 0}}, context,
        [answer](const DapClient::Response& r) {
            const QString id = r.body["dataId"].toString();
            answer(!id.isEmpty(), !id.isEmpty() ? id : r.ok ? r.body["description"].toString() : r.error);
        });
}

void DebugSession::type(const QString& line, QObject* context, Result answer) {
    if (!client_) {
        return answer(false, tr("No program is being debugged."));
    }
    client_->request(QStringLiteral("fusescope/stdin"), {{"text", line + QStringLiteral("\n")}}, context,
                     [answer](const DapClient::Response& r) { answer(r.ok, r.error); });
}

void DebugSession::go(const QString& command, const QJsonObject& more) {
    if (state_ != State::Stopped) {
        return;
    }
    QJsonObject arguments = more;
    arguments["threadId"] = 1;
    client_->request(command, arguments, this, [this](const DapClient::Response& r) {
        if (!r.ok && isActive()) {
            emit refused(r.error);
        }
    });
}

void DebugSession::goToBirth(int input) { go(QStringLiteral("fusescope/goToBirth"), {{"input", input}}); }

void DebugSession::pause() {
    if (state_ == State::Running && ready_) {
        client_->request(QStringLiteral("pause"), {{"threadId", 1}}, this, [](const DapClient::Response&) {});
    }
}

void DebugSession::sendLines() {
    QHash<QString, QVector<Breakpoint>> byPath;
    for (const QString& path : std::as_const(sentPaths_)) {
        byPath[path];  // also those that have none any more
    }
    for (const Breakpoint& b : breakpoints_.all()) {
        if (b.kind == Breakpoint::Kind::Line && b.enabled) {
            byPath[b.path].push_back(b);
        }
    }
    for (auto it = byPath.cbegin(); it != byPath.cend(); ++it) {
        QJsonArray list;
        QVector<int> keys;
        for (const Breakpoint& b : it.value()) {
            keys.push_back(b.key);
            list.append(QJsonObject{{"line", b.line},
                                    {"condition", b.condition},
                                    {"hitCondition", b.hitCondition},
                                    {"logMessage", b.logMessage}});
        }
        sentPaths_.insert(it.key());
        client_->request(QStringLiteral("setBreakpoints"),
                         {{"source", QJsonObject{{"path", it.key()}}}, {"breakpoints", list}}, this,
                         [this, keys](const DapClient::Response& r) { place(keys, r.body["breakpoints"].toArray()); });
    }
}

void DebugSession::sendFunctions() {
    QVector<int> keys;
    QJsonArray list;
    for (const Breakpoint& b : breakpoints_.all()) {
        if (b.kind == Breakpoint::Kind::Function && b.enabled) {
            keys.push_back(b.key);
            list.append(QJsonObject{{"name", b.text}, {"condition", b.condition}, {"hitCondition", b.hitCondition}});
        }
    }
    client_->request(QStringLiteral("setFunctionBreakpoints"), {{"breakpoints", list}}, this,
                     [this, keys](const DapClient::Response& r) { place(keys, r.body["breakpoints"].toArray()); });
}

void DebugSession::sendWatches() {
    QVector<int> keys;
    QJsonArray list;
    for (const Breakpoint& b : breakpoints_.all()) {
        if (b.kind == Breakpoint::Kind::Watch && b.enabled) {
            keys.push_back(b.key);
            list.append(b.text);
        }
    }
    client_->request(QStringLiteral("fusescope/setWatchpoints"), {{"watchpoints", list}}, this,
                     [this, keys](const DapClient::Response& r) { place(keys, r.body["breakpoints"].toArray()); });
}

void DebugSession::sendData() {
    QVector<int> keys;
    QJsonArray list;
    for (const Breakpoint& b : breakpoints_.all()) {
        if (b.kind == Breakpoint::Kind::Data && b.enabled) {
            keys.push_back(b.key);
            list.append(QJsonObject{{"dataId", b.text}, {"accessType", "write"}});
        }
    }
    client_->request(QStringLiteral("setDataBreakpoints"), {{"breakpoints", list}}, this,
                     [this, keys](const DapClient::Response& r) { place(keys, r.body["breakpoints"].toArray()); });
}

void DebugSession::sendFilters() {
    QJsonArray names;
    for (const QString& id : breakpoints_.filters()) {
        names.append(id);
    }
    client_->request(QStringLiteral("setExceptionBreakpoints"), {{"filters", names}}, this,
                     [](const DapClient::Response&) {});
}

void DebugSession::place(const QVector<int>& keys, const QJsonArray& placed) {
    for (int i = 0; i < keys.size() && i < placed.size(); ++i) {
        const QJsonObject p = placed[i].toObject();
        breakpoints_.setPlaced(keys[i], p["id"].toInt(), p["verified"].toBool(), p["line"].toInt(),
                               p["message"].toString());
    }
}

void DebugSession::askHits() {
    if (!ready_ || !isActive() || breakpoints_.all().isEmpty()) {
        return;
    }
    client_->request(QStringLiteral("fusescope/hits"), {}, this, [this](const DapClient::Response& r) {
        for (const QJsonValue& each : r.body["hits"].toArray()) {
            const QJsonObject h = each.toObject();
            QVector<WatchHit> list;
            for (const QJsonValue& one : h["list"].toArray()) {
                const QJsonObject hit = one.toObject();
                list.push_back({hit["op"].toString(), hit["shape"].toString(),
                                hit["source"].toObject()["path"].toString(), hit["line"].toInt(), hit["step"].toInt(),
                                hit["event"].toInteger()});
            }
            breakpoints_.setHits(h["id"].toInt(), h["hits"].toInteger(), list);
        }
    });
}

void DebugSession::end(const QString& why) {
    ready_ = false;
    hitsTimer_.stop();
    ++epoch_;
    whyStopped_.clear();
    fault_ = false;
    frames_.clear();
    frame_ = -1;
    locals_.clear();
    profile_.finish();
    breakpoints_.forgetPlaces();
    setState(State::Ended);
    emit frameChanged();
    emit localsChanged();
    const QString name = QFileInfo(options_.script).fileName();
    const QString took = QString::number(static_cast<double>(clock_.elapsed()) / 1000, 'f', 1);
    QString how;
    if (!launchFailure_.isEmpty()) {
        how = tr("%1 could not be started: %2").arg(name, launchFailure_);
    } else if (stopping_) {
        how = tr("%1 was stopped after %2 s; what was recorded until then is shown.").arg(name, took);
    } else if (exitCode_ < 0) {
        how = why.isEmpty() ? tr("The debugger of %1 went away after %2 s.").arg(name, took)
                            : tr("%1 is no longer debugged: %2").arg(name, why);
    } else if (exitCode_ == 0) {
        how = tr("%1 ended after %2 s.").arg(name, took);
    } else if (!lastWords_.isEmpty()) {
        how = lastWords_;
    } else {
        how = tr("%1 ended with exit status %2 after %3 s; see Debug Console.").arg(name).arg(exitCode_).arg(took);
    }
    emit finished(how, exitCode_ == 0 && !stopping_ && launchFailure_.isEmpty());
}

void DebugSession::setState(State state) {
    if (state != state_) {
        state_ = state;
        emit stateChanged();
    }
}

}  // namespace fusescope::gui
