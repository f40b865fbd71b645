// A UserError about one element of an operand: an index that names nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "fusescope/error.hpp"

namespace fusescope {

class IndexError : public UserError {
 public:
    /// `place` is where the wrong index stands in the operand that holds it.
    IndexError(std::string op, const std::string& message, std::vector<std::int64_t> place,
               std::vector<std::string> shapes, std::string advice)
        : UserError(ErrorKind::index, std::move(op), message, std::move(shapes), std::move(advice)),
          place_(std::move(place)) {}
    const std::vector<std::int64_t>& place() const noexcept { return place_; }

 private:
    std::vector<std::int64_t> place_;
};

}  // namespace fusescope
