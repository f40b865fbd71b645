// Elements of an array as numbers, with the type decided once and not for each.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

/// Bits of a 16-bit float.
struct HalfBits {
    std::uint16_t bits;
    operator double() const noexcept { return static_cast<double>(std::bit_cast<_Float16>(bits)); }
};
struct BrainBits {
    std::uint16_t bits;
    operator double() const noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

template <class T>
class Elements {
 public:
    using Type = T;

    explicit Elements(const Array& array) : data_(array.data()) {}
    T raw(std::int64_t i) const noexcept {
        T value;
        std::memcpy(&value, data_ + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
        return value;
    }
    /// Ints beyond 2^53 are rounded.
    double operator()(std::int64_t i) const noexcept { return static_cast<double>(raw(i)); }

 private:
    const std::byte* data_;
};

/// body(Elements<T>) with the T of the array's type.
template <class Body>
decltype(auto) with_elements(const Array& array, Body&& body) {
    switch (array.dtype) {
        case DType::Bool:
        case DType::UInt8:
            return body(Elements<std::uint8_t>(array));
        case DType::Int8:
            return body(Elements<std::int8_t>(array));
        case DType::Int16:
            return body(Elements<std::int16_t>(array));
        case DType::Int32:
            return body(Elements<std::int32_t>(array));
        case DType::Int64:
            return body(Elements<std::int64_t>(array));
        case DType::Float16:
            return body(Elements<HalfBits>(array));
        case DType::BFloat16:
            return body(Elements<BrainBits>(array));
        case DType::Float64:
            return body(Elements<double>(array));
        case DType::Float32:
            break;
    }
    return body(Elements<float>(array));
}

}  // namespace fusescope::tensors
