"""Losses of distributions, of overlap and of alignments."""
import _fusescope
from mindspore import ops
from mindspore.nn.basic import get_activation
from mindspore.nn.loss import LossBase

Tensor = _fusescope.Tensor
_F = _fusescope.functions


class KLDivLoss(LossBase):
    """labels · (log labels - logits), where logits are logarithms of probabilities."""

    def __init__(self, reduction="mean"):
        super().__init__("mean" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    def construct(self, logits, labels):
        return ops.kl_div(logits, labels, self.reduction)


class GaussianNLLLoss(LossBase):
    """Negative log-likelihood of normal distributions with the given variances."""

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction)
        if eps <= 0:
            raise ValueError(f"GaussianNLLLoss: `eps` must be above 0, but it is {eps}")
        self.full, self.eps = full, eps

    def construct(self, logits, labels, var):
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """Negative log-likelihood of Poisson distributions."""

    def __init__(self, log_input=True, full=False, eps=1e-8, reduction="mean"):
        super().__init__(reduction)
        if eps <= 0:
            raise ValueError(f"PoissonNLLLoss: `eps` must be above 0, but it is {eps}")
        self.log_input, self.full, self.eps = log_input, full, eps

    def construct(self, input, target):
        return ops.poisson_nll_loss(input, target, self.log_input, self.full, self.eps, self.reduction)


class DiceLoss(LossBase):
    """One minus twice the overlap over the sum of the squares."""

    def __init__(self, smooth=1e-5):
        super().__init__()
        if smooth <= 0:
            raise ValueError(f"DiceLoss: `smooth` must be above 0, but it is {smooth}")
        self.smooth = smooth

    def construct(self, logits, label):
        if logits.shape != label.shape:
            raise ValueError(f"DiceLoss: `logits` and `label` must have the same shape, but theirs are {logits.shape} "
                             f"and {label.shape}")
        label = label.astype(logits.dtype)
        squares = (logits * logits).sum() + (label * label).sum()
        return 1.0 - (2.0 * (logits * label).sum() + self.smooth) / (squares + self.smooth)


class FocalLoss(LossBase):
    """Cross entropy in which what is classified well counts less."""

    def __init__(self, weight=None, gamma=2.0, reduction="mean"):
        super().__init__(reduction)
        if not 0 <= gamma <= 20:
            raise ValueError(f"FocalLoss: `gamma` must be in [0, 20], but it is {gamma}")
        if weight is not None and (not isinstance(weight, Tensor) or weight.ndim != 1):
            raise TypeError("FocalLoss: `weight` must be a tensor with one axis")
        self.weight, self.gamma = weight, float(gamma)

    def construct(self, logits, labels):
        if logits.ndim != labels.ndim or logits.ndim < 2 or labels.shape[1] not in (1, logits.shape[1]):
            raise ValueError(f"FocalLoss: `labels` must have the logits' shape, or 1 in place of the classes, but their "
                             f"shapes are {logits.shape} and {labels.shape}")
        n, classes = logits.shape[:2]
        logs = _F["log_softmax"](logits.reshape((n, classes, -1)), 1)
        labels = labels.reshape((n, labels.shape[1], -1))
        weight = None if self.weight is None else self.weight.reshape((1, -1, 1))
        single = labels.shape[1] == 1
        if single and classes > 1:
            hot = _F["one_hot"](labels.reshape((n, -1)), classes, 1, 0, 1, logs.dtype)
            logs = (logs * hot).sum(1)
            weight = None if weight is None else (weight * hot).sum(1)
        share = _F["pow"](1.0 - _F["exp"](logs), self.gamma)
        loss = -(share * logs)
        if weight is not None:
            loss = loss * weight
        if not single:
            loss = loss * labels.astype(loss.dtype)
        return self.get_loss(_F["mean"](loss, -1, False))


class CTCLoss(LossBase):
    """Negative log-probability of label sequences, whatever their alignment with the steps."""

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        return ops.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
                            self.zero_infinity)[0]


class MultiClassDiceLoss(LossBase):
    """The mean of the classes' DiceLoss, with the classes along axis 1."""

    def __init__(self, weights=None, ignore_indiex=None, activation="softmax"):
        super().__init__()
        self.weights, self.ignore_indiex = weights, ignore_indiex
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        self.dice = DiceLoss()

    def construct(self, logits, label):
        if logits.shape != label.shape:
            raise ValueError(f"MultiClassDiceLoss: `logits` and `label` must have the same shape, but theirs are "
                             f"{logits.shape} and {label.shape}")
        if self.activation is not None:
            logits = self.activation(logits)
        total = 0.0
        for c in range(label.shape[1]):
            if c != self.ignore_indiex:
                loss = self.dice(logits[:, c], label[:, c])
                total = total + (loss if self.weights is None else loss * self.weights[c])
        return total / label.shape[1]
