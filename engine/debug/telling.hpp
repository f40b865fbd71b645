// Of the many elements that took part in one element of a result, the few that tell why it is what it is.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/debug/element.hpp"

namespace fusescope::debug {

/// Elements of one operand. A NaN explains any result; an infinity of each sign, or one and a zero, explain a NaN; an
/// element that equals the result (a maximum) is it; else the largest tells most.
class Telling {
 public:
    /// `multiplies`: the elements are factors, so that a zero matters.
    Telling(std::size_t operand, double result, bool multiplies = false)
        : operand_(operand), result_(result), multiplies_(multiplies) {}

    void offer(double v, std::int64_t index);
    /// Most telling first; empty when nothing was offered.
    std::vector<Source> sources() const;

 private:
    struct Element {
        double number;
        std::int64_t index;
    };
    Source source(const Element& e) const { return {operand_, e.index, e.number, count_, false, alike_}; }

    std::size_t operand_;
    double result_;
    bool multiplies_;
    std::int64_t count_ = 0;
    bool alike_ = true;
    double first_ = 0;
    std::optional<Element> nan_, up_, down_, zero_, equal_, largest_;
};

/// Pairs of elements of operands 0 and 1 whose products are summed up.
class TellingPair {
 public:
    explicit TellingPair(double result) : result_(result) {}

    void offer(double a, std::int64_t at_a, double b, std::int64_t at_b);
    std::vector<Source> sources() const;

 private:
    struct Pair {
        double a, b, product;
        std::int64_t at_a, at_b;
    };
    double result_;
    std::int64_t count_ = 0;
    std::optional<Pair> carried_, born_, up_, down_, largest_;
};

}  // namespace fusescope::debug
