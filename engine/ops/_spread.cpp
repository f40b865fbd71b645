#include "engine/ops/lang.hpp"
#include "engine/ops/reduction.hpp"
#include "engine/ops/spread.hpp"

namespace fusescope::spread {
namespace {

Ints axes_of(const Tensor& x, const Attrs& attrs) { return reduction::axes("Reduce", attrs[0], x.rank()); }

}  // namespace

std::vector<AttrSpec> attributes() {
    return {{"axis", AttrType::optional_ints, {}},
            {"ddof", AttrType::integer, std::int64_t{0}},
            {"keep_dims", AttrType::boolean, false}};
}

void infer(InferContext& c) {
    const Shape& shape = c.inputs[0].shape;
    c.result(c.inputs[0].dtype, reduction::reduced_shape(shape, reduction::flags(c.op.name(), c.attrs[0], shape.rank()),
                                                         c.attrs.boolean(2)));
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = 4 * static_cast<std::uint64_t>(in[0].shape.count());
}

double freedom(const Shape& shape, const Attrs& attrs) {
    const auto flags = reduction::flags("Reduce", attrs[0], shape.rank());
    return static_cast<double>(reduction::reduced_count(shape, flags) - attrs.integer(1));
}

Tensor centred(const Tensor& x, const Attrs& attrs) {
    using namespace lang;
    return x - mean(x, axes_of(x, attrs), true);
}

Tensor variance(const Tensor& x, const Attrs& attrs) {
    using namespace lang;
    const Tensor apart = centred(x, attrs);
    return sum(apart * apart, axes_of(x, attrs), attrs.boolean(2)) / freedom(x.shape(), attrs);
}

}  // namespace fusescope::spread
