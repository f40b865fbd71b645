// Lets a convolution clip at zero while its result is still in the cache:
//
//     %0 = Conv2D(%x, %w, %b)                 |   %0 = call @Conv2D_ReLU_fusion(%x, %w, %b)
//     %1 = ReLU(%0)                           |
#include "engine/ops/op_ids.hpp"
#include "engine/passes/fuse.hpp"
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

void run(passes::PassContext& c) {
    const passes::Uses uses(c.graph);
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (n->kind != ir::NodeKind::op || n->op->id != op::conv2d || n->types[0].dtype != DType::Float32) continue;
        const std::uint32_t k = uses.number(n.get());
        if (uses.escapes(k) || uses.readers(k).size() != 1) continue;
        const ir::NodePtr& reader = uses.node(uses.readers(k)[0].node);
        if (reader->kind != ir::NodeKind::op || reader->op->id != op::relu) continue;
        const ir::NodePtr members[2] = {n, reader};
        const ir::Value output{reader, 0};
        passes::fuse(c.rewriter, members, {&output, 1}, passes::fusion_name(members), "conv",
                     "ReLU after Conv2D fused");
    }
}

}  // namespace

passes::Pass pass_fuse_conv_activation() {
    return {"fuse-conv-activation", "Lets a convolution apply ReLU before it stores.", run};
}

}  // namespace fusescope
