// Which labels count. An op of its own, so that a batch in which none does can be told from any other comparison.
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

void infer(InferContext& c) { c.result(DType::Bool, c.inputs[0].shape); }

void kernel(const KernelArgs& args) {
    const KernelTensor& labels = args.inputs[0];
    const std::int64_t ignored = args.attrs.integer(0);
    auto* out = args.outputs[0].as<std::uint8_t>();
    for (std::int64_t i = 0; i < labels.count(); ++i) {
        out[i] = load_int(labels.dtype(), labels.data, i) != ignored ? 1 : 0;
    }
}

}  // namespace

OpDef op_label_mask() {
    return OpDef({.name = "LabelMask",
                  .doc = "True where a label counts: where it is not the one to be ignored.",
                  .operands = {{"labels", Accept::integer_or_bool}},
                  .attributes = {{"ignore_index", AttrType::integer, std::int64_t{-100}},
                                 {"classes", AttrType::integer, std::int64_t{0}}}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnNeScalar");
}

}  // namespace fusescope
