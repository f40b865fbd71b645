#include "profiler/write/fatal_signal.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace fusescope {

namespace {

constexpr int kSent[] = {SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};                   // by somebody else
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};  // by this thread itself
constexpr std::size_t kStackBytes = 64 * 1024;
constexpr long kPollNs = 2'000'000;
constexpr int kMostPolls = 2500;  // 5 s: what supervisors give before they kill for good is rarely less

// What the handler may look at; plain atomics, because a handler can run at any instruction.
struct State {
    std::atomic<FatalSignal::Ask> ask{nullptr};
    std::atomic<void*> argument{nullptr};
    std::atomic<pid_t> owner{0};
    std::atomic<bool> asked{false};
    std::atomic<bool> saved{false};
    std::atomic<bool> saver_known{false};
    std::atomic<pthread_t> saver{};
};
State state;

void handle(int signal) {
    const int error_before = errno;
    const FatalSignal::Ask ask = state.ask.load();
    const bool saver_itself = state.saver_known.load() && pthread_equal(pthread_self(), state.saver.load());
    if (ask != nullptr && state.owner.load() == ::getpid() && !saver_itself) {
        if (!state.asked.exchange(true)) ask(state.argument.load(), signal);
        const timespec pause{0, kPollNs};
        for (int i = 0; i < kMostPolls && !state.saved.load(); ++i) ::nanosleep(&pause, nullptr);
    }
    errno = error_before;
    // The default action is in force again (SA_RESETHAND): a fault recurs on return, the others are raised anew.
    ::raise(signal);
}

template <class Do>
void for_each_signal(Do act) {
    for (const int signal : kSent) act(signal);
    for (const int signal : kFaults) act(signal);
}

}  // namespace

FatalSignal::FatalSignal(Ask ask, void* argument) : stack_(new std::byte[kStackBytes]) {
    state.argument = argument;
    state.owner = ::getpid();
    state.asked = false;
    state.saved = false;
    state.ask = ask;
    stack_t before{};
    if (::sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
        stack_t mine{};
        mine.ss_sp = stack_.get();
        mine.ss_size = kStackBytes;
        stack_in_use_ = ::sigaltstack(&mine, nullptr) == 0;
    }
    for_each_signal([](int signal) {
        struct sigaction now {};
        if (::sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) {
            return;
        }
        struct sigaction ours {};
        ours.sa_handler = &handle;
        ours.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
        ::sigemptyset(&ours.sa_mask);
        ::sigaction(signal, &ours, nullptr);
    });
}

FatalSignal::~FatalSignal() {
    for_each_signal([](int signal) {
        struct sigaction now {};
        if (::sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == &handle) {
            std::signal(signal, SIG_DFL);
        }
    });
    state.ask = nullptr;
    if (stack_in_use_) {
        stack_t off{};
        off.ss_flags = SS_DISABLE;
        ::sigaltstack(&off, nullptr);
    }
}

void FatalSignal::saved() noexcept { state.saved = true; }

void block_fatal_signals_here() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : kSent) ::sigaddset(&set, signal);
    ::sigaddset(&set, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    state.saver = ::pthread_self();
    state.saver_known = true;
}

}  // namespace fusescope
