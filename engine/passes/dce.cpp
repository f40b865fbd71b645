// Takes out what no result, Parameter update or effect depends on:
//
//     %0 = Mul(%a, %b)            |   %0 = Add(%a, %b)
//     %1 = Add(%a, %b)            |   Return(%0)
//     Return(%1)                  |
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

void run(passes::PassContext& c) {
    const passes::Uses uses(c.graph);
    std::vector<bool> live(uses.size(), false);
    for (std::uint32_t i = uses.size(); i-- > uses.leaves();) {
        const ir::NodePtr& n = uses.node(i);
        live[i] = live[i] || uses.escapes(i) || n->keeps_order();
        if (!live[i]) continue;
        for (const ir::Value& v : n->inputs) {
            if (v.node) live[uses.number(v.node.get())] = true;
        }
    }
    for (std::uint32_t i = uses.leaves(); i < uses.size(); ++i) {
        if (!live[i]) c.rewriter.drop(uses.node(i), "dead: nothing uses its result");
    }
}

}  // namespace

passes::Pass pass_dce() { return {"dce", "Takes out nodes that no result or effect depends on.", run}; }

}  // namespace fusescope
