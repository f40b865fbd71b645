// A tensor's values as they were recorded: type, shape, bytes. Frozen and shared, so that views of millions of elements
// copy nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "fusescope/dtype.hpp"
#include "fusescope/shape.hpp"

namespace fusescope::tensors {

struct Array {
    DType dtype = DType::Float32;
    Shape shape;
    std::shared_ptr<const std::vector<std::byte>> bytes;  ///< row-major, native byte order

    std::int64_t count() const noexcept { return shape.count(); }
    const std::byte* data() const noexcept { return bytes ? bytes->data() : nullptr; }
    explicit operator bool() const noexcept { return bytes != nullptr; }
};

/// Empty when the bytes are not as many as type and shape ask for.
std::optional<Array> make_array(DType dtype, const Shape& shape, std::vector<std::byte> bytes);

/// Reads "(2, 3)", "(4,)", "()"; empty for anything else.
std::optional<Shape> parse_shape(std::string_view text);

/// Flat number of an element to its index and back; the index must be inside.
Shape index_of(std::int64_t flat, const Shape& shape);
std::int64_t flat_of(const Shape& index, const Shape& shape);

/// True once nobody wants the answer any more; long work asks now and then and returns what it has, which is then
/// dropped. An empty function means never.
using Stale = std::function<bool()>;

/// Calls body(begin, end) for stretches of 0 … count, until `stale`.
template <class Body>
void in_stretches(std::int64_t count, const Stale& stale, Body&& body) {
    constexpr std::int64_t kStretch = 1 << 16;
    for (std::int64_t begin = 0; begin < count; begin += kStretch) {
        if (stale && stale()) return;
        body(begin, std::min(count, begin + kStretch));
    }
}

}  // namespace fusescope::tensors
