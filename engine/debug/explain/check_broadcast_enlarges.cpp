// (N, 1) against (N,) is (N, N): legal, and usually a column that met a row by mistake.
#include <algorithm>

#include "engine/core/aligned_shapes.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::debug {
namespace {

// Products of a row and a column are meant when both are written with the same number of axes: x[:, None] * y[None, :].
bool written_out(std::span<const TensorType> inputs) {
    return std::all_of(inputs.begin(), inputs.end(), [&](const TensorType& t) {
        return t.shape.rank() == inputs[0].shape.rank() || t.shape.count() == 1;
    });
}

// Whether one extent comes from two operands, in two columns: the sign of a column that met a row. A product of
// vectors of two lengths is more likely meant.
bool same_extent_twice(std::span<const TensorType> inputs, const Shape& result) {
    const auto columns = result.size();
    for (std::size_t a = 0; a < inputs.size(); ++a) {
        const std::vector<std::int64_t> x = right_aligned(inputs[a].shape, columns);
        for (std::size_t b = 0; b < inputs.size(); ++b) {
            const std::vector<std::int64_t> y = right_aligned(inputs[b].shape, columns);
            for (std::size_t i = 0; i < columns; ++i) {
                for (std::size_t k = 0; k < columns; ++k) {
                    if (i != k && x[i] > 1 && x[i] == y[k] && x[k] <= 1 && y[i] <= 1) return true;
                }
            }
        }
    }
    return false;
}

// Both operands are one vector, once as a row and once as a column: every pair is wanted.
const ir::Node* behind_views(const ir::Node* n) {
    while (n && n->op && n->op->schema.traits.view) n = n->inputs[0].node.get();
    return n;
}
bool of_one_tensor(const Checked& c) {
    if (c.node && c.node->inputs.size() == 2) {
        const ir::Node* a = behind_views(c.node->inputs[0].node.get());
        return a == behind_views(c.node->inputs[1].node.get()) && a->types.size() == 1;
    }
    if (c.values.size() != 2 || !c.values[0].defined() || !c.values[1].defined()) return false;
    return c.values[0].impl()->raw() == c.values[1].impl()->raw();
}

}  // namespace

void check_broadcast_enlarges(Checks& checks, const Checked& c) {
    if (!c.op.elementwise() || c.inputs.size() < 2) return;
    std::int64_t largest = 0;
    for (const TensorType& t : c.inputs) largest = std::max(largest, t.shape.count());
    const std::int64_t count = c.result.shape.count();
    if (count <= largest || largest == 0 || written_out(c.inputs) || of_one_tensor(c)) return;
    Finding f;
    f.kind = FindingKind::broadcast;
    f.rule = "broadcast_enlarges";
    f.severity = same_extent_twice(c.inputs, c.result.shape) ? Severity::warning : Severity::info;
    f.arguments = {{"result", to_string(c.result.shape)}, {"factor", std::to_string(count / largest)}};
    checks.say(c, std::move(f));
}

}  // namespace fusescope::debug
