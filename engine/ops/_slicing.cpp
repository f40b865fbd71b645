#include <algorithm>

#include "engine/core/broadcast.hpp"
#include "engine/ops/slicing.hpp"
#include "fusescope/error.hpp"

namespace fusescope::ops {

Slice slice_of(std::string_view op, const Shape& shape, const Attrs& attrs) {
    const Ints& begin = attrs.ints(0);
    const Ints& end = attrs.ints(1);
    const Ints& strides = attrs.ints(2);
    const std::string name(op);
    if (begin.size() != end.size() || begin.size() != strides.size()) {
        throw UserError(ErrorKind::value, name,
                        name + ": begin, end and strides must have one number for each axis, but they have " +
                            std::to_string(begin.size()) + ", " + std::to_string(end.size()) + " and " +
                            std::to_string(strides.size()));
    }
    if (begin.size() > shape.size()) {
        throw UserError(ErrorKind::index, name,
                        name + ": " + std::to_string(begin.size()) + " slices for a tensor of shape " +
                            to_string(shape) + ", which has " + std::to_string(shape.size()) + " axes",
                        {to_string(shape)});
    }
    Slice slice;
    const Shape own = strides_of(shape);
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (k >= begin.size()) {
            slice.shape.push_back(shape[k]);
            slice.strides.push_back(own[k]);
            continue;
        }
        const std::int64_t extent = shape[k];
        const std::int64_t step = strides[k];
        if (step == 0)
            throw UserError(ErrorKind::value, name, name + ": the stride of axis " + std::to_string(k) + " is 0");
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? extent : extent - 1;
        auto place = [&](std::int64_t v) { return std::clamp(v < 0 ? v + extent : v, low, high); };
        const std::int64_t from = place(begin[k]);
        const std::int64_t to = place(end[k]);
        const std::int64_t span = step > 0 ? to - from : from - to;
        const std::int64_t size = step > 0 ? step : -step;
        const std::int64_t count = span > 0 ? (span + size - 1) / size : 0;
        slice.shape.push_back(count);
        slice.strides.push_back(own[k] * step);
        if (count > 0) slice.offset += from * own[k];
    }
    return slice;
}

}  // namespace fusescope::ops
