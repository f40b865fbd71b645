// An epsilon that is zero in the operand's element type: 1e-8 in float16 guards nothing.
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/element.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::debug {
namespace {

Tensor number_of(const Checked& c, std::size_t i) {
    if (!c.values.empty()) return c.values[i];
    if (!c.node || i >= c.node->inputs.size()) return {};
    const ir::Node* n = c.node->inputs[i].node.get();
    return n && n->kind == ir::NodeKind::constant ? n->value : Tensor();
}

}  // namespace

void check_number_vanishes(Checks& checks, const Checked& c) {
    for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        const Tensor t = number_of(c, i);
        if (!t.defined() || t.is_pending() || !t.impl()->beyond || number_at(t, 0) != 0) continue;
        Finding f;
        f.kind = FindingKind::underflow;
        f.rule = "number_vanishes";
        f.arguments = {{"dtype", std::string(name_of(t.dtype()))}};
        checks.say(c, std::move(f));
        return;
    }
}

}  // namespace fusescope::debug
