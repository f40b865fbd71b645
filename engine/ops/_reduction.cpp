#include "engine/core/broadcast.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"
#include "fusescope/error.hpp"

namespace fusescope::reduction {

std::vector<AttrSpec> attributes() {
    return {{"axis", AttrType::optional_ints, {}}, {"keep_dims", AttrType::boolean, false}};
}

SmallVector<bool, 8> flags(std::string_view op, const AttrValue& axis, int rank) {
    const Ints* given = std::get_if<Ints>(&axis);
    const bool all = given == nullptr || given->empty();
    SmallVector<bool, 8> f(static_cast<std::size_t>(rank), all);
    if (all) return f;
    for (std::int64_t a : *given) {
        bool& flag = f[static_cast<std::size_t>(normalize_axis(op, a, rank))];
        if (flag) {
            throw UserError(
                ErrorKind::value, std::string(op),
                std::string(op) + ": axis " + std::to_string(a) + " is given twice in " + to_string(*given));
        }
        flag = true;
    }
    return f;
}

Ints axes(std::string_view op, const AttrValue& axis, int rank) {
    const auto f = flags(op, axis, rank);
    Ints list;
    for (int k = 0; k < rank; ++k) {
        if (f[static_cast<std::size_t>(k)]) list.push_back(k);
    }
    return list;
}

Shape reduced_shape(const Shape& shape, const SmallVector<bool, 8>& flags, bool keep_dims) {
    Shape out;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (!flags[k]) {
            out.push_back(shape[k]);
        } else if (keep_dims) {
            out.push_back(1);
        }
    }
    return out;
}

std::int64_t reduced_count(const Shape& shape, const SmallVector<bool, 8>& flags) {
    std::int64_t n = 1;
    for (std::size_t k = 0; k < shape.size(); ++k) n *= flags[k] ? shape[k] : 1;
    return n;
}

namespace {
void infer(InferContext& c, DType result) {
    const Shape& s = c.inputs[0].shape;
    c.result(result, reduced_shape(s, flags(c.op.name(), c.attrs[0], s.rank()), c.attrs.boolean(1)));
}
}  // namespace

void infer_same(InferContext& c) { infer(c, c.inputs[0].dtype); }
void infer_wide(InferContext& c) { infer(c, is_float(c.inputs[0].dtype) ? c.inputs[0].dtype : DType::Int64); }
void infer_bool(InferContext& c) { infer(c, DType::Bool); }

void infer_nonempty(InferContext& c) {
    infer(c, c.inputs[0].dtype);
    const Shape& s = c.inputs[0].shape;
    if (reduced_count(s, flags(c.op.name(), c.attrs[0], s.rank())) == 0 && c.outputs[0].shape.count() > 0) {
        throw UserError(ErrorKind::value, c.op.name(),
                        c.op.name() + ": a tensor of shape " + to_string(s) +
                            " has no elements along the reduced axes, so there is none to choose",
                        {to_string(s)}, "check why the tensor is empty before reducing it");
    }
}

void cost(std::span<const TensorType> inputs, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(inputs[0].shape.count());
}

void extreme_grad(GradContext& g) {
    using namespace lang;
    const Tensor& x = g.inputs[0];
    const Tensor y = keep(g.outputs[0], x.shape(), g.attrs[0]);
    const Tensor dy = keep(g.out_grads[0], x.shape(), g.attrs[0]);
    const Tensor hit = cast(equal(x, y), x.dtype());
    const Tensor hits = sum(hit, axes(g.op.name(), g.attrs[0], x.rank()), true);
    g.set(0, hit * (dy / hits));
}

Tensor keep(const Tensor& reduced, const Shape& operand, const AttrValue& axis) {
    return lang::reshape(reduced, reduced_shape(operand, flags("Reduce", axis, operand.rank()), true));
}

}  // namespace fusescope::reduction
