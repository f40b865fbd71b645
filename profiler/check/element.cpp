#include "profiler/check/element.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace fusescope::check {

namespace {

template <class T>
T load(const void* data, std::int64_t at) {
    T value;
    std::memcpy(&value, static_cast<const char*>(data) + static_cast<std::size_t>(at) * sizeof value, sizeof value);
    return value;
}

/// Numbers of a format in order, so that neighbours differ by one; both zeros are 0.
template <class Bits, class Signed>
std::int64_t rank_of(Bits bits) {
    constexpr Bits sign = Bits(1) << (sizeof(Bits) * 8 - 1);
    const auto magnitude = static_cast<Signed>(bits & static_cast<Bits>(~sign));
    return bits & sign ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
}

}  // namespace

Element element_at(DType dtype, const void* data, std::int64_t at) {
    const auto whole = [](std::int64_t v) { return Element{static_cast<double>(v), v}; };
    switch (dtype) {
        case DType::Bool:
        case DType::UInt8:
            return whole(load<std::uint8_t>(data, at));
        case DType::Int8:
            return whole(load<std::int8_t>(data, at));
        case DType::Int16:
            return whole(load<std::int16_t>(data, at));
        case DType::Int32:
            return whole(load<std::int32_t>(data, at));
        case DType::Int64:
            return whole(load<std::int64_t>(data, at));
        case DType::Float16: {
            const auto bits = load<std::uint16_t>(data, at);
            return {static_cast<double>(std::bit_cast<_Float16>(bits)), rank_of<std::uint16_t, std::int16_t>(bits)};
        }
        case DType::BFloat16: {
            const auto bits = load<std::uint16_t>(data, at);
            return {std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16),
                    rank_of<std::uint16_t, std::int16_t>(bits)};
        }
        case DType::Float32: {
            const auto bits = load<std::uint32_t>(data, at);
            return {std::bit_cast<float>(bits), rank_of<std::uint32_t, std::int32_t>(bits)};
        }
        case DType::Float64: {
            const auto bits = load<std::uint64_t>(data, at);
            return {std::bit_cast<double>(bits), rank_of<std::uint64_t, std::int64_t>(bits)};
        }
    }
    return {};
}

std::uint64_t distance(const Element& x, const Element& y) {
    const auto a = static_cast<std::uint64_t>(x.rank), b = static_cast<std::uint64_t>(y.rank);
    return x.rank > y.rank ? a - b : b - a;
}

std::string text_of(DType dtype, const Element& e) {
    if (dtype == DType::Bool) return e.rank ? "True" : "False";
    if (!is_float(dtype)) return std::to_string(e.rank);
    if (std::isnan(e.number)) return "nan";
    if (dtype == DType::Float64) return fmt::format("{}", e.number);
    return fmt::format("{}", static_cast<float>(e.number));
}

}  // namespace fusescope::check
