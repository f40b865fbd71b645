#include "gui/tensor/color_scale.hpp"

#include <algorithm>
#include <cmath>

#include "gui/app/theme.hpp"

namespace fusescope::gui {

namespace {

// Every eighth of matplotlib's viridis.
constexpr int kViridis[9][3] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                                {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};
constexpr int kBelow[3] = {33, 102, 172}, kAbove[3] = {214, 96, 28};

QRgb mix(const int* from, const int* to, double share) {
    const auto part = [&](int i) { return static_cast<int>(std::lround(from[i] + (to[i] - from[i]) * share)); };
    return qRgb(part(0), part(1), part(2));
}

}  // namespace

QRgb ColorScale::colorOf(double value) const {
    if (kind == Kind::Health) {
        return theme().grid.rgb();
    }
    if (kind == Kind::Diverging) {
        const double most = std::max(std::fabs(low), std::fabs(high));
        const double share = most > 0 ? std::clamp(value / most, -1.0, 1.0) : 0;
        const QColor& middle = theme().dark ? theme().panel : theme().background;
        const int none[3] = {middle.red(), middle.green(), middle.blue()};
        return mix(none, share < 0 ? kBelow : kAbove, std::sqrt(std::fabs(share)));
    }
    const double share = high > low ? std::clamp((value / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0) : 0.5;
    const int at = std::min(static_cast<int>(share * 8), 7);
    return mix(kViridis[at], kViridis[at + 1], share * 8 - at);
}

QRgb ColorScale::colorOfBad(int bad) {
    return bad & tensors::Grid::kNan           ? qRgb(233, 30, 140)
           : bad & tensors::Grid::kPositiveInf ? qRgb(255, 59, 48)
                                               : qRgb(0, 176, 255);
}

}  // namespace fusescope::gui
