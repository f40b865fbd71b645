#include "profiler/check/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "profiler/check/element.hpp"

namespace fusescope::check {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<std::int64_t> index_of(std::int64_t flat, const Shape& shape) {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t k = shape.size(); k-- > 0;) {
        index[k] = flat % shape[k];
        flat /= shape[k];
    }
    return index;
}

}  // namespace

double Tolerance::relative_for(DType dtype) const {
    if (!is_float(dtype)) return 0;
    if (relative) return *relative;
    switch (dtype) {
        case DType::Float16:
            return 1e-3;
        case DType::BFloat16:
            return 1.6e-2;
        case DType::Float64:
            return 1e-9;
        default:
            return 1e-5;
    }
}

double Tolerance::absolute_for(DType dtype) const {
    if (!is_float(dtype)) return 0;
    if (absolute) return *absolute;
    return dtype == DType::Float64 ? 1e-9 : 1e-5;
}

Difference difference(const Value& a, const Value& b, const Tolerance& tolerance) {
    Difference d;
    d.count = a.shape.count();
    if (a.dtype != b.dtype || a.shape != b.shape) {
        d.what = a.dtype != b.dtype ? "dtype" : "shape";
        d.first = fmt::format("{}{}", name_of(a.dtype), to_string(a.shape));
        d.second = fmt::format("{}{}", name_of(b.dtype), to_string(b.shape));
        return d;
    }
    if (a.bytes == nullptr || b.bytes == nullptr) {
        d.what = "not kept";
        return d;
    }
    const bool floats = is_float(a.dtype);
    const double relative = tolerance.relative_for(a.dtype), absolute = tolerance.absolute_for(a.dtype);
    std::int64_t worst = -1;
    for (std::int64_t i = 0; i < d.count; ++i) {
        const Element x = element_at(a.dtype, a.bytes, i), y = element_at(b.dtype, b.bytes, i);
        const bool x_nan = floats && std::isnan(x.number), y_nan = floats && std::isnan(y.number);
        if (x.rank == y.rank || (x_nan && y_nan)) {
            d.zero_signs += floats && x.number == 0 && std::signbit(x.number) != std::signbit(y.number);
            continue;
        }
        ++d.different;
        const bool finite = !floats || (std::isfinite(x.number) && std::isfinite(y.number));
        // Ints beyond 2^53 differ by less than doubles can tell.
        const double gap = !finite  ? kInfinite
                           : floats ? std::fabs(x.number - y.number)
                                    : static_cast<double>(distance(x, y));
        const double size = std::max(std::fabs(x.number), std::fabs(y.number));
        if (!(gap <= absolute + relative * size) || !finite) ++d.beyond;
        d.largest_relative = std::max(d.largest_relative, finite ? gap / size : kInfinite);
        if (floats && !x_nan && !y_nan) d.largest_ulp = std::max(d.largest_ulp.value_or(0), distance(x, y));
        if (worst < 0 || gap > d.largest_absolute) {
            worst = i;
            d.largest_absolute = gap;
            d.first = text_of(a.dtype, x);
            d.second = text_of(b.dtype, y);
        }
    }
    if (worst >= 0) d.index = index_of(worst, a.shape);
    return d;
}

}  // namespace fusescope::check
