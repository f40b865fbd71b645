#include "engine/expr/program.hpp"

#include <fmt/format.h>

namespace fusescope::expr {

Kind kind_of(DType dtype) noexcept {
    switch (dtype) {
        case DType::Bool:
        case DType::UInt8:
            return Kind::u8;
        case DType::Int8:
            return Kind::i8;
        case DType::Int16:
            return Kind::i16;
        case DType::Int32:
            return Kind::i32;
        case DType::Int64:
            return Kind::i64;
        case DType::Float16:
        case DType::BFloat16:
        case DType::Float32:
            return Kind::f32;
        case DType::Float64:
            return Kind::f64;
    }
    __builtin_unreachable();
}

const char* name_of(Ins ins) noexcept {
    static constexpr const char* names[] = {"input",
                                            "constant",
                                            "add",
                                            "sub",
                                            "mul",
                                            "div",
                                            "neg",
                                            "abs",
                                            "sqrt",
                                            "floor",
                                            "ceil",
                                            "trunc",
                                            "rint",
                                            "and",
                                            "or",
                                            "xor",
                                            "not",
                                            "shl",
                                            "shr",
                                            "floordiv",
                                            "floormod",
                                            "less",
                                            "less_equal",
                                            "equal",
                                            "select",
                                            "convert",
                                            "round_half",
                                            "round_bfloat",
#define X(name) #name,
                                            FUSESCOPE_MATH1(X) FUSESCOPE_MATH2(X)
#undef X
    };
    return names[static_cast<int>(ins)];
}

namespace {
const char* name_of(Kind kind) noexcept {
    static constexpr const char* names[] = {"mask", "i8", "i16", "i32", "i64", "u8", "f32", "f64"};
    return names[static_cast<int>(kind)];
}
}  // namespace

int Program::flops() const noexcept {
    int total = 0;
    for (const Step& s : steps) {
        if (s.ins == Ins::input || s.ins == Ins::constant) continue;
        if (s.ins == Ins::div || s.ins == Ins::sqrt) {
            total += 4;
        } else {
            total += s.ins >= Ins::exp_ ? 10 : 1;
        }
    }
    return total;
}

std::string to_text(const Program& program) {
    std::string text;
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
        const Step& s = program.steps[i];
        text += fmt::format("%{} = {}.{}", i, name_of(s.ins), name_of(s.type));
        if (s.ins == Ins::input) text += fmt::format(" {}", s.imm_int);
        if (s.ins == Ins::constant) {
            const bool floating = s.type == Kind::f32 || s.type == Kind::f64;
            text += floating ? fmt::format(" {}", s.imm) : fmt::format(" {}", s.imm_int);
        }
        for (int r : {s.a, s.b, s.c}) {
            if (r >= 0) text += fmt::format(" %{}", r);
        }
        text += '\n';
    }
    for (int r : program.outputs) text += fmt::format("out %{}\n", r);
    return text;
}

}  // namespace fusescope::expr
