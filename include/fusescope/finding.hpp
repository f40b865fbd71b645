// A finding: something the user should know about, as kind and arguments. The sentence is made at the rim, in the
// reader's language, from `rule`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fusescope/event.hpp"

namespace fusescope {

enum class FindingKind : std::uint8_t {
    nan,
    inf,
    overflow,
    underflow,
    shape,
    dtype,
    index,
    broadcast,
    graph_break,
    recompile,
    side_effect,
    fallback,
    transfer,
    divergence,
    suspicious,
};
inline constexpr int kFindingKindCount = 15;

/// The word that the database and `--fail-on` use: "nan", "graph_break".
constexpr const char* name_of(FindingKind kind) noexcept {
    constexpr const char* words[kFindingKindCount] = {
        "nan",         "inf",       "overflow",    "underflow", "shape",    "dtype",      "index",     "broadcast",
        "graph_break", "recompile", "side_effect", "fallback",  "transfer", "divergence", "suspicious"};
    return words[static_cast<int>(kind)];
}

enum class Severity : std::uint8_t { info, warning, error };
constexpr const char* name_of(Severity severity) noexcept {
    return severity == Severity::info ? "info" : severity == Severity::warning ? "warning" : "error";
}

struct Finding {
    FindingKind kind = FindingKind::suspicious;
    Severity severity = Severity::warning;
    Phase phase = Phase::forward;
    EventId op_event = 0;
    FrameId frame = 0;  ///< the user's line; for a backward op the forward line it belongs to
    std::string op;     ///< the op's MindSpore name, "Log"; empty when it is about Python code
    std::string rule;   ///< key of the sentence in the catalogue: "log_of_zero", "broadcast_enlarges"
    std::int64_t step = -1;
    std::int64_t count = -1;          ///< elements concerned
    std::vector<std::int64_t> index;  ///< of the first such element
    bool has_index = false;
    std::vector<std::string> shapes;  ///< operand shapes in order, "(2, 3)"
    std::vector<std::string> inputs;  ///< operand values at `index`, as text
    std::string root_op;              ///< where the cause lies
    FrameId root_frame = 0;
    std::string message;  ///< English sentence for kinds that come with one (exceptions); may be empty
    std::string advice;   ///< what to try; may be empty
    std::vector<std::pair<std::string, std::string>> arguments;  ///< further values that the sentence names
};

}  // namespace fusescope
