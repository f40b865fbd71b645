#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) {
    if (c.attrs.integer(2) < 0) {
        throw UserError(ErrorKind::value, c.op.name(),
                        "LinSpace: steps is " + std::to_string(c.attrs.integer(2)) + ", but it cannot be negative");
    }
    c.result(c.attrs.dtype(3), Shape{c.attrs.integer(2)});
}

// The second half is counted from the end, so that both ends are met exactly.
void kernel(const KernelArgs& args) {
    const double start = args.attrs.number(0);
    const double end = args.attrs.number(1);
    const KernelTensor& out = args.outputs[0];
    const std::int64_t n = out.count();
    const double step = n > 1 ? (end - start) / static_cast<double>(n - 1) : 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        const bool first = i < (n + 1) / 2;
        store_double(out.dtype(), out.data, i,
                     first ? start + static_cast<double>(i) * step : end - static_cast<double>(n - 1 - i) * step);
    }
}

}  // namespace

OpDef op_linspace() {
    return OpDef({.name = "LinSpace",
                  .functional = "linspace",
                  .doc = "Evenly spaced numbers from start to end, both included.",
                  .operands = {},
                  .attributes = {{"start", AttrType::number, {}, true},
                                 {"end", AttrType::number, {}, true},
                                 {"steps", AttrType::integer, {}, true},
                                 {"dtype", AttrType::dtype, DType::Float32}}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnLinspace");
}

}  // namespace fusescope
