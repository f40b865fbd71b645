#include "engine/ops/common.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/triangle.hpp"

namespace fusescope {
namespace {

void kernel(const KernelArgs& args) { ops::copy_triangle(args, true); }

void grad(GradContext& g) { g.set(0, lang::tril(g.out_grads[0], g.attrs.integer(0))); }

}  // namespace

OpDef op_tril() {
    return OpDef({.name = "Tril",
                  .functional = "tril",
                  .methods = {"tril"},
                  .doc = "The lower triangle of matrices, zero above the given diagonal.",
                  .operands = {{"input"}},
                  .attributes = {{"diagonal", AttrType::integer, std::int64_t{0}}}},
                 ops::infer_triangle, ops::no_flops, grad)
        .with_kernel(kernel)
        .with_ascend("aclnnTril");
}

}  // namespace fusescope
