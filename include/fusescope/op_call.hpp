// Calling any op of the table by name; fusescope/ops.hpp, made from the table at build time, is written in terms of it.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "fusescope/attribute.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope {

struct OpDef;

/// A row of the op table. Making one looks the name up; throws UserError (value) when there is no such op.
class Op {
 public:
    explicit Op(std::string_view name);

    /// Runs the op on the current context (eagerly, or into the current trace). Absent optional operands are undefined
    /// Tensors; attributes come in the op's order, and those left out at the end take their defaults. Throws UserError.
    std::vector<Tensor> operator()(std::span<const Tensor> inputs,
                                   std::initializer_list<AttrValue> attributes = {}) const;
    Tensor one(std::initializer_list<Tensor> inputs, std::initializer_list<AttrValue> attributes = {}) const;
    std::vector<Tensor> many(std::initializer_list<Tensor> inputs,
                             std::initializer_list<AttrValue> attributes = {}) const;

    const OpDef& row() const noexcept { return *row_; }

 private:
    const OpDef* row_;
};

}  // namespace fusescope
