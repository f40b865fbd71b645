// Fixed-size events that the engine hands to a Recorder. Plain structs: no pointers to engine internals, no strings.
//
// Ids named frame, scope, kind and node are dense numbers that the engine has announced to the recorder beforehand
// (Recorder::define_*). Id 0 always means "none". Times are nanoseconds of std::chrono::steady_clock.
#pragma once

#include <cstdint>

#include "fusescope/dtype.hpp"

namespace fusescope {

using FrameId = std::uint32_t;  ///< a call stack: the innermost user frame, with its parents
using ScopeId = std::uint32_t;  ///< a path of Cells, "Default/fc-Dense"
using KindId = std::uint32_t;   ///< an op's name: index in the op table plus one, or a name interned at run time
using NodeId = std::uint64_t;   ///< a node of a graph snapshot; unique over all graphs and stages of a run
using EventId = std::uint64_t;  ///< sequence number of an op event, starts at 1
using GraphId = std::uint32_t;

/// Which clock a duration was taken from. The two are never added up together.
enum class Clock : std::uint8_t { measured, modelled };
constexpr const char* name_of(Clock clock) noexcept { return clock == Clock::measured ? "measured" : "modelled"; }

/// Where an op ran or a byte lived.
enum class DeviceKind : std::uint8_t { cpu, ascend, ascend_model };
/// "cpu", "ascend", "ascend-model": the words of the database and of `--device`.
constexpr const char* name_of(DeviceKind device) noexcept {
    constexpr const char* words[3] = {"cpu", "ascend", "ascend-model"};
    return words[static_cast<int>(device)];
}

enum class ExecMode : std::uint8_t { eager, graph };
constexpr const char* name_of(ExecMode mode) noexcept { return mode == ExecMode::eager ? "eager" : "graph"; }

enum class Phase : std::uint8_t { forward, backward, optimizer, input };
constexpr const char* name_of(Phase phase) noexcept {
    constexpr const char* words[4] = {"forward", "backward", "optimizer", "input"};
    return words[static_cast<int>(phase)];
}

/// One execution of one op, or of one fused kernel.
struct OpEvent {
    EventId id = 0;
    NodeId node = 0;             ///< node of the graph that ran; 0 when eager
    std::int64_t launch_ns = 0;  ///< host time at which it was issued
    std::int64_t start_ns = 0;   ///< device time at which it began (equals launch_ns on the CPU)
    std::int64_t duration_ns = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t flops = 0;
    KindId kind = 0;
    FrameId frame = 0;
    ScopeId scope = 0;
    std::uint32_t step = 0;  ///< training step: how many times an optimizer ran before this op
    std::uint16_t stream = 0;
    std::uint16_t thread = 0;  ///< small number of the host thread that issued it
    ExecMode mode = ExecMode::eager;
    DeviceKind device = DeviceKind::cpu;
    Clock clock = Clock::measured;
    Phase phase = Phase::forward;
};

enum class TransferKind : std::uint8_t { h2d, d2h, d2d };
constexpr const char* name_of(TransferKind kind) noexcept {
    constexpr const char* words[3] = {"h2d", "d2h", "d2d"};
    return words[static_cast<int>(kind)];
}

/// Why bytes moved between memories.
enum class TransferReason : std::uint8_t {
    input,        ///< a tensor was made from host data
    parameter,    ///< a parameter was uploaded
    read_back,    ///< asnumpy, float, bool, item
    print,        ///< print or repr of a tensor
    graph_break,  ///< Python needed the value in the middle of a graph
    fallback,     ///< the device lacks the op, so the CPU ran it
};

inline constexpr int kTransferReasonCount = 6;

/// The word that the database holds for a reason: "input", "parameter", "read_back", "print", "graph_break",
/// "fallback".
constexpr const char* name_of(TransferReason reason) noexcept {
    constexpr const char* words[kTransferReasonCount] = {"input", "parameter",   "read_back",
                                                         "print", "graph_break", "fallback"};
    return words[static_cast<int>(reason)];
}

struct TransferEvent {
    std::uint64_t bytes = 0;
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    EventId op_event = 0;  ///< the op that needed it, 0 when none did
    FrameId frame = 0;
    std::uint16_t stream = 0;
    TransferKind kind = TransferKind::h2d;
    TransferReason reason = TransferReason::input;
    Clock clock = Clock::measured;
    bool pinned = false;
};

struct MemoryEvent {
    std::int64_t time_ns = 0;
    std::int64_t delta_bytes = 0;  ///< negative when memory was given back to the allocator
    std::int64_t total_bytes = 0;  ///< live bytes on that device after the event
    EventId op_event = 0;          ///< the op that was running, 0 when none was
    DeviceKind device = DeviceKind::cpu;
};

/// Statistics of one output of one op. Mean, std, min and max are over the finite elements; they are NaN when there
/// is none.
struct TensorHealth {
    EventId op_event = 0;
    std::int64_t count = 0;
    std::int64_t nan = 0;
    std::int64_t inf = 0;
    std::int64_t zero = -1;  ///< -1: not counted at this watch level
    double min = 0, max = 0, mean = 0, std = 0;
    std::int64_t first_bad_index = -1;  ///< flat index of the first NaN or Inf, -1 when all are finite
    std::uint16_t output = 0;
    bool has_stats = false;  ///< min … std are filled (watch level stats or values)
    DType dtype = DType::Float32;
};

}  // namespace fusescope
