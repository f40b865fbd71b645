// An element expression as instructions: what code generation, the cost model and the "open the kernel" view read.
//
// Instructions work on registers of one element each. Float16 and BFloat16 operands are computed in Float32 and rounded
// when they are stored, so an op's result in those types is its Program followed by round_half or round_bfloat.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusescope/dtype.hpp"

namespace fusescope::expr {

/// Type of a register. `mask` is the result of a comparison.
enum class Kind : std::uint8_t { mask, i8, i16, i32, i64, u8, f32, f64 };

/// Register type in which elements of a dtype are computed; Bool elements are u8 (0 or 1).
Kind kind_of(DType dtype) noexcept;

// Unary functions of the vector math library (SLEEF, at most 1 ulp), by name of the C function.
#define FUSESCOPE_MATH1(X)                                                                                         \
    X(exp)                                                                                                         \
    X(expm1) X(exp2) X(log) X(log1p) X(log2) X(log10) X(sin) X(cos) X(tan) X(sinh) X(cosh) X(tanh) X(asin) X(acos) \
        X(atan) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(lgamma) X(cbrt)
#define FUSESCOPE_MATH2(X) X(pow) X(atan2) X(fmod) X(hypot)

enum class Ins : std::uint8_t {
    input,     ///< operand number `imm_int`
    constant,  ///< imm (f32, f64) or imm_int (ints, mask)
    add,
    sub,
    mul,
    div,  ///< IEEE division; floats only
    neg,
    abs,
    sqrt,
    floor,
    ceil,
    trunc,
    rint,  ///< floats only; rint rounds half to even
    bit_and,
    bit_or,
    bit_xor,  ///< ints and masks
    bit_not,
    shift_left,
    shift_right,  ///< ints; a count outside 0 … bits-1 gives 0 (or the sign)
    floor_div,
    floor_mod,  ///< ints; by zero gives 0, the lowest value by -1 wraps
    less,
    less_equal,
    equal,    ///< give a mask; false when a NaN is compared
    select,   ///< a ? b : c
    convert,  ///< to `type` from the kind of `a`; float→int saturates and makes NaN 0; mask→0/1
    round_half,
    round_bfloat,  ///< f32 to the nearest value of that type, kept in f32
#define X(name) name##_,
    FUSESCOPE_MATH1(X) FUSESCOPE_MATH2(X)
#undef X
};

const char* name_of(Ins ins) noexcept;

struct Step {
    Ins ins;
    Kind type;                            ///< of the result
    std::int16_t a = -1, b = -1, c = -1;  ///< registers: numbers of earlier steps
    double imm = 0;
    std::int64_t imm_int = 0;
};

struct Program {
    std::vector<Step> steps;
    std::vector<std::int16_t> outputs;  ///< registers that hold the results
    int inputs = 0;

    /// Arithmetic per element, for cost: 1 for simple instructions, 10 for a math function, 4 for div and sqrt.
    int flops() const noexcept;
};

/// One line an instruction, "%3 = mul.f32 %1 %2", for tests and the kernel view.
std::string to_text(const Program& program);

}  // namespace fusescope::expr
