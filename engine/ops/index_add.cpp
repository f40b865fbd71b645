#include <algorithm>

#include "engine/cpu/parallel.hpp"
#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

void infer(InferContext& c) {
    ops::same_dtype(c, 0, 2);
    const Shape& shape = c.inputs[0].shape;
    const int axis = normalize_axis(c.op.name(), c.attrs.integer(0), shape.rank());
    Shape wanted = shape;
    wanted[at(axis)] = c.inputs[1].shape.count();
    if (c.inputs[1].shape.rank() != 1 || c.inputs[2].shape != wanted) {
        throw UserError(ErrorKind::shape, c.op.name(),
                        "IndexAdd: indices of shape " + to_string(c.inputs[1].shape) + " and updates of shape " +
                            to_string(c.inputs[2].shape) + " do not fit a tensor of shape " + to_string(shape) +
                            " along axis " + std::to_string(axis),
                        {to_string(shape), to_string(c.inputs[1].shape), to_string(c.inputs[2].shape)},
                        "the updates must have one slice for each index, here shape " + to_string(wanted));
    }
    c.result(c.inputs[0].dtype, shape);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& indices = args.inputs[1];
    const KernelTensor& updates = args.inputs[2];
    const KernelTensor& out = args.outputs[0];
    const auto axis = at(normalize_axis("IndexAdd", args.attrs.integer(0), in.shape().rank()));
    const std::int64_t extent = in.shape()[axis];
    ops::check_indices("IndexAdd", indices, extent, "axis " + std::to_string(axis) + " of the tensor");
    const std::int64_t outer = ops::extent_of(in.shape(), 0, axis);
    const std::int64_t inner = ops::extent_of(in.shape(), axis + 1, in.shape().size());
    const std::int64_t n = indices.count();
    const Shape flat{in.count()};
    cpu::copy_strided(flat, in.data, {1}, out.data, {1}, size_of(in.dtype()));
    visit_dtype(in.dtype(), [&](auto tag) {
        using E = ops::ElementOf<decltype(tag)>;
        // Each thread has its own columns, so that updates of one row keep their order.
        cpu::parallel_for(inner, std::max<std::int64_t>(2, (1 << 16) / std::max<std::int64_t>(n * outer, 1)), 16,
                          [&](std::int64_t begin, std::int64_t end) {
                              for (std::int64_t o = 0; o < outer; ++o) {
                                  for (std::int64_t i = 0; i < n; ++i) {
                                      const std::int64_t row = o * extent + ops::index_at(indices, i, extent);
                                      for (std::int64_t k = begin; k < end; ++k) {
                                          const auto sum = E::load(out.data, row * inner + k) +
                                                           E::load(updates.data, (o * n + i) * inner + k);
                                          E::store(out.data, row * inner + k, static_cast<typename E::Value>(sum));
                                      }
                                  }
                              }
                          });
    });
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(in[2].shape.count());
}

void grad(GradContext& g) {
    if (g.need(0)) g.set(0, lang::identity(g.out_grads[0]));
    if (g.need(2)) {
        const int axis = normalize_axis("IndexAdd", g.attrs.integer(0), g.inputs[0].rank());
        g.set(2, lang::gather(g.out_grads[0], g.inputs[1], axis));
    }
}

}  // namespace

OpDef op_index_add() {
    return OpDef({.name = "IndexAdd",
                  .functional = "index_add",
                  .methods = {"index_add"},
                  .doc = "A copy of a tensor with slices added to it at the places that indices name.",
                  .operands = {{"x", Accept::number}, {"indices", Accept::index}, {"y", Accept::number}},
                  .attributes = {{"axis", AttrType::integer, {}, true}}},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnIndexAdd");
}

}  // namespace fusescope
