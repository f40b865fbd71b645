// The value type that turns an element expression into a Program: each function appends one instruction.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/expr/program.hpp"

namespace fusescope::expr {

/// Collects the instructions while one exists on the stack; Sym values name registers of the innermost one. Equal
/// instructions share a register.
class SymBuilder {
 public:
    explicit SymBuilder(int inputs);
    ~SymBuilder();
    SymBuilder(const SymBuilder&) = delete;
    SymBuilder& operator=(const SymBuilder&) = delete;

    std::int16_t append(const Step& step);
    const Step& step(std::int16_t r) const { return program_.steps[static_cast<std::size_t>(r)]; }
    Program finish(std::vector<std::int16_t> outputs) {
        program_.outputs = std::move(outputs);
        return std::move(program_);
    }
    static SymBuilder& current() noexcept;

 private:
    Program program_;
    SymBuilder* outer_;
};

struct SymMask {
    std::int16_t r = -1;
};

/// A register whose kind is known at run time only; the `K` parameter keeps the compile-time questions an expression
/// may ask (is V floating?) answerable.
template <class T>
struct Sym {
    using Scalar = T;
    using Mask = SymMask;
    static constexpr bool kFloating = std::is_floating_point_v<T>;
    std::int16_t r = -1;

    static constexpr Kind kKind = std::is_same_v<T, float>          ? Kind::f32
                                  : std::is_same_v<T, double>       ? Kind::f64
                                  : std::is_same_v<T, std::int8_t>  ? Kind::i8
                                  : std::is_same_v<T, std::int16_t> ? Kind::i16
                                  : std::is_same_v<T, std::int32_t> ? Kind::i32
                                  : std::is_same_v<T, std::int64_t> ? Kind::i64
                                                                    : Kind::u8;
    static Sym emit(Ins ins, std::int16_t a, std::int16_t b = -1, std::int16_t c = -1) {
        return {SymBuilder::current().append({ins, kKind, a, b, c, 0, 0})};
    }
    static Sym of(double c) {
        // The constant a lane would hold: rounded to T here so that no reader needs to know.
        const T rounded = static_cast<T>(c);
        return {SymBuilder::current().append({Ins::constant, kKind, -1, -1, -1, static_cast<double>(rounded),
                                              kFloating ? 0 : static_cast<std::int64_t>(rounded)})};
    }
    static Sym of_int(std::int64_t c) {
        const T rounded = static_cast<T>(c);
        return {SymBuilder::current().append({Ins::constant, kKind, -1, -1, -1, static_cast<double>(rounded),
                                              kFloating ? 0 : static_cast<std::int64_t>(rounded)})};
    }
    static Sym input(int i) { return {SymBuilder::current().append({Ins::input, kKind, -1, -1, -1, 0, i})}; }

    friend Sym operator+(Sym a, Sym b) { return emit(Ins::add, a.r, b.r); }
    friend Sym operator-(Sym a, Sym b) { return emit(Ins::sub, a.r, b.r); }
    friend Sym operator*(Sym a, Sym b) { return emit(Ins::mul, a.r, b.r); }
    friend Sym operator/(Sym a, Sym b) requires kFloating { return emit(Ins::div, a.r, b.r); }
    friend Sym operator-(Sym a) { return emit(Ins::neg, a.r); }
    static SymMask compare(Ins ins, std::int16_t a, std::int16_t b) {
        return {SymBuilder::current().append({ins, Kind::mask, a, b, -1, 0, 0})};
    }
    friend SymMask operator<(Sym a, Sym b) { return compare(Ins::less, a.r, b.r); }
    friend SymMask operator<=(Sym a, Sym b) { return compare(Ins::less_equal, a.r, b.r); }
    friend SymMask operator>(Sym a, Sym b) { return compare(Ins::less, b.r, a.r); }
    friend SymMask operator>=(Sym a, Sym b) { return compare(Ins::less_equal, b.r, a.r); }
    friend SymMask operator==(Sym a, Sym b) { return compare(Ins::equal, a.r, b.r); }
    friend SymMask operator!=(Sym a, Sym b) {
        return {
            SymBuilder::current().append({Ins::bit_not, Kind::mask, compare(Ins::equal, a.r, b.r).r, -1, -1, 0, 0})};
    }
};

inline SymMask mask_step(Ins ins, SymMask a, SymMask b = {}) {
    return {SymBuilder::current().append({ins, Kind::mask, a.r, b.r, -1, 0, 0})};
}
inline SymMask operator&(SymMask a, SymMask b) { return mask_step(Ins::bit_and, a, b); }
inline SymMask operator|(SymMask a, SymMask b) { return mask_step(Ins::bit_or, a, b); }
inline SymMask operator^(SymMask a, SymMask b) { return mask_step(Ins::bit_xor, a, b); }
inline SymMask operator~(SymMask a) { return mask_step(Ins::bit_not, a); }

template <class T>
Sym<T> select(SymMask m, Sym<T> a, Sym<T> b) {
    return Sym<T>::emit(Ins::select, m.r, a.r, b.r);
}

#define FUSESCOPE_SYM1(fn, ins)             \
    template <class T>                      \
    Sym<T> fn(Sym<T> a) {                   \
        return Sym<T>::emit(Ins::ins, a.r); \
    }
#define FUSESCOPE_SYM2(fn, ins)                  \
    template <class T>                           \
    Sym<T> fn(Sym<T> a, Sym<T> b) {              \
        return Sym<T>::emit(Ins::ins, a.r, b.r); \
    }
FUSESCOPE_SYM1(abs, abs)
FUSESCOPE_SYM1(sqrt, sqrt)
FUSESCOPE_SYM1(floor, floor)
FUSESCOPE_SYM1(ceil, ceil)
FUSESCOPE_SYM1(trunc, trunc)
FUSESCOPE_SYM1(rint, rint)
FUSESCOPE_SYM1(bit_not, bit_not)
FUSESCOPE_SYM2(bit_and, bit_and)
FUSESCOPE_SYM2(bit_or, bit_or)
FUSESCOPE_SYM2(bit_xor, bit_xor)
FUSESCOPE_SYM2(shift_left, shift_left)
FUSESCOPE_SYM2(shift_right, shift_right)
FUSESCOPE_SYM2(floor_div, floor_div)
FUSESCOPE_SYM2(floor_mod, floor_mod)
#define X(name) FUSESCOPE_SYM1(name, name##_)
FUSESCOPE_MATH1(X)
#undef X
#define X(name) FUSESCOPE_SYM2(name, name##_)
FUSESCOPE_MATH2(X)
#undef X
#undef FUSESCOPE_SYM1
#undef FUSESCOPE_SYM2

}  // namespace fusescope::expr
