// Why an op made a NaN or Inf of operands that had none: the rule, the operand to blame, and where that came from.
#pragma once

#include <string>
#include <vector>

#include "engine/debug/element.hpp"
#include "engine/debug/history.hpp"
#include "fusescope/finding.hpp"

namespace fusescope::debug {

/// An op with one bad element in one of its outputs.
struct BadElement {
    const OpDef& op;
    const Attrs& attrs;
    std::span<const Tensor> inputs;
    Tensor output;
    std::int64_t index = 0;  ///< flat
    bool nan = false;
    Phase phase = Phase::forward;
    const OpDef* part_of = nullptr;
};

struct Verdict {
    std::string rule;                ///< key of the sentence catalogue
    const Source* blamed = nullptr;  ///< into the sources given; null when no operand is to blame
};

/// `sources` are the elements behind the bad one.
Verdict judge(const BadElement& bad, std::span<const Source> sources);

/// The value is what the op is defined to give: no birth after all.
bool is_right(const BadElement& bad, std::span<const Source> sources);

/// What made an element worth following backwards.
enum class Oddity : std::uint8_t { none, nan, infinite, zero, negative, large };
Oddity oddity_of(double value, DType dtype);

/// The elements from `start` back to where its oddity arose, nearest first. The last link is the root: an op whose
/// operands do not have the oddity, a reduction, or the program's data. At most `kLongestChain` links.
/// `value` is that of `start`, which the history may not have kept. `end`, when given, is told where the chain ended.
struct Element {
    ValueId value = 0;
    std::int64_t index = 0;
};
std::vector<FindingLink> chain_of(History& history, Context& context, ValueId start, const Tensor& value,
                                  std::int64_t index, Element* end = nullptr);
inline constexpr std::size_t kLongestChain = 64;

/// Fills in rule, inputs, shapes, chain and root of a finding about `bad`. `operands` are the numbers of its inputs in
/// the history. False: it is no birth.
bool explain_birth(History& history, Context& context, const BadElement& bad, std::span<const ValueId> operands,
                   Finding& finding);

struct BadElements {
    std::int64_t first = -1;  ///< -1: none
    std::int64_t count = 0;
};
/// Those of `output` that are NaN (or infinite) while none of the elements that they were made of is. Of ops that are
/// not elementwise so many are looked at.
BadElements fresh_elements(Context& context, const OpCall& call, const Tensor& output, bool nan);

/// The first part of a composite, run again on copies of its operands, that gives a NaN (or Inf) of clean operands.
struct PartBirth {
    const OpDef* op = nullptr;  ///< null: no such part
    std::string rule;
    std::vector<std::string> inputs;
    std::vector<FindingLink> chain;  ///< through the parts
    Element from;                    ///< then operand `from.value` of the composite, element `from.index`
    bool has_operand = false;
};
PartBirth birth_in_parts(Context& context, const BadElement& bad, FrameId frame);

}  // namespace fusescope::debug
