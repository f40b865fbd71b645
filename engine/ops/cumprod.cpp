#include <algorithm>

#include "engine/cpu/parallel.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    normalize_axis(c.op.name(), c.attrs.integer(0), c.inputs[0].shape.rank());
    const DType d = c.inputs[0].dtype;
    c.result(is_float(d) ? d : DType::Int64, c.inputs[0].shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const auto axis = at(normalize_axis("CumProd", args.attrs.integer(0), in.shape().rank()));
    const bool exclusive = args.attrs.boolean(1);
    const bool reverse = args.attrs.boolean(2);
    const std::int64_t extent = in.shape()[axis];
    const std::int64_t inner = ops::extent_of(in.shape(), axis + 1, in.shape().size());
    const std::int64_t lines = extent == 0 ? 0 : in.count() / extent;
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        using A = std::conditional_t<std::is_floating_point_v<typename E::Value>, typename E::Value, std::int64_t>;
        cpu::parallel_for(lines, std::max<std::int64_t>(2, (1 << 15) / std::max<std::int64_t>(extent, 1)), 16,
                          [&](std::int64_t begin, std::int64_t end) {
                              for (std::int64_t line = begin; line < end; ++line) {
                                  const std::int64_t base = line / inner * extent * inner + line % inner;
                                  A acc = 1;
                                  for (std::int64_t i = 0; i < extent; ++i) {
                                      const std::int64_t place = base + (reverse ? extent - 1 - i : i) * inner;
                                      const A next = static_cast<A>(acc * static_cast<A>(E::load(in.data, place)));
                                      const A shown = exclusive ? acc : next;
                                      if constexpr (std::is_floating_point_v<A>) {
                                          E::store(out.data, place, shown);
                                      } else {
                                          out.as<std::int64_t>()[place] = shown;
                                      }
                                      acc = next;
                                  }
                              }
                          });
    });
}

void grad(GradContext& g) {
    g.set(0,
          lang::cumprod_grad(g.inputs[0], g.out_grads[0], g.attrs.integer(0), g.attrs.boolean(1), g.attrs.boolean(2)));
}

}  // namespace

OpDef op_cumprod() {
    return OpDef({.name = "CumProd",
                  .functional = "cumprod",
                  .doc = "Running product along an axis; ints give Int64.",
                  .operands = {{"input"}},
                  .attributes = {{"dim", AttrType::integer, {}, true},
                                 {"exclusive", AttrType::boolean, false},
                                 {"reverse", AttrType::boolean, false}}},
                 infer, ops::input_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnCumprod")
        .with_hazard("zero_times_inf", true, false)
        .with_hazard("overflow", false, true);
}

}  // namespace fusescope
