#include "engine/exec/device_model.hpp"

#include <algorithm>
#include <cstring>

#include "engine/core/tensor_impl.hpp"

namespace fusescope {
namespace exec {
namespace {

// An Ascend 910B4-like device. Published: peaks and HBM bandwidth; assumed: efficiency, launch and copy latency.
constexpr double kCubeFlops16 = 280e12;
constexpr double kCubeFlops32 = 75e12;
constexpr double kVectorFlops = 8e12;
constexpr double kMemoryBytes = 800e9;
constexpr double kEfficiency = 0.6;
constexpr std::int64_t kKernelNs = 2500;  // fixed cost of one kernel on the device
constexpr double kLinkBytes = 24e9;       // host link, pageable memory
constexpr std::int64_t kCopyNs = 10000;   // latency of one copy

// The device runs behind the host; its stream is busy until here (host clock).
thread_local std::int64_t busy_until = 0;
// Copies go one after the other, and what is issued after a copy waits for it.
thread_local std::int64_t copying_until = 0;

}  // namespace

void model_times(const Execution& x, bool half, OpEvent& e) {
    const bool cube = x.cost.flops > 64 * (x.cost.bytes_read + x.cost.bytes_written) / 8;
    const double peak = cube ? (half ? kCubeFlops16 : kCubeFlops32) : kVectorFlops;
    const double compute = static_cast<double>(x.cost.flops) / (peak * kEfficiency);
    const double memory = static_cast<double>(x.cost.bytes_read + x.cost.bytes_written) / (kMemoryBytes * kEfficiency);
    e.clock = Clock::modelled;
    e.stream = 1;
    e.start_ns = std::max({x.launch_ns, busy_until, copying_until});
    e.duration_ns = kKernelNs + static_cast<std::int64_t>(std::max(compute, memory) * 1e9);
    busy_until = e.start_ns + e.duration_ns;
}

}  // namespace exec

Tensor transfer_tensor(const Tensor& t, DeviceKind device, TransferReason reason) {
    using namespace exec;
    Context& context = Context::current();
    const std::int64_t now = context.recorder ? now_ns() : 0;
    Tensor copy = make_tensor(t.dtype(), t.shape(), device);
    const std::size_t bytes = t.type().bytes();
    if (bytes) std::memcpy(copy.impl()->raw(), t.impl()->raw(), bytes);
    copy.impl()->health = t.impl()->health;
    if (context.recorder) {
        TransferEvent e;
        e.bytes = bytes;
        e.kind = device == DeviceKind::cpu ? TransferKind::d2h : TransferKind::h2d;
        e.reason = reason;
        e.frame = context.frame();
        e.clock = Clock::modelled;
        e.stream = 2;
        e.op_event = device == DeviceKind::cpu ? context.last_event : 0;
        // A read-back waits for the device; an upload does not.
        e.start_ns = std::max({now, copying_until, device == DeviceKind::cpu ? busy_until : 0});
        e.duration_ns = kCopyNs + static_cast<std::int64_t>(static_cast<double>(bytes) / kLinkBytes * 1e9);
        copying_until = e.start_ns + e.duration_ns;
        context.recorder->transfer(e);
    }
    return copy;
}

}  // namespace fusescope
