#include <vector>

#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

// dx[i] = (x[0] … x[i-1]) * s[i] with s[i] = dy[i] + x[i+1] * s[i+1], which needs no division, so zeros do no harm.
// An exclusive product looks at dy one place on.
void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& dy = args.inputs[1];
    const KernelTensor& out = args.outputs[0];
    const auto axis = at(normalize_axis("CumProdGrad", args.attrs.integer(0), in.shape().rank()));
    const bool exclusive = args.attrs.boolean(1);
    const bool reverse = args.attrs.boolean(2);
    const std::int64_t extent = in.shape()[axis];
    const std::int64_t inner = ops::extent_of(in.shape(), axis + 1, in.shape().size());
    const std::int64_t lines = extent == 0 ? 0 : in.count() / extent;
    std::vector<double> tail(at(extent) + 1);
    for (std::int64_t line = 0; line < lines; ++line) {
        const std::int64_t base = line / inner * extent * inner + line % inner;
        auto place = [&](std::int64_t i) { return base + (reverse ? extent - 1 - i : i) * inner; };
        auto x = [&](std::int64_t i) { return load_double(in.dtype(), in.data, place(i)); };
        auto g = [&](std::int64_t i) {
            const std::int64_t j = exclusive ? i + 1 : i;
            return j < extent ? load_double(dy.dtype(), dy.data, place(j)) : 0.0;
        };
        tail[at(extent)] = 0;
        for (std::int64_t i = extent; i-- > 0;) {
            tail[at(i)] = g(i) + (i + 1 < extent ? x(i + 1) * tail[at(i + 1)] : 0.0);
        }
        double product = 1;
        for (std::int64_t i = 0; i < extent; ++i) {
            store_double(out.dtype(), out.data, place(i), product * tail[at(i)]);
            product *= x(i);
        }
    }
}

}  // namespace

OpDef op_cumprod_grad() {
    return OpDef({.name = "CumProdGrad",
                  .functional = "",
                  .doc = "Gradient of CumProd: from its operand and the gradient of its result.",
                  .operands = {{"input", Accept::floating}, {"dy", Accept::floating}},
                  .attributes = {{"dim", AttrType::integer, {}, true},
                                 {"exclusive", AttrType::boolean, false},
                                 {"reverse", AttrType::boolean, false}}},
                 ops::infer_same, ops::input_flops, kNoGradient)
        .with_kernel(kernel);
}

}  // namespace fusescope
