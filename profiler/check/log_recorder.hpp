// The Recorder of a checked run: writes a log to a file that it does not own.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "fusescope/recorder.hpp"
#include "profiler/check/log.hpp"
#include "profiler/check/log_format.hpp"
#include "profiler/write/fork_guard.hpp"

namespace fusescope::check {

/// Begins an empty log, before the run: its first record keeps room on a disk that may fill for what finish() says of
/// that. Gives the errno of a write that failed, or 0.
int begin_log(int file);

class LogRecorder final : public Recorder {
 public:
    LogRecorder(int file, Keep keep);

    void define_frame(FrameId id, const FrameInfo& frame) noexcept override;
    void define_scope(ScopeId id, std::string_view path) noexcept override;
    void define_kind(KindId id, std::string_view name) noexcept override;
    void op(const OpEvent& event) noexcept override;
    void transfer(const TransferEvent&) noexcept override {}
    void memory(const MemoryEvent&) noexcept override {}
    void tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept override;
    void graph(std::shared_ptr<const GraphSnapshot> graph) noexcept override;
    void graph_run(GraphId id) noexcept override;
    void region_run(NodeId node, std::uint32_t region) noexcept override;
    void graph_break(GraphId, FrameId, std::string_view) noexcept override {}
    void finding(const Finding&) noexcept override {}
    void output(std::string_view, std::int64_t, std::string_view) noexcept override {}

    /// Writes what is under way; with `raised` the run has ended, else it goes on or is about to be replaced.
    void finish(std::optional<bool> raised) noexcept;

 private:
    template <class Fill>
    void record(RecordKind kind, const Fill& fill) noexcept;
    void append(RecordKind kind, std::string_view head, const void* data, std::size_t size);
    void flush();
    bool wanted(DType dtype, const Shape& shape, std::size_t bytes) const;

    int file_;
    Keep keep_;
    std::mutex mutex_;
    Pack pack_;
    std::string buffer_;
    std::uint64_t ordinal_ = 0;
    std::uint64_t kept_ = 0;
    int failed_ = 0;
    std::atomic<bool> forked_{false};  ///< a process that the program forked writes nothing
    ForkGuard guard_;
};

}  // namespace fusescope::check
