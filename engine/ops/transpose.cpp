#include "engine/core/broadcast.hpp"
#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

// None reverses all axes.
Ints permutation_of(const AttrValue& given, int rank) {
    Ints permutation;
    if (const Ints* list = std::get_if<Ints>(&given)) {
        Ints seen(static_cast<std::size_t>(rank), 0);
        bool valid = list->rank() == rank;
        for (std::size_t k = 0; valid && k < list->size(); ++k) {
            const std::int64_t axis = (*list)[k] < 0 ? (*list)[k] + rank : (*list)[k];
            valid = axis >= 0 && axis < rank && !seen[static_cast<std::size_t>(axis)]++;
            permutation.push_back(axis);
        }
        if (!valid) {
            throw UserError(ErrorKind::value, "Transpose",
                            "Transpose: " + to_string(*list) +
                                " is not a permutation of the axes of a tensor of rank " + std::to_string(rank),
                            {}, "name each of its axes exactly once");
        }
        return permutation;
    }
    for (int k = rank; k-- > 0;) permutation.push_back(k);
    return permutation;
}

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    Shape out;
    for (std::int64_t axis : permutation_of(c.attrs[0], shape.rank()))
        out.push_back(shape[static_cast<std::size_t>(axis)]);
    c.result(c.inputs[0].dtype, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const Shape own = strides_of(in.shape());
    Ints strides;
    for (std::int64_t axis : permutation_of(args.attrs[0], in.shape().rank())) {
        strides.push_back(own[static_cast<std::size_t>(axis)]);
    }
    cpu::copy_strided(out.shape(), in.data, strides, out.data, strides_of(out.shape()), size_of(in.dtype()));
}

void cost(std::span<const TensorType>, std::span<const TensorType>, const Attrs&, Cost&) {}

void grad(GradContext& g) {
    const Ints permutation = permutation_of(g.attrs[0], g.inputs[0].rank());
    Ints inverse(permutation.size(), 0);
    for (std::size_t k = 0; k < permutation.size(); ++k) {
        inverse[static_cast<std::size_t>(permutation[k])] = static_cast<std::int64_t>(k);
    }
    g.set(0, lang::transpose(g.out_grads[0], inverse));
}

}  // namespace

OpDef op_transpose() {
    return OpDef({.name = "Transpose",
                  .functional = "transpose",
                  .aliases = {"permute"},
                  .methods = {"transpose", "permute"},
                  .doc = "Reorders the axes; without a permutation it reverses them.",
                  .operands = {{"input"}},
                  .attributes = {{"input_perm", AttrType::optional_ints, {}}}},
                 infer, cost, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnPermute");
}

}  // namespace fusescope
