// Whole numbers that do not fit: the result wraps around, or a cast cuts a float off. Ranges come first, and they
// settle nearly all; only where a result may not fit are its elements computed again in wider numbers.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/broadcast.hpp"
#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/element.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/debug/explain/int_ranges.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {
namespace {

struct Wrapped {
    std::int64_t count = 0;
    std::int64_t first = -1;
    Wide exact = 0;
    std::array<std::int64_t, 2> operands{};

    void add(std::int64_t at, Wide value, std::int64_t a, std::int64_t b) {
        if (count++ > 0) return;
        first = at;
        exact = value;
        operands = {a, b};
    }
};

std::string text(Wide v) {
    if (v == 0) return "0";
    const bool negative = v < 0;
    std::string digits;
    for (; v != 0; v /= 10) digits += static_cast<char>('0' + static_cast<int>(v % 10 < 0 ? -(v % 10) : v % 10));
    if (negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

// Flat index into an operand that is broadcast to `result`.
std::int64_t operand_index(std::int64_t flat, const Shape& result, const Shape& operand) {
    std::int64_t at = 0, stride = 1;
    for (std::size_t k = 0; k < operand.size(); ++k) {
        const std::int64_t extent = operand[operand.size() - 1 - k];
        const std::int64_t column = result[result.size() - 1 - k];
        const std::int64_t i = flat % column;
        flat /= column;
        at += (extent == 1 ? 0 : i) * stride;
        stride *= extent;
    }
    return at;
}

std::int64_t number(const Tensor& t, std::int64_t i) { return load_int(t.dtype(), t.impl()->raw(), i); }

// Element by element, for ops whose operands broadcast.
Wrapped elementwise(const Checked& c) {
    const Range all = range_of(c.result.dtype);
    Wrapped w;
    const std::int64_t n = c.result.shape.count();
    const bool two = c.inputs.size() > 1 && c.op.id != op::cast;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t a = number(c.values[0], operand_index(i, c.result.shape, c.inputs[0].shape));
        const std::int64_t b = two ? number(c.values[1], operand_index(i, c.result.shape, c.inputs[1].shape)) : 0;
        Wide exact = a;
        const OpId id = c.op.id;
        if (id == op::add || id == op::assign_add) exact = static_cast<Wide>(a) + b;
        if (id == op::sub || id == op::assign_sub) exact = static_cast<Wide>(a) - b;
        if (id == op::mul) exact = static_cast<Wide>(a) * b;
        if (id == op::neg) exact = -static_cast<Wide>(a);
        if (id == op::abs) exact = a < 0 ? -static_cast<Wide>(a) : a;
        if (id == op::square) exact = static_cast<Wide>(a) * a;
        if (exact < all.low || exact > all.high) w.add(i, exact, a, b);
    }
    return w;
}

// A sum over everything; one over axes is not looked at, for Int64 is wide.
Wrapped whole_sum(const Checked& c) {
    Wrapped w;
    if (c.result.shape.count() != 1) return w;
    Wide total = 0;
    for (std::int64_t i = 0; i < c.values[0].count(); ++i) total += number(c.values[0], i);
    const Range all = range_of(c.result.dtype);
    if (total < all.low || total > all.high) w.add(0, total, 0, 0);
    return w;
}

void say(Checks& checks, const Checked& c, const char* rule, std::int64_t count, std::int64_t first,
         std::vector<std::string> inputs, std::string exact) {
    Finding f;
    f.kind = FindingKind::overflow;
    f.rule = rule;
    f.count = count;
    f.index = index_of(first, c.result.shape);
    f.has_index = true;
    f.inputs = std::move(inputs);
    f.arguments = {{"dtype", std::string(name_of(c.result.dtype))}, {"exact", std::move(exact)}};
    if (!c.outputs.empty()) f.arguments.emplace_back("got", std::to_string(number(c.outputs[0], first)));
    checks.say(c, std::move(f));
}

// Floats beyond the range become its ends.
void check_cut_off(Checks& checks, const Checked& c) {
    const Range all = range_of(c.result.dtype);
    const double low = static_cast<double>(all.low) - 1, high = static_cast<double>(all.high) + 1;
    std::int64_t count = 0, first = -1;
    for (std::int64_t i = 0; i < c.values[0].count(); ++i) {
        const double v = number_at(c.values[0], i);
        if (std::isnan(v) || (v > low && v < high)) continue;
        if (first < 0) first = i;
        ++count;
    }
    if (count == 0) return;
    const std::string value = number_text(number_at(c.values[0], first), c.inputs[0].dtype);
    say(checks, c, "cast_cuts_off", count, first, {value}, value);
}

}  // namespace

bool computes_ints(const OpDef& op, std::span<const TensorType> inputs, const TensorType& result) {
    if (!whole(result.dtype) || result.dtype == DType::Bool || inputs.empty()) return false;
    const OpId id = op.id;
    if (id == op::cast) {
        const DType from = inputs[0].dtype;
        return is_float(from) || !inside(range_of(from), range_of(result.dtype));
    }
    return id == op::add || id == op::sub || id == op::mul || id == op::neg || id == op::abs || id == op::square ||
           id == op::sum || id == op::assign_add || id == op::assign_sub;
}

void check_int_wraps(Checks& checks, const Checked& c) {
    if (c.values.empty() || !computes_ints(c.op, c.inputs, c.result)) return;
    if (is_float(c.inputs[0].dtype)) return check_cut_off(checks, c);
    std::vector<Range> in;
    for (const Tensor& t : c.values) {
        const std::optional<Range> r = t.defined() ? range_of(t) : std::nullopt;
        if (!r) return;
        in.push_back(*r);
    }
    const std::int64_t results = std::max<std::int64_t>(c.result.shape.count(), 1);
    const std::optional<Range> exact = exact_range(c.op, in, c.result, c.values[0].count() / results);
    if (!exact || inside(*exact, range_of(c.result.dtype))) return;
    const Wrapped w = c.op.id == op::sum ? whole_sum(c) : elementwise(c);
    if (w.count == 0) return;
    std::vector<std::string> inputs;
    if (c.op.id != op::sum) {
        inputs.push_back(std::to_string(w.operands[0]));
        if (in.size() > 1) inputs.push_back(std::to_string(w.operands[1]));
    }
    say(checks, c, "int_wraps", w.count, w.first, std::move(inputs), text(w.exact));
}

}  // namespace fusescope::debug
