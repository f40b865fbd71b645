// Colours of numbers: ramps that colour-blind readers can tell apart, and signal colours for what is no number.
#pragma once

#include <QRgb>

#include "profiler/tensors/grid.hpp"

namespace fusescope::gui {

struct ColorScale {
    enum class Kind {
        Sequential,  ///< least to greatest (viridis)
        Diverging,   ///< below and above zero, as far either way
        Health,      ///< all numbers alike
    };
    Kind kind = Kind::Sequential;
    double low = 0, high = 1;

    QRgb colorOf(double value) const;
    /// Bits of tensors::Grid::Bad; NaN before Inf.
    static QRgb colorOfBad(int bad);
};

}  // namespace fusescope::gui
