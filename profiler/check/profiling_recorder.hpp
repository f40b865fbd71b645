// The Recorder of a checked run that is recorded as well: everything goes to the log, and all but the tensors into a
// profile.
#pragma once

#include <atomic>

#include "profiler/check/log_recorder.hpp"
#include "profiler/write/recorder.hpp"

namespace fusescope::check {

class ProfilingRecorder final : public Recorder {
 public:
    /// Refers to both. After `most_events` events the profile gets no more, only definitions and graphs.
    ProfilingRecorder(LogRecorder& log, DatabaseRecorder& profile, std::uint64_t most_events)
        : log_(log), profile_(profile), left_(static_cast<std::int64_t>(most_events)) {}

    void define_frame(FrameId id, const FrameInfo& frame) noexcept override;
    void define_scope(ScopeId id, std::string_view path) noexcept override;
    void define_kind(KindId id, std::string_view name) noexcept override;
    void op(const OpEvent& event) noexcept override;
    void transfer(const TransferEvent& event) noexcept override;
    void memory(const MemoryEvent& event) noexcept override;
    void tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept override;
    void graph(std::shared_ptr<const GraphSnapshot> graph) noexcept override;
    void graph_run(GraphId id) noexcept override;
    void region_run(NodeId node, std::uint32_t region) noexcept override;
    void graph_break(GraphId graph, FrameId frame, std::string_view reason) noexcept override;
    void finding(const Finding& finding) noexcept override;
    void output(std::string_view stream, std::int64_t time_ns, std::string_view text) noexcept override;

 private:
    bool room() noexcept { return left_.fetch_sub(1, std::memory_order_relaxed) > 0; }

    LogRecorder& log_;
    DatabaseRecorder& profile_;
    std::atomic<std::int64_t> left_;
};

}  // namespace fusescope::check
