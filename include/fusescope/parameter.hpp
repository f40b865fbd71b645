// A tensor that a program trains: it has a name, and its value can be replaced.
#pragma once

#include <string>

#include "fusescope/tensor.hpp"

namespace fusescope {

/// A handle; copies are the same Parameter.
class Parameter : public Tensor {
 public:
    Parameter() noexcept = default;
    /// Starts with the value of `value`, whose later changes it does not follow.
    explicit Parameter(const Tensor& value, std::string name = {}, bool requires_grad = true);

    const std::string& name() const;
    void set_name(std::string name);
    bool requires_grad() const;
    void set_requires_grad(bool on);

    /// Gives it a new value of the same shape, converted to its dtype; part of the graph when one is being traced.
    /// Throws UserError (shape).
    void assign(const Tensor& value);
};

}  // namespace fusescope
