#include <algorithm>

#include "engine/cpu/strided_copy.hpp"
#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

using ops::at;

// Pairs (before, after) from the last axis to the first, as the functional form has them.
struct Padding {
    Ints before, after;
};

Padding padding_of(const Shape& shape, const Ints& given) {
    if (given.size() % 2 != 0 || given.size() > 2 * shape.size() ||
        std::any_of(given.begin(), given.end(), [](std::int64_t v) { return v < 0; })) {
        throw UserError(ErrorKind::value, "Pad",
                        "Pad: " + to_string(given) + " does not fit a tensor of shape " + to_string(shape) +
                            "; it needs a pair of counts, not negative, for each axis from the last on",
                        {to_string(shape)}, "(1, 2) adds one element before and two after along the last axis");
    }
    Padding p{Ints(shape.size(), 0), Ints(shape.size(), 0)};
    for (std::size_t i = 0; i < given.size() / 2; ++i) {
        p.before[shape.size() - 1 - i] = given[2 * i];
        p.after[shape.size() - 1 - i] = given[2 * i + 1];
    }
    return p;
}

void infer(InferContext& c) {
    Shape out = c.inputs[0].shape;
    const Padding p = padding_of(out, c.attrs.ints(0));
    if (c.attrs.string(1) != "constant") {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Pad: mode is \"" + c.attrs.string(1) + "\", but only \"constant\" is known");
    }
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += p.before[k] + p.after[k];
    c.result(c.inputs[0].dtype, out);
}

void kernel(const KernelArgs& args) {
    const KernelTensor& in = args.inputs[0];
    const KernelTensor& out = args.outputs[0];
    const Padding p = padding_of(in.shape(), args.attrs.ints(0));
    const std::size_t size = size_of(in.dtype());
    unsigned char pattern[8] = {};
    if (!args.attrs.none(2)) store_double(in.dtype(), pattern, 0, args.attrs.number(2));
    const Shape flat{out.count()};
    cpu::copy_strided(flat, pattern, {0}, out.data, {1}, size);
    const Shape strides = strides_of(out.shape());
    std::int64_t first = 0;
    for (std::size_t k = 0; k < strides.size(); ++k) first += p.before[k] * strides[k];
    cpu::copy_strided(in.shape(), in.data, strides_of(in.shape()), out.as<char>() + at(first) * size, strides, size);
}

void grad(GradContext& g) {
    const Shape& shape = g.inputs[0].shape();
    const Padding p = padding_of(shape, g.attrs.ints(0));
    Ints end, strides;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        end.push_back(p.before[k] + shape[k]);
        strides.push_back(1);
    }
    g.set(0, lang::strided_slice(g.out_grads[0], p.before, end, strides));
}

}  // namespace

OpDef op_pad() {
    return OpDef({.name = "Pad",
                  .functional = "pad",
                  .doc = "Adds elements of one value before and after along axes.",
                  .operands = {{"input_x"}},
                  .attributes = {{"padding", AttrType::ints, {}, true},
                                 {"mode", AttrType::string, std::string("constant")},
                                 {"value", AttrType::optional_number, {}}}},
                 infer, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnConstantPadNd");
}

}  // namespace fusescope
