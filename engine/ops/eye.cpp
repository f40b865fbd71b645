#include <algorithm>
#include <cstring>

#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    const std::int64_t rows = c.attrs.integer(0);
    const std::int64_t columns = c.attrs.none(1) ? rows : c.attrs.integer(1);
    if (rows < 0 || columns < 0) {
        throw UserError(
            ErrorKind::value, c.op.name(),
            "Eye: a matrix of " + std::to_string(rows) + " by " + std::to_string(columns) + " cannot be made");
    }
    c.result(c.attrs.dtype(2), Shape{rows, columns});
}

void kernel(const KernelArgs& args) {
    const KernelTensor& out = args.outputs[0];
    const std::int64_t rows = out.shape()[0];
    const std::int64_t columns = out.shape()[1];
    std::memset(out.data, 0, at(out.count()) * size_of(out.dtype()));
    for (std::int64_t i = 0; i < std::min(rows, columns); ++i) store_int(out.dtype(), out.data, i * columns + i, 1);
}

}  // namespace

OpDef op_eye() {
    return OpDef({.name = "Eye",
                  .functional = "eye",
                  .doc = "A matrix with ones on its diagonal and zeros elsewhere.",
                  .operands = {},
                  .attributes = {{"n", AttrType::integer, {}, true},
                                 {"m", AttrType::optional_int, {}},
                                 {"dtype", AttrType::dtype, DType::Float32}}},
                 infer, ops::no_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnEye");
}

}  // namespace fusescope
