// What is recorded rarely and has no fixed size: definitions, graphs, findings, output. Handed over under a mutex that
// is held for a push only.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "fusescope/finding.hpp"
#include "fusescope/snapshot.hpp"

namespace fusescope {

struct FrameDefinition {
    FrameId id;
    FrameId parent;
    std::int32_t line;
    std::string path, function;
};
struct ScopeDefinition {
    ScopeId id;
    std::string path;
};
struct KindDefinition {
    KindId id;
    std::string name;
};
struct GraphBreakNote {
    GraphId graph;
    FrameId frame;
    std::string reason;
};
struct OutputNote {
    std::string stream;
    std::int64_t time_ns;
    std::string text;
};

using SideItem = std::variant<FrameDefinition, ScopeDefinition, KindDefinition, std::shared_ptr<const GraphSnapshot>,
                              GraphBreakNote, Finding, OutputNote>;

class SideQueue {
 public:
    /// False when `bytes` more would go over what may wait; the item is dropped then.
    bool push(SideItem item, std::size_t bytes) {
        std::lock_guard lock(mutex_);
        if (waiting_bytes_ + bytes > kMostWaiting) return false;
        waiting_bytes_ += bytes;
        items_.push_back(std::move(item));
        return true;
    }
    /// Joins what a program prints faster than the writer comes by: a million short lines are not a million rows.
    bool push_output(OutputNote note, std::size_t bytes) {
        std::lock_guard lock(mutex_);
        if (waiting_bytes_ + bytes > kMostWaiting) return false;
        waiting_bytes_ += bytes;
        if (items_.size() > kFewItems) {
            auto* last = std::get_if<OutputNote>(&items_.back());
            if (last != nullptr && last->stream == note.stream && note.time_ns - last->time_ns < kOneOutputNs &&
                last->text.size() + note.text.size() <= kOneOutputBytes) {
                last->text += note.text;
                return true;
            }
        }
        items_.emplace_back(std::move(note));
        return true;
    }
    std::vector<SideItem> take() {
        std::vector<SideItem> taken;
        std::lock_guard lock(mutex_);
        taken.swap(items_);
        waiting_bytes_ = 0;
        return taken;
    }

 private:
    static constexpr std::size_t kMostWaiting = std::size_t{128} << 20;
    static constexpr std::size_t kFewItems = 64;
    static constexpr std::int64_t kOneOutputNs = 1'000'000;
    static constexpr std::size_t kOneOutputBytes = std::size_t{64} << 10;
    std::mutex mutex_;
    std::vector<SideItem> items_;
    std::size_t waiting_bytes_ = 0;
};

}  // namespace fusescope
