#include "engine/core/broadcast.hpp"

#include <algorithm>

#include "engine/core/aligned_shapes.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

// Extent of axis `i` counted from the right; 1 where the shape has no such axis.
std::int64_t from_right(const Shape& s, int i) {
    return i < s.rank() ? s[static_cast<std::size_t>(s.rank() - 1 - i)] : 1;
}

std::string aligned(const Shape& a, const Shape& b) {
    const auto columns = static_cast<std::size_t>(std::max(a.rank(), b.rank()));
    const AlignedRow rows[2] = {{"", right_aligned(a, columns), ""}, {"", right_aligned(b, columns), ""}};
    return to_text(rows, broadcast_clashes(a, b));
}

std::string advice_for(const Shape& a, const Shape& b) {
    if (a.rank() == 2 && b.rank() == 2 && broadcast(a, Shape{b[1], b[0]})) {
        return "one operand may need a transpose";
    }
    if (a.rank() != b.rank()) {
        const Shape& big = a.rank() > b.rank() ? a : b;
        const Shape& small = a.rank() > b.rank() ? b : a;
        for (int at = 0; at <= small.rank(); ++at) {
            Shape widened = small;
            widened.insert(widened.begin() + at, 1);
            if (broadcast(big, widened)) {
                return "ops.expand_dims(operand of shape " + to_string(small) + ", " + std::to_string(at) +
                       ") would fit, or keep_dims=True in the reduction that made it";
            }
        }
    }
    return "axes are aligned from the right; each pair must be equal or one of them 1";
}

}  // namespace

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
    const int rank = std::max(a.rank(), b.rank());
    Shape out(static_cast<std::size_t>(rank), 1);
    for (int i = 0; i < rank; ++i) {
        const std::int64_t x = from_right(a, i);
        const std::int64_t y = from_right(b, i);
        if (x != y && x != 1 && y != 1) return std::nullopt;
        out[static_cast<std::size_t>(rank - 1 - i)] = x == 1 ? y : x;
    }
    return out;
}

Shape broadcast_or_throw(std::string_view op, const Shape& a, const Shape& b) {
    if (auto out = broadcast(a, b)) return *std::move(out);
    const std::string advice = advice_for(a, b);
    throw UserError(ErrorKind::shape, std::string(op),
                    std::string(op) + ": shapes " + to_string(a) + " and " + to_string(b) + " do not broadcast\n" +
                        aligned(a, b) + advice,
                    {to_string(a), to_string(b)}, advice);
}

int normalize_axis(std::string_view op, std::int64_t axis, int rank) {
    if (axis < -rank || axis >= rank) {
        throw UserError(
            ErrorKind::index, std::string(op),
            std::string(op) + ": axis " + std::to_string(axis) + " is out of range for a tensor of rank " +
                std::to_string(rank) +
                (rank ? ", which has axes " + std::to_string(-rank) + " to " + std::to_string(rank - 1) : ""));
    }
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Shape strides_of(const Shape& shape) {
    Shape s(shape.size(), 1);
    for (int i = shape.rank() - 2; i >= 0; --i) {
        const auto k = static_cast<std::size_t>(i);
        s[k] = s[k + 1] * shape[k + 1];
    }
    return s;
}

}  // namespace fusescope
