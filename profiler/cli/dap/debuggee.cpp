// The debuggee's side of the protocol: requests about the program become calls of debug::Target, stops become events.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/python/host.hpp"
#include "engine/python/script_debugger.hpp"
#include "profiler/cli/arguments.hpp"
#include "profiler/cli/dap/adapter.hpp"
#include "profiler/cli/dap/debuggee_process.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/dap/framing.hpp"
#include "profiler/dap/message.hpp"
#include "profiler/write/recorder.hpp"

namespace fusescope::cli {
namespace {

using dap::Json;
using debug::Resume;
using debug::Target;

constexpr int kThread = 1;  // one thread of the program is debugged

const char* reason_of(debug::StopReason reason) {
    switch (reason) {
        case debug::StopReason::entry:
            return "entry";
        case debug::StopReason::breakpoint:
            return "breakpoint";
        case debug::StopReason::function_breakpoint:
        case debug::StopReason::op_breakpoint:
            return "function breakpoint";
        case debug::StopReason::watchpoint:
            return "data breakpoint";
        case debug::StopReason::exception:
            return "exception";
        case debug::StopReason::pause:
            return "pause";
        case debug::StopReason::step:
        case debug::StopReason::history:
            return "step";
    }
    return "step";
}

class Channel final : public debug::StopListener {
 public:
    explicit Channel(int descriptor) : descriptor_(descriptor) {}

    std::optional<Json> receive() {
        char bytes[65536];
        for (;;) {
            if (auto text = reader_.next()) return dap::parsed(*text);
            const ssize_t n = ::read(descriptor_, bytes, sizeof bytes);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return std::nullopt;
            reader_.feed({bytes, static_cast<std::size_t>(n)});
        }
    }
    void send(const Json& message) {
        if (descriptor_ < 0) return;
        const std::string bytes = dap::framed(dap::dumped(message));
        const std::scoped_lock lock(mutex_);
        write_all(descriptor_, bytes);
    }
    void close() { ::shutdown(descriptor_, SHUT_RDWR); }
    /// In a forked child: the adapter is the parent's.
    void abandon() { ::close(std::exchange(descriptor_, -1)); }
    bool abandoned() const { return descriptor_ < 0; }

    void stopped(const debug::Stop& stop) override {
        Json body = {{"reason", reason_of(stop.reason)}, {"threadId", kThread}, {"allThreadsStopped", true}};
        if (!stop.description.empty()) body["description"] = stop.description;
        if (!stop.text.empty()) body["text"] = stop.text;
        if (!stop.breakpoints.empty()) body["hitBreakpointIds"] = stop.breakpoints;
        send(dap::event("stopped", std::move(body)));
    }
    void resumed() override { send(dap::event("continued", {{"threadId", kThread}, {"allThreadsContinued", true}})); }
    void said(const std::string& text) override {
        send(dap::event("output", {{"category", "console"}, {"output", text}}));
    }

 private:
    int descriptor_;
    dap::FrameReader reader_;
    std::mutex mutex_;
};

Json json_of(const debug::Placed& p) {
    Json j = {{"id", p.id}, {"verified", p.verified}};
    if (p.line > 0) j["line"] = p.line;
    if (!p.message.empty()) j["message"] = p.message;
    return j;
}

Json json_of(const debug::Variable& v) {
    Json j = {{"name", v.name}, {"value", v.value}, {"variablesReference", v.reference}};
    if (!v.type.empty()) j["type"] = v.type;
    if (!v.evaluate_name.empty()) j["evaluateName"] = v.evaluate_name;
    if (v.named > 0) j["namedVariables"] = v.named;
    if (v.indexed > 0) j["indexedVariables"] = v.indexed;
    return j;
}

/// An evaluated expression has "result" where a variable has "value".
Json result_of(const debug::Variable& v) {
    Json j = json_of(v);
    j["result"] = v.value;
    j.erase("name");
    return j;
}

Json source_of(const std::string& path) {
    return {{"name", std::filesystem::path(path).filename().string()}, {"path", path}};
}

class Server {
 public:
    Server(Channel& channel, Target& target, std::function<void(bool)> start, std::function<void()> let_go)
        : channel_(channel), target_(target), start_(std::move(start)), let_go_(std::move(let_go)) {}

    bool stop_on_entry = false;
    bool observed = true;

    /// Until the adapter goes away.
    void serve() {
        while (auto request = channel_.receive()) {
            if (!request->is_object()) continue;
            const std::string command = dap::text_of(*request, "command");
            if (!observed && command.starts_with("set")) {  // run without debugging
                answer(*request, {{"breakpoints", Json::array()}});
                continue;
            }
            const auto handler = handlers().find(command);
            if (handler == handlers().end()) {
                channel_.send(dap::failure_of(*request, "the request '" + command + "' is not known here"));
                continue;
            }
            handler->second(*this, *request, dap::object_of(*request, "arguments"));
        }
        let_go_();
    }

 private:
    using Handler = void (*)(Server&, const Json& request, const Json& arguments);

    void answer(const Json& request, Json body = Json::object()) {
        channel_.send(dap::response_to(request, std::move(body)));
    }
    template <class T, class Body>
    void answer(const Json& request, const debug::Answer<T>& a, Body&& body) {
        if (a.value) {
            answer(request, body(*a.value));
        } else {
            channel_.send(dap::failure_of(request, a.error));
        }
    }
    static Json list(const std::vector<debug::Placed>& placed) {
        Json all = Json::array();
        for (const debug::Placed& p : placed) all.push_back(json_of(p));
        return {{"breakpoints", std::move(all)}};
    }

    void set_lines(const Json& request, const Json& arguments) {
        std::vector<debug::LineBreakpoint> lines;
        for (const Json& b : dap::array_of(arguments, "breakpoints")) {
            lines.push_back({next_id_++, static_cast<int>(dap::number_of(b, "line")), dap::text_of(b, "condition"),
                             dap::text_of(b, "hitCondition"), dap::text_of(b, "logMessage")});
        }
        const std::string path = dap::text_of(dap::object_of(arguments, "source"), "path");
        answer(request, list(target_.set_line_breakpoints(path, std::move(lines))));
    }

    void set_functions(const Json& request, const Json& arguments) {
        std::vector<debug::FunctionBreakpoint> functions;
        for (const Json& b : dap::array_of(arguments, "breakpoints")) {
            functions.push_back(
                {next_id_++, dap::text_of(b, "name"), dap::text_of(b, "condition"), dap::text_of(b, "hitCondition")});
        }
        answer(request, list(target_.set_function_breakpoints(std::move(functions))));
    }

    void set_exceptions(const Json& request, const Json& arguments) {
        debug::ExceptionFilters filters;
        filter_watches_.clear();
        std::vector<std::string> names = dap::texts_of(arguments, "filters");
        for (const Json& option : dap::array_of(arguments, "filterOptions")) {
            const std::string name = dap::text_of(option, "filterId");
            if (name == "watch") {
                filter_watches_.emplace_back(next_id_++, dap::text_of(option, "condition", "nan"));
            } else {
                names.push_back(name);
            }
        }
        for (const std::string& name : names) {
            filters.raised |= name == "raised";
            filters.uncaught |= name == "uncaught";
            filters.user_error |= name == "shape";
            filters.nan |= name == "nan";
            filters.inf |= name == "inf";
        }
        target_.set_exception_filters(filters);
        const std::vector<debug::Placed> placed = set_watchpoints();
        for (const debug::Placed& p : placed) {
            if (!p.verified) channel_.said(p.message + "\n");
        }
        answer(request);
    }

    std::vector<debug::Placed> set_watchpoints() {
        std::vector<std::pair<int, std::string>> all = filter_watches_;
        all.insert(all.end(), data_watches_.begin(), data_watches_.end());
        all.insert(all.end(), own_watches_.begin(), own_watches_.end());
        return target_.set_watchpoints(all);
    }
    std::vector<debug::Placed> set_watchpoints(std::vector<std::pair<int, std::string>>& group,
                                               std::vector<std::pair<int, std::string>> wanted) {
        group = std::move(wanted);
        std::vector<debug::Placed> mine;
        for (debug::Placed& p : set_watchpoints()) {
            for (const auto& [id, text] : group) {
                if (id == p.id) mine.push_back(std::move(p));
            }
        }
        return mine;
    }

    void set_own_watchpoints(const Json& request, const Json& arguments) {
        std::vector<std::pair<int, std::string>> wanted;
        for (const std::string& text : dap::texts_of(arguments, "watchpoints")) wanted.emplace_back(next_id_++, text);
        answer(request, list(set_watchpoints(own_watches_, std::move(wanted))));
    }

    void set_data(const Json& request, const Json& arguments) {
        std::vector<std::pair<int, std::string>> wanted;
        for (const Json& b : dap::array_of(arguments, "breakpoints")) {
            wanted.emplace_back(next_id_++, "changed on parameter " + dap::text_of(b, "dataId"));
        }
        answer(request, list(set_watchpoints(data_watches_, std::move(wanted))));
    }

    // Parameters can be watched: their values change at one place, where an optimizer or an assignment writes them.
    void data_info(const Json& request, const Json& arguments) {
        const std::string name = dap::text_of(arguments, "name");
        const auto path =
            target_.evaluate(name + ".name", static_cast<int>(dap::number_of(arguments, "frameId")), "watch");
        if (path.value && path.value->type == "str" && path.value->value.size() > 2) {
            const std::string& quoted = path.value->value;
            const std::string plain = quoted.substr(1, quoted.size() - 2);
            answer(request, {{"dataId", plain}, {"description", "parameter " + plain}, {"accessTypes", {"write"}}});
        } else {
            answer(request, {{"dataId", nullptr}, {"description", "only Parameters can be watched for changes"}});
        }
    }

    void stack(const Json& request, const Json& arguments) {
        answer(request, target_.stack(), [&](const std::vector<debug::StackFrame>& frames) {
            const auto total = static_cast<std::int64_t>(frames.size());
            const std::int64_t start = std::clamp<std::int64_t>(dap::number_of(arguments, "startFrame"), 0, total);
            std::int64_t levels = dap::number_of(arguments, "levels");
            if (levels <= 0 || levels > total - start) levels = total - start;
            Json list = Json::array();
            for (std::int64_t i = start; i < start + levels; ++i) {
                const debug::StackFrame& f = frames[static_cast<std::size_t>(i)];
                Json j = {{"id", f.id}, {"name", f.name}, {"line", f.line}, {"column", 1}};
                if (!f.path.empty()) j["source"] = source_of(f.path);
                if (f.graph) j["presentationHint"] = "label";
                list.push_back(std::move(j));
            }
            return Json{{"stackFrames", std::move(list)}, {"totalFrames", total}};
        });
    }

    void resume(const Json& request, Resume how, Json body = Json::object()) {
        if (target_.resume(how)) {
            answer(request, std::move(body));
        } else {
            channel_.send(dap::failure_of(request, "the program is running"));
        }
    }
    void step(const Json& request, const Json& arguments, Resume how) {
        resume(request, dap::text_of(arguments, "granularity") == "instruction" ? Resume::op : how);
    }

    static const std::map<std::string, Handler>& handlers();

    Channel& channel_;
    Target& target_;
    std::function<void(bool)> start_;
    std::function<void()> let_go_;
    int next_id_ = 1;
    std::vector<std::pair<int, std::string>> filter_watches_, data_watches_, own_watches_;
};

const std::map<std::string, Server::Handler>& Server::handlers() {
    static const std::map<std::string, Handler> table = {
        {"configurationDone",
         [](Server& s, const Json& r, const Json&) {
             s.answer(r);
             s.start_(s.stop_on_entry);
         }},
        {"setBreakpoints", [](Server& s, const Json& r, const Json& a) { s.set_lines(r, a); }},
        {"setFunctionBreakpoints", [](Server& s, const Json& r, const Json& a) { s.set_functions(r, a); }},
        {"setExceptionBreakpoints", [](Server& s, const Json& r, const Json& a) { s.set_exceptions(r, a); }},
        {"setDataBreakpoints", [](Server& s, const Json& r, const Json& a) { s.set_data(r, a); }},
        {"dataBreakpointInfo", [](Server& s, const Json& r, const Json& a) { s.data_info(r, a); }},
        {"fusescope/setWatchpoints", [](Server& s, const Json& r, const Json& a) { s.set_own_watchpoints(r, a); }},
        {"fusescope/hits",
         [](Server& s, const Json& r, const Json&) {
             Json list = Json::array();
             for (const debug::Hits& h : s.target_.hits()) {
                 Json where = Json::array();
                 for (const auto& hit : h.list) {
                     where.push_back({{"op", hit.op}, {"shape", hit.shape}, {"step", hit.step}, {"line", hit.line}, {"event", hit.event}});
                     if (!hit.path.empty()) where.back()["source"] = source_of(hit.path);
                 }
                 list.push_back({{"id", h.id}, {"hits", h.count}, {"list", std::move(where)}});
             }
             s.answer(r, {{"hits", std::move(list)}});
         }},
        {"fusescope/stepOp", [](Server& s, const Json& r, const Json&) { s.resume(r, Resume::op); }},
        {"fusescope/goToBirth",
         [](Server& s, const Json& r, const Json& a) {
             if (s.target_.go_to_birth_of(static_cast<std::size_t>(dap::number_of(a, "input")))) return s.answer(r);
             s.channel_.send(dap::failure_of(r, "it is not known (any more) which op made this value"));
         }},
        {"threads",
         [](Server& s, const Json& r, const Json&) {
             s.answer(r, {{"threads", {{{"id", kThread}, {"name", "main"}}}}});
         }},
        {"stackTrace", [](Server& s, const Json& r, const Json& a) { s.stack(r, a); }},
        {"scopes",
         [](Server& s, const Json& r, const Json& a) {
             const auto scopes = s.target_.scopes(static_cast<int>(dap::number_of(a, "frameId")));
             s.answer(r, scopes, [](const std::vector<debug::Scope>& all) {
                 Json list = Json::array();
                 for (const debug::Scope& scope : all) {
                     list.push_back({{"name", scope.name},
                                     {"variablesReference", scope.reference},
                                     {"expensive", scope.expensive}});
                     if (scope.name == "Locals") list.back()["presentationHint"] = "locals";
                 }
                 return Json{{"scopes", std::move(list)}};
             });
         }},
        {"variables",
         [](Server& s, const Json& r, const Json& a) {
             const auto parts = s.target_.variables(
                 static_cast<int>(dap::number_of(a, "variablesReference")), dap::text_of(a, "filter"),
                 static_cast<int>(std::max<std::int64_t>(0, dap::number_of(a, "start"))),
                 static_cast<int>(std::max<std::int64_t>(0, dap::number_of(a, "count"))));
             s.answer(r, parts, [](const std::vector<debug::Variable>& all) {
                 Json list = Json::array();
                 for (const debug::Variable& v : all) list.push_back(json_of(v));
                 return Json{{"variables", std::move(list)}};
             });
         }},
        {"evaluate",
         [](Server& s, const Json& r, const Json& a) {
             const auto value =
                 s.target_.evaluate(dap::text_of(a, "expression"), static_cast<int>(dap::number_of(a, "frameId")),
                                    dap::text_of(a, "context"));
             s.answer(r, value, [](const debug::Variable& v) { return result_of(v); });
         }},
        {"setVariable",
         [](Server& s, const Json& r, const Json& a) {
             const auto value = s.target_.set_variable(static_cast<int>(dap::number_of(a, "variablesReference")),
                                                       dap::text_of(a, "name"), dap::text_of(a, "value"));
             s.answer(r, value, [](const debug::Variable& v) { return json_of(v); });
         }},
        {"fusescope/storeTensor",
         [](Server& s, const Json& r, const Json& a) {
             const auto stored = s.target_.store_tensor(static_cast<int>(dap::number_of(a, "variablesReference")),
                                                        dap::text_of(a, "path"));
             s.answer(r, stored, [](const debug::StoredTensor& t) {
                 return Json{{"dtype", t.dtype}, {"shape", t.shape}};
             });
         }},
        {"setExpression",
         [](Server& s, const Json& r, const Json& a) {
             const int frame = static_cast<int>(dap::number_of(a, "frameId"));
             const std::string target = dap::text_of(a, "expression");
             const auto done = s.target_.evaluate(target + " = (" + dap::text_of(a, "value") + ")", frame, "repl");
             if (!done.value) return s.channel_.send(dap::failure_of(r, done.error));
             s.answer(r, s.target_.evaluate(target, frame, "watch"),
                      [](const debug::Variable& v) { return json_of(v); });
         }},
        {"exceptionInfo",
         [](Server& s, const Json& r, const Json&) {
             s.answer(r, s.target_.exception(), [](const debug::ExceptionInfo& e) {
                 return Json{{"exceptionId", e.type},
                             {"description", e.message},
                             {"breakMode", "always"},
                             {"details", {{"message", e.message}, {"typeName", e.type}, {"stackTrace", e.traceback}}}};
             });
         }},
        {"continue",
         [](Server& s, const Json& r, const Json&) {
             s.resume(r, Resume::run, {{"allThreadsContinued", true}});
         }},
        {"next", [](Server& s, const Json& r, const Json& a) { s.step(r, a, Resume::over); }},
        {"stepIn", [](Server& s, const Json& r, const Json& a) { s.step(r, a, Resume::in); }},
        {"stepOut", [](Server& s, const Json& r, const Json& a) { s.step(r, a, Resume::out); }},
        {"stepBack", [](Server& s, const Json& r, const Json&) { s.resume(r, Resume::back); }},
        {"reverseContinue", [](Server& s, const Json& r, const Json&) { s.resume(r, Resume::back_run); }},
        {"pause",
         [](Server& s, const Json& r, const Json&) {
             s.target_.pause();
             s.answer(r);
         }},
        {"disconnect", [](Server& s, const Json&, const Json&) { s.let_go_(); }},
    };
    return table;
}

/// What a launch configuration may say besides "program".
struct Launch {
    std::string program, profile, mode, device, passes;
    std::vector<std::string> args;
    Watch watch = Watch::health;
    debug::HistoryLimits history;
    bool temporary = false;  ///< nobody named a profile
};

Launch launch_of(const Json& a) {
    Launch l;
    l.program = dap::text_of(a, "program");
    l.args = dap::texts_of(a, "args");
    l.mode = dap::text_of(a, "mode", "script");
    l.device = dap::text_of(a, "device", "script");
    l.passes = dap::text_of(a, "passes");
    l.profile = dap::text_of(a, "profile");
    const std::string watch = dap::text_of(a, "watch", "off");
    const std::vector<std::string> levels = {"off", "health", "stats", "values"};
    const auto level = std::find(levels.begin(), levels.end(), watch);
    if (level == levels.end()) throw UsageError("\"watch\" is one of off, health, stats, values");
    l.watch = static_cast<Watch>(level - levels.begin());
    if (l.mode != "script" && l.mode != "eager" && l.mode != "graph") {
        throw UsageError("\"mode\" is one of script, eager, graph");
    }
    const std::string budget = dap::text_of(a, "valuesBudget", "64M");
    const auto size = parse_size(budget);
    if (!size) throw UsageError("\"valuesBudget\": '" + budget + "' is not a size; write 256M or 1G");
    l.history = {static_cast<std::size_t>(*size), 200'000, true};
    if (l.profile.empty()) {
        const char* folder = std::getenv("TMPDIR");
        l.profile =
            std::string(folder && *folder ? folder : "/tmp") + "/fusescope-" + std::to_string(::getpid()) + ".fscope";
        l.temporary = true;
    }
    return l;
}

}  // namespace

int run_debuggee(int descriptor) {
    // Children of the program do not hold our channel open.
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    Channel channel(descriptor);
    const std::optional<Json> request = channel.receive();
    if (!request || dap::text_of(*request, "command") != "launch") return kUsage;
    const Json& arguments = dap::object_of(*request, "arguments");
    const auto refuse = [&](const std::string& why) {
        channel.send(dap::failure_of(*request, why));
        return kUsage;
    };
    try {
        Launch launch = launch_of(arguments);
        if (const std::string folder = dap::text_of(arguments, "cwd"); !folder.empty()) {
            std::filesystem::current_path(folder);
        }
        for (const auto& [name, value] : dap::object_of(arguments, "env").items()) {
            if (value.is_string()) ::setenv(name.c_str(), value.get<std::string>().c_str(), 1);
            if (value.is_null()) ::unsetenv(name.c_str());
        }
        RunInfo run;
        run.script = launch.program;
        run.arguments = launch.args;
        run.mode = launch.mode;
        run.device = launch.device;
        run.options["debugged"] = "yes";
        DatabaseRecorder recorder(launch.profile, run, {});
        channel.send(dap::response_to(*request));
        channel.send(dap::event("fusescope/profile", {{"path", launch.profile}}));

        python::ScriptDebugger debugger(channel, launch.history);
        debugger.step_into_libraries = !dap::truth_of(arguments, "justMyCode", true);
        Server server(
            channel, debugger, [&](bool at_entry) { debugger.start(at_entry); }, [&] { debugger.let_go(); });
        server.stop_on_entry = dap::truth_of(arguments, "stopOnEntry") && !dap::truth_of(arguments, "noDebug");
        server.observed = !dap::truth_of(arguments, "noDebug");
        debugger.observed = server.observed;
        debugger.forked = [&] { channel.abandon(); };
        std::thread serving;
        debugger.ready = [&] {
            serving = std::thread([&] { server.serve(); });
            channel.send(dap::event("initialized"));
        };
        const auto leaving = [&](std::optional<int> status) {
            if (!status) return recorder.flush();
            recorder.finish("ok", *status & 0xff);
            channel.said("The program called os._exit(" + std::to_string(*status) + ").\n");
        };
        const python::ScriptResult result = python::run_script({.script = launch.program,
                                                                .args = launch.args,
                                                                .mode = launch.mode,
                                                                .device = launch.device,
                                                                .passes = launch.passes,
                                                                .watch = launch.watch,
                                                                .recorder = &recorder,
                                                                .debugger = &debugger,
                                                                .started = [&] { recorder.save_on_fatal_signal(); },
                                                                .leaving = leaving});
        if (channel.abandoned()) ::_exit(result.exit_status);  // a child that has no thread to serve
        recorder.finish(result.interrupted ? "killed" : result.raised ? "raised" : "ok", result.exit_status);
        channel.close();
        if (serving.joinable()) serving.join();
        return result.exit_status;
    } catch (const std::exception& e) {
        return refuse(e.what());
    }
}

}  // namespace fusescope::cli
