// Where a program stops besides at lines: before ops by kind, in a Cell, and at values that fulfil a condition.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/debug_hook.hpp"

namespace fusescope::debug {

/// "Softmax" or "softmax" is an op; "net.layer1.conv" a Cell, by the path of its attributes, with or
/// without the name of the outermost; the end of the path is enough.
struct OpBreakpoint {
    int id = 0;
    std::string name;
    std::string condition, hit_condition;       ///< as the user wrote them
    std::function<bool(const OpCall&)> holds;   ///< the condition; null: it has none
    std::function<bool(std::uint64_t)> counts;  ///< whether that hit stops; null: every one
    std::uint64_t hits = 0;                     ///< for which the condition held
};

bool is_op(const OpDef& op, std::string_view name);
/// Whether there is an op of that name, as primitive or in mindspore.ops.
bool names_op(std::string_view name);
/// Whether a scope ("Default/net-Net/conv-Conv2d") is the Cell of that path ("net.conv").
bool names_cell(std::string_view path, std::string_view scope);

/// What is known of one tensor value when a watchpoint is asked.
struct ValueStats {
    std::int64_t count = 0, nan = 0, inf = 0, zero = 0, at_limit = 0, subnormal = 0;
    double min = 0, max = 0, mean = 0, std = 0, norm = 0;  ///< over finite elements
    std::int64_t first_bad = -1;                           ///< flat index of the first NaN or Inf
};
ValueStats stats_of(const Tensor& t);

enum class WatchKind : std::uint8_t {
    nan,
    inf,
    overflow,         ///< an Inf, or an element at the largest value of the dtype
    underflow,        ///< a subnormal element
    zero,             ///< all zero
    unchanged,        ///< the same bits as the last time at this place
    changed,          ///< other bits than the last time
    range,            ///< an element outside of [a, b]
    change,           ///< an element moved by more than a since the last time
    relative_change,  ///< or by more than a times its size
    norm,             ///< Euclidean norm above a
    dead,             ///< share of zero elements of at least a: dead ReLUs
    expression,       ///< the user's, over the statistics
};

/// What a watchpoint looks at.
enum class WatchOn : std::uint8_t { everything, op, cell, parameters, gradients, name };

/// One time that a watchpoint fired.
struct WatchHit {
    std::string op, shape;  ///< op empty: a gradient as a whole
    FrameId frame = 0;
    std::uint32_t step = 0;
    EventId event = 0;  ///< of the op in the recording; 0: none
};
inline constexpr std::size_t kLongestHitList = 1000;

struct Watchpoint {
    int id = 0;
    std::string text;  ///< as the user wrote it
    WatchKind kind = WatchKind::nan;
    WatchOn on = WatchOn::everything;
    std::string target;  ///< op, Cell or Parameter name
    double a = 0, b = 0;
    std::string expression;
    /// Whether the expression holds, or why it could not be asked; set by who can evaluate it.
    std::function<bool(const ValueStats&, std::string& error)> holds;
    std::uint64_t hits = 0;
    std::vector<WatchHit> list;  ///< the last kLongestHitList of them
};

/// Reads "nan", "range(-1, 1) on op MatMul", "norm(10) on gradients", "dead(0.9) on cell net.relu",
/// "unchanged on parameter fc.weight", "expr(max > 10 and mean < 0) on op Softmax". Throws UserError that says what is
/// not understood and lists the kinds.
Watchpoint parse_watchpoint(std::string_view text);

}  // namespace fusescope::debug
