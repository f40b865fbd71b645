// Running sums and products along an axis.
#pragma once

#include <algorithm>
#include <string_view>

#include "engine/cpu/parallel.hpp"
#include "engine/ops/common.hpp"

namespace fusescope::ops {

/// Attribute 0 is the axis. Ints give Int64.
inline void infer_scan(InferContext& c) {
    normalize_axis(c.op.name(), c.attrs.integer(0), c.inputs[0].shape.rank());
    const DType d = c.inputs[0].dtype;
    c.result(is_float(d) ? d : DType::Int64, c.inputs[0].shape);
}

/// Attributes: axis, exclusive (a result leaves out its own element), reverse (from the end). `combine(a, b)` joins two
/// values of one type; half types are joined in Float32.
template <class F>
void scan(std::string_view op, const KernelArgs& args, int identity, F combine) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const auto axis = at(normalize_axis(op, args.attrs.integer(0), in.shape().rank()));
    const bool exclusive = args.attrs.boolean(1);
    const bool reverse = args.attrs.boolean(2);
    const std::int64_t extent = in.shape()[axis];
    const std::int64_t inner = extent_of(in.shape(), axis + 1, in.shape().size());
    const std::int64_t lines = extent == 0 ? 0 : in.count() / extent;
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ElementOf<decltype(tag)>;
        using A = std::conditional_t<std::is_floating_point_v<typename E::Value>, typename E::Value, std::int64_t>;
        cpu::parallel_for(lines, std::max<std::int64_t>(2, (1 << 15) / std::max<std::int64_t>(extent, 1)), 16,
                          [&](std::int64_t begin, std::int64_t end) {
                              for (std::int64_t line = begin; line < end; ++line) {
                                  const std::int64_t base = line / inner * extent * inner + line % inner;
                                  A acc = static_cast<A>(identity);
                                  for (std::int64_t i = 0; i < extent; ++i) {
                                      const std::int64_t place = base + (reverse ? extent - 1 - i : i) * inner;
                                      const A next =
                                          static_cast<A>(combine(acc, static_cast<A>(E::load(in.data, place))));
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

}  // namespace fusescope::ops
