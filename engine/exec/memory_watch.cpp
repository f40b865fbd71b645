#include "engine/exec/memory_watch.hpp"

#include <atomic>
#include <cstdlib>

#include "engine/core/allocator.hpp"
#include "engine/exec/dispatch.hpp"

namespace fusescope::exec {
namespace {

// A program of many small tensors would record little else: what is below kSmall is summed up and told with the next
// larger piece, when it amounts to kSmall, or after kSmallNs.
constexpr std::int64_t kSmall = 4096;
constexpr std::int64_t kSmallNs = 1'000'000;
constexpr int kDevices = 3;

struct Small {
    std::atomic<std::int64_t> untold{0};  // bytes
    std::atomic<std::int64_t> told_at{0};
    std::atomic<std::int64_t> live{0};
};

std::atomic<Recorder*> listener{nullptr};
Small small_of[kDevices];
thread_local constinit EventId running = 0;
thread_local constinit std::uint32_t small_pieces = 0;
constexpr std::uint32_t kPiecesPerLook = 32;

void tell(Recorder& recorder, DeviceKind device, std::int64_t time, std::int64_t delta, std::int64_t live) noexcept {
    MemoryEvent e;
    e.time_ns = time;
    e.delta_bytes = delta;
    e.total_bytes = live;
    e.op_event = running;
    e.device = device;
    recorder.memory(e);
}

void hear(DeviceKind device, std::int64_t delta, std::int64_t live) noexcept {
    Recorder* recorder = listener.load(std::memory_order_acquire);
    if (!recorder) return;
    Small& small = small_of[static_cast<int>(device)];
    std::int64_t time = 0;
    if (std::abs(delta) < kSmall) {
        const std::int64_t untold = small.untold.fetch_add(delta, std::memory_order_relaxed) + delta;
        small.live.store(live, std::memory_order_relaxed);
        if (std::abs(untold) < kSmall) {
            // Looking at the clock would cost more than all the rest.
            if (++small_pieces % kPiecesPerLook != 1) return;
            time = now_ns();
            if (time - small.told_at.load(std::memory_order_relaxed) < kSmallNs) return;
        }
        delta = 0;
    }
    if (time == 0) time = now_ns();
    small.told_at.store(time, std::memory_order_relaxed);
    delta += small.untold.exchange(0, std::memory_order_relaxed);
    if (delta != 0) tell(*recorder, device, time, delta, live);
}

}  // namespace

void watch_memory(Recorder* recorder) noexcept {
    allocator::set_hook(recorder ? &hear : nullptr);
    Recorder* before = listener.exchange(recorder, std::memory_order_acq_rel);
    for (int d = 0; d < kDevices; ++d) {
        Small& small = small_of[d];
        const std::int64_t untold = small.untold.exchange(0, std::memory_order_relaxed);
        if (before && untold != 0) {
            tell(*before, static_cast<DeviceKind>(d), now_ns(), untold, small.live.load(std::memory_order_relaxed));
        }
        small.told_at.store(0, std::memory_order_relaxed);
    }
}

// The parts of a decomposition run unrecorded: their memory is the whole op's.
RunningOp::RunningOp(const Context& context) noexcept : before_(running) {
    if (context.recorder) running = context.last_event + 1;
}

RunningOp::~RunningOp() { running = before_; }

}  // namespace fusescope::exec
