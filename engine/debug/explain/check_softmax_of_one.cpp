// The softmax of one number is 1 whatever the number is, and its logarithm 0: nothing can be learnt from it. Mostly the
// axis is the wrong one, or a single logit wants a sigmoid.
#include "engine/debug/explain/checks.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {

void check_softmax_of_one(Checks& checks, const Checked& c) {
    if (c.op.id != op::softmax && c.op.id != op::log_softmax) return;
    const Shape& shape = c.inputs[0].shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = c.attrs.integer(0);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank || shape[static_cast<std::size_t>(axis)] != 1) return;
    Finding f;
    f.kind = FindingKind::suspicious;
    f.rule = "softmax_of_one";
    // In attention the first of many keys stands alone, and that is right.
    f.severity = rank <= 2 ? Severity::warning : Severity::info;
    f.arguments = {{"axis", std::to_string(axis)}, {"value", c.op.id == op::softmax ? "1" : "0"}};
    checks.say(c, std::move(f));
}

}  // namespace fusescope::debug
