// Element types of a tensor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fusescope {

/// Element type. The values are stored in no file; profiles hold names.
enum class DType : std::uint8_t { Bool, Int8, Int16, Int32, Int64, UInt8, Float16, BFloat16, Float32, Float64 };

inline constexpr int kDTypeCount = 10;

/// Bytes of one element.
constexpr std::size_t size_of(DType t) noexcept {
    constexpr std::size_t sizes[kDTypeCount] = {1, 1, 2, 4, 8, 1, 2, 2, 4, 8};
    return sizes[static_cast<int>(t)];
}

constexpr bool is_float(DType t) noexcept { return t >= DType::Float16; }
constexpr bool is_int(DType t) noexcept { return t >= DType::Int8 && t <= DType::UInt8; }

/// The field's name: "Float32", "Bool" (MindSpore's spelling, also in the IR text).
constexpr std::string_view name_of(DType t) noexcept {
    constexpr std::string_view names[kDTypeCount] = {"Bool",  "Int8",    "Int16",    "Int32",   "Int64",
                                                     "UInt8", "Float16", "BFloat16", "Float32", "Float64"};
    return names[static_cast<int>(t)];
}

/// Reads "Float32", "float32" or "bool_"; empty when the word names no element type.
constexpr std::optional<DType> dtype_from_name(std::string_view word) noexcept {
    constexpr auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    if (word == "bool_") return DType::Bool;
    for (int i = 0; i < kDTypeCount; ++i) {
        const std::string_view name = name_of(static_cast<DType>(i));
        bool equal = name.size() == word.size();
        for (std::size_t k = 0; equal && k < name.size(); ++k) equal = lower(name[k]) == lower(word[k]);
        if (equal) return static_cast<DType>(i);
    }
    return std::nullopt;
}

}  // namespace fusescope
