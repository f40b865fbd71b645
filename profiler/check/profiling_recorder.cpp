#include "profiler/check/profiling_recorder.hpp"

namespace fusescope::check {

void ProfilingRecorder::define_frame(FrameId id, const FrameInfo& frame) noexcept {
    log_.define_frame(id, frame);
    profile_.define_frame(id, frame);
}

void ProfilingRecorder::define_scope(ScopeId id, std::string_view path) noexcept {
    log_.define_scope(id, path);
    profile_.define_scope(id, path);
}

void ProfilingRecorder::define_kind(KindId id, std::string_view name) noexcept {
    log_.define_kind(id, name);
    profile_.define_kind(id, name);
}

void ProfilingRecorder::op(const OpEvent& event) noexcept {
    log_.op(event);
    if (room()) profile_.op(event);
}

void ProfilingRecorder::transfer(const TransferEvent& event) noexcept {
    if (room()) profile_.transfer(event);
}

void ProfilingRecorder::memory(const MemoryEvent& event) noexcept {
    if (room()) profile_.memory(event);
}

// A checked run does not count what is in its tensors, so that there is nothing to say of them in the profile.
void ProfilingRecorder::tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept {
    log_.tensor(health, shape, value);
}

void ProfilingRecorder::graph(std::shared_ptr<const GraphSnapshot> graph) noexcept {
    log_.graph(graph);
    profile_.graph(std::move(graph));
}

void ProfilingRecorder::graph_run(GraphId id) noexcept { log_.graph_run(id); }

void ProfilingRecorder::region_run(NodeId node, std::uint32_t region) noexcept { log_.region_run(node, region); }

void ProfilingRecorder::graph_break(GraphId graph, FrameId frame, std::string_view reason) noexcept {
    profile_.graph_break(graph, frame, reason);
}

void ProfilingRecorder::finding(const Finding& finding) noexcept { profile_.finding(finding); }

void ProfilingRecorder::output(std::string_view stream, std::int64_t time_ns, std::string_view text) noexcept {
    profile_.output(stream, time_ns, text);
}

}  // namespace fusescope::check
