// An overflow that ends in finite numbers: x / inf is 0, and nothing later shows that a value was too large. Only an
// infinity that an op made counts, not a mask of -inf.
#include <algorithm>
#include <vector>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/element.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/exec/watch.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {
namespace {

constexpr std::uint8_t kNan = static_cast<std::uint8_t>(HealthBits::nan);
constexpr std::uint8_t kInf = static_cast<std::uint8_t>(HealthBits::inf);

bool makes_zeros(OpId op) { return op == op::div || op == op::reciprocal || op == op::rsqrt || op == op::pow; }
bool levels_off(OpId op) { return op == op::tanh || op == op::sigmoid || op == op::erf || op == op::exp; }
bool half(DType d) { return d == DType::Float16 || d == DType::BFloat16; }

// The op that made the infinity of a value, nearest first; null when the program's data held it.
const Entry* birth_of_inf(History& history, ValueId id) {
    constexpr std::size_t kMost = 256;
    std::vector<ValueId> open{id};
    for (std::size_t at = 0; at < open.size() && at < kMost; ++at) {
        const Value* v = history.value(open[at]);
        const Entry* e = v && (v->health & kInf) ? history.entry(v->made_by) : nullptr;
        if (!e) continue;
        if (e->kind == EntryKind::op && !e->findings.empty()) return e;
        for (ValueId in : e->inputs) {
            if (std::find(open.begin(), open.end(), in) == open.end()) open.push_back(in);
        }
    }
    return nullptr;
}

}  // namespace

void check_inf_absorbed(Checks& checks, const Checked& c) {
    const bool zeros = makes_zeros(c.op.id);
    if ((!zeros && !levels_off(c.op.id)) || c.outputs.empty() || !is_float(c.result.dtype)) return;
    if (exec::look(exec::seen(c.outputs[0])) & (kNan | kInf)) return;
    for (std::size_t i = 0; i < c.values.size(); ++i) {
        const Tensor& t = c.values[i];
        if (!t.defined() || !is_float(t.dtype()) || !(t.impl()->health & kInf)) continue;
        const Entry* birth = birth_of_inf(checks.history(), checks.history().value_of(t));
        if (!birth) continue;
        // exp overflows in many a hand-written sigmoid, where 1 / inf is the right 0. In half precision that is an
        // overflow like any other.
        const Value* born = checks.history().value(birth->first_output);
        const bool narrow = born && half(born->type.dtype);
        if (!narrow && (!zeros || birth->op->id == op::exp)) continue;
        const Tensor& out = c.outputs[0];
        std::int64_t count = 0, first = -1;
        for (std::int64_t k = 0; k < out.count(); ++k) {
            if (number_at(out, k) != 0) continue;
            if (first < 0) first = k;
            ++count;
        }
        Finding f;
        f.kind = FindingKind::overflow;
        f.rule = "inf_absorbed";
        f.root_op = birth->op->name();
        f.root_frame = birth->frame;
        f.arguments = {{"dtype", std::string(born ? name_of(born->type.dtype) : name_of(t.dtype()))}};
        if (first >= 0) {
            f.count = count;
            f.index = index_of(first, out.shape());
            f.has_index = true;
        }
        checks.say(c, std::move(f));
        return;
    }
}

}  // namespace fusescope::debug
