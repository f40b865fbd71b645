// What the ops that reduce axes share: reading "axis", the resulting shape, and gradients' way back.
#pragma once

#include "engine/cpu/reduce.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::reduction {

/// The attributes of a reduction, in this order: axis (0), keep_dims (1).
std::vector<AttrSpec> attributes();

/// One flag an axis. None and an empty tuple mean all. Throws UserError for an axis out of range or given twice.
SmallVector<bool, 8> flags(std::string_view op, const AttrValue& axis, int rank);
/// The same as a list of axes, ascending.
Ints axes(std::string_view op, const AttrValue& axis, int rank);
Shape reduced_shape(const Shape& shape, const SmallVector<bool, 8>& flags, bool keep_dims);
/// Elements that go into one result.
std::int64_t reduced_count(const Shape& shape, const SmallVector<bool, 8>& flags);

/// Result has the operand's dtype.
void infer_same(InferContext& c);
/// Result is Int64 for ints and Bool.
void infer_wide(InferContext& c);
/// Result is Bool.
void infer_bool(InferContext& c);
/// Like infer_same; throws UserError when an axis without elements is reduced.
void infer_nonempty(InferContext& c);

template <cpu::Fold F>
void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    cpu::reduce(in, args.outputs[0], flags("Reduce", args.attrs[0], in.shape().rank()), F);
}

void cost(std::span<const TensorType> inputs, std::span<const TensorType> outputs, const Attrs&, Cost& c);

/// Of the largest and the smallest element: all that equal the result share its gradient evenly.
void extreme_grad(GradContext& g);

/// A reduced result (or its gradient) with its axes back as extents of 1, so that it broadcasts over the operand.
Tensor keep(const Tensor& reduced, const Shape& operand, const AttrValue& axis);

}  // namespace fusescope::reduction
