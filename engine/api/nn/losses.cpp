#include "fusescope/nn/losses.hpp"

#include "engine/ops/lang.hpp"
#include "fusescope/error.hpp"
#include "fusescope/op_call.hpp"

namespace fusescope::nn {
namespace {

Tensor reduced(const Tensor& x, const Reduction& reduction, const char* loss) {
    if (reduction == "none") return x;
    if (reduction == "sum") return lang::sum(x, lang::all_axes(x.rank()), false);
    if (reduction == "mean") return lang::mean(x, lang::all_axes(x.rank()), false);
    throw UserError(
        ErrorKind::value, loss,
        std::string(loss) + ": reduction must be \"mean\", \"sum\" or \"none\", but it is \"" + reduction + "\"");
}

Tensor log_softmax(const Tensor& logits) {
    static const Op op("LogSoftmax");
    return op.one({logits}, {std::int64_t{1}});
}

Tensor one_hot(const Tensor& labels, const Tensor& logits) {
    static const Op op("OneHot");
    return op.one({labels}, {logits.shape()[1], 1.0, 0.0, std::int64_t{-1}, logits.dtype()});
}

void check_rank(const Tensor& logits, const char* loss) {
    if (logits.rank() == 2) return;
    throw UserError(
        ErrorKind::shape, loss,
        std::string(loss) + ": logits must be (samples, classes), but their shape is " + to_string(logits.shape()),
        {to_string(logits.shape())});
}

}  // namespace

Tensor mse_loss(const Tensor& logits, const Tensor& labels, const Reduction& reduction) {
    const Tensor d = lang::sub(logits, labels);
    return reduced(lang::mul(d, d), reduction, "mse_loss");
}

Tensor l1_loss(const Tensor& logits, const Tensor& labels, const Reduction& reduction) {
    return reduced(lang::abs(lang::sub(logits, labels)), reduction, "l1_loss");
}

Tensor cross_entropy(const Tensor& logits, const Tensor& labels, const Reduction& reduction,
                     std::int64_t ignore_index) {
    using namespace lang;
    check_rank(logits, "cross_entropy");
    const Tensor logs = log_softmax(logits);
    if (is_float(labels.dtype())) return reduced(-sum(logs * labels, {1}, false), reduction, "cross_entropy");
    const Tensor ignored = Tensor::scalar_int(ignore_index, labels.dtype());
    const Tensor valid = not_equal(labels, ignored);
    const Tensor chosen = select(valid, labels, Tensor::scalar_int(0, labels.dtype()));
    const Tensor weight = cast(valid, logits.dtype());
    const Tensor each = -sum(one_hot(chosen, logits) * logs, {1}, false) * weight;
    if (reduction == "mean") return sum(each, {0}, false) / sum(weight, {0}, false);
    return reduced(each, reduction, "cross_entropy");
}

Tensor softmax_cross_entropy_with_logits(const Tensor& logits, const Tensor& labels, bool sparse,
                                         const Reduction& reduction) {
    using namespace lang;
    check_rank(logits, "softmax_cross_entropy_with_logits");
    const Tensor target = sparse ? one_hot(labels, logits) : labels;
    return reduced(-sum(log_softmax(logits) * target, {1}, false), reduction, "softmax_cross_entropy_with_logits");
}

}  // namespace fusescope::nn
