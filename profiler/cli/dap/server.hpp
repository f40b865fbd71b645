// The two threads that serve a debugger's client inside the program's process: one reads requests, one answers them.
// An answer may run the program's own code, which may take for ever; the first thread then still hears that it is to be
// interrupted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "profiler/cli/dap/requests.hpp"

namespace fusescope::cli {

class Server {
 public:
    /// `let_go`: the client has left.
    Server(Channel& channel, debug::Target& target, Requests& requests, std::function<void()> let_go)
        : channel_(channel), target_(target), requests_(requests), let_go_(std::move(let_go)) {}
    ~Server() { end(); }

    void begin();
    /// The program is over: what is asked still is not answered any more.
    void end();

 private:
    using Clock = std::chrono::steady_clock;
    struct Answering {
        std::int64_t request = 0;
        std::string command;
        bool limited = false;  ///< not what the user typed into a console, who waits for it and can interrupt it
        Clock::time_point since, next_interrupt;
    };

    void read();
    void take(const dap::Json& request);
    void cancel(const dap::Json& request);
    void leave();
    void look_at_clock();
    void work();

    Channel& channel_;
    debug::Target& target_;
    Requests& requests_;
    std::function<void()> let_go_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable wake_;
    std::deque<dap::Json> waiting_;
    std::optional<Answering> answering_;
    bool over_ = false;
    std::thread reader_, worker_;
};

}  // namespace fusescope::cli
