"""Losses as Cells and as functions, with their reductions, against numpy. Run in eager and graph mode."""
import itertools
import math

import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Tensor, nn, ops


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cosine(a, b):
    return (a * b).sum(-1) / np.sqrt((a * a).sum(-1) * (b * b).sum(-1))


def distance(a, b, p=2, eps=1e-6):
    return (np.abs(a - b + eps) ** p).sum(-1) ** (1 / p)


def cosine_embedding(a, b, y, margin=0.0):
    return np.where(y == 1, 1 - cosine(a, b), np.maximum(0, cosine(a, b) - margin))


def multi_margin(x, y, p=1, margin=1.0, w=None):
    loss = np.zeros(len(x))
    for n in range(len(x)):
        for i in range(x.shape[1]):
            if i != y[n]:
                loss[n] += (1 if w is None else w[y[n]]) * max(0, margin - x[n, y[n]] + x[n, i]) ** p
    return loss / x.shape[1]


def multilabel_margin(x, y):
    loss = np.zeros(len(x))
    for n in range(len(x)):
        wanted = list(itertools.takewhile(lambda c: c >= 0, y[n]))
        loss[n] = sum(max(0, 1 - x[n, j] + x[n, i]) for j in wanted for i in range(x.shape[1]) if i not in wanted)
    return loss / x.shape[1]


def triplet(a, p, n, margin=1.0, power=2, swap=False):
    far = distance(a, n, power)
    far = np.minimum(far, distance(p, n, power)) if swap else far
    return np.maximum(0, distance(a, p, power) - far + margin)


def poisson(x, t, log_input=True, full=False, eps=1e-8):
    loss = np.exp(x) - t * x if log_input else x - t * np.log(x + eps)
    safe = np.maximum(t, 1)
    return loss + np.where(t > 1, t * np.log(safe) - t + 0.5 * np.log(2 * np.pi * safe), 0) * full


def gaussian(x, t, v, full=False, eps=1e-6):
    return 0.5 * (np.log(np.maximum(v, eps)) + (x - t) ** 2 / np.maximum(v, eps)) + (0.5 * math.log(2 * math.pi) if full else 0)


SIGNS, LABELS = np.array([1, -1, 1, -1, 1], np.float32), np.array([[1, 3, -1, 0], [0, -1, 2, 2], [2, 0, 1, -1], [-1, 0, 1, 2], [3, 2, 1, 0]], np.int32)
CLASSES, BITS, W = np.array([0, 3, 1, 2, 3], np.int32), (draw(5, 4) > 0).astype(np.float32), np.abs(draw(4))
ROWS, MORE, THIRD = draw(5, 4), draw(5, 4), draw(5, 4)
PROBABLE = np.abs(draw(5, 4)) / 4
COUNTS = np.floor(np.abs(draw(5, 4)) * 2)
# name: (Cell with its options, function, reference, inputs with gradients, fixed inputs)
TABLE = {
    "KLDivLoss": (nn.KLDivLoss, {}, ops.kl_div, lambda x, t: t * (np.log(t) - x), [ROWS, PROBABLE], []),
    "CosineEmbeddingLoss": (nn.CosineEmbeddingLoss, {"margin": 0.1}, ops.cosine_embedding_loss, lambda a, b, y: cosine_embedding(a, b, y, 0.1), [ROWS, MORE], [SIGNS]),
    "HingeEmbeddingLoss": (nn.HingeEmbeddingLoss, {"margin": 0.7}, ops.hinge_embedding_loss, lambda x, y: np.where(y == 1, x, np.maximum(0, 0.7 - x)), [ROWS], [np.tile(SIGNS[:4], (5, 1))]),
    "MarginRankingLoss": (nn.MarginRankingLoss, {"margin": 0.3}, ops.margin_ranking_loss, lambda a, b, y: np.maximum(0, -y * (a - b) + 0.3), [draw(5), draw(5)], [SIGNS]),
    "SoftMarginLoss": (nn.SoftMarginLoss, {}, ops.soft_margin_loss, lambda x, y: np.log1p(np.exp(-y * x)), [ROWS], [np.tile(SIGNS[:4], (5, 1))]),
    "MultiLabelSoftMarginLoss": (nn.MultiLabelSoftMarginLoss, {"weight": W}, ops.multilabel_soft_margin_loss,
                                 lambda x, y: -(W * (y * np.log(sigmoid(x)) + (1 - y) * np.log(sigmoid(-x)))).mean(-1), [ROWS], [BITS]),
    "MultilabelMarginLoss": (nn.MultilabelMarginLoss, {}, ops.multilabel_margin_loss, multilabel_margin, [ROWS], [LABELS]),
    "MultiMarginLoss": (nn.MultiMarginLoss, {"margin": 0.8}, ops.multi_margin_loss, lambda x, y: multi_margin(x, y, 1, 0.8), [ROWS], [CLASSES]),
    "MultiMarginLoss of squares": (nn.MultiMarginLoss, {"p": 2, "weight": W}, ops.multi_margin_loss, lambda x, y: multi_margin(x, y, 2, 1.0, W), [ROWS], [CLASSES]),
    "TripletMarginLoss": (nn.TripletMarginLoss, {"margin": 0.5}, ops.triplet_margin_loss, lambda a, b, c: triplet(a, b, c, 0.5), [ROWS, MORE, THIRD], []),
    "TripletMarginLoss swapped": (nn.TripletMarginLoss, {"swap": True, "p": 3}, ops.triplet_margin_loss, lambda a, b, c: triplet(a, b, c, 1.0, 3, True), [ROWS, MORE, THIRD], []),
    "GaussianNLLLoss": (nn.GaussianNLLLoss, {}, ops.gaussian_nll_loss, gaussian, [ROWS, MORE, np.abs(THIRD) + np.float32(0.1)], []),
    "GaussianNLLLoss full": (nn.GaussianNLLLoss, {"full": True}, ops.gaussian_nll_loss, lambda x, t, v: gaussian(x, t, v, True), [ROWS, MORE, np.abs(THIRD) + np.float32(0.1)], []),
    "PoissonNLLLoss": (nn.PoissonNLLLoss, {}, ops.poisson_nll_loss, poisson, [ROWS], [COUNTS]),
    "PoissonNLLLoss full": (nn.PoissonNLLLoss, {"log_input": False, "full": True}, ops.poisson_nll_loss, lambda x, t: poisson(x, t, False, True), [np.abs(ROWS) + np.float32(0.1)], [COUNTS]),
    "HuberLoss": (nn.HuberLoss, {"delta": 0.6}, ops.huber_loss, lambda x, t: np.where(abs(x - t) <= 0.6, 0.5 * (x - t) ** 2, 0.6 * (abs(x - t) - 0.3)), [ROWS, MORE], []),
}
REDUCE = {"mean": np.mean, "sum": np.sum, "none": lambda x: x}
for name, (cell, options, function, reference, inputs, fixed) in TABLE.items():
    given = {k: Tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
    for reduction, reduce in REDUCE.items():
        alike(f"{name} {reduction}", cell(**given, reduction=reduction), lambda *a: reduce(reference(*a)), inputs, fixed=fixed)
        alike(f"{name} {reduction} as a function", lambda *a: function(*a, **given, reduction=reduction), lambda *a: reduce(reference(*a)), inputs,
              fixed=fixed)
alike("kl_div batchmean", lambda x, t: nn.KLDivLoss("batchmean")(x, t), lambda x, t: (t * (np.log(t) - x)).sum() / 5, [ROWS, PROBABLE])
same("kl_div of zeros", lambda: ops.kl_div(Tensor(ROWS), Tensor(np.zeros((5, 4), np.float32))), 0.0)
alike("cosine_similarity", lambda a, b: ops.cosine_similarity(a, b, 1), cosine, [ROWS, MORE])
for p in (1, 2, 3):
    alike(f"pairwise_distance {p}", lambda a, b: ops.pairwise_distance(a, b, p), lambda a, b: distance(a, b, p), [ROWS, MORE])
alike("gaussian_nll_loss of a small variance", lambda x, t: ops.gaussian_nll_loss(x, t, Tensor(np.zeros(5, np.float32)), eps=0.5),
      lambda x, t: gaussian(x, t, 0.5).mean(), [ROWS, MORE])
alike("DiceLoss", nn.DiceLoss(), lambda x, y: 1 - (2 * (x * y).sum() + 1e-5) / ((x * x).sum() + (y * y).sum() + 1e-5), [sigmoid(ROWS)], fixed=[BITS])
classes, both = draw(2, 3, 4, 5), (draw(2, 3, 4, 5) > 0).astype(np.float32)
dice = lambda x, y: 1 - (2 * (x * y).sum() + 1e-5) / ((x * x).sum() + (y * y).sum() + 1e-5)
alike("MultiClassDiceLoss", nn.MultiClassDiceLoss(Tensor(np.array([1.0, 2.0, 0.5], np.float32)), 1, "sigmoid"),
      lambda x, y: (dice(sigmoid(x[:, 0]), y[:, 0]) + 0.5 * dice(sigmoid(x[:, 2]), y[:, 2])) / 3, [classes], fixed=[both])


def log_softmax(x, axis):
    s = x - x.max(axis, keepdims=True)
    return s - np.log(np.exp(s).sum(axis, keepdims=True))


def focal(x, y, w=None, gamma=2.0):
    """Class numbers (N, 1, P); the mean over places of each sample."""
    logs, loss = log_softmax(x, 1), np.zeros((x.shape[0], x.shape[2]))
    for n, p in itertools.product(range(x.shape[0]), range(x.shape[2])):
        c = int(y[n, 0, p])
        loss[n, p] = -(1 if w is None else w[c]) * (1 - np.exp(logs[n, c, p])) ** gamma * logs[n, c, p]
    return loss.mean(-1)


x, y = draw(3, 4, 5), np.random.default_rng(1).integers(0, 4, (3, 1, 5)).astype(np.int32)
alike("FocalLoss", nn.FocalLoss(), lambda x, y: focal(x, y).mean(), [x], fixed=[y])
alike("FocalLoss with weights", nn.FocalLoss(Tensor(W), 1.5, "none"), lambda x, y: focal(x, y, W, 1.5), [x], fixed=[y])
hot = np.eye(4, dtype=np.float32)[y[:, 0]].swapaxes(1, 2)
alike("FocalLoss of one-hot labels", nn.FocalLoss(None, 2.0, "none"),
      lambda x, h: (-h * (1 - np.exp(log_softmax(x, 1))) ** 2 * log_softmax(x, 1)).mean(-1), [x], fixed=[hot])


# Connectionist temporal classification: the sum over all paths, one by one ----------------------------------------
def ctc(logs, labels, blank):
    """Of one sample: every path of classes whose repeats and blanks fall away to the labels."""
    total = 0.0
    for path in itertools.product(range(logs.shape[1]), repeat=logs.shape[0]):
        kept = [c for c, _ in itertools.groupby(path) if c != blank]
        if kept == list(labels):
            total += math.exp(sum(logs[t, c] for t, c in enumerate(path)))
    return -math.log(total) if total else math.inf


targets, steps, lengths = np.array([[1, 2], [1, 1], [2, 0]], np.int32), np.array([4, 4, 3], np.int32), np.array([2, 2, 1], np.int32)


def each(x, blank=0):
    logs = log_softmax(x, -1)
    return np.array([ctc(logs[:s, n], targets[n][:k], blank) for n, (s, k) in enumerate(zip(steps, lengths))])


x = draw(4, 3, 3)
arguments = (Tensor(targets), Tensor(steps), Tensor(lengths))
for reduction, reduce in {"none": lambda v: v, "sum": np.sum, "mean": lambda v: (v / lengths).mean()}.items():
    alike(f"CTCLoss {reduction}", lambda x: nn.CTCLoss(reduction=reduction)(ops.log_softmax(x, -1), *arguments), lambda x: reduce(each(x)), [x])
short = (Tensor(targets), Tensor(np.array([1, 2, 3], np.int32)), Tensor(lengths))
same("CTCLoss of too few steps", lambda: nn.CTCLoss(reduction="none", zero_infinity=True)(ops.log_softmax(Tensor(x), -1), *short)[:2], np.zeros(2))
same("infinite CTCLoss", lambda: nn.CTCLoss(reduction="none")(ops.log_softmax(Tensor(x), -1), *short)[:2], np.full(2, math.inf))
g = ms.grad(lambda x: nn.CTCLoss(zero_infinity=True)(ops.log_softmax(x, -1), *short))(Tensor(x)).asnumpy()
assert np.isfinite(g).all() and (g[:, :2] == 0).all() and (g[:, 2] != 0).any()

# Mistakes --------------------------------------------------------------------------------------------------------
a, b = Tensor(ROWS), Tensor(draw(5, 3))
refuses("reduction", ValueError, lambda: nn.SoftMarginLoss("avg"), "reduction", "avg")
refuses("shapes", ValueError, lambda: ops.kl_div(a, b), "kl_div", "(5, 4)", "(5, 3)")
refuses("margin", ValueError, lambda: nn.CosineEmbeddingLoss(2.0), "margin", "[-1, 1]")
refuses("p", ValueError, lambda: nn.MultiMarginLoss(3), "`p`", "3")
refuses("targets", ValueError, lambda: ops.multi_margin_loss(a, a), "target", "(batch,)")
refuses("eps", ValueError, lambda: nn.GaussianNLLLoss(eps=0), "eps")
refuses("gamma", ValueError, lambda: nn.FocalLoss(gamma=-1), "gamma")
refuses("labels", ValueError, lambda: nn.FocalLoss()(a, b), "FocalLoss", "(5, 3)")
refuses("smooth", ValueError, lambda: nn.DiceLoss(0), "smooth")
refuses("steps", ValueError, lambda: ops.ctc_loss(a, a, [1], [1]), "ctc_loss", "(steps, batch, classes)")
refuses("blank", ValueError, lambda: ops.ctc_loss(Tensor(x), arguments[0], [1], [1], 7), "blank", "7")
finish(120)
