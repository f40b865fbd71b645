// One element expression as LLVM vector instructions: the generated twin of engine/expr/lanes.hpp.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "engine/expr/program.hpp"
#include "fusescope/dtype.hpp"

namespace fusescope::codegen {

/// Elements that one step of a loop computes, whatever their type.
inline constexpr int kLanes = 8;

class Emitter {
 public:
    Emitter(llvm::Module& module, llvm::IRBuilder<>& builder) : module_(module), b_(builder) {}

    llvm::Type* element_type(expr::Kind kind);
    llvm::Type* vector_type(expr::Kind kind);
    llvm::Type* storage_type(DType dtype);  ///< i16 for BFloat16, half for Float16, i8 for Bool
    /// Reads kLanes elements (only those of `mask`, when given) and widens them to what they are computed in.
    llvm::Value* load(DType dtype, llvm::Value* address, llvm::Value* mask, unsigned align);
    /// Reads one element into all lanes.
    llvm::Value* load_splat(DType dtype, llvm::Value* address);
    void store(DType dtype, llvm::Value* value, llvm::Value* address, llvm::Value* mask, unsigned align, bool streams);
    /// Rounds to what storing in `dtype` would leave, kept in the type of computing.
    llvm::Value* round_to(DType dtype, llvm::Value* value);
    llvm::Value* constant(DType dtype, const void* bytes);
    /// All results of a program on operands; a mask result for a Bool output comes as 0 or 1 in u8.
    llvm::Value* run(const expr::Program& program, const std::vector<llvm::Value*>& operands, DType result);

    /// The larger of `so_far` (null: nothing yet) and the magnitudes of float lanes, as bits; NaN is above Inf.
    llvm::Value* largest(llvm::Value* so_far, llvm::Value* value);
    /// Whether a result of largest() tells of an Inf and no NaN, or of a NaN, in any lane.
    llvm::Value* tells_inf(llvm::Value* largest);
    llvm::Value* tells_nan(llvm::Value* largest);

    /// `a op b` of a reduction, on vectors or scalars of f32 or f64.
    llvm::Value* combine(int fold, llvm::Value* a, llvm::Value* b);

 private:
    llvm::Value* step(const expr::Program& program, const expr::Step& s, const std::vector<llvm::Value*>& r);
    llvm::Value* math(const expr::Step& s, llvm::Value* a, llvm::Value* b);
    llvm::Value* convert(llvm::Value* a, expr::Kind from, expr::Kind to);
    llvm::Value* intrinsic(unsigned id, llvm::Value* a);
    llvm::Value* integer_division(const expr::Step& s, llvm::Value* a, llvm::Value* b);
    llvm::Value* shift(const expr::Step& s, llvm::Value* a, llvm::Value* b);
    llvm::Value* splat(llvm::Constant* c);
    llvm::Constant* infinity_bits(llvm::Value* largest);

    llvm::Module& module_;
    llvm::IRBuilder<>& b_;
};

}  // namespace fusescope::codegen
