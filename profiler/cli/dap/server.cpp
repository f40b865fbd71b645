#include "profiler/cli/dap/server.hpp"

#include <algorithm>

namespace fusescope::cli {
namespace {

using dap::Json;
using namespace std::chrono_literals;

/// How long what is asked may run the program's code, but for what is typed into a console.
constexpr auto kLongest = 10s;
/// A pause interrupts what has been running for so long; what is answered in no time is left alone.
constexpr auto kNoTime = 200ms;
/// Code that catches the interrupt gets another one after so long.
constexpr auto kAgain = 500ms;

}  // namespace

void Server::begin() {
    reader_ = std::thread([this] { read(); });
    worker_ = std::thread([this] { work(); });
}

void Server::end() {
    {
        const std::scoped_lock lock(mutex_);
        over_ = true;
    }
    wake_.notify_all();
    channel_.close();
    if (reader_.joinable()) reader_.join();
    if (worker_.joinable()) worker_.join();
}

void Server::read() {
    for (bool over = false; !over;) {
        try {
            int turn = 250;
            {
                const std::scoped_lock lock(mutex_);
                if (over_) return;
                if (answering_) turn = 50;
            }
            const std::optional<Json> request = channel_.receive(turn, over);
            if (request && request->is_object()) take(*request);
            look_at_clock();
        } catch (const std::exception& e) {  // no protocol any more
            channel_.said(std::string("The debugger lost its client: ") + e.what() + "\n");
            over = true;
        }
    }
    leave();
}

void Server::take(const Json& request) {
    const std::string command = dap::text_of(request, "command");
    if (command == "cancel") return cancel(request);
    if (command == "disconnect") {
        channel_.fall_silent();
        return leave();
    }
    if (command == "threads") return requests_.handle(request);  // which never change, and are asked for at any time
    {
        const std::scoped_lock lock(mutex_);
        waiting_.push_back(request);
    }
    wake_.notify_all();
}

void Server::cancel(const Json& request) {
    const std::int64_t number = dap::number_of(dap::object_of(request, "arguments"), "requestId", -1);
    std::optional<Json> dropped;
    bool running = false;
    {
        const std::scoped_lock lock(mutex_);
        running = answering_ && answering_->request == number;
        const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                     [&](const Json& r) { return dap::number_of(r, "seq") == number; });
        if (at != waiting_.end()) {
            dropped = std::move(*at);
            waiting_.erase(at);
        }
    }
    if (running) target_.interrupt("it was cancelled");
    if (dropped) channel_.send(dap::failure_of(*dropped, "cancelled"));
    channel_.send(dap::response_to(request));
}

void Server::leave() {
    target_.interrupt("the debugger went away");
    let_go_();
}

void Server::look_at_clock() {
    std::string why;
    {
        const std::scoped_lock lock(mutex_);
        const auto now = Clock::now();
        if (!answering_ || now < answering_->next_interrupt) return;
        const auto taken = now - answering_->since;
        const bool paused = std::any_of(waiting_.begin(), waiting_.end(),
                                        [](const Json& r) { return dap::text_of(r, "command") == "pause"; });
        if (paused && taken > kNoTime) why = "it was interrupted";
        if (answering_->limited && taken > kLongest) {
            why = "it took longer than " + std::to_string(kLongest.count()) +
                  " s and was interrupted; the debug console waits until it is paused";
        }
        if (why.empty()) return;
        answering_->next_interrupt = now + kAgain;
    }
    target_.interrupt(why);
}

void Server::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return over_ || !waiting_.empty(); });
        if (over_) return;
        const Json request = std::move(waiting_.front());
        waiting_.pop_front();
        const std::string command = dap::text_of(request, "command");
        const bool typed =
            command == "evaluate" && dap::text_of(dap::object_of(request, "arguments"), "context") == "repl";
        answering_ = {dap::number_of(request, "seq"), command, !typed, Clock::now(), {}};
        lock.unlock();
        requests_.handle(request);
        lock.lock();
        answering_.reset();
    }
}

}  // namespace fusescope::cli
