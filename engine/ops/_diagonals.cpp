#include <algorithm>

#include "engine/ops/common.hpp"
#include "engine/ops/diagonals.hpp"

namespace fusescope::ops {

Diagonals diagonals_of(std::string_view op, const Shape& shape, const Attrs& attrs) {
    const std::int64_t offset = attrs.integer(0);
    const int rank = shape.rank();
    const int a = normalize_axis(op, attrs.integer(1), rank);
    const int b = normalize_axis(op, attrs.integer(2), rank);
    if (a == b) {
        throw UserError(ErrorKind::value, std::string(op),
                        std::string(op) + ": both axes are " + std::to_string(a) + "; a diagonal runs over two");
    }
    const Shape own = strides_of(shape);
    Diagonals line;
    for (int k = 0; k < rank; ++k) {
        if (k == a || k == b) continue;
        line.shape.push_back(shape[at(k)]);
        line.strides.push_back(own[at(k)]);
    }
    const std::int64_t rows = offset < 0 ? shape[at(a)] + offset : shape[at(a)];
    const std::int64_t columns = offset > 0 ? shape[at(b)] - offset : shape[at(b)];
    line.shape.push_back(std::max<std::int64_t>(0, std::min(rows, columns)));
    line.strides.push_back(own[at(a)] + own[at(b)]);
    line.first = offset < 0 ? -offset * own[at(a)] : offset * own[at(b)];
    return line;
}

}  // namespace fusescope::ops
