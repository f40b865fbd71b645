// Shapes written one under the other, axes that belong together in one column, as compilers point at a mistake:
//
//     x      (2, 3)   Tensor, line 7
//     total     (2,)  ReduceSum of (2, 3), line 9
//                ^
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fusescope/shape.hpp"

namespace fusescope {

struct AlignedRow {
    static constexpr std::int64_t kBlank = -1;
    std::string label;
    std::vector<std::int64_t> cells;  ///< one a column; kBlank where the shape has no such axis
    std::string note;
};

/// The lines, each indented by four spaces and ended by a newline. `marks` has a flag for each column; when one is set
/// there is a last line with '^' under those columns.
std::string to_text(std::span<const AlignedRow> rows, const std::vector<bool>& marks);

/// The extents in the last of `columns` columns.
std::vector<std::int64_t> right_aligned(const Shape& shape, std::size_t columns);

/// For each column of the two, aligned from the right: whether they differ and neither is 1.
std::vector<bool> broadcast_clashes(const Shape& a, const Shape& b);

}  // namespace fusescope
