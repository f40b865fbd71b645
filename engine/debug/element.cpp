#include "engine/debug/element.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/explain/contributions.hpp"
#include "engine/debug/telling.hpp"
#include "engine/exec/dispatch.hpp"
#include "fusescope/error.hpp"

namespace fusescope::debug {
namespace {

std::int64_t flat_of(const std::vector<std::int64_t>& index, const Shape& shape) {
    std::int64_t flat = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) flat = flat * shape[k] + index[k];
    return flat;
}

// Where `index` of a broadcast result lies in an operand of `shape`.
std::int64_t broadcast_index(const std::vector<std::int64_t>& index, const Shape& shape) {
    const std::size_t skip = index.size() - shape.size();
    std::int64_t flat = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) flat = flat * shape[k] + (shape[k] == 1 ? 0 : index[skip + k]);
    return flat;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
    if (from.size() > to.size()) return false;
    for (std::size_t k = 0; k < from.size(); ++k) {
        const std::int64_t extent = to[to.size() - from.size() + k];
        if (from[k] != 1 && from[k] != extent) return false;
    }
    return true;
}

std::optional<std::vector<bool>> axes_of(const OpDef& op, const Attrs& attrs, std::size_t rank) {
    const int at = op.attribute("axis");
    if (at < 0) return std::nullopt;
    const AttrValue& axis = attrs[static_cast<std::size_t>(at)];
    std::vector<bool> chosen(rank, false);
    auto choose = [&](std::int64_t a) {
        if (a < 0) a += static_cast<std::int64_t>(rank);
        if (a >= 0 && a < static_cast<std::int64_t>(rank)) chosen[static_cast<std::size_t>(a)] = true;
    };
    if (const auto* one = std::get_if<std::int64_t>(&axis)) {
        choose(*one);
    } else if (const auto* several = std::get_if<Ints>(&axis)) {
        for (std::int64_t a : *several) choose(a);
        if (several->empty()) chosen.assign(rank, true);
    } else {
        chosen.assign(rank, true);
    }
    return chosen;
}

// The elements of `input` that differ from `at` only along the chosen axes.
std::vector<Source> tell_row(const OpDef& op, const Tensor& input, std::vector<std::int64_t> at,
                             const std::vector<bool>& along, double result) {
    const Shape& shape = input.shape();
    Telling telling(0, result, multiplies(op));
    for (std::size_t k = 0; k < at.size(); ++k) {
        if (along[k]) at[k] = 0;
        if (shape[k] == 0) return {};
    }
    for (;;) {
        const std::int64_t flat = flat_of(at, shape);
        telling.offer(number_at(input, flat), flat);
        std::size_t k = at.size();
        while (k-- > 0) {
            if (!along[k]) continue;
            if (++at[k] < shape[k]) break;
            at[k] = 0;
        }
        if (k == static_cast<std::size_t>(-1)) break;
    }
    return telling.sources();
}

std::vector<Source> tell_any(const Tensor& input, std::size_t operand, double result) {
    Telling telling(operand, result);
    const std::int64_t n = input.count();
    for (std::int64_t i = 0; i < n; ++i) telling.offer(number_at(input, i), i);
    return telling.sources();
}

// Runs the op on the numbers of its operands' elements instead of the elements: the result tells who went where. An op
// that does more than move is found out, because then the element is not the result.
std::optional<Source> moved_from(Context& context, const OpDef& op, const Attrs& attrs, std::span<const Tensor> inputs,
                                 const Tensor& output, std::int64_t flat) {
    if (op.schema.traits.random || op.schema.traits.host_value || op.schema.traits.writes) return std::nullopt;
    std::vector<Tensor> numbered(inputs.begin(), inputs.end());
    std::vector<std::int64_t> first(inputs.size(), -1);
    std::int64_t next = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& operands = op.schema.operands;
        const Operand& o = i < operands.size() ? operands[i] : operands.back();
        if (!inputs[i].defined() || o.accept != Accept::any || inputs[i].dtype() != output.dtype()) continue;
        const std::int64_t n = inputs[i].count();
        numbered[i] = make_tensor(DType::Int64, inputs[i].shape(), context.device);
        auto* at = static_cast<std::int64_t*>(numbered[i].impl()->raw());
        std::iota(at, at + n, next);
        first[i] = next;
        next += n;
    }
    if (next == 0) return std::nullopt;
    std::vector<Tensor> out;
    const TensorType types[1] = {{DType::Int64, output.shape()}};
    try {
        exec::compute(context, {op, attrs, numbered, types}, out);
    } catch (const UserError&) {
        return std::nullopt;
    }
    const std::int64_t from = static_cast<const std::int64_t*>(out[0].impl()->raw())[flat];
    const std::size_t size = size_of(output.dtype());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (first[i] < 0 || from < first[i] || from >= first[i] + inputs[i].count()) continue;
        const auto* a =
            static_cast<const char*>(inputs[i].impl()->raw()) + static_cast<std::size_t>(from - first[i]) * size;
        const auto* b = static_cast<const char*>(output.impl()->raw()) + static_cast<std::size_t>(flat) * size;
        if (std::memcmp(a, b, size) != 0) return std::nullopt;
        return Source{i, from - first[i], number_at(inputs[i], from - first[i]), 1, true};
    }
    return std::nullopt;
}

}  // namespace

double number_at(const Tensor& t, std::int64_t flat) { return load_double(t.dtype(), t.impl()->raw(), flat); }

const void* bytes_of(const Tensor& t) { return t.impl()->raw(); }

std::vector<std::int64_t> index_of(std::int64_t flat, const Shape& shape) {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t k = shape.size(); k-- > 0;) {
        if (shape[k] == 0) continue;
        index[k] = flat % shape[k];
        flat /= shape[k];
    }
    return index;
}

std::string number_text(double v, DType dtype) {
    if (!is_float(dtype)) return fmt::format("{:.0f}", v);
    if (dtype == DType::Float64) return fmt::format("{}", v);
    return fmt::format("{}", static_cast<float>(v));
}

std::vector<Source> sources_of(Context& context, const OpDef& op, const Attrs& attrs, std::span<const Tensor> inputs,
                               const Tensor& output, std::int64_t flat) {
    std::vector<Source> found;
    if (flat < 0 || flat >= output.count()) return found;
    const std::vector<std::int64_t> at = index_of(flat, output.shape());
    const double result = number_at(output, flat);
    const bool all_broadcast = std::all_of(inputs.begin(), inputs.end(), [&](const Tensor& t) {
        return !t.defined() || broadcasts_to(t.shape(), output.shape());
    });
    // What writes Parameters updates them element by element.
    if ((op.elementwise() || op.schema.traits.writes) && all_broadcast) {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (!inputs[i].defined()) continue;
            const std::int64_t from = broadcast_index(at, inputs[i].shape());
            found.push_back({i, from, number_at(inputs[i], from), 1, false});
        }
        return found;
    }
    if (!op.schema.traits.reduction) {
        if (auto moved = moved_from(context, op, attrs, inputs, output, flat)) return {*moved};
    }
    if (auto known = contributions_of(op, attrs, inputs, output, flat)) return *known;
    if (!inputs.empty() && inputs[0].defined()) {
        const Shape& shape = inputs[0].shape();
        const auto along = axes_of(op, attrs, shape.size());
        if (along && (op.schema.traits.reduction || shape == output.shape())) {
            std::vector<std::int64_t> in_at(shape.size(), 0);
            if (shape.size() == at.size()) {
                in_at = at;
            } else {
                std::size_t next = 0;
                for (std::size_t k = 0; k < shape.size() && next < at.size(); ++k) {
                    if (!(*along)[k]) in_at[k] = at[next++];
                }
            }
            return tell_row(op, inputs[0], in_at, *along, result);
        }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].defined() || !is_float(inputs[i].dtype())) continue;
        for (const Source& s : tell_any(inputs[i], i, result)) found.push_back(s);
    }
    return found;
}

}  // namespace fusescope::debug
