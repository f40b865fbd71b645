// The thread that owns the database while recording: it takes what the queues hold and inserts it in batches.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "profiler/write/disk_reserve.hpp"
#include "profiler/write/event_queue.hpp"
#include "profiler/write/graph_writer.hpp"
#include "profiler/write/recorder.hpp"
#include "profiler/write/side_queue.hpp"

namespace fusescope {

class Writer {
 public:
    Writer(const std::string& path, const RunInfo& run, EventQueue& events, SideQueue& side);

    void start();
    /// Drains the queues, ends the run and joins the thread.
    void finish(std::string_view status, int exit_code);
    void flush();
    /// Asks for the end from within a signal handler: the run is then "killed". `ended()` tells when it is done.
    void end_because_of(int signal) noexcept { signal_.store(signal, std::memory_order_release); }
    /// Called by the writer's thread when the file is as complete as it will be. To be set before start().
    void when_ended(std::function<void()> call) { when_ended_ = std::move(call); }

    std::string error() const;
    void count(const std::string& key, std::uint64_t more);  ///< a number for table meta, from any thread

 private:
    void loop();
    std::size_t write_batch();
    void discard_batch();
    void end();
    void end_run(std::string_view status, int exit_code);
    /// `whole`: nothing was lost, and there is room for the indexes.
    void write_end(std::string_view status, int exit_code, bool whole);
    void fail(const std::exception& why) noexcept;
    std::int64_t source_of(const std::string& path);
    std::string_view line_of(std::int64_t source, std::int64_t line) const;
    std::size_t drain(std::vector<std::shared_ptr<Producer>>& producers, std::vector<Producer::Mark>& marks);

    void write(const FrameDefinition& frame);
    void write(const ScopeDefinition& scope);
    void write(const KindDefinition& kind);
    void write(const std::shared_ptr<const GraphSnapshot>& graph);
    void write(const GraphBreakNote& note);
    void write(const Finding& finding);
    void write(const OutputNote& note);

    struct Line {
        std::int64_t source = 0;
        std::int64_t line = 0;
    };

    EventQueue& events_;
    SideQueue& side_;
    Database database_;
    DiskReserve reserve_;
    Inserter insert_;
    GraphWriter graphs_;
    std::string directory_;  ///< working directory at the start: relative source paths belong to it
    std::unordered_map<std::string, std::int64_t> sources_;
    std::vector<std::string> source_paths_;
    std::vector<std::string> source_texts_;
    std::unordered_map<std::uint64_t, std::int64_t> keyed_findings_;  ///< key to row id
    std::unordered_map<FrameId, Line> frames_;
    std::set<std::pair<FrameId, std::vector<std::pair<std::string, std::string>>>> break_findings_;
    std::int64_t next_transfer_ = 1, next_memory_ = 1, next_tensor_ = 1, next_break_ = 1, next_finding_ = 1,
                 next_output_ = 1;

    std::int64_t changes_at_start_ = 0;
    std::int64_t longest_op_ns_ = 0;  ///< kept in meta: how far a time line must look back
    std::int64_t longest_transfer_ns_ = 0;

    std::thread thread_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable flushed_;
    bool stop_ = false;
    std::string status_ = "killed";  ///< how the run ended, known when stop_ is set
    int exit_code_ = -1;
    std::atomic<int> signal_{0};  ///< that is ending the process
    std::function<void()> when_ended_;
    std::uint64_t flush_asked_ = 0;
    std::uint64_t flush_done_ = 0;
    std::string error_;
    std::map<std::string, std::uint64_t> counts_;
};

}  // namespace fusescope
