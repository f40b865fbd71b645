// What one run of a checked program leaves behind: its ops in the order in which they ran, a hash of every output, the
// values that fitted, and where the values of each graph went.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "fusescope/event.hpp"
#include "fusescope/shape.hpp"
#include "profiler/check/graph_map.hpp"

namespace fusescope::check {

/// One output of one op.
struct Value {
    DType dtype = DType::Float32;
    Shape shape;
    std::uint64_t hash = 0;       ///< of its bytes
    std::uint64_t ordinal = 0;    ///< number of the output in the run, the same in every run that does the same
    const void* bytes = nullptr;  ///< null when they were not kept

    bool same_type(const Value& other) const { return dtype == other.dtype && shape == other.shape; }
    bool same_bits(const Value& other) const { return same_type(other) && hash == other.hash; }
};

struct Event {
    EventId id = 0;
    NodeId node = 0;  ///< of the graph that ran; 0 when eager
    KindId kind = 0;
    FrameId frame = 0;
    ScopeId scope = 0;
    std::uint32_t step = 0;
    Phase phase = Phase::forward;
    std::vector<Value> outputs;
};

struct Frame {
    FrameId parent = 0;
    std::string path, function;
    std::int64_t line = 0;
};

struct Log {
    /// An op, or the beginning of a graph's or region's run, in order of time.
    struct Item {
        enum class Kind : std::uint8_t { event, graph, region } kind = Kind::event;
        std::uint32_t number = 0;  ///< of the event; id of the graph; number of the region
        NodeId node = 0;           ///< that the region belongs to
    };

    std::unordered_map<FrameId, Frame> frames;
    std::unordered_map<ScopeId, std::string> scopes;
    std::unordered_map<KindId, std::string> kinds;
    std::vector<Event> events;
    std::vector<Item> items;
    std::unordered_map<GraphId, GraphMap> graphs;
    std::vector<GraphId> compiled;  ///< in order of compilation
    std::uint64_t values = 0;
    bool ended = false;                  ///< the run got to its end; else it was cut short
    bool raised = false;                 ///< by an exception
    int failed = 0;                      ///< errno of a write that failed: the log ends there
    std::shared_ptr<const void> memory;  ///< holds the bytes of values

    const Frame& frame(FrameId id) const;
    const std::string& kind(KindId id) const;
    const std::string& scope(ScopeId id) const;
    /// All rewrites of one pass, over all graphs.
    std::vector<Rewrite> rewrites_of(const std::string& pass) const;
};

/// Which values a run keeps; of all others there is the hash.
struct Keep {
    std::uint64_t budget = 0;                            ///< bytes in all
    std::optional<std::vector<std::uint64_t>> ordinals;  ///< sorted; only these
    std::optional<std::pair<DType, Shape>> like;         ///< only those of this type
};

/// Reads what a LogRecorder has written to the file, which may have been cut anywhere. Throws std::runtime_error when
/// it cannot be read.
Log read_log(int file);

std::uint64_t hash_of(const void* data, std::size_t size) noexcept;

}  // namespace fusescope::check
