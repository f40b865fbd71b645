#include "engine/debug/explain/int_ranges.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/checks.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::debug {
namespace {

template <class T>
Range ends_of(const void* data, std::int64_t n) {
    const T* p = static_cast<const T*>(data);
    T low = p[0], high = p[0];
    for (std::int64_t i = 1; i < n; ++i) {
        low = std::min(low, p[i]);
        high = std::max(high, p[i]);
    }
    return {low, high};
}

Range hull(std::initializer_list<Wide> values) { return {std::min(values), std::max(values)}; }

// Ops whose results are elements of an operand.
bool moves_elements(const OpDef& op) {
    const OpId id = op.id;
    return op.schema.traits.view || id == op::transpose || id == op::swapaxes || id == op::gather ||
           id == op::strided_slice || id == op::broadcast_to || id == op::copy || id == op::identity ||
           id == op::flip || id == op::roll || id == op::tile || id == op::amax || id == op::amin ||
           id == op::stop_gradient || id == op::index_select || id == op::take;
}

}  // namespace

bool whole(DType d) noexcept { return !is_float(d); }

Range range_of(DType d) noexcept {
    switch (d) {
        case DType::Bool:
            return {0, 1};
        case DType::UInt8:
            return {0, 255};
        case DType::Int8:
            return {-128, 127};
        case DType::Int16:
            return {std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()};
        case DType::Int32:
            return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
        default:
            return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    }
}

std::optional<Range> range_of(const Tensor& t) {
    const std::int64_t n = t.count();
    if (n == 0 || !whole(t.dtype()) || !t.impl()->storage) return std::nullopt;
    const void* p = t.impl()->raw();
    switch (t.dtype()) {
        case DType::Bool:
        case DType::UInt8:
            return ends_of<std::uint8_t>(p, n);
        case DType::Int8:
            return ends_of<std::int8_t>(p, n);
        case DType::Int16:
            return ends_of<std::int16_t>(p, n);
        case DType::Int32:
            return ends_of<std::int32_t>(p, n);
        default:
            return ends_of<std::int64_t>(p, n);
    }
}

std::optional<Range> exact_range(const OpDef& op, std::span<const Range> in, const TensorType& result,
                                 std::int64_t elements) {
    const OpId id = op.id;
    if (in.empty() || !whole(result.dtype)) return std::nullopt;
    const Range a = in[0];
    if (id == op::cast) return a;
    if (id == op::neg) return Range{-a.high, -a.low};
    if (id == op::abs || id == op::square) {
        const Wide most = std::max(a.high, -a.low);
        const Wide least =
            a.low <= 0 && a.high >= 0 ? 0 : std::min(a.low < 0 ? -a.low : a.low, a.high < 0 ? -a.high : a.high);
        return id == op::abs ? Range{least, most} : Range{least * least, most * most};
    }
    if (id == op::sum || id == op::cumsum) {
        const Wide n = std::max<std::int64_t>(elements, 1);
        return Range{std::min<Wide>(a.low * n, a.low), std::max<Wide>(a.high * n, a.high)};
    }
    if (in.size() < 2) return std::nullopt;
    const Range b = in[1];
    if (id == op::add || id == op::assign_add) return Range{a.low + b.low, a.high + b.high};
    if (id == op::sub || id == op::assign_sub) return Range{a.low - b.high, a.high - b.low};
    if (id == op::mul) return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return std::nullopt;
}

std::vector<const ir::Node*> nodes_that_may_wrap(const ir::Graph& graph, std::span<const Tensor> inputs,
                                                 std::span<const ir::Node* const> candidates) {
    std::unordered_map<const ir::Node*, Range> known;  // of first outputs; others may be anything
    const auto range = [&](const ir::Value& v) {
        const auto at = v.index == 0 ? known.find(v.node.get()) : known.end();
        return at != known.end() ? at->second : range_of(v.type().dtype);
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (auto r = range_of(inputs[i])) known[graph.inputs[i].get()] = *r;
    }
    std::vector<const ir::Node*> found;
    for (const ir::NodePtr& n : graph.nodes) {
        if (n->kind == ir::NodeKind::constant) {
            if (auto r = range_of(n->value)) known[n.get()] = *r;
            continue;
        }
        if (n->kind != ir::NodeKind::op || n->types.empty() || !whole(n->types[0].dtype)) continue;
        std::vector<Range> in;
        bool ints = !n->inputs.empty();
        for (const ir::Value& v : n->inputs) {
            ints = ints && v.node && whole(v.type().dtype);
            if (ints) in.push_back(range(v));
        }
        const Range all = range_of(n->types[0].dtype);
        if (!ints) continue;  // a float that becomes an int may be anything
        if (moves_elements(*n->op)) {
            known[n.get()] = in[0];
        } else if (n->op->id == op::select && in.size() == 3) {
            known[n.get()] = {std::min(in[1].low, in[2].low), std::max(in[1].high, in[2].high)};
        } else if ((n->op->id == op::maximum || n->op->id == op::minimum) && in.size() == 2) {
            known[n.get()] = {std::min(in[0].low, in[1].low), std::max(in[0].high, in[1].high)};
        } else if (n->op->id == op::concat || n->op->id == op::stack) {
            Range r = in[0];
            for (const Range& each : in) r = {std::min(r.low, each.low), std::max(r.high, each.high)};
            known[n.get()] = r;
        } else {
            const std::int64_t results = std::max<std::int64_t>(n->types[0].shape.count(), 1);
            const std::int64_t elements = n->op->id == op::cumsum ? n->inputs[0].type().shape.count()
                                                                  : n->inputs[0].type().shape.count() / results;
            const std::optional<Range> exact = exact_range(*n->op, in, n->types[0], elements);
            if (exact && inside(*exact, all)) {
                known[n.get()] = *exact;
            } else if (exact && std::find(candidates.begin(), candidates.end(), n.get()) != candidates.end()) {
                found.push_back(n.get());
            }
        }
    }
    // Floats that become ints.
    for (const ir::Node* n : candidates) {
        if (n->op->id == op::cast && is_float(n->inputs[0].type().dtype)) found.push_back(n);
    }
    return found;
}

}  // namespace fusescope::debug
