// Takes out ops that change no bit:
//
//     Cast(x, its own dtype), Reshape(x, its own shape), BroadcastTo(x, its own shape)   |  x
//     Transpose(x, 0 1 2), x * 1, x / 1, x - 0                                           |  x
//     Neg(Neg(x)), LogicalNot(LogicalNot(x))                                             |  x
//     Reshape(Reshape(x)), Transpose(Transpose(x))                                       |  one of them, or x
//     Add(x, BroadcastTo(y))                                                             |  Add(x, y)
//     Add(x, Fill(shape, 2))                                                             |  Add(x, 2)
//
// x + 0 stays for floats: it makes +0.0 of -0.0. The last two hold for every elementwise op whose result keeps its
// shape, since such ops broadcast by themselves.
#include <algorithm>
#include <cmath>

#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/passes/pass.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

using ir::Value;

bool is_op(const Value& v, OpId id) { return v.node && v.node->kind == ir::NodeKind::op && v.node->op->id == id; }

/// The operand is a constant of one element equal to `number` (for zero: +0.0).
bool is_number(const Value& v, double number) {
    if (!v.node || v.node->kind != ir::NodeKind::constant || v.node->value.count() != 1) return false;
    const double d = load_double(v.type().dtype, v.node->value.impl()->raw(), 0);
    return d == number && std::signbit(d) == std::signbit(number);
}

bool is_identity(const Ints& permutation) {
    for (std::size_t k = 0; k < permutation.size(); ++k) {
        if (permutation[k] != static_cast<std::int64_t>(k)) return false;
    }
    return true;
}

/// Axes of a Transpose node, made non-negative.
Ints permutation_of(const ir::Node& n) {
    Ints p;
    const auto rank = static_cast<std::int64_t>(n.types[0].shape.size());
    if (const Ints* given = std::get_if<Ints>(&n.attrs[0])) {
        for (std::int64_t a : *given) p.push_back(a < 0 ? a + rank : a);
    }
    if (static_cast<std::int64_t>(p.size()) != rank) {  // none given: reversed
        p.clear();
        for (std::int64_t k = rank; k-- > 0;) p.push_back(k);
    }
    return p;
}

class Simplify {
 public:
    explicit Simplify(passes::PassContext& c) : c_(c), rw_(c.rewriter) {}

    void visit(const ir::NodePtr& n) {
        if (n->kind != ir::NodeKind::op || n->has_effect() || n->types.size() != 1) return;
        inputs_.clear();
        for (const Value& v : n->inputs) inputs_.push_back(rw_.current(v));
        const OpId id = n->op->id;
        if (n->op->schema.traits.view && inputs_.size() == 1) return view(n);
        if (id == op::cast && inputs_[0].type() == n->types[0]) return to(n, inputs_[0], "cast to the same dtype");
        if (id == op::broadcast_to && inputs_[0].type() == n->types[0])
            return to(n, inputs_[0], "broadcast to the same shape");
        if (id == op::transpose) return transpose(n);
        if (id == op::neg && is_op(inputs_[0], op::neg)) return to(n, under(inputs_[0]), "negated twice");
        if (id == op::logical_not && is_op(inputs_[0], op::logical_not))
            return to(n, under(inputs_[0]), "negated twice");
        if (id == op::mul && unit(n, 1, 1.0)) return;
        if (id == op::mul && unit_left(n, 1.0)) return;
        if (id == op::div && unit(n, 1, 1.0)) return;
        if (id == op::sub && unit(n, 1, 0.0)) return;
        if (n->op->elementwise()) operands(n);
    }

 private:
    Value under(const Value& v) const { return rw_.current(v.node->inputs[0]); }

    void to(const ir::NodePtr& n, const Value& v, const char* rule) {
        if (v.type() == n->types[0]) rw_.replace(n, v, rule);
    }

    bool unit(const ir::NodePtr& n, std::size_t operand, double number) {
        if (!is_number(inputs_[operand], number) || inputs_[1 - operand].type() != n->types[0]) return false;
        rw_.replace(n, inputs_[1 - operand], number == 0 ? "zero subtracted" : "multiplied or divided by one");
        return true;
    }
    bool unit_left(const ir::NodePtr& n, double number) { return unit(n, 0, number); }

    void view(const ir::NodePtr& n) {
        Value base = inputs_[0];
        while (base.node->kind == ir::NodeKind::op && base.node->op->schema.traits.view &&
               base.node->inputs.size() == 1) {
            base = under(base);
        }
        if (base.type() == n->types[0]) return rw_.replace(n, base, "view of the same shape");
        if (base == inputs_[0] || base.type().dtype != n->types[0].dtype) return;
        ir::NodeSpec spec;
        spec.op = &op_row(op::reshape);
        spec.attrs = Attrs{n->types[0].shape};
        spec.inputs = {base};
        const ir::NodePtr origins[2] = {n, inputs_[0].node};
        rw_.replace(n, {rw_.create(std::move(spec), origins), 0}, "view of a view");
    }

    void transpose(const ir::NodePtr& n) {
        const Ints outer = permutation_of(*n);
        if (is_identity(outer)) return to(n, inputs_[0], "transposed into the same order");
        if (!is_op(inputs_[0], op::transpose)) return;
        const Ints first = permutation_of(*inputs_[0].node);
        Ints both;
        for (std::int64_t k : outer) both.push_back(first[static_cast<std::size_t>(k)]);
        const Value base = under(inputs_[0]);
        if (is_identity(both)) return to(n, base, "transposed there and back");
        ir::NodeSpec spec;
        spec.op = n->op;
        spec.attrs = n->attrs;
        spec.attrs[0] = both;
        spec.inputs = {base};
        const ir::NodePtr origins[2] = {n, inputs_[0].node};
        rw_.replace(n, {rw_.create(std::move(spec), origins), 0}, "transpose of a transpose");
    }

    /// Operands that an elementwise op would broadcast by itself.
    void operands(const ir::NodePtr& n) {
        std::vector<Value> inputs = inputs_;
        std::vector<ir::NodePtr> origins{n};
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            Value& v = inputs[i];
            if (!v.node) return;
            Value before = v;
            if (is_op(v, op::broadcast_to)) {
                v = under(v);
            } else if (is_op(v, op::full) && v.type().shape.count() > 1) {
                v = number(v);
            } else {
                continue;
            }
            // The result must keep its shape, and a comparison of types its dtype.
            bool fits = false;
            try {
                const auto types = ir::infer_types(*n->op, inputs, n->present, n->attrs);
                fits = types == n->types;
            } catch (const UserError&) {
                fits = false;
            }
            if (fits) {
                origins.push_back(before.node);
            } else {
                v = before;
            }
        }
        if (origins.size() == 1) return;
        ir::NodeSpec spec;
        spec.op = n->op;
        spec.attrs = n->attrs;
        spec.inputs = std::move(inputs);
        spec.present = n->present;
        rw_.replace(n, {rw_.create(std::move(spec), origins), 0}, "operand broadcast by the op itself");
    }

    /// A Fill as a constant of one element.
    Value number(const Value& fill) {
        Tensor t = Tensor::empty(fill.type().dtype, {});
        store_double(fill.type().dtype, t.impl()->raw(), 0, fill.node->attrs.number(1));
        ir::NodeSpec spec;
        spec.kind = ir::NodeKind::constant;
        spec.types = {t.type()};
        spec.value = std::move(t);
        return {rw_.create(std::move(spec), fill.node), 0};
    }

    passes::PassContext& c_;
    ir::Rewriter& rw_;
    std::vector<Value> inputs_;
};

void run(passes::PassContext& c) {
    Simplify s(c);
    for (const ir::NodePtr& n : c.graph.nodes) s.visit(n);
}

}  // namespace

passes::Pass pass_simplify() {
    return {"simplify", "Takes out conversions, views and arithmetic that change no bit.", run};
}

}  // namespace fusescope
