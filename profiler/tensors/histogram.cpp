#include "profiler/tensors/histogram.hpp"

#include <limits>

#include "profiler/tensors/elements.hpp"

namespace fusescope::tensors {

double Histogram::edge(std::size_t bin) const {
    if (bin == bins.size()) return high;
    const double n = static_cast<double>(bins.size()), at = static_cast<double>(bin);
    // The range of doubles is wider than a double.
    return std::isfinite(high - low) ? low + at * ((high - low) / n) : low * (1 - at / n) + high * (at / n);
}

std::int64_t Histogram::largest() const { return bins.empty() ? 0 : *std::max_element(bins.begin(), bins.end()); }

HistogramBuilder::HistogramBuilder(double low, double high, int bins) {
    if (!(high > low)) {
        // One value: a bin of some width around it.
        const double half = std::max(0.5, std::fabs(low) * 1e-6);
        low -= half;
        high += half;
    }
    histogram_.low = low;
    histogram_.high = high;
    histogram_.bins.assign(static_cast<std::size_t>(std::max(bins, 1)), 0);
    half_width_ = high / 2 - low / 2;
}

void HistogramBuilder::add(double v) {
    Histogram& h = histogram_;
    if (!std::isfinite(v)) {
        ++h.bad;
        return;
    }
    if (v < h.low || v > h.high) {
        ++h.outside;
        return;
    }
    const auto last = static_cast<std::int64_t>(h.bins.size()) - 1;
    auto at =
        std::clamp(static_cast<std::int64_t>((v / 2 - h.low / 2) / half_width_ * static_cast<double>(h.bins.size())),
                   std::int64_t{0}, last);
    // Rounding may have put it on the wrong side of an edge.
    if (at > 0 && v < h.edge(static_cast<std::size_t>(at))) --at;
    if (at < last && v >= h.edge(static_cast<std::size_t>(at) + 1)) ++at;
    ++h.bins[static_cast<std::size_t>(at)];
}

Histogram histogram(const Array& array, int bins, std::optional<std::pair<double, double>> range, const Stale& stale) {
    return with_elements(array, [&](const auto& number) {
        double low = 0, high = 1;
        if (range) {
            std::tie(low, high) = *range;
        } else {
            double least = std::numeric_limits<double>::infinity(), most = -least;
            in_stretches(array.count(), stale, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const double v = number(i);
                    if (!std::isfinite(v)) continue;
                    least = v < least ? v : least;
                    most = v > most ? v : most;
                }
            });
            if (least <= most) low = least, high = most;
            if (!is_float(array.dtype) && high - low < bins) {
                bins = static_cast<int>(high - low) + 1;
                low -= 0.5;
                high += 0.5;
            }
        }
        HistogramBuilder builder(low, high, bins);
        in_stretches(array.count(), stale, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) builder.add(number(i));
        });
        return builder.result();
    });
}

}  // namespace fusescope::tensors
