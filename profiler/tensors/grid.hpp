// A slice made small enough to be painted: a cell stands for one element or for a block of them.
#pragma once

#include "profiler/tensors/slice.hpp"

namespace fusescope::tensors {

struct Grid {
    enum Bad : std::uint8_t { kNan = 1, kPositiveInf = 2, kNegativeInf = 4, kNothing = 8 };

    int rows = 0, columns = 0;
    std::int64_t row_step = 1, column_step = 1;  ///< elements a cell stands for, down and across
    std::vector<double> values;                  ///< mean of the finite elements of a cell, NaN when there are none
    std::vector<std::uint8_t> bad;               ///< Bad bits: what any element of the cell is; kNothing: no element
    double low = 0, high = 0;                    ///< of the values; equal when there is none or one
    std::int64_t bad_elements = 0;

    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
    }
};

/// At most `most` cells either way.
Grid grid(const Array& array, const Slice& slice, int most, const Stale& stale = {});

/// number(flat) of each element of a slice.
template <class Number>
Grid grid_of(const Slice& slice, int most, const Stale& stale, Number&& number);

}  // namespace fusescope::tensors

#include "profiler/tensors/grid_of.hpp"
