// A finding: something the user should know about, as kind and arguments. The sentence is made at the rim, in the
// reader's language, from `rule`.
#pragma once

#include <atomic>
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

/// One element on the way from a bad value back to its cause.
struct FindingLink {
    std::string op;  ///< that made it; "Tensor" for the program's data, "number" for a Python number
    FrameId frame = 0;
    Phase phase = Phase::forward;
    std::vector<std::int64_t> index;
    std::string value;  ///< "0", "-4", "inf"
};

/// Where a bad value ended up.
enum class Reach : std::uint8_t {
    unknown,   ///< not yet told: the run goes on
    absorbed,  ///< nothing that the program showed or kept has it
    output,    ///< it was printed or read, or the program ended with it
    loss,
    gradient,
    parameter,
};
constexpr const char* name_of(Reach reach) noexcept {
    constexpr const char* words[] = {"unknown", "absorbed", "output", "loss", "gradient", "parameter"};
    return words[static_cast<int>(reach)];
}

/// A key that no finding of this process had before. Any thread.
inline std::uint64_t new_finding_key() noexcept {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

struct Finding {
    /// Two findings with the same key, not 0, are one: the later replaces the earlier.
    std::uint64_t key = 0;
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
    std::vector<std::int64_t> root_index;  ///< element there
    std::string root_value;                ///< and what it was
    std::vector<FindingLink> chain;        ///< from the operand to blame back to the root
    Reach reach = Reach::unknown;          ///< of a NaN or Inf
    FrameId reach_frame = 0;               ///< where the program showed it
    std::int64_t occurrences = 1;          ///< how often the same was met
    std::string message;                   ///< English sentence for kinds that come with one (exceptions); may be empty
    std::string advice;                    ///< what to try; may be empty
    std::vector<std::pair<std::string, std::string>> arguments;  ///< further values that the sentence names
};

}  // namespace fusescope
