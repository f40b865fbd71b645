#include "engine/exec/library_kernels.hpp"

#include <algorithm>
#include <optional>

#include "engine/cpu/convolution.hpp"
#include "engine/cpu/matmul.hpp"
#include "engine/ops/matmul_shape.hpp"
#include "engine/ops/op_ids.hpp"
#include "engine/ops/window.hpp"

namespace fusescope::exec {
namespace {

// Walks a body that is one chain of ops from its main node to its result.
class Chain {
 public:
    explicit Chain(const ir::Graph& region) : region_(region) {
        for (const ir::NodePtr& n : region.nodes) {
            if (n->kind != ir::NodeKind::constant) left_.push_back(n);
        }
    }
    bool done() const { return next_ == left_.size() && region_.outputs.size() == 1 && region_.outputs[0] == value_; }
    const ir::Node* peek() const { return next_ < left_.size() ? left_[next_].get() : nullptr; }
    const ir::Node* take() {
        value_ = {left_[next_], 0};
        return left_[next_++].get();
    }
    /// The next node if it is `op` and reads the value so far as operand `at`.
    const ir::Node* take(OpId op, std::size_t at = 0) {
        const ir::Node* n = peek();
        if (!n || n->kind != ir::NodeKind::op || n->op->id != op || n->inputs[at] != value_) return nullptr;
        return take();
    }
    /// Position among the body's inputs.
    std::optional<std::size_t> input(const ir::Value& v) const {
        const auto it = std::find(region_.inputs.begin(), region_.inputs.end(), v.node);
        if (it == region_.inputs.end()) return std::nullopt;
        return static_cast<std::size_t>(it - region_.inputs.begin());
    }

 private:
    const ir::Graph& region_;
    std::vector<ir::NodePtr> left_;
    std::size_t next_ = 0;
    ir::Value value_;
};

class MatMulKernel final : public FusedKernel {
 public:
    void run(std::span<void* const> in, std::span<void* const> out) override {
        cpu::matmul(dtype, shape, in[a], in[b], out[0], {bias ? in[*bias] : nullptr, relu});
    }
    bool in_place(std::size_t, std::size_t) const override { return false; }
    std::function<std::string()> text(const std::string&) const override { return {}; }

    DType dtype = DType::Float32;
    cpu::MatMulShape shape;
    std::size_t a = 0, b = 0;
    std::optional<std::size_t> bias;
    bool relu = false;
};

// True for (n), (1, n), …: one number for each column of a product of `n` columns and this rank.
bool is_row(const TensorType& t, const TensorType& product) {
    const std::int64_t n = product.shape.empty() ? 1 : product.shape.back();
    return t.dtype == product.dtype && t.shape.count() == n && !t.shape.empty() && t.shape.back() == n &&
           t.shape.rank() <= product.shape.rank();
}

std::unique_ptr<FusedKernel> make_matmul(const ir::Graph& region) {
    Chain chain(region);
    const ir::Node* product = chain.peek();
    if (!product || product->kind != ir::NodeKind::op || product->op->id != op::matmul) return nullptr;
    chain.take();
    auto kernel = std::make_unique<MatMulKernel>();
    const TensorType& type = product->types[0];
    kernel->dtype = type.dtype;
    const Attrs& attrs = product->attrs;
    kernel->shape = plan_matmul("MatMul", product->inputs[0].type().shape, product->inputs[1].type().shape,
                                attrs.boolean(0), attrs.boolean(1))
                        .shape;
    const auto a = chain.input(product->inputs[0]), b = chain.input(product->inputs[1]);
    // A product with a vector on the right has no columns for a bias.
    if (!a || !b || product->inputs[1].type().shape.rank() < 2) return nullptr;
    kernel->a = *a;
    kernel->b = *b;
    for (std::size_t side : {0u, 1u}) {
        const ir::Node* sum = chain.take(op::add, side);
        if (!sum) continue;
        const ir::Value& other = sum->inputs[1 - side];
        if (!is_row(other.type(), type) || sum->types[0] != type) return nullptr;
        kernel->bias = chain.input(other);
        if (!kernel->bias) return nullptr;
        break;
    }
    kernel->relu = chain.take(op::relu) != nullptr;
    return chain.done() ? std::move(kernel) : nullptr;
}

class ConvKernel final : public FusedKernel {
 public:
    void run(std::span<void* const> in, std::span<void* const> out) override {
        cpu::conv(dtype, shape, in[x], in[weights], bias ? in[*bias] : nullptr, relu, out[0]);
    }
    bool in_place(std::size_t, std::size_t) const override { return false; }
    std::function<std::string()> text(const std::string&) const override { return {}; }

    DType dtype = DType::Float32;
    cpu::ConvShape shape;
    std::size_t x = 0, weights = 0;
    std::optional<std::size_t> bias;
    bool relu = false;
};

std::unique_ptr<FusedKernel> make_conv(const ir::Graph& region) {
    Chain chain(region);
    const ir::Node* conv = chain.peek();
    if (!conv || conv->kind != ir::NodeKind::op || conv->op->id != op::conv2d) return nullptr;
    chain.take();
    auto kernel = std::make_unique<ConvKernel>();
    kernel->dtype = conv->types[0].dtype;
    kernel->shape = window::conv_shape(2, conv->inputs[0].type().shape, conv->inputs[1].type().shape, conv->attrs);
    const auto x = chain.input(conv->inputs[0]), weights = chain.input(conv->inputs[1]);
    if (!x || !weights) return nullptr;
    kernel->x = *x;
    kernel->weights = *weights;
    if (conv->inputs.size() > 2 && conv->inputs[2].node) {
        kernel->bias = chain.input(conv->inputs[2]);
        if (!kernel->bias) return nullptr;
    }
    kernel->relu = chain.take(op::relu) != nullptr;
    return chain.done() ? std::move(kernel) : nullptr;
}

}  // namespace

std::unique_ptr<FusedKernel> make_library_kernel(const ir::Node& node) {
    if (node.kernel == "matmul") return make_matmul(*node.regions[0]);
    if (node.kernel == "conv") return make_conv(*node.regions[0]);
    return nullptr;
}

}  // namespace fusescope::exec
