#include <limits>

#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

double largest(DType d) {
    switch (d) {
        case DType::Float16:
            return 65504.0;
        case DType::BFloat16:
            return 0x1.fep127;
        case DType::Float32:
            return std::numeric_limits<float>::max();
        default:
            return std::numeric_limits<double>::max();
    }
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    using namespace lang;
    const Tensor& x = in[0];
    constexpr double infinite = std::numeric_limits<double>::infinity();
    const double most = largest(x.dtype());
    const double high = attrs.none(1) ? most : attrs.number(1);
    const double low = attrs.none(2) ? -most : attrs.number(2);
    const Tensor numbers = select(isnan(x), constant(x, attrs.number(0)), x);
    const Tensor below = select(equal(x, constant(x, infinite)), constant(x, high), numbers);
    return {select(equal(x, constant(x, -infinite)), constant(x, low), below)};
}

void grad(GradContext& g) {
    const Tensor& dy = g.out_grads[0];
    g.set(0, lang::select(lang::isfinite(g.inputs[0]), dy, lang::constant(dy, 0)));
}

}  // namespace

OpDef op_nan_to_num() {
    return OpDef({.name = "NanToNum",
                  .functional = "nan_to_num",
                  .methods = {"nan_to_num"},
                  .doc = "Replaces NaN and infinities by numbers; without them the largest of the dtype.",
                  .operands = {{"input", Accept::floating}},
                  .attributes = {{"nan", AttrType::number, 0.0},
                                 {"posinf", AttrType::optional_number, {}},
                                 {"neginf", AttrType::optional_number, {}}}},
                 ops::infer_same, ops::output_flops, grad)
        .with_decompose(decompose)
        .with_ascend("aclnnNanToNum");
}

}  // namespace fusescope
