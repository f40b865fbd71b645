// Normalises and clips at zero in one kernel while training:
//
//     %0 = BatchNorm(%x, %scale, %bias, %mean, %variance)   |   %0 = call @BatchNorm_ReLU_fusion(%x, …)
//     %1 = ReLU(%0[0])                                      |
//
// The statistics still leave the kernel: the moving averages and the backward pass read them.
#include "engine/ops/op_ids.hpp"
#include "engine/passes/fuse.hpp"
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

void run(passes::PassContext& c) {
    const passes::Uses uses(c.graph);
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (n->kind != ir::NodeKind::op || n->op->id != op::batch_norm || n->types[0].dtype != DType::Float32) continue;
        if (!n->attrs.boolean(0)) continue;
        const ir::Value y{n, 0};
        if (uses.escapes(y) || uses.count(y) != 1) continue;
        ir::NodePtr reader;
        std::vector<ir::Value> outputs;
        for (std::uint32_t o = 1; o < n->types.size(); ++o) {
            if (uses.count({n, o}) > 0) outputs.push_back({n, o});
        }
        for (const passes::Uses::Reader& r : uses.readers(uses.number(n.get()))) {
            if (r.output == 0) reader = uses.node(r.node);
        }
        if (!reader || reader->kind != ir::NodeKind::op || reader->op->id != op::relu) continue;
        outputs.insert(outputs.begin(), {reader, 0});
        const ir::NodePtr members[2] = {n, reader};
        passes::fuse(c.rewriter, members, outputs, passes::fusion_name(members), "batchnorm",
                     "ReLU after BatchNorm fused");
    }
}

}  // namespace

passes::Pass pass_fuse_batchnorm_relu() {
    return {"fuse-batchnorm-relu", "Normalises a batch and applies ReLU in one kernel while training.", run};
}

}  // namespace fusescope
