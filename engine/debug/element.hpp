// From one element of a result to the elements it was computed of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/debug/history.hpp"

namespace fusescope::debug {

/// An operand's element that took part in an element of a result.
struct Source {
    std::size_t operand = 0;
    std::int64_t index = 0;  ///< flat, row-major
    double number = 0;       ///< its value
    std::int64_t among = 1;  ///< of how many it was picked as the most telling: a whole row, a whole operand
    bool passed_on = false;  ///< the result is this very element, only moved (Reshape, Gather, Concat)
    bool alike = false;      ///< those that it was picked of are all equal
};

/// The elements behind element `flat` of output `output` of an op, the most telling of each operand that has any; two
/// of one operand where only both explain the result (telling.hpp). Elementwise ops, reductions and ops along an axis,
/// products, windows, normalisations, and ops that only move elements are followed exactly; of other ops' operands the
/// most telling element of all is picked. Empty when operands are gone.
std::vector<Source> sources_of(Context& context, const OpDef& op, const Attrs& attrs, std::span<const Tensor> inputs,
                               const Tensor& output, std::int64_t flat);

double number_at(const Tensor& t, std::int64_t flat);
/// The elements of a tensor that waits in no graph.
const void* bytes_of(const Tensor& t);
/// "(0, 1)" as numbers.
std::vector<std::int64_t> index_of(std::int64_t flat, const Shape& shape);
/// As few digits as tell the value: "0", "-4", "inf", "0.1".
std::string number_text(double value, DType dtype);

}  // namespace fusescope::debug
