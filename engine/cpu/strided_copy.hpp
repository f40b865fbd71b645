// Copies between two walks over the same index space: transposes, slices, broadcasts, concatenations and their
// gradients. Knows extents and strides, no ops.
#pragma once

#include <cstddef>

#include "engine/ir/attribute.hpp"

namespace fusescope::cpu {

/// For every index of `shape` copies the element at sum(index * src_strides) to the place sum(index * dst_strides).
/// Strides are in elements and may be negative; those of the source may be 0 as well. `size` is 1, 2, 4 or 8 bytes.
/// `src` and `dst` point to the element of index zero.
void copy_strided(const Shape& shape, const void* src, const Ints& src_strides, void* dst, const Ints& dst_strides,
                  std::size_t size);

}  // namespace fusescope::cpu
