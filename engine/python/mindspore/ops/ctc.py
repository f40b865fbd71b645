"""Connectionist temporal classification: the probability of a sequence of labels, whatever their alignment."""
import _fusescope
from mindspore.ops.composite import _reduced

Tensor = _fusescope.Tensor
_F = _fusescope.functions

# Stands for the logarithm of 0; finite, so that sums and gradients stay numbers.
_NEVER = -1e30


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """(losses, log-probabilities of all prefixes) of log_probs (T, N, C) and targets (N, S)."""
    loss, alphas = _losses(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)
    if reduction == "mean":
        loss = (loss / _F["maximum"](_lengths(target_lengths), 1).astype(loss.dtype)).mean()
    else:
        loss = _reduced(loss, reduction, "ctc_loss")
    return loss, alphas


def _lengths(value):
    return value if isinstance(value, Tensor) else Tensor(list(value) if isinstance(value, (tuple, list)) else [value])


def _losses(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
    if log_probs.ndim != 3:
        raise ValueError(f"ctc_loss: `log_probs` must be (steps, batch, classes), but its shape is {log_probs.shape}")
    steps, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise ValueError(f"ctc_loss: `blank` must be one of the {classes} classes, but it is {blank}")
    if targets.ndim == 1 and batch == 1:
        targets = targets.reshape((1, -1))
    if targets.ndim != 2 or targets.shape[0] != batch:
        raise ValueError(f"ctc_loss: `targets` must be (batch, labels) with a batch of {batch}, "
                         f"but its shape is {targets.shape}")
    input_lengths, target_lengths = (_lengths(v).astype(_fusescope.Int32).reshape((batch, 1))
                                     for v in (input_lengths, target_lengths))
    count = targets.shape[1]
    # A blank before, between and after the labels.
    targets = targets.astype(_fusescope.Int32)
    gaps = _F["full"]((batch, count), float(blank), _fusescope.Int32)
    last = _F["full"]((batch, 1), float(blank), _fusescope.Int32)
    places = _F["concat"]([_F["stack"]([gaps, targets], 2).reshape((batch, 2 * count)), last], 1)
    width = 2 * count + 1
    # A label may follow the one before the gap when it is another.
    before = _F["concat"]([_F["full"]((batch, 2), float(blank), _fusescope.Int32), places[:, :width - 2]], 1)
    skips = _F["logical_and"](places != blank, places != before)
    index = _F["broadcast_to"](places.reshape((1, batch, width)), (steps, batch, width))
    emitted = _F["unstack"](_fusescope.primitives["GatherD"](log_probs, index, 2), 0)
    at = _F["arange"](0, width, 1, _fusescope.Int32).reshape((1, width))
    never = _F["full"]((batch, width), _NEVER, log_probs.dtype)
    alpha = _F["where"](_F["logical_and"](at < 2, at < 2 * target_lengths + 1), emitted[0], never)
    alphas = [alpha]
    for t in range(1, steps):
        one = _F["concat"]([never[:, :1], alpha[:, :-1]], 1)
        two = _F["where"](skips, _F["concat"]([never[:, :2], alpha[:, :-2]], 1) if width > 2 else never, never)
        largest = _F["stop_gradient"](_F["maximum"](_F["maximum"](alpha, one), two))
        total = _F["exp"](alpha - largest) + _F["exp"](one - largest) + _F["exp"](two - largest)
        after = _F["maximum"](largest + _F["log"](total) + emitted[t], _NEVER)
        alpha = _F["where"](t < input_lengths, after, alpha)
        alphas.append(alpha)
    # It may end with the last label or with the blank after it.
    ends = _F["logical_or"](at == 2 * target_lengths, at == 2 * target_lengths - 1)
    loss = -_F["logsumexp"](_F["where"](ends, alpha, never), 1)
    impossible = loss > -_NEVER * 0.5
    instead = 0.0 if zero_infinity else float("inf")
    loss = _F["where"](impossible, _F["full"]((batch,), instead, loss.dtype), loss)
    return loss, _F["stack"](alphas, 0)
