"""Losses as functions; those of the classes are in composite.py, that of alignments is in ctc.py."""
import math

import _fusescope
from mindspore.ops.composite import _reduced

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def _same_shapes(op, a, b, names):
    if a.shape != b.shape:
        raise ValueError(f"{op}: `{names[0]}` and `{names[1]}` must have the same shape, but theirs are {a.shape} and "
                         f"{b.shape}")


def kl_div(logits, labels, reduction="mean"):
    """labels · (log labels - logits), where logits are logarithms of probabilities; 0 where a label is 0."""
    _same_shapes("kl_div", logits, labels, ("logits", "labels"))
    loss = _F["xlogy"](labels, labels) - labels * logits
    if reduction == "batchmean":
        return loss.sum() / loss.shape[0]
    return _reduced(loss, reduction, "kl_div")


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """Cosine of the angle between vectors along an axis."""
    dot = _F["sum"](x1 * x2, dim, False)
    squares = _F["sum"](x1 * x1, dim, False) * _F["sum"](x2 * x2, dim, False)
    return dot / _F["sqrt"](_F["maximum"](squares, eps * eps))


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """The p-norm of the differences along the last axis; eps is added to each difference."""
    return _distance(x1 - x2 + eps, p, keepdim)


def _distance(d, p, keepdim=False):
    if p == 2:
        return _F["sqrt"](_F["sum"](d * d, -1, keepdim))
    if p == math.inf:
        return _F["amax"](_F["abs"](d), -1, keepdim)
    if p == 1:
        return _F["sum"](_F["abs"](d), -1, keepdim)
    return _F["pow"](_F["sum"](_F["pow"](_F["abs"](d), float(p)), -1, keepdim), 1.0 / p)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1."""
    _same_shapes("cosine_embedding_loss", input1, input2, ("input1", "input2"))
    if not -1 <= margin <= 1:
        raise ValueError(f"cosine_embedding_loss: `margin` must be in [-1, 1], but it is {margin}")
    dot = _F["sum"](input1 * input2, -1, False)
    squares = (_F["sum"](input1 * input1, -1, False) + 1e-12) * (_F["sum"](input2 * input2, -1, False) + 1e-12)
    cosine = dot / _F["sqrt"](squares)
    zero = cosine * 0.0
    alike = _F["where"](target == 1, 1.0 - cosine, zero)
    other = _F["where"](target == -1, _F["relu"](cosine - float(margin)), zero)
    return _reduced(alike + other, reduction, "cosine_embedding_loss")


def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean"):
    """The input where the target is 1, max(0, margin - input) where it is -1."""
    zero = inputs * 0.0
    alike = _F["where"](targets == 1, inputs, zero)
    other = _F["where"](targets == -1, _F["relu"](margin - inputs), zero)
    return _reduced(alike + other, reduction, "hinge_embedding_loss")


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """max(0, -target · (input1 - input2) + margin)."""
    _same_shapes("margin_ranking_loss", input1, input2, ("input1", "input2"))
    return _reduced(_F["relu"](-target * (input1 - input2) + float(margin)), reduction, "margin_ranking_loss")


def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-target · input))."""
    _same_shapes("soft_margin_loss", input, target, ("input", "target"))
    return _reduced(-_F["logsigmoid"](target * input), reduction, "soft_margin_loss")


def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """Mean over the classes of each class's own cross entropy."""
    _same_shapes("multilabel_soft_margin_loss", input, target, ("input", "target"))
    loss = -(target * _F["logsigmoid"](input) + (1.0 - target) * _F["logsigmoid"](-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(_F["mean"](loss, -1, False), reduction, "multilabel_soft_margin_loss")


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    """How much other classes come within the margin of the target class, to the power of p, over the classes."""
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: `p` must be 1 or 2, but it is {p}")
    if input.ndim != 2 or target.shape != input.shape[:1]:
        raise ValueError(f"multi_margin_loss: `input` must be (batch, classes) and `target` (batch,), but their shapes "
                         f"are {input.shape} and {target.shape}")
    classes = input.shape[1]
    hot = _F["one_hot"](target, classes, 1, 0, -1, input.dtype)
    own = _F["sum"](hot * input, -1, True)
    over = _F["relu"](float(margin) - own + input)
    over = over if p == 1 else over * over
    if weight is not None:
        over = over * _F["sum"](hot * weight, -1, True)
    return _reduced(_F["sum"](over * (1.0 - hot), -1, False) / float(classes), reduction, "multi_margin_loss")


def multilabel_margin_loss(input, target, reduction="mean"):
    """The margin of 1 by which each target class should be above each other; targets end at the first -1."""
    _same_shapes("multilabel_margin_loss", input, target, ("input", "target"))
    x, y = (input.reshape((1, -1)), target.reshape((1, -1))) if input.ndim == 1 else (input, target)
    classes = x.shape[1]
    counted = _F["cumprod"]((y >= 0).astype(_fusescope.Int32), 1).astype(x.dtype)
    hot = _F["one_hot"](_F["maximum"](y, 0), classes, 1, 0, -1, x.dtype) * counted.reshape(counted.shape + (1,))
    wanted = _F["minimum"](_F["sum"](hot, 1, False), 1.0)
    own = _F["sum"](hot * x.reshape((-1, 1, classes)), -1, True)
    over = _F["relu"](1.0 - own + x.reshape((-1, 1, classes))) * counted.reshape(counted.shape + (1,))
    loss = _F["sum"](over * (1.0 - wanted).reshape((-1, 1, classes)), (1, 2), False) / float(classes)
    return _reduced(loss if input.ndim > 1 else loss.reshape(()), reduction, "multilabel_margin_loss")


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """max(0, distance to the positive - distance to the negative + margin)."""
    _same_shapes("triplet_margin_loss", anchor, positive, ("anchor", "positive"))
    _same_shapes("triplet_margin_loss", anchor, negative, ("anchor", "negative"))
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = _F["minimum"](far, pairwise_distance(positive, negative, p, eps))
    return _reduced(_F["relu"](near - far + margin), reduction, "triplet_margin_loss")


def gaussian_nll_loss(x, target, var, full=False, eps=1e-6, reduction="mean"):
    """Negative log-likelihood of a normal distribution with mean x and variance var, which counts as at least eps."""
    if eps <= 0:
        raise ValueError(f"gaussian_nll_loss: `eps` must be above 0, but it is {eps}")
    if not isinstance(var, Tensor):
        var = Tensor(float(var), x.dtype)
    if var.ndim == x.ndim - 1 and var.shape == x.shape[:-1] and var.ndim:
        var = var.reshape(var.shape + (1,))
    # The bound itself has no gradient: below it the variance counts as a constant's copy of itself.
    bounded = var + _F["stop_gradient"](_F["maximum"](var, eps) - var)
    loss = 0.5 * (_F["log"](bounded) + _F["square"](x - target) / bounded)
    return _reduced(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction, "gaussian_nll_loss")


def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    """Negative log-likelihood of a Poisson distribution whose rate is exp(input), or input itself."""
    if eps <= 0:
        raise ValueError(f"poisson_nll_loss: `eps` must be above 0, but it is {eps}")
    loss = _F["exp"](input) - target * input if log_input else input - target * _F["log"](input + eps)
    if full:
        above = _F["maximum"](target, 1.0)
        stirling = target * _F["log"](above) - target + 0.5 * _F["log"](2 * math.pi * above)
        loss = loss + _F["where"](target > 1, stirling, stirling * 0.0)
    return _reduced(loss, reduction, "poisson_nll_loss")


def huber_loss(input, target, reduction="mean", delta=1.0):
    """Half the square within delta of zero, delta · (|d| - delta/2) farther away."""
    d = _F["abs"](input - target)
    loss = _F["where"](d <= delta, 0.5 * d * d, delta * (d - 0.5 * delta))
    return _reduced(loss, reduction, "huber_loss")
