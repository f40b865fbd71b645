// Places of the elements that index tensors name.
#pragma once

#include <cstdint>

#include "engine/ir/attribute.hpp"

namespace fusescope::cpu {

/// Calls f(i, base) for every element i of a tensor of shape `indices`, where `base` is the offset of the same place in
/// a tensor of shape `shape` with zero along `axis`. The extents of `indices` fit in `shape` along all other axes.
template <class F>
void for_each_along(const Shape& shape, const Shape& indices, std::size_t axis, F&& f) {
    Shape stride(shape.size(), 1);
    for (std::size_t k = shape.size(); k-- > 1;) stride[k - 1] = stride[k] * shape[k];
    Shape place(indices.size(), 0);
    const std::int64_t n = indices.count();
    std::int64_t base = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        f(i, base);
        for (std::size_t k = place.size(); k-- > 0;) {
            const std::int64_t step = k == axis ? 0 : stride[k];
            base += step;
            if (++place[k] < indices[k]) break;
            base -= step * place[k];
            place[k] = 0;
        }
    }
}

}  // namespace fusescope::cpu
