// How often which values occur.
#pragma once

#include <utility>

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

/// Bins of equal width from `low` to `high`; each but the last is open at its upper end.
struct Histogram {
    double low = 0, high = 1;
    std::vector<std::int64_t> bins;
    std::int64_t outside = 0;  ///< finite, and not between low and high
    std::int64_t bad = 0;      ///< NaN and Inf

    double edge(std::size_t bin) const;
    std::int64_t largest() const;
};

/// Over the range of the finite elements, or over the given one. When whole numbers span fewer values than there are
/// bins, each value gets a bin of its own.
Histogram histogram(const Array& array, int bins, std::optional<std::pair<double, double>> range = {},
                    const Stale& stale = {});

/// Gathers numbers one by one.
class HistogramBuilder {
 public:
    HistogramBuilder(double low, double high, int bins);
    void add(double value);
    const Histogram& result() const { return histogram_; }

 private:
    Histogram histogram_;
    double half_width_;
};

}  // namespace fusescope::tensors
