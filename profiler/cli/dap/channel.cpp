#include "profiler/cli/dap/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fusescope::cli {
namespace {

using dap::Json;

constexpr int kOutOfTheWay = 200;

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

}  // namespace

Channel::Channel(int descriptor) : descriptor_(::fcntl(descriptor, F_DUPFD_CLOEXEC, kOutOfTheWay)) {
    if (descriptor_ < 0) {
        descriptor_ = descriptor;
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // children of the program do not hold it open
    } else {
        ::close(descriptor);
    }
    struct stat s {};
    if (::fstat(descriptor_, &s) == 0) {
        device_ = s.st_dev;
        inode_ = s.st_ino;
    }
}

// A program may close what it does not know, and open a file of its own in that place.
bool Channel::is_ours() const noexcept {
    struct stat s {};
    return descriptor_ >= 0 && ::fstat(descriptor_, &s) == 0 && s.st_dev == device_ && s.st_ino == inode_;
}

std::optional<Json> Channel::receive(int milliseconds, bool& over) {
    char bytes[65536];
    for (;;) {
        if (auto text = reader_.next()) return dap::parsed(*text);
        pollfd p{descriptor_, POLLIN, 0};
        const int ready = ::poll(&p, 1, milliseconds);
        over = ready >= 0 && !is_ours();
        if (over || ready == 0) return std::nullopt;
        if (ready < 0) {
            if (errno == EINTR) continue;
            over = true;
            return std::nullopt;
        }
        const ssize_t n = ::recv(descriptor_, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        over = n <= 0;
        if (over) return std::nullopt;
        reader_.feed({bytes, static_cast<std::size_t>(n)});
    }
}

void Channel::send(const Json& message) {
    if (descriptor_ < 0) return;
    const std::string bytes = dap::framed(dap::dumped(message));
    const std::scoped_lock lock(mutex_);
    for (std::size_t at = 0; at < bytes.size();) {
        if (silent_.load() || !is_ours()) return;
        const ssize_t n = ::send(descriptor_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) return;
        if (n > 0) at += static_cast<std::size_t>(n);
    }
}

void Channel::close() {
    if (is_ours()) ::shutdown(descriptor_, SHUT_RDWR);
}

void Channel::abandon() {
    const bool ours = is_ours();
    const int descriptor = std::exchange(descriptor_, -1);
    if (ours) ::close(descriptor);
}

void Channel::stopped(const debug::Stop& stop) {
    Json body = {{"reason", reason_of(stop.reason)}, {"threadId", kThread}, {"allThreadsStopped", true}};
    if (!stop.description.empty()) body["description"] = stop.description;
    if (!stop.text.empty()) body["text"] = stop.text;
    if (!stop.breakpoints.empty()) body["hitBreakpointIds"] = stop.breakpoints;
    send(dap::event("stopped", std::move(body)));
}

void Channel::resumed() { send(dap::event("continued", {{"threadId", kThread}, {"allThreadsContinued", true}})); }

void Channel::said(const std::string& text) { send(dap::event("output", {{"category", "console"}, {"output", text}})); }

void Channel::unverified(int id, const std::string& message) {
    send(dap::event("breakpoint",
                    {{"reason", "changed"}, {"breakpoint", {{"id", id}, {"verified", false}, {"message", message}}}}));
}

}  // namespace fusescope::cli
