#include "profiler/tensors/comparison.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "profiler/tensors/ulp.hpp"

namespace fusescope::tensors {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// b - a, without rounding of ints first when both are ints.
template <class A, class B>
double gap(const Elements<A>& a, const Elements<B>& b, std::int64_t i) {
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
        const auto x = static_cast<std::int64_t>(a.raw(i)), y = static_cast<std::int64_t>(b.raw(i));
        const double size = static_cast<double>(distance(x, y));
        return y < x ? -size : size;
    } else {
        return b(i) - a(i);
    }
}

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

/// Ranks of elements in the type in which ULPs are counted.
class Ranks {
 public:
    Ranks(DType a, DType b) : type_(ulp_type(a, b)), plain_(type_ && a == b) {}
    std::optional<DType> type() const { return type_; }

    template <class A, class B>
    std::uint64_t between(const Elements<A>& a, const Elements<B>& b, std::int64_t i) const {
        if constexpr (!std::is_integral_v<A> && std::is_same_v<A, B>) {
            if (plain_) return distance(rank_of(a.raw(i)), rank_of(b.raw(i)));
        }
        return type_ ? distance(rank_in(*type_, a(i)), rank_in(*type_, b(i))) : 0;
    }

 private:
    std::optional<DType> type_;
    bool plain_;
};

template <class Body>
decltype(auto) with_both(const Array& a, const Array& b, Body&& body) {
    return with_elements(a, [&](const auto& x) { return with_elements(b, [&](const auto& y) { return body(x, y); }); });
}

}  // namespace

std::optional<DType> ulp_type(DType a, DType b) {
    const auto coarseness = [](DType t) {
        switch (t) {
            case DType::BFloat16:
                return 4;
            case DType::Float16:
                return 3;
            case DType::Float32:
                return 2;
            case DType::Float64:
                return 1;
            default:
                return 0;
        }
    };
    if (!is_float(a) && !is_float(b)) return {};
    return coarseness(a) >= coarseness(b) ? a : b;
}

Comparison compare(const Array& a, const Array& b, int bins, const Stale& stale) {
    return with_both(a, b, [&](const auto& x, const auto& y) {
        Comparison c;
        c.count = a.count();
        const Ranks ranks(a.dtype, b.dtype);
        c.ulp_type = ranks.type();
        double low = std::numeric_limits<double>::infinity(), high = -low;
        double absolute = 0, squares = 0, relative = 0, ulps = 0;
        std::vector<std::int64_t> apart(66, 0);
        in_stretches(c.count, stale, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const double p = x(i), q = y(i);
                const double d = gap(x, y, i);
                // Ints beyond 2^53 may look equal as doubles.
                const bool equal = same(p, q) && !(std::fabs(d) > 0);
                c.equal += equal;
                if (!equal && c.first_difference < 0) c.first_difference = i;
                if (!std::isfinite(p) || !std::isfinite(q)) {
                    c.bad_in_one += !equal;
                    continue;
                }
                ++c.finite_pairs;
                const double size = std::fabs(d);
                low = d < low ? d : low;
                high = d > high ? d : high;
                absolute += size;
                squares += size * size;
                if (size > c.max_absolute) c.max_absolute = size, c.max_absolute_at = i;
                if (size > 0) {
                    const double share = size / std::max(std::fabs(p), std::fabs(q));
                    relative += share;
                    if (share > c.max_relative) c.max_relative = share, c.max_relative_at = i;
                }
                const std::uint64_t steps = ranks.between(x, y, i);
                ++apart[static_cast<std::size_t>(std::bit_width(steps))];
                ulps += static_cast<double>(steps);
                if (steps > c.max_ulp) c.max_ulp = steps, c.max_ulp_at = i;
            }
        });
        if (c.finite_pairs > 0) {
            const double n = static_cast<double>(c.finite_pairs);
            c.mean_absolute = absolute / n;
            c.root_mean_square = std::sqrt(squares / n);
            c.mean_relative = relative / n;
            c.mean_ulp = ulps / n;
            if (c.ulp_type) {
                while (apart.size() > 1 && apart.back() == 0) apart.pop_back();
                c.ulps = std::move(apart);
            }
            HistogramBuilder builder(low, high, bins);
            in_stretches(c.count, stale, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    if (std::isfinite(x(i)) && std::isfinite(y(i))) builder.add(gap(x, y, i));
                }
            });
            c.errors = builder.result();
        }
        return c;
    });
}

Grid difference_grid(const Array& a, const Array& b, const Slice& slice, Measure measure, int most,
                     const Stale& stale) {
    return with_both(a, b, [&](const auto& x, const auto& y) {
        const Ranks ranks(a.dtype, b.dtype);
        return grid_of(slice, most, stale, [&](std::int64_t i) {
            const double p = x(i), q = y(i);
            if (!std::isfinite(p) || !std::isfinite(q)) return same(p, q) ? 0.0 : std::isinf(q - p) ? q - p : kNan;
            const double d = gap(x, y, i);
            switch (measure) {
                case Measure::signed_error:
                    return d;
                case Measure::absolute:
                    return std::fabs(d);
                case Measure::relative:
                    return d == 0 ? 0.0 : std::fabs(d) / std::max(std::fabs(p), std::fabs(q));
                case Measure::ulp:
                    break;
            }
            return static_cast<double>(ranks.between(x, y, i));
        });
    });
}

}  // namespace fusescope::tensors
