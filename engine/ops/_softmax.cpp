#include <cstring>
#include <vector>

#include "engine/core/broadcast.hpp"
#include "engine/cpu/normalize.hpp"
#include "engine/ops/softmax.hpp"

namespace fusescope::softmax {

std::vector<AttrSpec> attributes() { return {{"axis", AttrType::integer, std::int64_t{-1}}}; }

void infer(InferContext& c) {
    normalize_axis(c.op.name(), c.attrs.integer(0), std::max(1, c.inputs[0].shape.rank()));
    c.result(c.inputs[0].dtype, c.inputs[0].shape);
}

void kernel(const KernelArgs& args, bool logarithm) {
    const KernelTensor& in = args.inputs[0];
    const Shape& shape = in.shape();
    if (in.count() == 0) return;
    const int axis = shape.rank() ? normalize_axis("Softmax", args.attrs.integer(0), shape.rank()) : 0;
    std::int64_t inner = 1, outer = 1;
    for (int k = 0; k < shape.rank(); ++k) {
        if (k < axis) outer *= shape[static_cast<std::size_t>(k)];
        if (k > axis) inner *= shape[static_cast<std::size_t>(k)];
    }
    const std::int64_t n = shape.rank() ? shape[static_cast<std::size_t>(axis)] : 1;
    if (inner == 1) return cpu::softmax_rows(in.dtype(), outer, n, in.data, args.outputs[0].data, logarithm);
    // Each column becomes a row of a copy.
    const std::size_t size = size_of(in.dtype());
    std::vector<char> rows(static_cast<std::size_t>(in.count()) * size);
    const char* src = in.as<char>();
    char* dst = args.outputs[0].as<char>();
    auto at = [&](std::int64_t o, std::int64_t k, std::int64_t i) {
        return static_cast<std::size_t>((o * n + k) * inner + i) * size;
    };
    std::size_t row = 0;
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i)
            for (std::int64_t k = 0; k < n; ++k, row += size) std::memcpy(&rows[row], src + at(o, k, i), size);
    cpu::softmax_rows(in.dtype(), outer * inner, n, rows.data(), rows.data(), logarithm);
    row = 0;
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i)
            for (std::int64_t k = 0; k < n; ++k, row += size) std::memcpy(dst + at(o, k, i), &rows[row], size);
}

void cost(std::span<const TensorType> in, std::span<const TensorType>, const Attrs&, Cost& c) {
    c.flops = static_cast<std::uint64_t>(14 * in[0].shape.count());
}

}  // namespace fusescope::softmax
