#include "profiler/cli/dap/adapter.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include "profiler/cli/arguments.hpp"
#include "profiler/cli/dap/debuggee_process.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/dap/framing.hpp"
#include "profiler/dap/message.hpp"
#include "profiler/db/database.hpp"
#include "profiler/query/op_events.hpp"

namespace fusescope::cli {
namespace {

using dap::Json;
using Clock = std::chrono::steady_clock;

/// Most pieces of output that are passed on in one turn. Together they are more than a pipe holds, so that all that a
/// stopped program wrote is told before its stop; and a program that prints without end does not keep the client
/// waiting.
constexpr int kMostPieces = 32;

Json capabilities() {
    const auto filter = [](const char* id, const char* label, const char* description, bool on) {
        return Json{{"filter", id}, {"label", label}, {"description", description}, {"default", on}};
    };
    Json filters = {
        filter("raised", "Python exceptions: raised", "Stop where an exception is raised, caught or not.", false),
        filter("uncaught", "Python exceptions: not caught", "Stop when the program is about to end by one.", true),
        filter("shape", "Shape, dtype and index errors", "Stop at the op that refuses its operands.", false),
        filter("nan", "NaN is born", "Stop after the op that makes a NaN of operands without one.", false),
        filter("inf", "Infinity is born", "Stop after the op that makes an Inf of finite operands.", false),
    };
    Json watch = filter("watch", "Watchpoint", "Stop when a value fulfils a condition.", false);
    watch["supportsCondition"] = true;
    watch["conditionDescription"] =
        "nan, inf, overflow, underflow, zero, unchanged, changed, range(a, b), change(a), relative_change(a), norm(a), "
        "dead(share) or expr(max > 10), then perhaps: on op NAME, on cell PATH, on parameter NAME, on parameters, on "
        "gradients";
    filters.push_back(watch);
    return {{"supportsConfigurationDoneRequest", true},
            {"supportsFunctionBreakpoints", true},
            {"supportsConditionalBreakpoints", true},
            {"supportsHitConditionalBreakpoints", true},
            {"supportsLogPoints", true},
            {"supportsEvaluateForHovers", true},
            {"supportsSetVariable", true},
            {"supportsSetExpression", true},
            {"supportsStepBack", true},
            {"supportsSteppingGranularity", true},
            {"supportsExceptionInfoRequest", true},
            {"supportsExceptionFilterOptions", true},
            {"supportsExceptionOptions", false},
            {"supportsTerminateRequest", true},
            {"supportTerminateDebuggee", true},
            {"supportsDelayedStackTraceLoading", true},
            {"supportsVariablePaging", true},
            {"supportsDataBreakpoints", true},
            {"supportsClipboardContext", true},
            {"supportsCancelRequest", true},
            {"exceptionBreakpointFilters", filters}};
}

/// One client and what it debugs.
class Session {
 public:
    Session(int in, int out, bool own_input) : in_(in), out_(out), own_input_(own_input) {}

    /// Until the client leaves.
    void run() {
        while (!over_) {
            pollfd fds[5];
            int count = 0;
            const auto add = [&](int fd, int events = POLLIN) {
                fds[count] = {fd, static_cast<short>(events), 0};
                return count++;
            };
            const int client = add(in_);
            const int channel = process_ && channel_open_
                                    ? add(process_->channel(), process_->waits_to_send() ? POLLIN | POLLOUT : POLLIN)
                                    : -1;
            const int output = process_ && process_->output() >= 0 ? add(process_->output()) : -1;
            const int errors = process_ && process_->errors() >= 0 ? add(process_->errors()) : -1;
            if (process_ && process_->waits_to_type()) add(process_->input(), POLLOUT);
            if (::poll(fds, static_cast<nfds_t>(count), process_ ? 100 : -1) < 0 && errno != EINTR) return;
            // What the program wrote comes before what it did next.
            if (output >= 0 && fds[output].revents) take_output();
            if (errors >= 0 && fds[errors].revents) take_errors();
            if (channel >= 0 && (fds[channel].revents & ~POLLOUT)) take_channel();
            if (process_) process_->flush();
            if (fds[client].revents) take_client();
            if (process_) look_after_process();
        }
    }

 private:
    void send(Json message) {
        message["seq"] = ++seq_;
        if (!write_all(out_, dap::framed(dap::dumped(message)))) over_ = true;
    }

    void say(const char* category, const std::string& text) {
        send(dap::event("output", {{"category", category}, {"output", text}}));
    }

    void take_client() {
        char bytes[65536];
        const ssize_t n = ::read(in_, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) return;
        if (n <= 0) {
            over_ = true;
            return;
        }
        from_client_.feed({bytes, static_cast<std::size_t>(n)});
        try {
            while (auto text = from_client_.next()) {
                const Json message = dap::parsed(*text);
                if (dap::text_of(message, "type") == "request") {
                    try {
                        handle(message);
                    } catch (const std::exception& e) {
                        send(dap::failure_of(message, e.what()));
                    }
                } else if (message.is_null()) {
                    say("console", "A message that is no JSON object was left out.\n");
                }
            }
        } catch (const dap::FramingError& e) {
            tell(std::string("--dap: ") + e.what());
            over_ = true;
        }
    }

    void handle(const Json& request) {
        const std::string command = dap::text_of(request, "command");
        const Json& arguments = dap::object_of(request, "arguments");
        if (command == "initialize") {
            client_ = arguments;
            send(dap::response_to(request, capabilities()));
        } else if (command == "launch") {
            launch(request, arguments);
        } else if (command == "attach") {
            send(dap::failure_of(request, "a running program cannot be attached to: use a launch configuration"));
        } else if (command == "disconnect") {
            const bool terminate = dap::truth_of(arguments, "terminateDebuggee", true);
            if (process_ && terminate) kill_process();
            send(dap::response_to(request));
            over_ = true;
            if (process_ && !terminate) wait_unwatched();
        } else if (command == "terminate") {
            if (process_) {
                process_->signal(SIGTERM);
                kill_at_ = Clock::now() + std::chrono::seconds(2);
            }
            send(dap::response_to(request));
        } else if (command == "fusescope/stdin") {
            const std::string why = process_ ? process_->type(dap::text_of(arguments, "text")) : no_program();
            send(why.empty() ? dap::response_to(request) : dap::failure_of(request, why));
        } else if (command == "cancel" && (!process_ || !channel_open_)) {
            send(dap::response_to(request));  // there is nothing to cancel
        } else if (!process_ || !channel_open_) {
            if (command == "threads") {
                send(dap::response_to(request, {{"threads", Json::array()}}));
            } else {
                send(dap::failure_of(request, no_program()));
            }
        } else if (command == "evaluate" && !stopped_ && dap::text_of(arguments, "context") == "repl" &&
                   process_->type(dap::text_of(arguments, "expression") + "\n").empty()) {
            // The console of a running program is where its input is typed.
            send(dap::response_to(request, {{"result", ""}, {"variablesReference", 0}}));
        } else {
            open_requests_[dap::number_of(request, "seq")] = request;
            process_->send(dap::framed(dap::dumped(request)));
        }
    }

    std::string no_program() const {
        if (process_) return "the debugger has lost the program, which runs on without it";
        return ended_ ? "the program has ended" : "no program was launched yet";
    }

    void launch(const Json& request, const Json& arguments) {
        const std::string program = dap::text_of(arguments, "program");
        std::string folder = dap::text_of(arguments, "cwd");
        if (process_ || ended_) return send(dap::failure_of(request, "a program was launched already"));
        if (program.empty()) return send(dap::failure_of(request, "the launch configuration names no \"program\""));
        std::error_code e;
        if (folder.empty()) folder = std::filesystem::current_path(e).string();
        if (!std::filesystem::is_directory(folder, e)) {
            return send(dap::failure_of(request, "\"cwd\" is no folder: " + folder));
        }
        const std::filesystem::path path = std::filesystem::path(folder) / program;
        if (!std::filesystem::exists(path, e)) {
            return send(dap::failure_of(request, "there is no script '" + path.string() + "'"));
        }
        try {
            process_ = std::make_unique<DebuggeeProcess>(own_input_);
        } catch (const std::exception& error) {
            return send(dap::failure_of(request, std::string("the program could not be started: ") + error.what()));
        }
        channel_open_ = true;
        open_requests_[dap::number_of(request, "seq")] = request;
        Json with_client = request;
        with_client["fusescope/client"] = client_;
        process_->send(dap::framed(dap::dumped(with_client)));
    }

    void pass_on(int descriptor, const char* category, std::string& half, void (DebuggeeProcess::*close)()) {
        char bytes[65536];
        for (int piece = 0; piece < kMostPieces; ++piece) {
            const ssize_t n = ::read(descriptor, bytes, sizeof bytes);
            if (n > 0) {
                half.append(bytes, static_cast<std::size_t>(n));
                // A character may be cut in two.
                std::size_t end = half.size();
                for (std::size_t back = 1; back <= 4 && back <= half.size(); ++back) {
                    const auto c = static_cast<unsigned char>(half[half.size() - back]);
                    if (c < 0x80) break;
                    if (c < 0xc0) continue;
                    const std::size_t whole = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
                    if (whole > back) end = half.size() - back;
                    break;
                }
                if (end > 0) say(category, half.substr(0, end));
                half.erase(0, end);
                continue;
            }
            if (n < 0 && errno == EINTR) continue;
            if (n < 0 && errno == EAGAIN) return;
            (process_.get()->*close)();
            return;
        }
    }
    void take_output() {
        if (process_->output() >= 0) pass_on(process_->output(), "stdout", half_out_, &DebuggeeProcess::close_output);
    }
    void take_errors() {
        if (process_->errors() >= 0) pass_on(process_->errors(), "stderr", half_err_, &DebuggeeProcess::close_errors);
    }

    void take_channel() {
        char bytes[65536];
        const ssize_t n = ::read(process_->channel(), bytes, sizeof bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (n <= 0) {
            channel_open_ = false;
            // Most often it is about to end. If not, it has closed what it did not know.
            lost_at_ = Clock::now() + std::chrono::seconds(1);
            return;
        }
        from_program_.feed({bytes, static_cast<std::size_t>(n)});
        for (;;) {
            std::optional<std::string> text;
            try {
                text = from_program_.next();
            } catch (const dap::FramingError& e) {
                // It wrote to a descriptor that it does not know, or the answer was beyond all measure.
                lose(e.what());
            }
            if (!text) break;
            Json message = dap::parsed(*text);
            const std::string name = dap::text_of(message, "event");
            if (dap::text_of(message, "type") == "response")
                open_requests_.erase(dap::number_of(message, "request_seq"));
            if (name == "fusescope/profile") profile_ = dap::text_of(dap::object_of(message, "body"), "path");
            if (name == "stopped" || name == "continued") stopped_ = name == "stopped";
            take_output();
            take_errors();
            send(std::move(message));
        }
    }

    void lose(const std::string& why) {
        channel_open_ = stopped_ = false;
        process_->close_channel();  // if it stands, it goes on
        say("important", "The debugger lost the program, which runs on without it: " + why + "\n");
        fail_open_requests(no_program());
    }
    void fail_open_requests(const std::string& why) {
        for (const auto& [seq, request] : open_requests_) send(dap::failure_of(request, why));
        open_requests_.clear();
    }

    void look_after_process() {
        const std::optional<int> status = process_->ended();
        if (lost_at_ && Clock::now() > *lost_at_ && !status) {
            lost_at_.reset();
            lose("its connection was closed");
        }
        if (kill_at_ && Clock::now() > *kill_at_ && !status) kill_process();
        if (!status) return;
        take_output();
        take_errors();
        // What it sent is here already; its own children may hold the other end open for as long as they like.
        for (pollfd p{process_->channel(), POLLIN, 0}; channel_open_ && ::poll(&p, 1, 0) > 0;) take_channel();
        channel_open_ = false;
        fail_open_requests("the program has ended");
        int code = 0;
        if (WIFSIGNALED(*status)) {
            code = 128 + WTERMSIG(*status);
            say("important", "The program was ended by " + signal_name(WTERMSIG(*status)) + ". " + last_op() + "\n");
        } else {
            code = WEXITSTATUS(*status);
            if (code == 127) say("important", "The program could not be started.\n");
        }
        process_.reset();
        lost_at_.reset();
        ended_ = true;
        send(dap::event("exited", {{"exitCode", code}}));
        send(dap::event("terminated"));
    }

    /// What the profile knows of the end.
    std::string last_op() const {
        if (profile_.empty()) return {};
        try {
            Database database = Database::open_readonly(profile_);
            if (const auto op = query::last_op_event(database)) {
                std::string text = "The last op that was recorded is " + op->name;
                if (!op->path.empty()) text += " at " + op->path + ":" + std::to_string(op->line);
                return text + "; the profile is " + profile_;
            }
        } catch (const std::exception&) {
            // It ended before there was a profile.
        }
        return "No op had run.";
    }

    void kill_process() {
        kill_at_.reset();
        process_->signal(SIGTERM);
        const auto end = Clock::now() + std::chrono::milliseconds(500);
        while (!process_->ended() && Clock::now() < end) ::usleep(5000);
        process_->signal(SIGKILL);
    }

    // The client leaves and the program may go on: its output must still be taken, or it would block.
    void wait_unwatched() {
        process_->send(dap::framed(dap::dumped({{"type", "request"}, {"seq", 0}, {"command", "disconnect"}})));
        process_->end_input();
        char bytes[65536];
        while (!process_->ended()) {
            // What the debuggee says goes unheard, but it must be able to say it.
            pollfd fds[3] = {{process_->output(), POLLIN, 0},
                             {process_->errors(), POLLIN, 0},
                             {channel_open_ ? process_->channel() : -1, POLLIN, 0}};
            ::poll(fds, 3, 100);
            process_->flush();
            const auto drained = [&](const pollfd& p) {
                ssize_t n = 1;
                while (p.fd >= 0 && n > 0) n = ::read(p.fd, bytes, sizeof bytes);
                return p.fd >= 0 && (n == 0 || (errno != EAGAIN && errno != EINTR));
            };
            if (drained(fds[0])) process_->close_output();
            if (drained(fds[1])) process_->close_errors();
            if (drained(fds[2])) channel_open_ = false;
        }
    }

    int in_, out_;
    bool own_input_;
    bool over_ = false, ended_ = false, channel_open_ = false, stopped_ = false;
    std::int64_t seq_ = 0;
    dap::FrameReader from_client_, from_program_;
    std::map<std::int64_t, Json> open_requests_;
    std::string half_out_, half_err_;
    std::string profile_;
    Json client_;  ///< what its initialize request said
    std::optional<Clock::time_point> kill_at_;
    std::optional<Clock::time_point> lost_at_;  ///< the channel ended; told then, unless the program ends
    std::unique_ptr<DebuggeeProcess> process_;
};

int listening_socket(int port) {
    const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (s < 0 || ::bind(s, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(s, 4) != 0) {
        tell("--dap: can't listen on port " + std::to_string(port) + ": " + std::strerror(errno));
        if (s >= 0) ::close(s);
        return -1;
    }
    ::getsockname(s, reinterpret_cast<sockaddr*>(&address), &size);
    tell("--dap: listening on 127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
    return s;
}

}  // namespace

std::string signal_name(int number) {
    const char* const text = ::strsignal(number);
    const char* const name = ::sigabbrev_np(number);
    return std::string(text ? text : "a signal") + " (" + (name ? "SIG" + std::string(name) : std::to_string(number)) +
           ")";
}

int run_dap(const DapOptions& options) {
    std::signal(SIGPIPE, SIG_IGN);
    if (!options.listen) {
        // Nothing else may write to the channel.
        const int out = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
        const int in = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
        const int null = ::open("/dev/null", O_RDWR);
        ::dup2(null, 0);
        ::dup2(2, 1);
        Session(in, out, false).run();
        return kDone;
    }
    const int listener = listening_socket(*options.listen);
    if (listener < 0) return kFileError;
    std::signal(SIGCHLD, SIG_IGN);  // those who served a client need nobody to wait for them
    for (;;) {
        const int client = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) {
            if (errno == EINTR) continue;
            return kFileError;
        }
        // A client has a process of its own: one that waits for its program keeps nobody else waiting.
        const pid_t own = ::getpid();
        const pid_t child = ::fork();
        if (child == 0) {
            ::close(listener);
            ::prctl(PR_SET_PDEATHSIG, SIGTERM);
            if (::getppid() != own) ::_exit(kDone);
            std::signal(SIGCHLD, SIG_DFL);
            Session(client, client, true).run();
            ::_exit(kDone);
        }
        if (child < 0) tell(std::string("--dap: can't serve a client: ") + std::strerror(errno));
        ::close(client);
    }
}

}  // namespace fusescope::cli
