// Takes the normalisation of a trained network into the weights of the convolution before it:
//
//     %0 = Conv2D(%x, %w, %b)                               |   f  = scale · rsqrt(variance + epsilon)
//     %1 = BatchNorm(%0, %scale, %bias, %mean, %variance)   |   %1 = Conv2D(%x, %w · f, (%b − %mean) · f + %bias)
//
// Only for inference, where the statistics stand still. A pass over all activations is saved for one over the weights.
// Scaling the weights before the sum instead of the sum changes rounding.
#include "engine/ops/op_ids.hpp"
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

using ir::NodePtr;
using ir::Value;

class Fold {
 public:
    Fold(ir::Rewriter& rewriter, const NodePtr& conv, const NodePtr& norm)
        : rw_(rewriter), conv_(conv), norm_(norm), origins_{conv, norm} {}

    void run() {
        const Value w = conv_->inputs[1];
        const Value bias = conv_->inputs.size() > 2 ? conv_->inputs[2] : Value{};
        const Value scale = norm_->inputs[1], shift = norm_->inputs[2], mean = norm_->inputs[3];
        const Value variance = norm_->inputs[4];
        const Value epsilon = number(norm_->attrs.number(1), variance.type().dtype);
        const Value f = make(op::mul, {make(op::rsqrt, {make(op::add, {variance, epsilon})}), scale});
        Shape per_filter(w.type().shape.size(), 1);
        per_filter[0] = w.type().shape[0];
        const Value weights = make(op::mul, {w, make(op::reshape, {f}, Attrs{per_filter})});
        const Value offset = bias.node ? make(op::sub, {bias, mean}) : make(op::neg, {mean});
        const Value biases = make(op::add, {make(op::mul, {offset, f}), shift});
        const Value y = make(op::conv2d, {conv_->inputs[0], weights, biases}, conv_->attrs);
        rw_.replace(norm_, {y, norm_->inputs[3], norm_->inputs[4]}, "BatchNorm folded into Conv2D");
        rw_.replace(conv_, std::vector<Value>(1), "BatchNorm folded into Conv2D");
    }

 private:
    Value make(OpId id, std::vector<Value> inputs, Attrs attrs = {}) {
        ir::NodeSpec spec;
        spec.op = &op_row(id);
        spec.attrs = std::move(attrs);
        spec.inputs = std::move(inputs);
        return {rw_.create(std::move(spec), origins_), 0};
    }
    Value number(double v, DType dtype) {
        ir::NodeSpec spec;
        spec.kind = ir::NodeKind::constant;
        spec.value = Tensor::scalar(v, dtype);
        spec.types = {spec.value.type()};
        return {rw_.create(std::move(spec), origins_), 0};
    }

    ir::Rewriter& rw_;
    NodePtr conv_, norm_;
    NodePtr origins_[2];
};

void run(passes::PassContext& c) {
    const passes::Uses uses(c.graph);
    for (const NodePtr& n : c.graph.nodes) {
        if (n->kind != ir::NodeKind::op || n->op->id != op::batch_norm || n->attrs.boolean(0)) continue;
        const NodePtr& conv = n->inputs[0].node;
        if (conv->kind != ir::NodeKind::op || conv->op->id != op::conv2d || c.rewriter.gone(conv)) continue;
        if (uses.count({conv, 0}) != 1) {
            c.explain([&] { return "fold-conv-batchnorm: the convolution's result is read by others too"; });
            continue;
        }
        // Weights of another dtype than the statistics would have to be cast.
        bool same = true;
        for (const Value& v : n->inputs) same = same && v.type().dtype == DType::Float32;
        if (same) Fold(c.rewriter, conv, n).run();
    }
}

}  // namespace

passes::Pass pass_fold_conv_batchnorm() {
    return {"fold-conv-batchnorm", "Takes a trained BatchNorm into the weights of the convolution before it.", run,
            true, "scales the weights instead of the sums, which may change the last bits of each result"};
}

}  // namespace fusescope
