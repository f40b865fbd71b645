#include "engine/ops/extreme.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope::ops {

Lines lines_of(std::string_view op, const Shape& shape, const Attrs& attrs) {
    if (attrs.none(0)) return {1, shape.count(), 1};
    if (shape.rank() == 0 && (attrs.integer(0) == 0 || attrs.integer(0) == -1)) return {};
    const std::size_t axis = at(normalize_axis(op, attrs.integer(0), shape.rank()));
    return {extent_of(shape, 0, axis), shape[axis], extent_of(shape, axis + 1, shape.size())};
}

Shape extreme_shape(const InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    const Lines lines = lines_of(c.op.name(), shape, c.attrs);
    if (lines.extent == 0) {
        throw UserError(ErrorKind::value, c.op.name(),
                        c.op.name() + ": a tensor of shape " + to_string(shape) +
                            " has no elements along the axis, so there is none to choose",
                        {to_string(shape)}, "check why the tensor is empty before reducing it");
    }
    const bool keep = c.attrs.boolean(1);
    if (c.attrs.none(0)) return keep ? Shape(shape.size(), 1) : Shape{};
    if (shape.rank() == 0) return {};
    Shape out = shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), shape.rank());
    if (keep) {
        out[at(axis)] = 1;
    } else {
        out.erase(out.begin() + axis);
    }
    return out;
}

void infer_extreme_with_place(InferContext& c) {
    const Shape out = extreme_shape(c);
    c.result(c.inputs[0].dtype, out);
    c.result(DType::Int64, out);
}

void extreme_with_place_grad(GradContext& g) {
    if (!g.out_grads[0].defined()) return;
    const Tensor& x = g.inputs[0];
    const Lines l = lines_of(g.op.name(), x.shape(), g.attrs);
    const Shape lines{l.outer, l.extent, l.inner};
    const Shape chosen{l.outer, 1, l.inner};
    const Tensor spread = lang::scatter_elements(lang::zeros(x.dtype(), lines), lang::reshape(g.outputs[1], chosen),
                                                 lang::reshape(g.out_grads[0], chosen), 1, "none");
    g.set(0, lang::reshape(spread, x.shape()));
}

}  // namespace fusescope::ops
