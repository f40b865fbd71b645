// The body of grid_of(), for numbers of any kind.
#pragma once

#include <cmath>
#include <limits>

#include "profiler/tensors/grid.hpp"

namespace fusescope::tensors {

template <class Number>
Grid grid_of(const Slice& slice, int most, const Stale& stale, Number&& number) {
    Grid g;
    if (slice.rows() == 0 || slice.columns() == 0) return g;
    const auto step = [most](std::int64_t extent) { return (extent + most - 1) / most; };
    g.row_step = step(slice.rows());
    g.column_step = step(slice.columns());
    g.rows = static_cast<int>((slice.rows() + g.row_step - 1) / g.row_step);
    g.columns = static_cast<int>((slice.columns() + g.column_step - 1) / g.column_step);
    const std::size_t cells = static_cast<std::size_t>(g.rows) * static_cast<std::size_t>(g.columns);
    g.values.assign(cells, 0);
    g.bad.assign(cells, 0);
    std::vector<std::int64_t> finite(cells, 0);
    for (std::int64_t row = 0; row < slice.rows(); ++row) {
        const std::size_t line = static_cast<std::size_t>(row / g.row_step) * static_cast<std::size_t>(g.columns);
        in_stretches(slice.columns(), stale, [&](std::int64_t begin, std::int64_t end) {
            std::size_t cell = line + static_cast<std::size_t>(begin / g.column_step);
            std::int64_t left = g.column_step - begin % g.column_step;
            for (std::int64_t column = begin; column < end; ++column) {
                const std::int64_t flat = slice.flat(row, column);
                if (flat >= 0) {
                    const double v = number(flat);
                    if (std::isfinite(v)) {
                        g.values[cell] += v;
                        ++finite[cell];
                    } else {
                        ++g.bad_elements;
                        g.bad[cell] |= std::isnan(v) ? Grid::kNan : v > 0 ? Grid::kPositiveInf : Grid::kNegativeInf;
                    }
                }
                if (--left == 0) {
                    ++cell;
                    left = g.column_step;
                }
            }
        });
        if (stale && stale()) return g;
    }
    bool any = false;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (finite[cell] == 0) {
            g.values[cell] = std::numeric_limits<double>::quiet_NaN();
            if (g.bad[cell] == 0) g.bad[cell] = Grid::kNothing;
            continue;
        }
        const double v = g.values[cell] /= static_cast<double>(finite[cell]);
        g.low = any ? std::min(g.low, v) : v;
        g.high = any ? std::max(g.high, v) : v;
        any = true;
    }
    return g;
}

}  // namespace fusescope::tensors
