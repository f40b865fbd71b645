// What the ops that look for the place of an extreme element share: attributes axis (0; None: flattened) and keep_dims
// (1).
#pragma once

#include "engine/cpu/argreduce.hpp"
#include "engine/ops/common.hpp"

namespace fusescope::ops {

/// The operand seen as (outer, extent, inner).
struct Lines {
    std::int64_t outer = 1, extent = 1, inner = 1;
};
Lines lines_of(std::string_view op, const Shape& shape, const Attrs& attrs);
/// Shape of the result. Throws UserError when the axis has no elements.
Shape extreme_shape(const InferContext& c);

/// An extreme element with its place (Int64): results, and the gradient, which only the chosen element gets.
void infer_extreme_with_place(InferContext& c);
template <bool Largest>
void extreme_with_place(const KernelArgs& args) {
    const Lines l = lines_of("ArgExtremeWithValue", args.inputs[0].shape(), args.attrs);
    cpu::arg_reduce(args.inputs[0], l.outer, l.extent, l.inner, Largest, args.outputs[1], args.outputs[0]);
}
void extreme_with_place_grad(GradContext& g);

}  // namespace fusescope::ops
