// Bad values from birth to end: each is reported once per line and kind, and whether it reached something that the
// program shows or keeps is told afterwards. A NaN that a `where` discards is absorbed; one in a loss is not.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/debug/history.hpp"
#include "engine/ir/op_def.hpp"
#include "fusescope/finding.hpp"

namespace fusescope::debug {

class Births {
 public:
    /// Findings go to the recorder that `context` has now.
    Births(Context& context, History& history) : context_(context), history_(history), recorder_(context.recorder) {}

    /// An op ran; bad values are told with the number of that run at its line.
    void count(const OpDef& op, FrameId frame, Phase phase) { ++runs_[key_of(op, frame, phase)]; }

    /// A NaN or Inf was born in output 0 … of an op that ran by itself; `outputs` are its results. Returns the key of
    /// its finding.
    std::uint64_t add(const OpCall& call, const Tensor& output, std::size_t number, EventId event, bool nan);
    /// Data of the program held a NaN: nothing is to blame but the data.
    std::uint64_t add_input(const Tensor& made, FrameId frame);

    /// What `value` was made of is followed back: bad values born there have reached `reach`.
    void reached(ValueId value, Reach reach, FrameId frame);
    /// Told for a value whose ops are not in the history one by one: the births of that run.
    void reached(std::span<const std::uint64_t> keys, Reach reach, FrameId frame);

    /// The same were born again.
    void met_again(std::span<const std::uint64_t> keys);

    /// The run is over: what reached nothing was absorbed.
    void finish();
    bool empty() const noexcept { return findings_.empty(); }
    /// The finding that was told last; null when there is none.
    const Finding* last() const noexcept { return findings_.empty() ? nullptr : &findings_.back(); }

 private:
    static std::uint64_t key_of(const OpDef& op, FrameId frame, Phase phase) noexcept {
        return static_cast<std::uint64_t>(frame) << 18 | static_cast<std::uint64_t>(phase) << 16 |
               static_cast<std::uint64_t>(op.id);
    }
    using Place = std::tuple<const OpDef*, FrameId, Phase, bool>;
    Finding* find(std::uint64_t key);
    FrameId line_of(FrameId frame) const { return context_.line_of ? context_.line_of(frame) : frame; }
    void tell(const Finding& finding);

    Context& context_;
    History& history_;
    Recorder* recorder_;
    std::vector<Finding> findings_;
    std::map<Place, std::size_t> by_place_;
    std::unordered_map<std::uint64_t, std::uint32_t> runs_;  ///< by op and frame
};

}  // namespace fusescope::debug
