#include "engine/ops/elementwise.hpp"
#include "engine/ops/lang.hpp"

namespace fusescope {
namespace {

struct Cbrt {
    template <class V>
    static V eval(V x) {
        return expr::cbrt(x);
    }
};

void grad(GradContext& g) {
    using namespace lang;
    const Tensor& y = g.outputs[0];
    const Tensor& dy = g.out_grads[0];
    g.set(0, dy / (y * y * 3.0));
}

}  // namespace

OpDef op_cbrt() {
    return elementwise<Cbrt, Takes::floating>(
        {.name = "Cbrt", .functional = "cbrt", .doc = "Cube root of each element.", .operands = {{"input"}}}, grad);
}

}  // namespace fusescope
