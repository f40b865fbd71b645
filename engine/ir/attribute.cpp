#include "engine/ir/attribute.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace fusescope {
namespace {

std::string quoted(std::string_view text) {
    std::string s = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') {
            s += '\\';
            s += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            s += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
            s += c;
        }
    }
    return s + "\"";
}

std::string joined(const Ints& v) {
    std::string s;
    for (std::size_t i = 0; i < v.size(); ++i) s += (i ? ", " : "") + std::to_string(v[i]);
    return s;
}

// Shortest decimal that reads back to the same double.
std::string number_text(double v) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
    return fmt::format("{}", v);
}

struct JsonText {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return std::isfinite(v) ? number_text(v) : quoted(number_text(v)); }
    std::string operator()(const std::string& v) const { return quoted(v); }
    std::string operator()(DType v) const { return quoted(name_of(v)); }
    std::string operator()(const Ints& v) const { return "[" + joined(v) + "]"; }
};

struct IrText {
    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool v) const { return v ? "Bool(1)" : "Bool(0)"; }
    std::string operator()(std::int64_t v) const { return fmt::format("I64({})", v); }
    std::string operator()(double v) const { return fmt::format("F64({})", number_text(v)); }
    std::string operator()(const std::string& v) const { return quoted(v); }
    std::string operator()(DType v) const { return std::string(name_of(v)); }
    std::string operator()(const Ints& v) const { return "(" + joined(v) + (v.size() == 1 ? ",)" : ")"); }
};

struct Hash {
    std::size_t operator()(std::monostate) const { return 0; }
    std::size_t operator()(bool v) const { return v ? 2 : 1; }
    std::size_t operator()(std::int64_t v) const { return std::hash<std::int64_t>{}(v); }
    std::size_t operator()(double v) const { return std::bit_cast<std::size_t>(v); }
    std::size_t operator()(const std::string& v) const { return std::hash<std::string>{}(v); }
    std::size_t operator()(DType v) const { return static_cast<std::size_t>(v) + 17; }
    std::size_t operator()(const Ints& v) const {
        std::size_t h = v.size();
        for (std::int64_t i : v) h = h * 1000003u ^ static_cast<std::size_t>(i);
        return h;
    }
};

}  // namespace

std::string to_json(const AttrValue& value) { return std::visit(JsonText{}, value); }
std::string to_ir_text(const AttrValue& value) { return std::visit(IrText{}, value); }

std::size_t hash_of(const Attrs& attrs) noexcept {
    std::size_t h = attrs.size();
    for (const AttrValue& v : attrs.values()) h = h * 0x9e3779b97f4a7c15ull ^ (std::visit(Hash{}, v) + v.index());
    return h;
}

}  // namespace fusescope
