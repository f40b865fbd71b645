// Element functions that are made of others, for any value type V (Lanes or Sym).
#pragma once

#include "engine/expr/lanes.hpp"
#include "engine/expr/sym.hpp"

namespace fusescope::expr {

template <class V>
auto is_nan(V x) {
    return x != x;
}

/// The larger one; NaN when either is NaN, as numpy.maximum.
template <class V>
V maximum(V a, V b) {
    if constexpr (V::kFloating) {
        return select((a > b) | is_nan(a), a, b);
    } else {
        return select(a > b, a, b);
    }
}

/// The smaller one; NaN when either is NaN, as numpy.minimum.
template <class V>
V minimum(V a, V b) {
    if constexpr (V::kFloating) {
        return select((a < b) | is_nan(a), a, b);
    } else {
        return select(a < b, a, b);
    }
}

template <class V>
V zero() {
    return V::of_int(0);
}
template <class V>
V one() {
    return V::of_int(1);
}

}  // namespace fusescope::expr
