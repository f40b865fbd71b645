// The triangles of matrices (Tril and Triu).
#pragma once

#include "engine/ir/op_def.hpp"

namespace fusescope::ops {

/// Shape and dtype of the operand, which must have rows and columns.
void infer_triangle(InferContext& c);
/// Copies one triangle of each matrix and puts zeros elsewhere. Attribute 0 is the diagonal that bounds it.
void copy_triangle(const KernelArgs& args, bool lower);

}  // namespace fusescope::ops
