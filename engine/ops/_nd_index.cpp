#include "engine/core/index_error.hpp"
#include "engine/ops/nd_index.hpp"

namespace fusescope::ops {

std::size_t nd_depth(std::string_view op, const Shape& shape, const Shape& indices) {
    const std::int64_t depth = indices.rank() ? indices.back() : 0;
    if (depth < 1 || depth > shape.rank()) {
        throw UserError(ErrorKind::shape, std::string(op),
                        std::string(op) + ": indices of shape " + to_string(indices) +
                            " do not fit a tensor of shape " + to_string(shape),
                        {to_string(shape), to_string(indices)},
                        "the last axis of the indices names a place in the leading axes of the tensor, so its extent "
                        "must be from 1 to " +
                            std::to_string(shape.rank()));
    }
    return at(depth);
}

Shape nd_shape(std::string_view op, const Shape& shape, const Shape& indices) {
    const std::size_t depth = nd_depth(op, shape, indices);
    Shape out;
    for (std::size_t k = 0; k + 1 < indices.size(); ++k) out.push_back(indices[k]);
    for (std::size_t k = depth; k < shape.size(); ++k) out.push_back(shape[k]);
    return out;
}

std::vector<std::int64_t> nd_slices(std::string_view op, const Shape& shape, const KernelTensor& indices) {
    const std::size_t depth = nd_depth(op, shape, indices.shape());
    const std::size_t n = at(indices.count()) / depth;
    std::vector<std::int64_t> slices(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < depth; ++k) {
            const std::int64_t raw = index_at(indices, static_cast<std::int64_t>(i * depth + k), 0);
            if (raw < -shape[k] || raw >= shape[k]) {
                Shape place(indices.shape().begin(), indices.shape().end());
                std::size_t rest = i;
                for (std::size_t axis = place.size() - 1; axis-- > 0;) {
                    place[axis] = static_cast<std::int64_t>(rest % at(indices.shape()[axis]));
                    rest /= at(indices.shape()[axis]);
                }
                place.back() = static_cast<std::int64_t>(k);
                throw IndexError(std::string(op),
                                 std::string(op) + ": index " + std::to_string(raw) + " at position " +
                                     to_string(place) + " of the indices is outside [0, " + std::to_string(shape[k]) +
                                     "), the extent of axis " + std::to_string(k) + " of a tensor of shape " +
                                     to_string(shape),
                                 {place.begin(), place.end()}, {to_string(shape), to_string(indices.shape())},
                                 "check the indices before they are used");
            }
            slices[i] = slices[i] * shape[k] + (raw < 0 ? raw + shape[k] : raw);
        }
    }
    return slices;
}

std::int64_t nd_slice_size(const Shape& shape, std::size_t depth) { return extent_of(shape, depth, shape.size()); }

void infer_nd_scatter(InferContext& c) {
    same_dtype(c, 0, 2);
    const Shape wanted = nd_shape(c.op.name(), c.inputs[0].shape, c.inputs[1].shape);
    if (c.inputs[2].shape != wanted) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        c.op.name() + ": updates have shape " + to_string(c.inputs[2].shape) +
                            ", but indices of shape " + to_string(c.inputs[1].shape) + " into a tensor of shape " +
                            to_string(c.inputs[0].shape) + " need " + to_string(wanted),
                        {to_string(c.inputs[0].shape), to_string(c.inputs[1].shape), to_string(c.inputs[2].shape)});
    }
    c.result(c.inputs[0].dtype, c.inputs[0].shape);
}

}  // namespace fusescope::ops
