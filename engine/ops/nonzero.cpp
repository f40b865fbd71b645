#include "engine/core/tensor_impl.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

// The result's extent is known when the values are; until then it is taken as none.
void infer(InferContext& c) { c.result(DType::Int64, Shape{0, c.inputs[0].shape.rank()}); }

std::vector<Tensor> run(std::span<const Tensor> in, const Attrs&) {
    const Tensor& x = in[0];
    const void* data = x.impl()->raw();
    std::vector<std::int64_t> places;
    const std::int64_t n = x.count();
    visit_dtype(x.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        for (std::int64_t i = 0; i < n; ++i) {
            if (E::load(data, i) != 0) places.push_back(i);
        }
    });
    const std::size_t rank = x.shape().size();
    Tensor out = make_tensor(DType::Int64, Shape{static_cast<std::int64_t>(places.size()), x.rank()}, x.device());
    auto* dst = static_cast<std::int64_t*>(out.impl()->raw());
    for (std::size_t i = 0; i < places.size(); ++i) {
        std::int64_t rest = places[i];
        for (std::size_t k = rank; k-- > 0;) {
            dst[i * rank + k] = rest % x.shape()[k];
            rest /= x.shape()[k];
        }
    }
    return {out};
}

}  // namespace

OpDef op_nonzero() {
    return OpDef({.name = "NonZero",
                  .functional = "nonzero",
                  .aliases = {"argwhere"},
                  .methods = {"nonzero", "argwhere"},
                  .doc = "Indices of the elements that are not zero, one row each.",
                  .operands = {{"input"}},
                  .traits = {.host_value = true}},
                 infer, ops::input_flops, kNoGradient)
        .with_decompose(run)
        .with_ascend("aclnnNonzero");
}

}  // namespace fusescope
