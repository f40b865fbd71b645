// Spelling of names, types, attributes and constants in the IR text: written so that they read back to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/attribute.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope::ir {

/// The name itself when it is made of letters, digits and _ . - / $, else quoted with \" \\ \n and \xHH.
std::string name_text(std::string_view name);
bool plain_name_char(char c) noexcept;

/// "<Tensor[Float32], (2, 3)>"; with `ref_key` "<Ref[Tensor[Float32]], (2, 3), ref_key=fc.weight>".
std::string type_text(const TensorType& type);
std::string parameter_type_text(const TensorType& type, std::string_view ref_key);

/// `F64(2.5)`, `I64(3)`, `(1, 2)`, `"same"` …; a NaN keeps its bits: `F64(0x7FF8000000000001)`.
std::string attribute_text(const AttrValue& value);

enum class ConstantForm {
    decimal,  ///< value=[[1, 2], [3, 4]]
    hex,      ///< bytes=0000803F…, in memory order (little endian)
    left_out  ///< value=[...]
};
/// True when decimals give every element's bits back.
bool decimal_is_exact(const Tensor& t) noexcept;
/// "Tensor(shape=[2, 2], dtype=Float32, value=[[1, 2], [3, 4]])".
std::string constant_text(const Tensor& t, ConstantForm form);

/// Reads one element as written by constant_text into `out` (size_of(dtype) bytes); false when it is no such number.
bool read_element(std::string_view text, DType dtype, void* out) noexcept;
std::optional<double> read_double(std::string_view text) noexcept;

}  // namespace fusescope::ir
