#include <vector>

#include "engine/ops/common.hpp"
#include "engine/ops/reduction.hpp"

namespace fusescope {
namespace {

using ops::at;

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const auto flags = reduction::flags("ReduceAll", args.attrs[0], in.shape().rank());
    if (in.dtype() == DType::Bool) return cpu::reduce(in, args.outputs[0], flags, cpu::Fold::min);
    std::vector<std::uint8_t> truth(at(in.count()));
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        for (std::size_t i = 0; i < truth.size(); ++i) truth[i] = E::load(in.data, static_cast<std::int64_t>(i)) != 0;
    });
    const TensorType type{DType::Bool, in.shape()};
    cpu::reduce({truth.data(), &type}, args.outputs[0], flags, cpu::Fold::min);
}

}  // namespace

OpDef op_reduce_all() {
    return OpDef({.name = "ReduceAll",
                  .functional = "all",
                  .methods = {"all"},
                  .doc = "True where every element over the axes is true, that is not zero.",
                  .operands = {{"input"}},
                  .attributes = reduction::attributes(),
                  .traits = {.reduction = true}},
                 reduction::infer_bool, reduction::cost, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnAll");
}

}  // namespace fusescope
