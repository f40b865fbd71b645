#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

// With "xy" the first two axes of the grid change places.
std::size_t axis_of(std::size_t i, std::size_t count, const Attrs& attrs) {
    if (attrs.string(0) == "xy" && count >= 2 && i < 2) return 1 - i;
    return i;
}

Shape grid_of(std::span<const std::int64_t> extents, const Attrs& attrs) {
    Shape grid(extents.size(), 1);
    for (std::size_t i = 0; i < extents.size(); ++i) grid[axis_of(i, extents.size(), attrs)] = extents[i];
    return grid;
}

void infer(InferContext& c) {
    const std::string& indexing = c.attrs.string(0);
    if (indexing != "xy" && indexing != "ij") {
        throw UserError(ErrorKind::value, c.op.name(),
                        "Meshgrid: indexing is \"" + indexing + "\", but it must be \"xy\" or \"ij\"");
    }
    Ints extents;
    for (const TensorType& t : c.inputs) {
        if (t.shape.rank() > 1) {
            throw UserError(ErrorKind::shape, c.op.name(),
                            "Meshgrid: a tensor of shape " + to_string(t.shape) + " is given, but axes are vectors",
                            {to_string(t.shape)});
        }
        extents.push_back(t.shape.count());
    }
    const Shape grid = grid_of(extents, c.attrs);
    for (const TensorType& t : c.inputs) c.result(t.dtype, grid);
}

Shape line_of(std::size_t i, std::size_t count, std::int64_t extent, const Attrs& attrs) {
    Shape line(count, 1);
    line[axis_of(i, count, attrs)] = extent;
    return line;
}

std::vector<Tensor> decompose(std::span<const Tensor> in, const Attrs& attrs) {
    Ints extents;
    for (const Tensor& t : in) extents.push_back(t.count());
    const Shape grid = grid_of(extents, attrs);
    std::vector<Tensor> out;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Tensor line = lang::reshape(in[i], line_of(i, in.size(), extents[i], attrs));
        out.push_back(lang::identity(lang::broadcast_to(line, grid)));
    }
    return out;
}

void grad(GradContext& g) {
    for (std::size_t i = 0; i < g.inputs.size(); ++i) {
        if (!g.need(i) || !g.out_grads[i].defined()) continue;
        const Shape line = line_of(i, g.inputs.size(), g.inputs[i].count(), g.attrs);
        g.set(i, lang::reshape(lang::sum_to(g.out_grads[i], line), g.inputs[i].shape()));
    }
}

}  // namespace

OpDef op_meshgrid() {
    return OpDef({.name = "Meshgrid",
                  .functional = "meshgrid",
                  .doc = "Coordinates of every point of the grid that vectors span.",
                  .operands = {{"tensors", Accept::any, OperandKind::list}},
                  .attributes = {{"indexing", AttrType::string, std::string("xy")}},
                  .outputs = -1},
                 infer, ops::no_flops, grad)
        .with_decompose(decompose);
}

}  // namespace fusescope
