#include "engine/ops/optimizer.hpp"
#include "fusescope/error.hpp"

namespace fusescope::optimizer {

void check(InferContext& c, std::size_t writes, std::size_t gradient) {
    const Shape& shape = c.inputs[0].shape;
    for (std::size_t i = 1; i < c.inputs.size(); ++i) {
        const bool tensor = i < writes || i == gradient;
        const Shape& s = c.inputs[i].shape;
        if (tensor ? s == shape : s.count() == 1) continue;
        const std::string name = c.op.schema.operands[i].name;
        throw UserError(ErrorKind::shape, c.op.name(),
                        c.op.name() + ": `" + name + "` has shape " + to_string(s) +
                            (tensor ? ", but the variable has " + to_string(shape) : ", but it must be one number"),
                        {to_string(shape), to_string(s)});
    }
    for (std::size_t i = 0; i < writes; ++i) c.result(c.inputs[i].dtype, shape);
}

}  // namespace fusescope::optimizer
