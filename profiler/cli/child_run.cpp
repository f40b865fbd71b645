#include "profiler/cli/child_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "engine/python/host.hpp"
#include "profiler/check/log_recorder.hpp"
#include "profiler/check/profiling_recorder.hpp"
#include "profiler/db/database.hpp"
#include "profiler/export/sink.hpp"
#include "profiler/write/recorder.hpp"

namespace fusescope::cli {

namespace {

constexpr std::size_t kMostOutput = 64u << 20;      // of each stream that is kept for comparing
constexpr std::uint64_t kMostProfiled = 2'000'000;  // events of a run that are recorded besides
constexpr int kHighDescriptor = 200;                // out of the way of a script that counts on small ones

/// A descriptor that is closed at the end.
class Descriptor {
 public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    int get() const { return number_; }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

 private:
    int number_;
};

[[noreturn]] void fail(const std::string& what) {
    const int error = errno;
    throw WriteError(what + ": " + std::strerror(error), error);
}

/// A file without a name.
Descriptor temporary_file() {
    const char* folder = std::getenv("TMPDIR");
    if (folder == nullptr || *folder == '\0') folder = "/tmp";
    int file = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) {
        std::string name = std::string(folder) + "/fusescope-check-XXXXXX";
        file = ::mkostemp(name.data(), O_CLOEXEC);
        if (file < 0) fail(std::string("a temporary file in ") + folder);
        ::unlink(name.c_str());
    }
    Descriptor low(file);
    const int high = ::fcntl(file, F_DUPFD_CLOEXEC, kHighDescriptor);
    return high < 0 ? std::move(low) : Descriptor(high);
}

struct Pipe {
    Descriptor read, write;
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) fail("a pipe");
        read = Descriptor(ends[0]);
        write = Descriptor(ends[1]);
    }
};

void write_all(int to, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(to, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // whoever read it has gone; the program goes on
        data += written;
        size -= static_cast<std::size_t>(written);
    }
}

/// What the child does; never comes back.
[[noreturn]] void be_child(const ChildOptions& options, int log, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the script may ignore others
    if (::getppid() != parent) ::_exit(1);
    std::signal(SIGPIPE, SIG_DFL);
    // Sets of strings come in the same order in every run.
    ::setenv("PYTHONHASHSEED", "0", 0);
    check::LogRecorder recorder(log, options.keep);
    std::optional<DatabaseRecorder> profile;
    std::optional<check::ProfilingRecorder> both;
    if (!options.profile.empty()) {
        try {
            RunInfo run;
            run.script = options.script;
            run.arguments = options.args;
            run.mode = options.graphs ? "graph" : "eager";
            run.device = options.device;
            if (!options.passes.empty()) run.options["passes"] = options.passes;
            profile.emplace(options.profile, run);
            both.emplace(recorder, *profile, kMostProfiled);
        } catch (const DatabaseError&) {
            profile.reset();  // the check goes on without
        }
    }
    python::ScriptOptions script;
    script.script = options.script;
    script.args = options.args;
    script.mode = options.graphs ? "graph" : "eager";
    script.device = options.device;
    script.passes = options.passes;
    script.jit = options.graphs;
    script.repeatable = true;
    script.watch = Watch::bytes;
    script.recorder = both ? static_cast<Recorder*>(&*both) : &recorder;
    script.leaving = [&](std::optional<int> status) {
        recorder.finish(status ? std::optional(false) : std::nullopt);
        if (!profile) return;
        if (status) {
            profile->finish("ok", *status & 0xff);
        } else {
            profile->flush();
        }
    };
    const python::ScriptResult result = python::run_script(script);
    recorder.finish(result.raised);
    if (profile) profile->finish(result.interrupted ? "killed" : result.raised ? "raised" : "ok", result.exit_status);
    std::fflush(nullptr);
    if (result.interrupted) {
        std::signal(SIGINT, SIG_DFL);
        std::raise(SIGINT);
    }
    ::_exit(result.exit_status);
}

}  // namespace

struct Children::Streams {
    Pipe in, out, err;
    bool feed = false;    // what comes on standard input goes to the child
    std::string waiting;  // that the child has not taken yet
};

Children::Children() {
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0) return;
    if (S_ISREG(status.st_mode)) {
        input_ = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kHighDescriptor);
        input_from_ = std::max<off_t>(0, ::lseek(STDIN_FILENO, 0, SEEK_CUR));
    } else if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(STDIN_FILENO)) {
        Descriptor file = temporary_file();
        input_ = ::fcntl(file.get(), F_DUPFD_CLOEXEC, kHighDescriptor);
        copy_input_ = true;
    }
}

Children::~Children() {
    if (input_ >= 0) ::close(input_);
}

int Children::input_for_child(Streams& streams) {
    if (copy_input_) {
        streams.feed = true;
        return ::dup(streams.in.read.get());
    }
    // Opened anew, so that each run has a position of its own.
    const std::string path = input_ < 0 ? "/dev/null" : "/proc/self/fd/" + std::to_string(input_);
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0 && input_from_ > 0) ::lseek(file, input_from_, SEEK_SET);
    return file;
}

void Children::pump(Streams& s, pid_t child, ChildRun& run, const ChildOptions& options) {
    s.in.read.close();
    s.out.write.close();
    s.err.write.close();
    if (!s.feed) s.in.write.close();
    if (s.feed) ::fcntl(s.in.write.get(), F_SETFL, O_NONBLOCK);
    bool input_open = s.feed;
    int status = 0;
    bool ended = false;
    const auto take = [&](Descriptor& from, std::string& into, int show) {
        char piece[1 << 16];
        const ssize_t size = ::read(from.get(), piece, sizeof piece);
        if (size < 0 && errno == EINTR) return;
        if (size <= 0) return from.close();
        if (show >= 0) write_all(show, piece, static_cast<std::size_t>(size));
        into.append(piece, std::min(static_cast<std::size_t>(size), kMostOutput - std::min(kMostOutput, into.size())));
    };
    while (s.out.read.get() >= 0 || s.err.read.get() >= 0) {
        pollfd watched[4] = {{s.out.read.get(), POLLIN, 0},
                             {s.err.read.get(), POLLIN, 0},
                             {input_open && s.waiting.empty() ? STDIN_FILENO : -1, POLLIN, 0},
                             {s.waiting.empty() ? -1 : s.in.write.get(), POLLOUT, 0}};
        constexpr int kPatience = 100;
        const int ready = ::poll(watched, 4, kPatience);
        if (ready < 0 && errno != EINTR) break;
        if (watched[0].revents) take(s.out.read, run.out, options.show_out);
        if (watched[1].revents) take(s.err.read, run.err, options.show_err);
        if (watched[2].revents) {
            char piece[1 << 12];
            const ssize_t size = ::read(STDIN_FILENO, piece, sizeof piece);
            if (size > 0) {
                write_all(input_, piece, static_cast<std::size_t>(size));
                s.waiting.assign(piece, static_cast<std::size_t>(size));
            } else {
                input_open = false;
                s.in.write.close();
            }
        }
        if (watched[3].revents) {
            const ssize_t written = ::write(s.in.write.get(), s.waiting.data(), s.waiting.size());
            if (written > 0) {
                s.waiting.erase(0, static_cast<std::size_t>(written));
            } else if (errno != EAGAIN && errno != EINTR) {  // the program has closed its input
                s.waiting.clear();
                input_open = false;
                s.in.write.close();
            }
        }
        // What the program has started may hold its streams open for ever.
        if (ready == 0) {
            if (ended) break;
            ended = ::waitpid(child, &status, WNOHANG) == child;
        }
    }
    while (!ended && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ChildRun Children::run(const ChildOptions& options) {
    ChildRun run;
    const auto does_not_fit = [](int error) {
        throw WriteError(std::string("the log of a run does not fit in the folder for temporary files: ") +
                             std::strerror(error) + "; TMPDIR names another",
                         error);
    };
    const Descriptor log = temporary_file();
    if (const int error = check::begin_log(log.get()); error != 0) does_not_fit(error);
    Streams streams;
    const Descriptor input(input_for_child(streams));
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) fail("a process for the program");
    if (child == 0) {
        ::dup2(input.get(), STDIN_FILENO);
        ::dup2(streams.out.write.get(), STDOUT_FILENO);
        ::dup2(streams.err.write.get(), STDERR_FILENO);
        // Those above the standard streams are closed when the program starts another one; this one keeps its own few.
        streams.in.write.close();
        streams.in.read.close();
        streams.out.read.close();
        streams.err.read.close();
        streams.out.write.close();
        streams.err.write.close();
        be_child(options, log.get(), parent);
    }
    pump(streams, child, run, options);
    copy_input_ = false;
    run.log = check::read_log(log.get());
    if (run.log.failed != 0) does_not_fit(run.log.failed);
    return run;
}

}  // namespace fusescope::cli
