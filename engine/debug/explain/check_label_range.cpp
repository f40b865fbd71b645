// A label that is no class: counted from 1, or of another data set. Its row adds nothing to the loss, and nobody says
// so.
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/element.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {

void check_label_range(Checks& checks, const Checked& c) {
    if (c.op.id != op::label_mask || c.values.empty() || !c.values[0].defined()) return;
    const std::int64_t ignored = c.attrs.integer(0), classes = c.attrs.integer(1);
    if (classes == 0) return;
    const Tensor& labels = c.values[0];
    std::int64_t count = 0, first = 0;
    for (std::int64_t i = 0; i < labels.count(); ++i) {
        const auto label = static_cast<std::int64_t>(number_at(labels, i));
        if (label == ignored || (label >= 0 && label < classes)) continue;
        if (count++ == 0) first = i;
    }
    if (count == 0) return;
    Finding f;
    f.kind = FindingKind::suspicious;
    f.rule = "label_out_of_range";
    f.op = "NLLLoss";
    f.count = count;
    f.index = index_of(first, labels.shape());
    f.has_index = true;
    f.shapes = {to_string(labels.shape())};
    f.inputs = {number_text(number_at(labels, first), labels.dtype())};
    f.arguments = {{"classes", std::to_string(classes)}};
    checks.say(c, std::move(f));
}

}  // namespace fusescope::debug
