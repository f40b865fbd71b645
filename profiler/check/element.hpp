// One number of a tensor of any dtype, as it is compared and shown.
#pragma once

#include <cstdint>
#include <string>

#include "fusescope/dtype.hpp"

namespace fusescope::check {

struct Element {
    double number = 0;
    std::int64_t rank = 0;  ///< of a float: neighbours differ by one, both zeros are 0; of an int the number itself
};

/// `data` holds the tensor's elements in row-major order, at any address.
Element element_at(DType dtype, const void* data, std::int64_t at);

/// How many numbers of the dtype lie from one to the other; of floats neither may be NaN.
std::uint64_t distance(const Element& a, const Element& b);

/// With as many digits as tell neighbours apart.
std::string text_of(DType dtype, const Element& element);

}  // namespace fusescope::check
