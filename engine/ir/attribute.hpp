// Attributes of an op: typed values in the order of the op's schema.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fusescope/attribute.hpp"

namespace fusescope {

enum class AttrType : std::uint8_t {
    boolean,
    integer,
    number,  ///< int or float, held as double
    string,
    dtype,
    ints,           ///< int or tuple of ints
    optional_ints,  ///< the same or None
    optional_int,
    optional_dtype,
    optional_number,
};

/// One attribute in an op's schema.
struct AttrSpec {
    std::string name;
    AttrType type;
    AttrValue default_value;  ///< used when the caller gives none
    bool required = false;    ///< then default_value plays no role
};

/// Values in schema order. Empty for ops without attributes, so that making one costs nothing.
class Attrs {
 public:
    Attrs() = default;
    Attrs(std::initializer_list<AttrValue> values) : values_(values) {}
    explicit Attrs(std::vector<AttrValue> values) : values_(std::move(values)) {}

    std::size_t size() const noexcept { return values_.size(); }
    const AttrValue& operator[](std::size_t i) const { return values_[i]; }
    AttrValue& operator[](std::size_t i) { return values_[i]; }
    void push_back(AttrValue v) { values_.push_back(std::move(v)); }
    std::span<const AttrValue> values() const noexcept { return values_; }

    bool none(std::size_t i) const { return std::holds_alternative<std::monostate>(values_[i]); }
    bool boolean(std::size_t i) const { return std::get<bool>(values_[i]); }
    std::int64_t integer(std::size_t i) const { return std::get<std::int64_t>(values_[i]); }
    double number(std::size_t i) const { return std::get<double>(values_[i]); }
    const std::string& string(std::size_t i) const { return std::get<std::string>(values_[i]); }
    DType dtype(std::size_t i) const { return std::get<DType>(values_[i]); }
    const Ints& ints(std::size_t i) const { return std::get<Ints>(values_[i]); }

    friend bool operator==(const Attrs&, const Attrs&) = default;

 private:
    std::vector<AttrValue> values_;
};

/// JSON text of a value: `2.5`, `[1, 2]`, `"same"`, `null`; a dtype is its name in quotes. Infinite numbers are
/// strings.
std::string to_json(const AttrValue& value);
/// The IR text's spelling, after MindSpore: `F32(2.5)`, `I64(3)`, `Bool(1)`, `"same"`, `(1, 2)`, `Float16`, `None`.
/// Numbers are printed so that they read back to the same bits.
std::string to_ir_text(const AttrValue& value);
/// Hash that agrees with ==.
std::size_t hash_of(const Attrs& attrs) noexcept;

}  // namespace fusescope
