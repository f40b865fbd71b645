#include <algorithm>
#include <cstring>

#include "engine/ops/common.hpp"
#include "engine/ops/triangle.hpp"

namespace fusescope::ops {

void infer_triangle(InferContext& c) {
    if (c.inputs[0].shape.rank() < 2) {
        throw UserError(
            ErrorKind::shape, c.op.name(),
            c.op.name() + ": a tensor of shape " + to_string(c.inputs[0].shape) + " has no rows and columns",
            {to_string(c.inputs[0].shape)}, "the tensor must have at least two axes");
    }
    ops::infer_same(c);
}

void copy_triangle(const KernelArgs& args, bool lower) {
    const KernelTensor& in = args.inputs[0];
    const Shape& shape = in.shape();
    const std::int64_t columns = shape[shape.size() - 1];
    const std::int64_t rows = shape[shape.size() - 2];
    const std::int64_t diagonal = args.attrs.integer(0);
    const std::int64_t size = static_cast<std::int64_t>(size_of(in.dtype()));
    const std::int64_t count = columns == 0 ? 0 : in.count() / columns;
    const char* src = in.as<char>();
    char* dst = args.outputs[0].as<char>();
    std::memset(dst, 0, at(count * columns * size));
    for (std::int64_t r = 0; r < count; ++r) {
        const std::int64_t row = r % rows;
        const std::int64_t begin = lower ? 0 : std::clamp<std::int64_t>(row + diagonal, 0, columns);
        const std::int64_t end = lower ? std::clamp<std::int64_t>(row + diagonal + 1, 0, columns) : columns;
        if (begin < end) {
            const std::int64_t from = (r * columns + begin) * size;
            std::memcpy(dst + from, src + from, at((end - begin) * size));
        }
    }
}

}  // namespace fusescope::ops
