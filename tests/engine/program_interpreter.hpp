// Runs the Program of an elementwise op one element at a time: the reference that eager loops and generated code are
// held against, bit for bit.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "engine/core/convert.hpp"
#include "engine/expr/lanes.hpp"
#include "engine/expr/program.hpp"

namespace fusescope::testing {

/// A register: ints and masks in `i` (masks 0 or 1), floats in `f` (float kept exactly).
struct Register {
    std::int64_t i = 0;
    double f = 0;
};

namespace interpreter {

using expr::Ins;
using expr::Kind;

template <class T>
T get(const Register& r) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(r.f);
    } else {
        return static_cast<T>(r.i);
    }
}
template <class T>
Register put(T v) {
    Register r;
    if constexpr (std::is_floating_point_v<T>) {
        r.f = static_cast<double>(v);
    } else {
        r.i = static_cast<std::int64_t>(v);
    }
    return r;
}

template <class T>
T math(Ins ins, T a, T b) {
    using L = expr::Lanes<T>;
    L x{}, y{};
    for (std::size_t i = 0; i < sizeof x.v / sizeof(T); ++i) {  // an addition to 0 would lose the sign of -0
        x.v[i] = a;
        y.v[i] = b;
    }
    switch (ins) {
#define X(name)        \
    case Ins::name##_: \
        return expr::name(x).v[0];
        FUSESCOPE_MATH1(X)
#undef X
#define X(name)        \
    case Ins::name##_: \
        return expr::name(x, y).v[0];
        FUSESCOPE_MATH2(X)
#undef X
        default:
            return a;
    }
}

template <class T>
Register step(const expr::Step& s, const Register& ra, const Register& rb, const Register& rc) {
    const T a = get<T>(ra), b = get<T>(rb);
    using U = std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
    switch (s.ins) {
        case Ins::constant:
            return std::is_integral_v<T> ? put<T>(static_cast<T>(s.imm_int)) : put<T>(static_cast<T>(s.imm));
        case Ins::add:
            return put<T>(static_cast<T>(static_cast<U>(a) + static_cast<U>(b)));
        case Ins::sub:
            return put<T>(static_cast<T>(static_cast<U>(a) - static_cast<U>(b)));
        case Ins::mul:
            if constexpr (std::is_integral_v<T>) {
                return put<T>(static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
            } else {
                return put<T>(a * b);
            }
        case Ins::neg:
            if constexpr (std::is_integral_v<T>) {
                return put<T>(static_cast<T>(0u - static_cast<U>(a)));
            } else {
                return put<T>(-a);
            }
        case Ins::abs:
            if constexpr (std::is_floating_point_v<T>) {
                return put<T>(std::fabs(a));
            } else if constexpr (std::is_signed_v<T>) {
                return put<T>(a < 0 ? static_cast<T>(0u - static_cast<U>(a)) : a);
            } else {
                return put<T>(a);
            }
        case Ins::select: {
            const T c = get<T>(rc);
            return put<T>(ra.i ? b : c);
        }
        default:
            break;
    }
    if constexpr (std::is_floating_point_v<T>) {
        switch (s.ins) {
            case Ins::div:
                return put<T>(a / b);
            case Ins::sqrt:
                return put<T>(std::sqrt(a));
            case Ins::floor:
                return put<T>(std::floor(a));
            case Ins::ceil:
                return put<T>(std::ceil(a));
            case Ins::trunc:
                return put<T>(std::trunc(a));
            case Ins::rint:
                return put<T>(std::nearbyint(a));
            case Ins::round_half:
                return put<T>(static_cast<T>(half_to_float(float_to_half(static_cast<float>(a)))));
            case Ins::round_bfloat:
                return put<T>(static_cast<T>(bfloat_to_float(float_to_bfloat(static_cast<float>(a)))));
            default:
                return put<T>(math<T>(s.ins, a, b));
        }
    } else {
        constexpr int bits = 8 * sizeof(T);
        switch (s.ins) {
            case Ins::bit_and:
                return put<T>(static_cast<T>(a & b));
            case Ins::bit_or:
                return put<T>(static_cast<T>(a | b));
            case Ins::bit_xor:
                return put<T>(static_cast<T>(a ^ b));
            case Ins::bit_not:
                return put<T>(static_cast<T>(~a));
            case Ins::shift_left:
                if (static_cast<std::int64_t>(b) < 0 || static_cast<std::int64_t>(b) >= bits) return put<T>(T{0});
                return put<T>(static_cast<T>(static_cast<std::uint64_t>(a) << b));
            case Ins::shift_right:
                if (static_cast<std::int64_t>(b) < 0 || static_cast<std::int64_t>(b) >= bits) {
                    return put<T>(static_cast<T>(a < 0 ? -1 : 0));
                }
                return put<T>(static_cast<T>(a >> b));
            case Ins::floor_div:
            case Ins::floor_mod: {
                // By way of wide arithmetic, where nothing overflows.
                const __int128 x = a, y = b;
                if (y == 0) return put<T>(T{0});
                __int128 q = x / y;
                if (x % y != 0 && ((x < 0) != (y < 0))) --q;
                return put<T>(static_cast<T>(s.ins == Ins::floor_div ? q : x - q * y));
            }
            default:
                return {};
        }
    }
}

template <class F>
Register by_kind(Kind kind, F&& f) {
    switch (kind) {
        case Kind::mask:
        case Kind::u8:
            return f(std::uint8_t{});
        case Kind::i8:
            return f(std::int8_t{});
        case Kind::i16:
            return f(std::int16_t{});
        case Kind::i32:
            return f(std::int32_t{});
        case Kind::i64:
            return f(std::int64_t{});
        case Kind::f32:
            return f(float{});
        case Kind::f64:
            return f(double{});
    }
    return {};
}

inline Register convert(const Register& a, Kind from, Kind to) {
    return by_kind(to, [&](auto tag) {
        using T = decltype(tag);
        const bool floating = from == Kind::f32 || from == Kind::f64;
        if constexpr (std::is_floating_point_v<T>) {
            return put<T>(floating ? static_cast<T>(a.f) : static_cast<T>(a.i));
        } else {
            return put<T>(floating ? saturating<T>(a.f) : static_cast<T>(a.i));
        }
    });
}

}  // namespace interpreter

/// The results for one element. `inputs` are registers of the kinds that the program's input steps name.
inline std::vector<Register> interpret(const expr::Program& program, std::span<const Register> inputs) {
    using namespace interpreter;
    std::vector<Register> r(program.steps.size());
    auto at = [&](std::int16_t i) { return i >= 0 ? r[static_cast<std::size_t>(i)] : Register{}; };
    for (std::size_t k = 0; k < r.size(); ++k) {
        const expr::Step& s = program.steps[k];
        const Register a = at(s.a), b = at(s.b), c = at(s.c);
        if (s.ins == Ins::input) {
            r[k] = inputs[static_cast<std::size_t>(s.imm_int)];
            continue;
        }
        const Kind operand = s.a >= 0 ? program.steps[static_cast<std::size_t>(s.a)].type : s.type;
        if (s.ins == Ins::convert) {
            r[k] = convert(a, operand, s.type);
        } else if (s.ins == Ins::less || s.ins == Ins::less_equal || s.ins == Ins::equal) {
            const bool floating = operand == Kind::f32 || operand == Kind::f64;
            const bool less = floating ? a.f < b.f : a.i < b.i;
            const bool equal = floating ? a.f == b.f : a.i == b.i;
            r[k].i = s.ins == Ins::less ? less : s.ins == Ins::equal ? equal : less || equal;
        } else if (s.type == Kind::mask) {
            r[k] = step<std::uint8_t>(s, a, b, c);
            r[k].i &= 1;
        } else {
            r[k] = by_kind(s.type, [&](auto tag) { return step<decltype(tag)>(s, a, b, c); });
        }
    }
    std::vector<Register> out;
    for (std::int16_t o : program.outputs) out.push_back(at(o));
    return out;
}

/// Element `i` of a tensor as a register of the kind its dtype is computed in.
inline Register load_register(DType dtype, const void* data, std::int64_t i) {
    Register r;
    if (is_float(dtype)) {
        r.f = load_double(dtype, data, i);
    } else {
        r.i = load_int(dtype, data, i);
    }
    return r;
}

/// Stores a result of `kind` as an element of `dtype`, rounded as the op's result is.
inline void store_register(DType dtype, void* data, std::int64_t i, const Register& r) {
    if (is_float(dtype)) {
        store_double(dtype, data, i, r.f);
    } else {
        store_int(dtype, data, i, r.i);
    }
}

}  // namespace fusescope::testing
