"""Losses."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.nn.cell import Cell

_F = _fusescope.functions


class LossBase(Cell):
    """Reduces elementwise losses."""

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"{type(self).__name__}: `reduction` must be 'mean', 'sum' or 'none', "
                             f"but it is {reduction!r}")
        self.reduction = reduction

    def get_loss(self, x, weights=1.0):
        dtype = x.dtype
        x = x.astype(mstype.float32) if dtype != mstype.float32 else x
        if not (isinstance(weights, float) and weights == 1.0):
            x = weights * x
        if self.reduction == "mean":
            x = x.mean()
        elif self.reduction == "sum":
            x = x.sum()
        return x.astype(dtype) if dtype != mstype.float32 else x


Loss = LossBase


class MSELoss(LossBase):
    """Mean of the squared differences."""

    def construct(self, logits, labels):
        return self.get_loss(_F["square"](logits - labels))


class L1Loss(LossBase):
    """Mean of the absolute differences."""

    def construct(self, logits, labels):
        return self.get_loss(_F["abs"](logits - labels))


class MAELoss(L1Loss):
    """Another name of L1Loss."""


class RMSELoss(LossBase):
    """Root of the mean of the squared differences."""

    def construct(self, logits, labels):
        return ops.sqrt(_F["square"](logits - labels).mean())


class SmoothL1Loss(LossBase):
    """Squared near zero, absolute farther away."""

    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits, labels):
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """Like SmoothL1Loss, scaled by delta."""

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits, labels):
        return ops.smooth_l1_loss(logits, labels, self.delta, self.reduction) * self.delta


class CrossEntropyLoss(LossBase):
    """Softmax and negative log-likelihood in one."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(reduction)
        self.weight, self.ignore_index, self.label_smoothing = weight, ignore_index, label_smoothing

    def construct(self, logits, labels):
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """Negative log-likelihood of log-probabilities."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__(reduction)
        self.weight, self.ignore_index = weight, ignore_index

    def construct(self, logits, labels):
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy with one-hot rows, or with class numbers when sparse."""

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = sparse

    def construct(self, logits, labels):
        wanted = logits.shape[:-1] if self.sparse else logits.shape
        if labels.shape != wanted:
            name = type(self).__name__
            _fusescope.refuse_shape(name, f"{name}: the labels must have shape {wanted} for logits of shape "
                                    f"{logits.shape}, but they have shape {labels.shape}", "wanted", wanted, "labels",
                                    labels)
        logs = ops.log_softmax(logits, -1)
        if self.sparse:
            chosen = ops.one_hot(labels, logits.shape[-1], logits.dtype) > 0
            return self.get_loss(-ops.where(chosen, logs, 0.0).sum(-1))
        return self.get_loss(-(labels * logs).sum(-1))


class BCELoss(LossBase):
    """Cross entropy of probabilities."""

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits, labels):
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Cross entropy of sigmoid(logits)."""

    def __init__(self, reduction="mean", weight=None, pos_weight=None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, logits, labels):
        return ops.binary_cross_entropy_with_logits(logits, labels, self.weight, self.pos_weight, self.reduction)
