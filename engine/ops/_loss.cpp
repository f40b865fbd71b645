#include "engine/ops/loss.hpp"
#include "fusescope/error.hpp"

namespace fusescope::loss {

AttrSpec reduction_attribute() { return {"reduction", AttrType::string, std::string("mean")}; }

Shape reduced_shape(std::string_view op, const Shape& s, const std::string& reduction) {
    if (reduction == "none") return s;
    if (reduction == "mean" || reduction == "sum") return {};
    throw UserError(ErrorKind::value, std::string(op),
                    std::string(op) + ": reduction must be 'mean', 'sum' or 'none', not '" + reduction + "'");
}

Tensor reduced(std::string_view op, const Tensor& t, const std::string& reduction) {
    reduced_shape(op, t.shape(), reduction);
    const Ints all = lang::all_axes(t.rank());
    return reduction == "mean" ? lang::mean(t, all, false) : reduction == "sum" ? lang::sum(t, all, false) : t;
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(4 * in[0].shape.count());
}

}  // namespace fusescope::loss
