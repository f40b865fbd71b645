// The Recorder that fills a profile database.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fusescope/recorder.hpp"

namespace fusescope {

/// What is known about a run before it starts.
struct RunInfo {
    std::string script;
    std::vector<std::string> arguments;
    std::string mode = "script";    ///< "script", "eager" or "graph"
    std::string device = "script";  ///< "script", "cpu", "ascend" or "ascend-model"
    std::int64_t rank = 0;
    std::map<std::string, std::string> options;  ///< further options worth keeping: "watch", "passes"
};

struct RecorderOptions {
    std::size_t values_budget = std::size_t{256} << 20;  ///< bytes of tensor values to keep
    std::size_t queue_budget = std::size_t{256} << 20;   ///< bytes of events that may wait for the writer
};

/// Begins to write at once, from a thread of its own. What it has committed, about 20 times a second, survives any end
/// of the process.
class DatabaseRecorder final : public Recorder {
 public:
    /// Makes the file; an old profile of that name is replaced, any other file is refused. Throws DatabaseError.
    DatabaseRecorder(const std::string& path, const RunInfo& run, const RecorderOptions& options = {});
    /// Ends the run as "killed" unless finish() was called.
    ~DatabaseRecorder() override;

    void define_frame(FrameId id, const FrameInfo& frame) noexcept override;
    void define_scope(ScopeId id, std::string_view path) noexcept override;
    void define_kind(KindId id, std::string_view name) noexcept override;
    void op(const OpEvent& event) noexcept override;
    void transfer(const TransferEvent& event) noexcept override;
    void memory(const MemoryEvent& event) noexcept override;
    void tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept override;
    void graph(std::shared_ptr<const GraphSnapshot> graph) noexcept override;
    void graph_break(GraphId graph, FrameId frame, std::string_view reason) noexcept override;
    void finding(const Finding& finding) noexcept override;
    void output(std::string_view stream, std::int64_t time_ns, std::string_view text) noexcept override;

    /// Writes all that is still under way, ends the run with `status` ("ok", "raised" or "killed") and leaves one plain
    /// file. False when something could not be written: see error(). A second call does nothing.
    bool finish(std::string_view status, int exit_code) noexcept;

    /// From now on a signal that ends the process (a crash, a kill, a closed terminal) first ends the run as "killed",
    /// with all that was recorded. To be called when the program has set the signal handlers of its own.
    void save_on_fatal_signal();

    /// Waits until everything recorded so far by this thread can be read. For tests and for a debugger at a stop.
    void flush() noexcept;

    /// Why recording stopped before its end, a sentence for the user; empty when all is well. The program went on, and
    /// what had been committed until then stays readable.
    std::string error() const;

    /// Events that were dropped because the writer could not keep up.
    std::uint64_t dropped() const noexcept;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fusescope
