// A batch of labels that are all to be ignored: the mean of no losses is NaN, and their sum 0.
#include <algorithm>

#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {

void check_labels_ignored(Checks& checks, const Checked& c) {
    if (c.op.id != op::label_mask || c.outputs.empty()) return;
    const std::int64_t n = c.outputs[0].count();
    const auto* mask = static_cast<const std::uint8_t*>(c.outputs[0].impl()->raw());
    if (n == 0 || std::any_of(mask, mask + n, [](std::uint8_t counts) { return counts != 0; })) return;
    Finding f;
    f.kind = FindingKind::suspicious;
    f.rule = "labels_ignored";
    f.op = "NLLLoss";
    f.count = n;
    f.index.assign(c.inputs[0].shape.size(), 0);
    f.has_index = true;
    f.shapes = {to_string(c.inputs[0].shape)};
    f.arguments = {{"ignore_index", std::to_string(c.attrs.integer(0))}};
    checks.say(c, std::move(f));
}

}  // namespace fusescope::debug
