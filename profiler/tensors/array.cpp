#include "profiler/tensors/array.hpp"

#include <charconv>

namespace fusescope::tensors {

std::optional<Array> make_array(DType dtype, const Shape& shape, std::vector<std::byte> bytes) {
    // Shapes come from files: their product may be anything.
    std::size_t wanted = size_of(dtype);
    for (const std::int64_t extent : shape) {
        if (extent < 0 || __builtin_mul_overflow(wanted, static_cast<std::size_t>(extent), &wanted)) return {};
    }
    if (wanted != bytes.size()) return {};
    return Array{dtype, shape, std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

std::optional<Shape> parse_shape(std::string_view text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return {};
    text = text.substr(1, text.size() - 2);
    Shape shape;
    while (!text.empty()) {
        std::int64_t extent = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
        if (error != std::errc() || extent < 0) return {};
        shape.push_back(extent);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) break;
        if (text.front() != ',') return {};
        text.remove_prefix(1);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    }
    return shape;
}

Shape index_of(std::int64_t flat, const Shape& shape) {
    Shape index(shape.size(), 0);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        if (shape[axis] == 0) continue;
        index[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    return index;
}

std::int64_t flat_of(const Shape& index, const Shape& shape) {
    std::int64_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) flat = flat * shape[axis] + index[axis];
    return flat;
}

}  // namespace fusescope::tensors
