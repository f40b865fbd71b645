#include <cmath>

#include "engine/cpu/parallel.hpp"
#include "engine/ops/common.hpp"

namespace fusescope {
namespace {

// Attributes: start, end (None: start is the end and counting begins at 0), step, dtype.
struct Range {
    double start, step;
    std::int64_t count;
};

Range range_of(const Attrs& attrs) {
    const bool one = attrs.none(1);
    const double start = one ? 0.0 : attrs.number(0);
    const double end = one ? attrs.number(0) : attrs.number(1);
    const double step = attrs.number(2);
    if (step == 0 || !std::isfinite(start) || !std::isfinite(end) || !std::isfinite(step)) {
        throw UserError(ErrorKind::value, "Range", "Range: start, end and step must be finite and step must not be 0");
    }
    const double count = std::ceil((end - start) / step);
    if (count > 4e18) throw UserError(ErrorKind::memory, "Range", "Range: too many elements");
    return {start, step, count > 0 ? static_cast<std::int64_t>(count) : 0};
}

// Without a dtype, whole numbers give Int64 and others Float32.
DType dtype_of(const Attrs& attrs) {
    if (!attrs.none(3)) return attrs.dtype(3);
    for (std::size_t i = 0; i < 3; ++i) {
        if (!attrs.none(i) && attrs.number(i) != std::trunc(attrs.number(i))) return DType::Float32;
    }
    return DType::Int64;
}

void infer(InferContext& c) { c.result(dtype_of(c.attrs), Shape{range_of(c.attrs).count}); }

void kernel(const KernelArgs& args) {
    const Range r = range_of(args.attrs);
    const KernelTensor& out = args.outputs[0];
    cpu::parallel_for(r.count, 1 << 15, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            store_double(out.dtype(), out.data, i, r.start + static_cast<double>(i) * r.step);
        }
    });
}

}  // namespace

OpDef op_arange() {
    return OpDef({.name = "Range",
                  .functional = "arange",
                  .doc = "Numbers from start up to end, but not end itself, in steps.",
                  .operands = {},
                  .attributes = {{"start", AttrType::number, 0.0},
                                 {"end", AttrType::optional_number, {}},
                                 {"step", AttrType::number, 1.0},
                                 {"dtype", AttrType::optional_dtype, {}}}},
                 infer, ops::output_flops, kNoGradient)
        .with_kernel(kernel)
        .with_ascend("aclnnRange");
}

}  // namespace fusescope
