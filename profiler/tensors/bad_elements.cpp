#include "profiler/tensors/bad_elements.hpp"

#include "profiler/tensors/elements.hpp"

namespace fusescope::tensors {

std::vector<BadElement> bad_elements(const Array& array, std::size_t limit, const Stale& stale) {
    std::vector<BadElement> found;
    if (!is_float(array.dtype)) return found;
    with_elements(array, [&](const auto& number) {
        in_stretches(array.count(), stale, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end && found.size() < limit; ++i) {
                const double v = number(i);
                if (std::isfinite(v)) continue;
                found.push_back({i, std::isnan(v) ? BadKind::nan
                                    : v > 0       ? BadKind::positive_inf
                                                  : BadKind::negative_inf});
            }
        });
    });
    return found;
}

std::int64_t next_bad(const Array& array, std::int64_t flat, bool forward, const Stale& stale) {
    const std::int64_t count = array.count();
    if (!is_float(array.dtype) || count == 0) return -1;
    return with_elements(array, [&](const auto& number) {
        std::int64_t at = flat < 0 && !forward ? 0 : flat;
        for (std::int64_t n = 0; n < count; ++n) {
            at = forward ? (at + 1) % count : (at + count - 1) % count;
            if (!std::isfinite(number(at))) return at;
            if (n % 65536 == 0 && stale && stale()) break;
        }
        return std::int64_t{-1};
    });
}

}  // namespace fusescope::tensors
