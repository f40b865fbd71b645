#include "engine/ir/literal.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/convert.hpp"
#include "engine/core/tensor_impl.hpp"

namespace fusescope::ir {

bool plain_name_char(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == '/' || c == '$';
}

namespace {

std::string quoted(std::string_view s) {
    std::string out = "\"";
    for (char c : s) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte >= 0x7f) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string shape_text(const Shape& shape) {
    std::string s = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
    return s + ")";
}

template <class F>
std::string float_text(F v) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
    return fmt::format("{}", v);
}

const char* bytes_of(const Tensor& t) { return static_cast<const char*>(t.impl()->raw()); }

std::string element_text(const Tensor& t, std::int64_t i) {
    const void* p = bytes_of(t);
    switch (t.dtype()) {
        case DType::Bool:
            return static_cast<const std::uint8_t*>(p)[i] ? "True" : "False";
        case DType::Float32:
            return float_text(static_cast<const float*>(p)[i]);
        case DType::Float16:
        case DType::BFloat16:
        case DType::Float64:
            return float_text(load_double(t.dtype(), p, i));
        default:
            return std::to_string(load_int(t.dtype(), p, i));
    }
}

void put_elements(std::string& out, const Tensor& t, std::size_t axis, std::int64_t& next) {
    const Shape& shape = t.shape();
    if (axis == shape.size()) {
        out += element_text(t, next++);
        return;
    }
    out += '[';
    for (std::int64_t i = 0; i < shape[axis]; ++i) {
        if (i) out += ", ";
        put_elements(out, t, axis + 1, next);
    }
    out += ']';
}

}  // namespace

std::string name_text(std::string_view name) {
    bool plain = !name.empty();
    for (char c : name) plain = plain && plain_name_char(c);
    return plain ? std::string(name) : quoted(name);
}

std::string type_text(const TensorType& type) {
    return fmt::format("<Tensor[{}], {}>", name_of(type.dtype), shape_text(type.shape));
}

std::string parameter_type_text(const TensorType& type, std::string_view ref_key) {
    return fmt::format("<Ref[Tensor[{}]], {}, ref_key={}>", name_of(type.dtype), shape_text(type.shape),
                       name_text(ref_key));
}

std::string attribute_text(const AttrValue& value) {
    if (const auto* d = std::get_if<double>(&value)) {
        if (std::isnan(*d)) return fmt::format("F64(0x{:016X})", std::bit_cast<std::uint64_t>(*d));
        return "F64(" + float_text(*d) + ")";
    }
    if (const auto* s = std::get_if<std::string>(&value)) return quoted(*s);
    return to_ir_text(value);
}

bool decimal_is_exact(const Tensor& t) noexcept {
    const std::size_t size = size_of(t.dtype());
    for (std::int64_t i = 0; i < t.count(); ++i) {
        const char* p = bytes_of(t) + static_cast<std::size_t>(i) * size;
        if (is_float(t.dtype())) {
            // Only NaNs have bits that no decimal shows.
            if (!std::isnan(load_double(t.dtype(), bytes_of(t), i))) continue;
        } else if (t.dtype() != DType::Bool || static_cast<unsigned char>(*p) <= 1) {
            continue;
        }
        char again[8];
        if (!read_element(element_text(t, i), t.dtype(), again) || std::memcmp(again, p, size) != 0) return false;
    }
    return true;
}

std::string constant_text(const Tensor& t, ConstantForm form) {
    std::string s = "Tensor(shape=[";
    for (std::size_t i = 0; i < t.shape().size(); ++i) s += (i ? ", " : "") + std::to_string(t.shape()[i]);
    s += "], dtype=";
    s += name_of(t.dtype());
    if (form == ConstantForm::left_out) return s + ", value=[...])";
    if (form == ConstantForm::decimal) {
        s += ", value=";
        std::int64_t next = 0;
        put_elements(s, t, 0, next);
        return s + ")";
    }
    s += ", bytes=";
    constexpr char digits[] = "0123456789ABCDEF";
    const std::size_t n = t.type().bytes();
    s.reserve(s.size() + 2 * n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const auto b = static_cast<unsigned char>(bytes_of(t)[i]);
        s += digits[b >> 4];
        s += digits[b & 15];
    }
    return s + ")";
}

namespace {
template <class T>
bool read_number(std::string_view text, T& out) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        if (text == "nan") return out = std::numeric_limits<T>::quiet_NaN(), true;
        if (text == "inf") return out = std::numeric_limits<T>::infinity(), true;
        if (text == "-inf") return out = -std::numeric_limits<T>::infinity(), true;
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}
}  // namespace

std::optional<double> read_double(std::string_view text) noexcept {
    if (text.starts_with("0x")) {
        std::uint64_t bits = 0;
        text.remove_prefix(2);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
        if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        return std::bit_cast<double>(bits);
    }
    double v = 0;
    if (!read_number(text, v)) return std::nullopt;
    return v;
}

bool read_element(std::string_view text, DType dtype, void* out) noexcept {
    if (dtype == DType::Bool) {
        if (text != "True" && text != "False") return false;
        *static_cast<std::uint8_t*>(out) = text == "True";
        return true;
    }
    if (dtype == DType::Float32) {
        float f = 0;
        if (!read_number(text, f)) return false;
        std::memcpy(out, &f, sizeof f);
        return true;
    }
    if (is_float(dtype)) {
        double d = 0;
        if (!read_number(text, d)) return false;
        store_double(dtype, out, 0, d);
        return true;
    }
    std::int64_t i = 0;
    if (!read_number(text, i)) return false;
    store_int(dtype, out, 0, i);
    return load_int(dtype, out, 0) == i;
}

}  // namespace fusescope::ir
