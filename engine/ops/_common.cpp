#include "engine/core/index_error.hpp"
#include "engine/ops/common.hpp"

namespace fusescope::ops {

void check_indices(std::string_view op, const KernelTensor& indices, std::int64_t extent, std::string_view what) {
    const std::int64_t n = indices.count();
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t v = index_at(indices, i, 0);
        if (v >= -extent && v < extent) continue;
        Shape place(indices.shape().size(), 0);
        std::int64_t rest = i;
        for (std::size_t k = place.size(); k-- > 0;) {
            place[k] = rest % indices.shape()[k];
            rest /= indices.shape()[k];
        }
        throw IndexError(std::string(op),
                         std::string(op) + ": index " + std::to_string(v) + " at position " + to_string(place) +
                             " of the indices is outside [0, " + std::to_string(extent) + "), the extent of " +
                             std::string(what),
                         {place.begin(), place.end()}, {to_string(indices.shape())},
                         extent == 0 ? "the tensor has nothing to choose from"
                                     : "valid indices are " + std::to_string(-extent) + " to " +
                                           std::to_string(extent - 1) + "; negative ones count from the end");
    }
}

void same_dtype(const InferContext& c, std::size_t a, std::size_t b) {
    if (c.inputs[a].dtype == c.inputs[b].dtype) return;
    const auto& operands = c.op.schema.operands;
    throw UserError(ErrorKind::dtype, c.op.name(),
                    c.op.name() + ": `" + operands[b].name + "` is " + std::string(name_of(c.inputs[b].dtype)) +
                        ", but `" + operands[a].name + "` is " + std::string(name_of(c.inputs[a].dtype)),
                    {to_string(c.inputs[a].shape), to_string(c.inputs[b].shape)},
                    "cast one of them to the dtype of the other");
}

void check_indices_along(const InferContext& c, const Shape& shape, const Shape& indices, int axis) {
    bool fits = shape.rank() == indices.rank();
    for (int k = 0; fits && k < shape.rank(); ++k) fits = k == axis || indices[at(k)] <= shape[at(k)];
    if (!fits) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        c.op.name() + ": indices of shape " + to_string(indices) + " do not fit a tensor of shape " +
                            to_string(shape) + " along axis " + std::to_string(axis),
                        {to_string(shape), to_string(indices)},
                        "both need the same rank, and only along the axis may the indices be longer");
    }
}

void infer_random(InferContext& c) {
    if (!is_float(c.attrs.dtype(1))) {
        throw UserError(
            ErrorKind::dtype, c.op.name(),
            c.op.name() + ": dtype is " + std::string(name_of(c.attrs.dtype(1))) + ", but it must be a float type");
    }
    c.result(c.attrs.dtype(1), c.attrs.ints(0));
}

}  // namespace fusescope::ops
