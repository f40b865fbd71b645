// The one sink of everything a run records. The engine holds a pointer to it that is null when nothing records.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "fusescope/event.hpp"
#include "fusescope/finding.hpp"
#include "fusescope/snapshot.hpp"

namespace fusescope {

/// How much is looked at in each op output. `bytes` is for comparing runs: the bytes of every output of any dtype, and
/// nothing else; graphs are laid out as if nobody watched, and their stages say where each value went.
enum class Watch : std::uint8_t { off, health, stats, values, bytes };
/// Whether outputs are searched for NaN and Inf.
constexpr bool looks_for_births(Watch watch) noexcept { return watch != Watch::off && watch != Watch::bytes; }

/// One Python (or C++) frame of a call stack.
struct FrameInfo {
    FrameId parent = 0;  ///< the caller's frame, 0 at the outermost
    std::string_view path;
    std::int32_t line = 0;
    std::string_view function;
};

/// Sink of events. Calls never wait, never throw and never change what a program computes; they may come from several
/// threads at once. A definition is given before the first event that names its id.
class Recorder {
 public:
    virtual ~Recorder() = default;

    virtual void define_frame(FrameId id, const FrameInfo& frame) noexcept = 0;
    virtual void define_scope(ScopeId id, std::string_view path) noexcept = 0;
    virtual void define_kind(KindId id, std::string_view name) noexcept = 0;

    virtual void op(const OpEvent& event) noexcept = 0;
    virtual void transfer(const TransferEvent& event) noexcept = 0;
    virtual void memory(const MemoryEvent& event) noexcept = 0;

    /// `value` points to count elements in row-major order when the tensor's bytes are to be kept, else it is null.
    /// It is copied before the call returns.
    virtual void tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept = 0;

    virtual void graph(std::shared_ptr<const GraphSnapshot> graph) noexcept = 0;
    /// A graph begins to run; its op events follow.
    virtual void graph_run(GraphId) noexcept {}
    /// A region of a branch or loop node begins to run, as often as it does so.
    virtual void region_run(NodeId, std::uint32_t /*region*/) noexcept {}
    /// A graph was left for the interpreter at `frame`; `graph` is the segment that had to run, 0 if unknown.
    virtual void graph_break(GraphId graph, FrameId frame, std::string_view reason) noexcept = 0;
    virtual void finding(const Finding& finding) noexcept = 0;
    /// Text that the program wrote; `stream` is "stdout" or "stderr".
    virtual void output(std::string_view stream, std::int64_t time_ns, std::string_view text) noexcept = 0;
};

}  // namespace fusescope
