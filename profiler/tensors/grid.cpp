#include "profiler/tensors/grid.hpp"

#include "profiler/tensors/elements.hpp"

namespace fusescope::tensors {

Grid grid(const Array& array, const Slice& slice, int most, const Stale& stale) {
    return with_elements(array, [&](const auto& number) { return grid_of(slice, most, stale, number); });
}

}  // namespace fusescope::tensors
