// Makes a table row out of an element expression: inference, eager loops for each dtype, and the Program that code
// generation reads, all from one body.
//
//     struct Relu {
//         template <class V> static V eval(V x) { return maximum(x, zero<V>()); }
//     };
//     OpDef op_relu() { return elementwise<Relu, Takes::number>({…}, grad); }
//
// eval may take the op's Attrs first. An operand declared as `typename V::Mask` is a Bool tensor. A result of type
// V::Mask makes a Bool tensor.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "engine/core/broadcast.hpp"
#include "engine/core/half.hpp"
#include "engine/cpu/elementwise.hpp"
#include "engine/expr/common.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope {

/// Element types a body is compiled for.
enum class Takes : std::uint8_t {
    number,    ///< all but Bool
    any,       ///< all; Bool counts as 0 and 1 in UInt8
    floating,  ///< float types; ints and Bool are cast to Float32 first
    integer,   ///< ints
    integer_or_bool,
};

namespace elementwise_detail {

template <DType D>
struct Element;  // how elements of D are loaded into lanes and stored from them

template <class T>
struct PlainElement {
    using Compute = T;
    using V = expr::Lanes<T>;
    static V load(const void* p, std::int64_t i) {
        V x;
        std::memcpy(&x.v, static_cast<const T*>(p) + i, sizeof x.v);
        return x;
    }
    // Minus zero, not plus: -0 must stay -0.
    static V splat(const void* p) { return {*static_cast<const T*>(p) - typename V::Native{}}; }
    static void store(void* p, std::int64_t i, V x) { std::memcpy(static_cast<T*>(p) + i, &x.v, sizeof x.v); }
};
template <>
struct Element<DType::Float32> : PlainElement<float> {};
template <>
struct Element<DType::Float64> : PlainElement<double> {};
template <>
struct Element<DType::Int8> : PlainElement<std::int8_t> {};
template <>
struct Element<DType::Int16> : PlainElement<std::int16_t> {};
template <>
struct Element<DType::Int32> : PlainElement<std::int32_t> {};
template <>
struct Element<DType::Int64> : PlainElement<std::int64_t> {};
template <>
struct Element<DType::UInt8> : PlainElement<std::uint8_t> {};
template <>
struct Element<DType::Bool> : PlainElement<std::uint8_t> {};

template <float (*Widen)(std::uint16_t) noexcept, std::uint16_t (*Narrow)(float) noexcept>
struct HalfElement {
    using Compute = float;
    using V = expr::Lanes<float>;
    static V load(const void* p, std::int64_t i) {
        V x;
        for (int k = 0; k < V::kCount; ++k) x.v[k] = Widen(static_cast<const std::uint16_t*>(p)[i + k]);
        return x;
    }
    static V splat(const void* p) { return {Widen(*static_cast<const std::uint16_t*>(p)) - V::Native{}}; }
    static void store(void* p, std::int64_t i, V x) {
        for (int k = 0; k < V::kCount; ++k) static_cast<std::uint16_t*>(p)[i + k] = Narrow(x.v[k]);
    }
};
template <>
struct Element<DType::Float16> : HalfElement<half_to_float, float_to_half> {};
template <>
struct Element<DType::BFloat16> : HalfElement<bfloat_to_float, float_to_bfloat> {};

template <class Body, class V, class... X>
auto call(const Attrs& attrs, X... x) {
    if constexpr (requires { Body::template eval<V>(attrs, x...); }) {
        return Body::template eval<V>(attrs, x...);
    } else {
        return Body::template eval<V>(x...);
    }
}

/// Arity and which operands are masks, asked with Lanes<float> (or int32 where floats do not fit the body).
template <class Body, int N, class V, unsigned Masks, std::size_t... I>
constexpr bool callable(std::index_sequence<I...>) {
    auto pick = []<std::size_t K>() {
        if constexpr ((Masks >> K) & 1u) {
            return typename V::Mask{};
        } else {
            return V{};
        }
    };
    using Args = std::tuple<decltype(pick.template operator()<I>())...>;
    return requires(const Attrs& a, Args args) { Body::template eval<V>(a, std::get<I>(args)...); }
    || requires(Args args) { Body::template eval<V>(std::get<I>(args)...); };
}

template <class Body, DType D, int N, unsigned Masks>
struct Loop {
    using E = Element<D>;
    using V = typename E::V;
    using Mask = typename V::Mask;
    static constexpr int kCount = V::kCount;

    static Mask load_mask(const void* p, std::int64_t i) {
        Mask m;
        for (int k = 0; k < kCount; ++k) m.v[k] = static_cast<const std::uint8_t*>(p)[i + k] ? -1 : 0;
        return m;
    }
    template <std::size_t K>
    static auto operand(const void* const* in, const bool* splat, std::int64_t i) {
        if constexpr ((Masks >> K) & 1u) {
            if (splat[K]) {
                Mask m;
                for (int k = 0; k < kCount; ++k) m.v[k] = *static_cast<const std::uint8_t*>(in[K]) ? -1 : 0;
                return m;
            }
            return load_mask(in[K], i);
        } else {
            return splat[K] ? E::splat(in[K]) : E::load(in[K], i);
        }
    }
    static void put(void* out, std::int64_t i, V x) { E::store(out, i, x); }
    static void put(void* out, std::int64_t i, Mask m) {
        for (int k = 0; k < kCount; ++k) static_cast<std::uint8_t*>(out)[i + k] = m.v[k] != 0;
    }
    template <std::size_t... I>
    static void run_all(const void* const* in, const bool* splat, void* out, std::int64_t n, const Attrs& attrs,
                        std::index_sequence<I...>) {
        std::int64_t i = 0;
        for (; i + kCount <= n; i += kCount) put(out, i, call<Body, V>(attrs, operand<I>(in, splat, i)...));
        if (i == n) return;
        // The tail goes through full vectors as well, so that every element is computed by the same instructions.
        alignas(32) unsigned char buffer[N][kCount * 8];
        alignas(32) unsigned char result[kCount * 8];
        const void* p[N];
        const std::size_t rest = static_cast<std::size_t>(n - i);
        ((p[I] = splat[I] ? in[I] : buffer[I]), ...);
        auto fill = [&](std::size_t k, std::size_t bytes) {
            if (splat[k]) return;
            // Ones, not zeros: a division in the unused lanes must raise nothing.
            std::memset(buffer[k], 1, sizeof buffer[k]);
            std::memcpy(buffer[k], static_cast<const char*>(in[k]) + static_cast<std::size_t>(i) * bytes, rest * bytes);
        };
        (fill(I, ((Masks >> I) & 1u) ? 1 : size_of(D)), ...);
        put(result, 0, call<Body, V>(attrs, operand<I>(p, splat, 0)...));
        constexpr bool masked = std::is_same_v<decltype(call<Body, V>(attrs, operand<I>(p, splat, 0)...)), Mask>;
        const std::size_t bytes = masked ? 1 : size_of(D);
        std::memcpy(static_cast<char*>(out) + static_cast<std::size_t>(i) * bytes, result, rest * bytes);
    }
    static void run(const void* const* in, const bool* splat, void* out, std::int64_t n, const Attrs& attrs) {
        // Copies of the flags that the compiler can see: the common patterns get loops without a branch inside.
        constexpr auto seq = std::make_index_sequence<N>{};
        if constexpr (N == 1) {
            const bool none[1] = {false};
            if (!splat[0]) return run_all(in, none, out, n, attrs, seq);
        } else if constexpr (N == 2) {
            const bool none[2] = {false, false};
            const bool first[2] = {true, false};
            const bool second[2] = {false, true};
            if (!splat[0] && !splat[1]) return run_all(in, none, out, n, attrs, seq);
            if (splat[0] && !splat[1]) return run_all(in, first, out, n, attrs, seq);
            if (!splat[0] && splat[1]) return run_all(in, second, out, n, attrs, seq);
        }
        run_all(in, splat, out, n, attrs, seq);
    }
};

constexpr bool allows(Takes takes, DType d) {
    switch (takes) {
        case Takes::number:
            return d != DType::Bool;
        case Takes::any:
            return true;
        case Takes::floating:
            return is_float(d);
        case Takes::integer:
            return is_int(d);
        case Takes::integer_or_bool:
            return is_int(d) || d == DType::Bool;
    }
    return false;
}

template <class Body, Takes T, int N, unsigned Masks, std::size_t... D>
constexpr std::array<cpu::RunFn, kDTypeCount> loops(std::index_sequence<D...>) {
    auto one = []<std::size_t K>() -> cpu::RunFn {
        constexpr DType d = static_cast<DType>(K);
        if constexpr (allows(T, d)) {
            return &Loop<Body, d, N, Masks>::run;
        } else {
            return nullptr;
        }
    };
    return {one.template operator()<D>()...};
}

/// Operand whose dtype the body computes in: the first that is not a mask.
constexpr int value_operand(unsigned masks) {
    int k = 0;
    while ((masks >> k) & 1u) ++k;
    return k;
}

template <class Body, Takes T, int N, unsigned Masks>
void kernel(const KernelArgs& args) {
    static constexpr auto table = loops<Body, T, N, Masks>(std::make_index_sequence<kDTypeCount>{});
    const DType d = args.inputs[value_operand(Masks)].dtype();
    cpu::for_each_run(args.inputs, args.outputs[0], args.attrs, table[static_cast<std::size_t>(d)]);
}

template <class Body, int N, unsigned Masks, bool Result /* is a mask */>
void infer(InferContext& c) {
    Shape shape = c.inputs[0].shape;
    for (int i = 1; i < N; ++i)
        shape = broadcast_or_throw(c.op.name(), shape, c.inputs[static_cast<std::size_t>(i)].shape);
    c.result(Result ? DType::Bool : c.inputs[value_operand(Masks)].dtype, std::move(shape));
}

template <class Body, class Compute, int N, unsigned Masks, std::size_t... I>
expr::Program build(const Attrs& attrs, std::index_sequence<I...>) {
    using V = expr::Sym<Compute>;
    expr::SymBuilder builder(N);
    auto operand = []<std::size_t K>() {
        if constexpr ((Masks >> K) & 1u) {
            // A Bool operand is stored as 0 or 1.
            auto bytes = expr::Sym<std::uint8_t>::input(static_cast<int>(K));
            return bytes != expr::Sym<std::uint8_t>::of_int(0);
        } else {
            return V::input(static_cast<int>(K));
        }
    };
    // Braces: operands get their registers in order.
    std::tuple args{operand.template operator()<I>()...};
    auto result = call<Body, V>(attrs, std::get<I>(args)...);
    return builder.finish({result.r});
}

template <class Body, Takes T, int N, unsigned Masks>
expr::Program program(std::span<const DType> inputs, const Attrs& attrs) {
    constexpr auto seq = std::make_index_sequence<N>{};
    const expr::Kind kind = expr::kind_of(inputs[value_operand(Masks)]);
    constexpr bool floats = T != Takes::integer && T != Takes::integer_or_bool;
    constexpr bool ints = T != Takes::floating;
    if constexpr (floats) {
        if (kind == expr::Kind::f32) return build<Body, float, N, Masks>(attrs, seq);
        if (kind == expr::Kind::f64) return build<Body, double, N, Masks>(attrs, seq);
    }
    if constexpr (ints) {
        if (kind == expr::Kind::i8) return build<Body, std::int8_t, N, Masks>(attrs, seq);
        if (kind == expr::Kind::i16) return build<Body, std::int16_t, N, Masks>(attrs, seq);
        if (kind == expr::Kind::i32) return build<Body, std::int32_t, N, Masks>(attrs, seq);
        if (kind == expr::Kind::i64) return build<Body, std::int64_t, N, Masks>(attrs, seq);
        if (kind == expr::Kind::u8) return build<Body, std::uint8_t, N, Masks>(attrs, seq);
    }
    return {};
}

template <class Body>
int body_flops() {
    return 1;
}

void cost(std::span<const TensorType> inputs, std::span<const TensorType> outputs, const Attrs&, Cost& c);

/// Number of operands (1 … 4) and which of them are masks, found by asking what compiles.
template <class Body, class V>
constexpr std::pair<int, unsigned> signature() {
    std::pair<int, unsigned> found{0, 0};
    auto try_one = [&]<int N, unsigned M>() {
        if constexpr (M < (1u << N) - 1u || N == 1) {
            if (!found.first && callable<Body, N, V, M>(std::make_index_sequence<N>{})) found = {N, M};
        }
    };
    try_one.template operator()<1, 0>();
    try_one.template operator()<2, 0>();
    try_one.template operator()<3, 0>();
    try_one.template operator()<4, 0>();
    try_one.template operator()<2, 1>();
    try_one.template operator()<3, 1>();
    return found;
}

}  // namespace elementwise_detail

/// A row for `Body`. Fills promotion, inference, kernel, Program and cost; the rest of the schema is the caller's.
template <class Body, Takes T>
OpDef elementwise(OpSchema schema, GradFn grad) {
    using namespace elementwise_detail;
    constexpr bool ints_only = T == Takes::integer || T == Takes::integer_or_bool;
    using Probe = expr::Lanes<std::conditional_t<ints_only, std::int32_t, float>>;
    constexpr auto sig = signature<Body, Probe>();
    constexpr int n = sig.first;
    constexpr unsigned masks = sig.second;
    static_assert(n > 0, "the body's eval matches no signature of one to four values or masks");
    schema.promotes = true;
    if constexpr (T == Takes::floating) schema.ints_become_float = true;
    for (std::size_t i = 0; i < schema.operands.size(); ++i) {
        Operand& o = schema.operands[i];
        if ((masks >> i) & 1u) {
            o.accept = Accept::boolean;
        } else if (o.accept == Accept::any) {
            o.accept = T == Takes::number            ? Accept::number
                       : T == Takes::floating        ? Accept::floating
                       : T == Takes::integer         ? Accept::integer
                       : T == Takes::integer_or_bool ? Accept::integer_or_bool
                                                     : Accept::any;
        }
    }
    constexpr bool mask_result = []<std::size_t... I>(std::index_sequence<I...>) {
        auto pick = []<std::size_t K>() {
            if constexpr ((masks >> K) & 1u) {
                return typename Probe::Mask{};
            } else {
                return Probe{};
            }
        };
        return std::is_same_v<decltype(call<Body, Probe>(std::declval<const Attrs&>(),
                                                         pick.template operator()<I>()...)),
                              typename Probe::Mask>;
    }
    (std::make_index_sequence<n>{});
    OpDef def(std::move(schema), &infer<Body, n, masks, mask_result>, &cost, grad);
    def.kernel = &kernel<Body, T, n, masks>;
    def.element = &program<Body, T, n, masks>;
    def.in_place = !mask_result;
    return def;
}

}  // namespace fusescope
