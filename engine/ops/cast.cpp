#include "engine/core/convert.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/expr/sym.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

template <class From, class To>
To convert(From v) {
    if constexpr (std::is_same_v<To, bool>) {
        return v != From{};
    } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        return saturating<To>(static_cast<double>(v));
    } else {
        return static_cast<To>(v);
    }
}

// Halves are read as float; a float's way to half is one rounding, and a double's too.
void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    visit_dtype(in.dtype(), [&](auto from) {
        visit_dtype(out.dtype(), [&](auto to) {
            using F = decltype(from);
            using T = decltype(to);
            cpu::parallel_for(out.count(), 1 << 15, 64, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    auto value = [&] {
                        if constexpr (std::is_same_v<F, HalfTag>) {
                            return half_to_float(in.as<std::uint16_t>()[i]);
                        } else if constexpr (std::is_same_v<F, BFloatTag>) {
                            return bfloat_to_float(in.as<std::uint16_t>()[i]);
                        } else {
                            return in.as<F>()[i];
                        }
                    }();
                    if constexpr (std::is_same_v<T, HalfTag>) {
                        out.as<std::uint16_t>()[i] = std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
                    } else if constexpr (std::is_same_v<T, BFloatTag>) {
                        out.as<std::uint16_t>()[i] = float_to_bfloat(static_cast<float>(value));
                    } else {
                        out.as<T>()[i] = convert<decltype(value), T>(value);
                    }
                }
            });
        });
    });
}

// Element body: one conversion. To Bool is a comparison with zero, whose mask is stored as 0 or 1.
expr::Program program(std::span<const DType> inputs, const Attrs& attrs) {
    const DType to = attrs.dtype(0);
    expr::SymBuilder builder(1);
    const expr::Kind from_kind = expr::kind_of(inputs[0]);
    const std::int16_t x = builder.append({expr::Ins::input, from_kind, -1, -1, -1, 0, 0});
    if (to == DType::Bool) {
        const std::int16_t zero = builder.append({expr::Ins::constant, from_kind, -1, -1, -1, 0, 0});
        const std::int16_t same = builder.append({expr::Ins::equal, expr::Kind::mask, x, zero, -1, 0, 0});
        return builder.finish({builder.append({expr::Ins::bit_not, expr::Kind::mask, same, -1, -1, 0, 0})});
    }
    if (from_kind == expr::kind_of(to)) return builder.finish({x});
    return builder.finish({builder.append({expr::Ins::convert, expr::kind_of(to), x, -1, -1, 0, 0})});
}

void infer(InferContext& c) { c.result(c.attrs.dtype(0), c.inputs[0].shape); }

void cost(std::span<const TensorType>, std::span<const TensorType> out, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(out[0].shape.count());
}

void grad(GradContext& g) { g.set(0, lang::cast(g.out_grads[0], g.inputs[0].dtype())); }

}  // namespace

OpDef op_cast() {
    OpDef def({.name = "Cast",
               .functional = "cast",
               .methods = {"astype", "to"},
               .doc = "Converts each element to another dtype; floats become ints toward zero, saturating.",
               .operands = {{"input"}},
               .attributes = {{"dtype", AttrType::dtype, {}, true}}},
              infer, cost, grad);
    def.kernel = kernel;
    def.element = program;
    def.ascend.aclnn = "aclnnCast";
    def.hazards = {{"overflow_of_cast", false, true}};
    return def;
}

}  // namespace fusescope
