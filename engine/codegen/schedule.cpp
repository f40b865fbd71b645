#include "engine/codegen/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/core/broadcast.hpp"
#include "engine/core/tensor_impl.hpp"

namespace fusescope::codegen {
namespace {

std::optional<cpu::Fold> fold_of(const ir::Node& n) {
    if (n.kind != ir::NodeKind::op || !n.op->schema.traits.reduction) return std::nullopt;
    if (n.op->name() == "ReduceSum") return cpu::Fold::sum;
    if (n.op->name() == "ReduceMean") return cpu::Fold::mean;
    if (n.op->name() == "ReduceMax") return cpu::Fold::max;
    if (n.op->name() == "ReduceMin") return cpu::Fold::min;
    return std::nullopt;
}

bool same_elements_op(const ir::Node& n) {
    return n.kind == ir::NodeKind::op && (n.op->schema.traits.view || n.op->name() == "BroadcastTo");
}

// Axes of `from` that `to` keeps when the two differ only by axes of extent 1; empty when they differ otherwise.
std::optional<AxisMap> through_reshape(const Shape& from, const Shape& to, const AxisMap& to_map) {
    AxisMap map(from.size(), -1);
    std::size_t j = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] == 1) continue;
        while (j < to.size() && to[j] == 1) ++j;
        if (j == to.size() || to[j] != from[i]) return std::nullopt;
        map[i] = to_map[j++];
    }
    while (j < to.size() && to[j] == 1) ++j;
    if (j != to.size()) return std::nullopt;
    return map;
}

AxisMap through_broadcast(const Shape& from, const Shape& to, const AxisMap& to_map) {
    AxisMap map(from.size(), -1);
    const std::size_t shift = to.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != 1) map[i] = to_map[i + shift];
    }
    return map;
}

struct Rejected {
    std::string why;
};

struct Builder {
    const ir::Graph& region;
    Shape space;
    Schedule schedule;
    std::vector<AxisMap> load_maps;
    std::map<std::pair<std::pair<const ir::Node*, std::uint32_t>, std::string>, std::uint32_t> done;

    std::uint32_t add(BodyStep step) {
        schedule.body.push_back(std::move(step));
        return static_cast<std::uint32_t>(schedule.body.size() - 1);
    }

    std::uint32_t visit(const ir::Value& v, const AxisMap& map, int depth = 0) {
        if (depth > 2000) throw Rejected{"the chain is too deep"};
        std::string map_key(reinterpret_cast<const char*>(map.data()), map.size());
        const auto key = std::pair(std::pair(v.node.get(), v.index), map_key);
        if (auto it = done.find(key); it != done.end()) return it->second;
        const ir::Node& n = *v.node;
        const Shape& shape = v.type().shape;
        std::uint32_t result = 0;
        if (n.kind == ir::NodeKind::input || n.kind == ir::NodeKind::parameter) {
            const auto at = std::find(region.inputs.begin(), region.inputs.end(), v.node);
            if (at == region.inputs.end()) throw Rejected{"a member reads something that is no input"};
            Load load{static_cast<std::uint32_t>(at - region.inputs.begin()), v.type().dtype, Shape(space.size(), 0)};
            std::int64_t stride = 1;
            for (std::size_t i = shape.size(); i-- > 0;) {
                if (map[i] >= 0) load.strides[static_cast<std::size_t>(map[i])] = stride;
                stride *= shape[i];
            }
            schedule.loads.push_back(load);
            BodyStep s;
            s.what = BodyStep::What::load;
            s.load = static_cast<std::uint32_t>(schedule.loads.size() - 1);
            s.dtype = v.type().dtype;
            result = add(std::move(s));
        } else if (n.kind == ir::NodeKind::constant) {
            if (shape.count() != 1) throw Rejected{"a constant with more than one element is no immediate"};
            BodyStep s;
            s.what = BodyStep::What::constant;
            s.constant = n.value;
            s.dtype = v.type().dtype;
            result = add(std::move(s));
        } else if (same_elements_op(n)) {
            const Shape& from = n.inputs[0].type().shape;
            if (n.op->schema.traits.view) {
                const auto inner = through_reshape(from, shape, map);
                if (!inner) throw Rejected{"a reshape moves elements between axes"};
                result = visit(n.inputs[0], *inner, depth + 1);
            } else {
                result = visit(n.inputs[0], through_broadcast(from, shape, map), depth + 1);
            }
        } else if (n.kind == ir::NodeKind::op && n.op->elementwise()) {
            // These would round twice on the way through Float32, the eager kernel rounds once.
            const DType from = n.inputs[0].node ? n.inputs[0].type().dtype : DType::Float32;
            if (n.op->name() == "Cast" && v.type().dtype == DType::Float16 &&
                (from == DType::Float64 || from == DType::Int32 || from == DType::Int64)) {
                throw Rejected{"a conversion to Float16 that rounds once"};
            }
            BodyStep s;
            s.what = BodyStep::What::op;
            s.node = &n;
            s.dtype = v.type().dtype;
            for (const ir::Value& in : n.inputs) {
                if (!in.node) throw Rejected{"an operand is absent"};
                s.operands.push_back(visit(in, through_broadcast(in.type().shape, shape, map), depth + 1));
            }
            result = add(std::move(s));
        } else {
            throw Rejected{std::string(n.op_name()) + " is not elementwise"};
        }
        done[key] = result;
        return result;
    }

    // Joins neighbouring axes that all loads walk alike.
    void merge_axes() {
        Shape extents;
        std::vector<Shape> strides(schedule.loads.size());
        for (std::size_t k = 0; k < space.size(); ++k) {
            if (space[k] == 1) continue;
            bool mergeable = !extents.empty() && !(keep_last && k == first_reduced);
            for (std::size_t l = 0; mergeable && l < strides.size(); ++l) {
                mergeable = strides[l].back() == schedule.loads[l].strides[k] * space[k];
            }
            if (mergeable) {
                extents.back() *= space[k];
                for (std::size_t l = 0; l < strides.size(); ++l) strides[l].back() = schedule.loads[l].strides[k];
            } else {
                extents.push_back(space[k]);
                for (std::size_t l = 0; l < strides.size(); ++l) strides[l].push_back(schedule.loads[l].strides[k]);
            }
        }
        for (std::size_t l = 0; l < strides.size(); ++l) schedule.loads[l].strides = strides[l];
        schedule.extents = extents;
    }
    bool keep_last = false;  // there are reductions: rows and reduced axes must not be merged
    std::size_t first_reduced = 0;
};

}  // namespace

std::optional<Schedule> make_schedule(const ir::Graph& region, std::string& why) {
    try {
        Builder b{region, {}, {}, {}, {}};
        bool first = true;
        auto join = [&](const Shape& s) {
            if (first) {
                b.space = s;
                first = false;
            } else if (b.space != s) {
                throw Rejected{"outputs of different shapes, " + to_string(b.space) + " and " + to_string(s)};
            }
        };
        std::vector<std::pair<ir::Value, std::uint32_t>> stores, reduced;
        for (std::uint32_t o = 0; o < region.outputs.size(); ++o) {
            const ir::Value& v = region.outputs[o];
            if (fold_of(*v.node)) {
                join(v.node->inputs[0].type().shape);
                reduced.emplace_back(v, o);
            } else {
                join(v.type().shape);
                stores.emplace_back(v, o);
            }
        }
        b.schedule.count = b.space.count();
        AxisMap identity;
        for (std::size_t k = 0; k < b.space.size(); ++k) {
            identity.push_back(b.space[k] == 1 ? static_cast<std::int8_t>(-1) : static_cast<std::int8_t>(k));
        }
        // All reductions are over the same axes at the end.
        std::optional<std::size_t> from;
        for (const auto& [v, o] : reduced) {
            const ir::Node& n = *v.node;
            if (!is_float(v.type().dtype)) throw Rejected{"a reduction of ints"};
            SmallVector<bool, 8> flags(b.space.size(), false);
            const AttrValue& axis = n.attrs[0];
            if (const Ints* axes = std::get_if<Ints>(&axis); axes && !axes->empty()) {
                for (std::int64_t a : *axes)
                    flags[static_cast<std::size_t>(normalize_axis("Reduce", a, b.space.rank()))] = true;
            } else {
                for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = true;
            }
            std::size_t start = flags.size();
            while (start > 0 && (flags[start - 1] || b.space[start - 1] == 1)) --start;
            for (std::size_t k = 0; k < start; ++k) {
                if (flags[k] && b.space[k] != 1) throw Rejected{"a reduction that is not over the last axes"};
            }
            if (from && *from != start) throw Rejected{"reductions over different axes"};
            from = start;
            b.schedule.reductions.emplace_back(b.visit(n.inputs[0], identity),
                                               Reduction{n.inputs[0], o, v.type().dtype, *fold_of(n)});
        }
        for (const auto& [v, o] : stores) {
            b.schedule.stores.emplace_back(b.visit(v, identity), Store{v, o, v.type().dtype});
        }
        if (b.schedule.count == 0) throw Rejected{"no elements"};
        b.keep_last = from.has_value();
        b.first_reduced = from.value_or(0);
        while (b.keep_last && b.first_reduced < b.space.size() && b.space[b.first_reduced] == 1) ++b.first_reduced;
        b.merge_axes();
        Schedule& s = b.schedule;
        if (from) {
            std::int64_t row = 1;
            for (std::size_t k = *from; k < b.space.size(); ++k) row *= b.space[k];
            if (s.extents.empty()) s.extents.push_back(1);
            if (row == 1 && s.inner() != 1) s.extents.push_back(1);
            if (s.inner() != row) throw Rejected{"a reduced row is not one run of memory"};
            for (Load& l : s.loads) {
                while (l.strides.size() < s.extents.size()) l.strides.push_back(0);
            }
        } else {
            if (s.extents.empty()) s.extents.push_back(1);
            for (Load& l : s.loads) {
                if (l.strides.empty()) l.strides.push_back(0);
            }
            s.flat = s.extents.size() == 1;
        }
        for (const Load& l : s.loads) {
            if (l.strides.back() != 0 && l.strides.back() != 1)
                throw Rejected{"an operand is not contiguous in the inner run"};
        }
        return std::move(b.schedule);
    } catch (const Rejected& r) {
        why = r.why;
        return std::nullopt;
    }
}

bool Schedule::element_by_element(const Load& load) const noexcept {
    std::int64_t stride = 1;
    for (std::size_t k = extents.size(); k-- > 0; stride *= extents[k]) {
        if (extents[k] != 1 && load.strides[k] != stride) return false;
    }
    return true;
}

std::string Schedule::key() const {
    std::string k = flat ? "flat" : "rows";
    if (!flat) {
        for (std::int64_t e : extents) k += fmt::format(",{}", e);
    }
    const bool streams = count * 4 >= (std::int64_t{16} << 20);
    k += streams ? " streams" : "";
    for (const Load& l : loads) {
        k += fmt::format(" l{}:{}", l.input, name_of(l.dtype));
        for (std::int64_t s : l.strides) k += fmt::format(",{}", flat ? (s != 0) : s);
    }
    for (const BodyStep& b : body) {
        k += fmt::format(" b{}:{}:", static_cast<int>(b.what), static_cast<int>(b.dtype));
        if (b.what == BodyStep::What::load) k += std::to_string(b.load);
        if (b.what == BodyStep::What::constant) {
            const auto* p = static_cast<const unsigned char*>(b.constant.impl()->raw());
            for (std::size_t i = 0; i < size_of(b.dtype); ++i) k += fmt::format("{:02x}", p[i]);
        }
        if (b.what == BodyStep::What::op) {
            k += b.node->op->name();
            for (const AttrValue& a : b.node->attrs.values()) k += to_ir_text(a);
            for (std::uint32_t o : b.operands) k += fmt::format(",{}", o);
        }
    }
    for (const auto& [step, s] : stores) k += fmt::format(" s{}:{}", step, s.output);
    for (const auto& [step, r] : reductions) k += fmt::format(" r{}:{}:{}", step, r.output, static_cast<int>(r.fold));
    return k;
}

}  // namespace fusescope::codegen
