// Bad values from birth to end: each is reported once per line and kind, and whether it reached something that the
// program shows or keeps is told afterwards. A NaN that a `where` discards is absorbed; one in a loss is not.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/core/context.hpp"
#include "engine/debug/explain/birth.hpp"
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

    /// Looks at the results of an op that ran by itself, whose health is known, for what was born in it: a NaN or Inf
    /// that none of the elements behind it had, or one that the program itself gave as a number. The keys of findings.
    std::vector<std::uint64_t> look_at(const OpCall& call, std::span<const Tensor> outputs, EventId event);
    /// Data of the program held a NaN: nothing is to blame but the data.
    std::uint64_t add_input(const Tensor& made, FrameId frame);
    /// Finite data of the program became infinite in the tensor's element type.
    std::uint64_t add_overflowed_input(const Tensor& made, const Overflowed& data, FrameId frame);

    /// What `value` was made of is followed back: bad values born there have reached `reach`.
    void reached(ValueId value, Reach reach, FrameId frame);
    /// Told for a value whose ops are not in the history one by one: the births of that run.
    void reached(std::span<const std::uint64_t> keys, Reach reach, FrameId frame);

    /// The same were born again.
    void met_again(std::span<const std::uint64_t> keys);

    /// The run is over: what reached nothing was absorbed.
    void finish();
    /// The op that was looked at last gave birth to a NaN (or Inf).
    bool just_born(bool nan) const noexcept { return just_born_[nan]; }
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
    /// Counts one more of what is known; null when it is not.
    Finding* met(const Place& place);
    bool is_due(const Place& place);
    std::uint64_t add(const Place& place, Finding f);
    /// 0: no birth after all.
    std::uint64_t add(const OpCall& call, const Tensor& output, EventId event, bool nan, const BadElements& bad);
    void add_numbers(const OpCall& call, std::span<const Tensor> outputs, EventId event, std::uint8_t after,
                     std::uint8_t given, std::vector<std::uint64_t>& keys);
    FrameId line_of(FrameId frame) const { return context_.line_of ? context_.line_of(frame) : frame; }
    void tell(const Finding& finding);

    Context& context_;
    History& history_;
    Recorder* recorder_;
    bool just_born_[2] = {};  ///< by nan
    std::vector<Finding> findings_;
    std::unordered_map<std::uint64_t, std::size_t> by_key_;
    std::map<Place, std::size_t> by_place_;
    std::map<Place, std::uint32_t> looked_;                  ///< how often what an op carried was met
    std::unordered_map<std::uint64_t, std::uint32_t> runs_;  ///< by op and frame
};

}  // namespace fusescope::debug
