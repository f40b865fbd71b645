// Computes a graph node by node with the eager kernels: the reference that every pass is held against.
#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/ir/graph.hpp"

namespace fusescope::testing {

struct Evaluated {
    std::vector<Tensor> outputs;
    std::vector<Tensor> updates;  ///< parallel to graph.updates
};

/// `inputs` parallel to graph.inputs. No tensor given is written.
inline Evaluated evaluate(const ir::Graph& g, std::span<const Tensor> inputs, Context& context) {
    std::unordered_map<const ir::Node*, std::vector<Tensor>> values;
    for (std::size_t i = 0; i < g.inputs.size(); ++i) values[g.inputs[i].get()] = {inputs[i]};
    auto value = [&](const ir::Value& v) { return v.node ? values.at(v.node.get())[v.index] : Tensor(); };
    for (const ir::NodePtr& n : g.nodes) {
        std::vector<Tensor> in, out;
        for (const ir::Value& v : n->inputs) in.push_back(value(v));
        switch (n->kind) {
            case ir::NodeKind::constant:
                out = {n->value};
                break;
            case ir::NodeKind::op:
                if (n->op->schema.traits.view && !n->op->kernel && !n->op->decompose) {
                    out = {alias_tensor(in[0], n->types[0].shape)};
                } else {
                    for (const TensorType& t : n->types) out.push_back(Tensor::empty(t.dtype, t.shape));
                    exec::run_kernel(context, *n->op, in, n->attrs, out);
                }
                break;
            case ir::NodeKind::fused: {
                std::size_t next = 0;
                for (const ir::GraphPtr& region : n->regions) {
                    Evaluated e = evaluate(*region, std::span(in).subspan(next, region->inputs.size()), context);
                    next += region->inputs.size();
                    out.insert(out.end(), e.outputs.begin(), e.outputs.end());
                }
                break;
            }
            case ir::NodeKind::cond: {
                const bool yes = in[0].item() != 0;
                out = evaluate(*n->regions[yes ? 0 : 1], std::span(in).subspan(1), context).outputs;
                break;
            }
            case ir::NodeKind::loop:
                for (int turn = 0; turn < 1000; ++turn) {
                    if (evaluate(*n->regions[0], in, context).outputs[0].item() == 0) break;
                    const std::vector<Tensor> next = evaluate(*n->regions[1], in, context).outputs;
                    std::copy(next.begin(), next.end(), in.begin());
                }
                out.assign(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n->types.size()));
                break;
            default:
                break;
        }
        values[n.get()] = std::move(out);
    }
    Evaluated result;
    for (const ir::Value& v : g.outputs) result.outputs.push_back(value(v));
    for (const ir::StateUpdate& u : g.updates) result.updates.push_back(value(u.value));
    return result;
}

/// Values for a graph's inputs: floats around zero with a few specials left out, small ints, both Bools.
inline std::vector<Tensor> random_inputs(const ir::Graph& g, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<Tensor> inputs;
    for (const ir::NodePtr& n : g.inputs) {
        Tensor t = Tensor::empty(n->types[0].dtype, n->types[0].shape);
        for (std::int64_t i = 0; i < t.count(); ++i) {
            const double v = normal(random);
            store_double(t.dtype(), t.impl()->raw(), i,
                         is_float(t.dtype())        ? v
                         : t.dtype() == DType::Bool ? (v > 0)
                                                    : std::floor(v * 5));
        }
        inputs.push_back(t);
    }
    return inputs;
}

/// Empty when both hold the same bits (any NaN equals any NaN), or numbers that differ by at most `tolerance` of their
/// size (of one, for small ones); else where they differ.
inline std::string bit_difference(const Tensor& a, const Tensor& b, double tolerance = 0) {
    if (a.type() != b.type()) return to_string(a.type()) + " and " + to_string(b.type());
    const std::size_t size = size_of(a.dtype());
    const char* x = static_cast<const char*>(a.data());
    const char* y = static_cast<const char*>(b.data());
    for (std::int64_t i = 0; i < a.count(); ++i) {
        if (std::memcmp(x + static_cast<std::size_t>(i) * size, y + static_cast<std::size_t>(i) * size, size) == 0)
            continue;
        const double p = load_double(a.dtype(), x, i), q = load_double(b.dtype(), y, i);
        if (std::isnan(p) && std::isnan(q)) continue;
        if (tolerance > 0 && std::abs(p - q) <= tolerance * std::max(1.0, std::abs(p))) continue;
        return "element " + std::to_string(i) + ": " + std::to_string(p) + " and " + std::to_string(q);
    }
    return {};
}

/// Empty when both graphs give the same bits (or nearly the same numbers) on random inputs.
inline std::string value_difference(const ir::Graph& a, const ir::Graph& b, unsigned seed = 1, double tolerance = 0) {
    Context context;
    context.update();
    const std::vector<Tensor> inputs = random_inputs(a, seed);
    const Evaluated x = evaluate(a, inputs, context);
    context.random_ops = 0;
    const Evaluated y = evaluate(b, inputs, context);
    if (x.outputs.size() != y.outputs.size() || x.updates.size() != y.updates.size()) return "counts differ";
    for (std::size_t i = 0; i < x.outputs.size(); ++i) {
        if (std::string d = bit_difference(x.outputs[i], y.outputs[i], tolerance); !d.empty()) {
            return "output " + std::to_string(i) + ", " + d;
        }
    }
    for (std::size_t i = 0; i < x.updates.size(); ++i) {
        if (std::string d = bit_difference(x.updates[i], y.updates[i], tolerance); !d.empty()) {
            return "update " + std::to_string(i) + ", " + d;
        }
    }
    return {};
}

}  // namespace fusescope::testing
