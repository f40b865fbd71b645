#include "profiler/check/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace fusescope::check {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

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

struct Element {
    double number = 0;
    std::int64_t rank = 0;  // of a float; of an int the number itself
};

Element element(DType dtype, const void* data, std::int64_t at) {
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

std::string text_of(DType dtype, const Element& e) {
    if (dtype == DType::Bool) return e.rank ? "True" : "False";
    if (!is_float(dtype)) return std::to_string(e.rank);
    if (std::isnan(e.number)) return "nan";
    // As many digits as tell neighbours apart.
    if (dtype == DType::Float64) return fmt::format("{}", e.number);
    return fmt::format("{}", static_cast<float>(e.number));
}

std::vector<std::int64_t> index_of(std::int64_t flat, const Shape& shape) {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t k = shape.size(); k-- > 0;) {
        index[k] = flat % shape[k];
        flat /= shape[k];
    }
    return index;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                 : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

}  // namespace

double Tolerance::relative_for(DType dtype) const {
    if (!is_float(dtype)) return 0;
    if (relative) return *relative;
    switch (dtype) {
        case DType::Float16:
            return 1e-3;
        case DType::BFloat16:
            return 1.6e-2;
        case DType::Float64:
            return 1e-9;
        default:
            return 1e-5;
    }
}

double Tolerance::absolute_for(DType dtype) const {
    if (!is_float(dtype)) return 0;
    if (absolute) return *absolute;
    return dtype == DType::Float64 ? 1e-9 : 1e-5;
}

Difference difference(const Value& a, const Value& b, const Tolerance& tolerance) {
    Difference d;
    d.count = a.shape.count();
    if (a.dtype != b.dtype || a.shape != b.shape) {
        d.what = a.dtype != b.dtype ? "dtype" : "shape";
        d.first = fmt::format("{}{}", name_of(a.dtype), to_string(a.shape));
        d.second = fmt::format("{}{}", name_of(b.dtype), to_string(b.shape));
        return d;
    }
    if (a.bytes == nullptr || b.bytes == nullptr) {
        d.what = "not kept";
        return d;
    }
    const bool floats = is_float(a.dtype);
    const double relative = tolerance.relative_for(a.dtype), absolute = tolerance.absolute_for(a.dtype);
    std::int64_t worst = -1;
    for (std::int64_t i = 0; i < d.count; ++i) {
        const Element x = element(a.dtype, a.bytes, i), y = element(b.dtype, b.bytes, i);
        const bool x_nan = floats && std::isnan(x.number), y_nan = floats && std::isnan(y.number);
        if (x.rank == y.rank || (x_nan && y_nan)) {
            d.zero_signs += floats && x.number == 0 && std::signbit(x.number) != std::signbit(y.number);
            continue;
        }
        ++d.different;
        const bool finite = !floats || (std::isfinite(x.number) && std::isfinite(y.number));
        // Ints beyond 2^53 differ by less than doubles can tell.
        const double gap = !finite  ? kInfinite
                           : floats ? std::fabs(x.number - y.number)
                                    : static_cast<double>(distance(x.rank, y.rank));
        const double size = std::max(std::fabs(x.number), std::fabs(y.number));
        if (!(gap <= absolute + relative * size) || !finite) ++d.beyond;
        d.largest_relative = std::max(d.largest_relative, finite ? gap / size : kInfinite);
        if (floats && !x_nan && !y_nan) d.largest_ulp = std::max(d.largest_ulp.value_or(0), distance(x.rank, y.rank));
        if (worst < 0 || gap > d.largest_absolute) {
            worst = i;
            d.largest_absolute = gap;
            d.first = text_of(a.dtype, x);
            d.second = text_of(b.dtype, y);
        }
    }
    if (worst >= 0) d.index = index_of(worst, a.shape);
    return d;
}

}  // namespace fusescope::check
