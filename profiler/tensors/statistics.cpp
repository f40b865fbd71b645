// Stretches are summed about their own means and merged (Chan, Golub and LeVeque), so that a large mean does not eat
// the deviation.
#include "profiler/tensors/statistics.hpp"

#include <limits>

#include "profiler/tensors/elements.hpp"

namespace fusescope::tensors {

double smallest_normal(DType dtype) {
    switch (dtype) {
        case DType::Float16:
            return 0x1p-14;
        case DType::Float64:
            return std::numeric_limits<double>::min();
        default:
            return std::numeric_limits<float>::min();  // BFloat16 has the same exponents
    }
}

Statistics statistics(const Array& array, const Stale& stale) {
    Statistics s;
    s.count = array.count();
    const double normal = is_float(array.dtype) ? smallest_normal(array.dtype) : 0;
    double low = std::numeric_limits<double>::infinity(), high = -low, mean = 0, squares = 0;
    std::int64_t finite = 0;
    with_elements(array, [&](const auto& number) {
        in_stretches(s.count, stale, [&](std::int64_t begin, std::int64_t end) {
            std::int64_t here = 0;
            double sum = 0;
            for (std::int64_t i = begin; i < end; ++i) {
                const double v = number(i);
                if (!std::isfinite(v)) {
                    ++(std::isnan(v) ? s.nan : v > 0 ? s.positive_inf : s.negative_inf);
                    if (s.first_bad < 0) s.first_bad = i;
                    continue;
                }
                ++here;
                sum += v;
                s.zero += v == 0;
                s.negative += v < 0;
                s.subnormal += v != 0 && std::fabs(v) < normal;
                if (v < low) low = v, s.min_at = i;
                if (v > high) high = v, s.max_at = i;
            }
            if (here == 0) return;
            const double own = sum / static_cast<double>(here);
            double around = 0;
            for (std::int64_t i = begin; i < end; ++i) {
                const double v = number(i);
                if (std::isfinite(v)) around += (v - own) * (v - own);
            }
            const double before = static_cast<double>(finite), added = static_cast<double>(here), apart = own - mean;
            finite += here;
            mean += apart * (added / static_cast<double>(finite));
            squares += around + apart * apart * (before * added / static_cast<double>(finite));
        });
    });
    if (finite > 0) {
        s.min = low;
        s.max = high;
        s.mean = mean;
        s.std = std::sqrt(squares / static_cast<double>(finite));
    }
    return s;
}

}  // namespace fusescope::tensors
