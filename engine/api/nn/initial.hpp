// Initial values of Parameters, drawn from the current context's random stream.
#pragma once

#include <cmath>

#include "fusescope/op_call.hpp"

namespace fusescope::nn {

inline Tensor uniform(const Shape& shape, double bound) {
    static const Op op("Uniform");
    return op.one({}, {shape, -bound, bound});
}

/// Bound of the weights and the bias of Dense and Conv2d.
inline double fan_in_bound(std::int64_t fan_in) { return 1 / std::sqrt(static_cast<double>(fan_in)); }

}  // namespace fusescope::nn
