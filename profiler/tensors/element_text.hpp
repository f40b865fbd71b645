// One element as text: shortest decimal, exact decimal, hexadecimal, and its bits field by field.
#pragma once

#include <string>

#include "profiler/tensors/array.hpp"

namespace fusescope::tensors {

/// The shortest decimal that reads back as the same element; "True", "nan", "-inf".
std::string text_of(const Array& array, std::int64_t flat);

/// All digits: a binary fraction ends in decimal, too.
std::string exact_text_of(const Array& array, std::int64_t flat);

/// The element's bits as a number; the rest of the word is 0.
std::uint64_t bits_of(const Array& array, std::int64_t flat);
/// "0x3f800000"
std::string hex_of(const Array& array, std::int64_t flat);

/// The bits cut as the type cuts them. Ints have no fields but `rest`.
struct BitFields {
    std::string sign, exponent, fraction;  ///< zeros and ones, the highest first
    std::string rest;                      ///< of ints and Bool: all bits
    int power = 0;                         ///< 2 to this times 1.fraction; that of the smallest for subnormals
    bool subnormal = false;                ///< 0.fraction
    bool special = false;                  ///< NaN or Inf
};
BitFields fields_of(const Array& array, std::int64_t flat);
/// "0 01111111 00000000000000000000000"
std::string binary_of(const Array& array, std::int64_t flat);

}  // namespace fusescope::tensors
