#include "profiler/cli/dap/debuggee_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

namespace fusescope::cli {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void close_one(int& descriptor) noexcept {
    if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

}  // namespace

bool write_all(int descriptor, const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t n = ::write(descriptor, bytes.data() + at, bytes.size() - at);
        if (n >= 0) {
            at += static_cast<std::size_t>(n);
        } else if (errno == EAGAIN) {
            pollfd p{descriptor, POLLOUT, 0};
            ::poll(&p, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

DebuggeeProcess::DebuggeeProcess(bool own_input) {
    int channel[2], in[2] = {-1, -1}, out[2], err[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) fail("socketpair");
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) fail("pipe");
    if (!own_input && ::pipe2(in, O_CLOEXEC) != 0) fail("pipe");
    const std::string number = std::to_string(channel[1]);
    const pid_t parent = ::getpid();
    // By its name, so that process lists show it; the link itself would be called "exe".
    std::error_code none;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe", none).string();
    pid_ = ::fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) {
        // Only calls that are safe after fork, up to exec.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);
        ::setpgid(0, 0);
        if (!own_input) ::dup2(in[0], 0);
        ::dup2(out[1], 1);
        ::dup2(err[1], 2);
        ::fcntl(channel[1], F_SETFD, 0);
        ::signal(SIGPIPE, SIG_DFL);
        const char* const arguments[] = {"fusescope", "--debuggee", number.c_str(), nullptr};
        ::execv(self.c_str(), const_cast<char* const*>(arguments));
        ::_exit(127);
    }
    ::close(channel[1]);
    ::close(out[1]);
    ::close(err[1]);
    if (in[0] >= 0) ::close(in[0]);
    channel_ = channel[0];
    input_ = in[1];
    output_ = out[0];
    errors_ = err[0];
    for (const int descriptor : {channel_, input_, output_, errors_}) {
        if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    }
}

DebuggeeProcess::~DebuggeeProcess() {
    if (!ended()) {
        signal(SIGKILL);
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    for (int* descriptor : {&channel_, &input_, &output_, &errors_}) close_one(*descriptor);
}

void DebuggeeProcess::close_channel() noexcept { ::shutdown(channel_, SHUT_RDWR); }
void DebuggeeProcess::close_output() noexcept { close_one(output_); }
void DebuggeeProcess::close_errors() noexcept { close_one(errors_); }

std::string DebuggeeProcess::type(const std::string& text) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    if (input_ < 0) return "the program's standard input is not ours to write to";
    if (to_input_.size() + text.size() > kMost) return "the program does not read its input: too much waits for it";
    return to_input_.put(input_, text) ? "" : "the program has closed its standard input";
}

void DebuggeeProcess::end_input() {
    input_ends_ = true;
    flush();
}

void DebuggeeProcess::flush() {
    to_channel_.flush(channel_);
    if (input_ < 0) return;
    to_input_.flush(input_);
    if (input_ends_ && to_input_.empty()) close_one(input_);
}

void DebuggeeProcess::signal(int number) noexcept {
    // The whole group: what the program started itself goes too.
    if (!status_ && ::kill(-pid_, number) != 0) ::kill(pid_, number);
}

std::optional<int> DebuggeeProcess::ended() {
    int status = 0;
    if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_;
}

}  // namespace fusescope::cli
