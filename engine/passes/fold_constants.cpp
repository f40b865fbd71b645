// Computes at compile time what depends on constants alone:
//
//     %0 = Mul(Tensor(2), Tensor(3))      |   %0 = Add(%x, Tensor(6))
//     %1 = Add(%x, %0)                    |
//
// with the eager kernels, so the bits are those that a run would give. Large results are left to the run: they would
// only make the graph heavy.
#include <algorithm>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/passes/pass.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

constexpr std::size_t kLargestResult = 16384;  // bytes
constexpr std::size_t kLargestOperand = 1 << 20;
// An op without operands (Fill) is worth folding only when it becomes a number that kernels can hold.
constexpr std::int64_t kLargestFill = 1;

// Ops run at once here, with nobody watching.
struct Quiet {
    Context own;
    Context* outer;
    Quiet() {
        own.update();
        outer = Context::set_current(&own);
    }
    ~Quiet() { Context::set_current(outer); }
};

bool foldable(const passes::PassContext& c, const ir::Node& n) {
    if (n.kind != ir::NodeKind::op || n.has_effect() || n.op->schema.traits.host_value) return false;
    for (const TensorType& t : n.types) {
        if (t.bytes() > kLargestResult) return false;
    }
    if (n.inputs.empty()) return n.types[0].shape.count() <= kLargestFill;
    return std::all_of(n.inputs.begin(), n.inputs.end(), [&](const ir::Value& v) {
        const ir::Value now = c.rewriter.current(v);
        return !now.node || (now.node->kind == ir::NodeKind::constant && now.type().bytes() <= kLargestOperand &&
                             now.node->value.device() == DeviceKind::cpu);
    });
}

void run(passes::PassContext& c) {
    Quiet quiet;
    for (const ir::NodePtr& n : c.graph.nodes) {
        if (!foldable(c, *n)) continue;
        std::vector<Tensor> inputs, results;
        std::vector<ir::NodePtr> origins{n};
        for (const ir::Value& v : n->inputs) {
            const ir::Value now = c.rewriter.current(v);
            inputs.push_back(now.node ? now.node->value : Tensor());
            if (now.node && std::find(origins.begin(), origins.end(), now.node) == origins.end()) {
                origins.push_back(now.node);
            }
        }
        try {
            results = apply(*n->op, inputs, n->attrs);
        } catch (const UserError& e) {
            c.explain(
                [&] { return "fold-constants: " + std::string(e.what()) + "; left to the run, which will say so"; });
            continue;
        }
        std::vector<ir::Value> with;
        for (Tensor& t : results) {
            ir::NodeSpec spec;
            spec.kind = ir::NodeKind::constant;
            spec.types = {t.type()};
            spec.value = std::move(t);
            with.push_back({c.rewriter.create(std::move(spec), origins), 0});
        }
        c.rewriter.replace(n, std::move(with), "computed at compile time");
    }
}

}  // namespace

passes::Pass pass_fold_constants() {
    return {"fold-constants", "Computes what depends on constants alone when the graph is compiled.", run};
}

}  // namespace fusescope
