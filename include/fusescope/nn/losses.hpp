// Losses: functions of predictions and labels that give one number, or one for each sample.
#pragma once

#include <cstdint>
#include <string>

#include "fusescope/tensor.hpp"

namespace fusescope::nn {

/// How the losses of elements become one: "mean", "sum" or "none". Functions throw UserError (value) for others.
using Reduction = std::string;

/// Squared difference.
Tensor mse_loss(const Tensor& logits, const Tensor& labels, const Reduction& reduction = "mean");
/// Absolute difference.
Tensor l1_loss(const Tensor& logits, const Tensor& labels, const Reduction& reduction = "mean");

/// Softmax and negative log-likelihood in one. logits (N, C); labels (N,) of Int32 or Int64, or probabilities (N, C).
/// Labels equal to `ignore_index` count nothing; a mean is taken over the others.
Tensor cross_entropy(const Tensor& logits, const Tensor& labels, const Reduction& reduction = "mean",
                     std::int64_t ignore_index = -100);

/// One loss for each row: labels (N, C) are probabilities or, when sparse, (N,) are class numbers.
Tensor softmax_cross_entropy_with_logits(const Tensor& logits, const Tensor& labels, bool sparse = false,
                                         const Reduction& reduction = "none");

// The same as objects, as the Python package has them.
struct MSELoss {
    Reduction reduction = "mean";
    Tensor operator()(const Tensor& logits, const Tensor& labels) const { return mse_loss(logits, labels, reduction); }
};
struct L1Loss {
    Reduction reduction = "mean";
    Tensor operator()(const Tensor& logits, const Tensor& labels) const { return l1_loss(logits, labels, reduction); }
};
struct CrossEntropyLoss {
    Reduction reduction = "mean";
    std::int64_t ignore_index = -100;
    Tensor operator()(const Tensor& logits, const Tensor& labels) const {
        return cross_entropy(logits, labels, reduction, ignore_index);
    }
};
struct SoftmaxCrossEntropyWithLogits {
    bool sparse = false;
    Reduction reduction = "none";
    Tensor operator()(const Tensor& logits, const Tensor& labels) const {
        return softmax_cross_entropy_with_logits(logits, labels, sparse, reduction);
    }
};

}  // namespace fusescope::nn
