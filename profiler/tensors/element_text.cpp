#include "profiler/tensors/element_text.hpp"

#include <charconv>

#include "profiler/tensors/elements.hpp"
#include "profiler/tensors/ulp.hpp"

namespace fusescope::tensors {

namespace {

template <class T>
std::string shortest(T v) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, v).ptr;
    return {text, end};
}

// Fewest digits that round to the same 16 bits.
template <class T>
std::string shortest_half(T v, DType dtype) {
    const double number = v;
    char text[64];
    for (int digits = 1; digits < 9; ++digits) {
        const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::general, digits).ptr;
        double back = 0;
        std::from_chars(text, end, back);
        if (rank_in(dtype, back) == rank_of(v)) return {text, end};
    }
    return shortest(number);
}

std::string special(double v) { return std::isnan(v) ? "nan" : v < 0 ? "-inf" : "inf"; }

std::string zeros_and_ones(std::uint64_t bits, int high, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += bits >> (high - 1 - i) & 1 ? '1' : '0';
    return text;
}

struct Format {
    int exponent, fraction;
};
Format format_of(DType dtype) {
    switch (dtype) {
        case DType::Float16:
            return {5, 10};
        case DType::BFloat16:
            return {8, 7};
        case DType::Float64:
            return {11, 52};
        default:
            return {8, 23};
    }
}

}  // namespace

std::string text_of(const Array& array, std::int64_t flat) {
    return with_elements(array, [&](const auto& number) -> std::string {
        const auto v = number.raw(flat);
        using T = std::remove_const_t<decltype(v)>;
        if constexpr (std::is_integral_v<T>) {
            if (array.dtype == DType::Bool) return v ? "True" : "False";
            return std::to_string(v);
        } else {
            if (!std::isfinite(static_cast<double>(v))) return special(v);
            if constexpr (std::is_class_v<T>) {
                return shortest_half(v, array.dtype);
            } else {
                return shortest(v);
            }
        }
    });
}

std::string exact_text_of(const Array& array, std::int64_t flat) {
    if (!is_float(array.dtype)) return text_of(array, flat);
    const double v = with_elements(array, [&](const auto& number) { return number(flat); });
    if (!std::isfinite(v)) return special(v);
    // 1074 digits behind the point at most, 309 before it.
    char text[1500];
    std::string all(text, std::to_chars(text, text + sizeof text, v, std::chars_format::fixed, 1074).ptr);
    all.erase(all.find_last_not_of('0') + 1);
    if (all.back() == '.') all += '0';
    return all;
}

std::uint64_t bits_of(const Array& array, std::int64_t flat) {
    const std::size_t size = size_of(array.dtype);
    std::uint64_t bits = 0;
    // Native order: byte by byte, the lowest first, on the machines this runs on.
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&bits, array.data() + static_cast<std::size_t>(flat) * size, size);
    return bits;
}

std::string hex_of(const Array& array, std::int64_t flat) {
    std::uint64_t bits = bits_of(array, flat);
    std::string text(2 * size_of(array.dtype), '0');
    for (std::size_t i = text.size(); i-- > 0; bits >>= 4) text[i] = "0123456789abcdef"[bits & 15];
    return "0x" + text;
}

BitFields fields_of(const Array& array, std::int64_t flat) {
    const std::uint64_t bits = bits_of(array, flat);
    const int width = static_cast<int>(size_of(array.dtype)) * 8;
    BitFields f;
    if (!is_float(array.dtype)) {
        f.rest = zeros_and_ones(bits, width, width);
        return f;
    }
    const Format format = format_of(array.dtype);
    f.sign = zeros_and_ones(bits, width, 1);
    f.exponent = zeros_and_ones(bits, width - 1, format.exponent);
    f.fraction = zeros_and_ones(bits, format.fraction, format.fraction);
    const int full = (1 << format.exponent) - 1;
    const int stored = static_cast<int>(bits >> format.fraction) & full;
    f.special = stored == full;
    f.subnormal = stored == 0;
    f.power = std::max(stored, 1) - (full >> 1);
    return f;
}

std::string binary_of(const Array& array, std::int64_t flat) {
    const BitFields f = fields_of(array, flat);
    return f.rest.empty() ? f.sign + " " + f.exponent + " " + f.fraction : f.rest;
}

}  // namespace fusescope::tensors
