// The debuggee's end of the connection to the adapter: messages both ways, and stops of the program as events.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "engine/debug/control.hpp"
#include "profiler/dap/framing.hpp"
#include "profiler/dap/message.hpp"

namespace fusescope::cli {

class Channel final : public debug::StopListener {
 public:
    /// Takes `descriptor` over, and puts it where programs that count from 3 do not meet it.
    explicit Channel(int descriptor);

    /// The next message that came within `milliseconds` (-1: however long it takes). Nothing, with `over` set: the
    /// adapter is gone, or the program has closed the descriptor.
    std::optional<dap::Json> receive(int milliseconds, bool& over);
    void send(const dap::Json& message);
    void close();
    /// The client has left and the program goes on: nobody is to hear of it any more.
    void fall_silent() noexcept { silent_.store(true); }
    /// In a forked child: the adapter is the parent's.
    void abandon();
    bool abandoned() const noexcept { return descriptor_ < 0; }

    void stopped(const debug::Stop& stop) override;
    void resumed() override;
    void said(const std::string& text) override;
    void unverified(int id, const std::string& message) override;

 private:
    bool is_ours() const noexcept;

    int descriptor_;
    dev_t device_ = 0;  ///< these tell whether the number still means what it meant
    ino_t inode_ = 0;
    std::atomic<bool> silent_{false};
    dap::FrameReader reader_;
    std::mutex mutex_;  ///< a message is written in one piece
};

/// The only thread of the program that is debugged.
inline constexpr int kThread = 1;

}  // namespace fusescope::cli
