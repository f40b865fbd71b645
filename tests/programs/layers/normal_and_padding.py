"""Normalisation, dropout of channels, padding and small layers, against numpy. Run in eager and graph mode."""
import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Tensor, nn, ops


def normed(x, over, gamma, beta, eps):
    shape = (1, -1) + (1,) * (x.ndim - 2)
    d = x - x.mean(over, keepdims=True)
    return d / np.sqrt((d * d).mean(over, keepdims=True) + eps) * gamma.reshape(shape) + beta.reshape(shape)


SHAPES = {1: (4, 3, 6), 2: (4, 3, 5, 4), 3: (2, 3, 4, 3, 2)}
for axes, shape in SHAPES.items():
    cell = getattr(nn, f"InstanceNorm{axes}d")(3, eps=1e-3)
    for p in cell.trainable_params():
        p.set_data(Tensor(draw(3)))
    for train in (True, False):
        cell.set_train(train)
        alike(f"InstanceNorm{axes}d train={train}", cell, lambda x, g, b: normed(x, tuple(range(2, x.ndim)), g, b, 1e-3),
              [draw(*shape)], cell.trainable_params(), tolerance=5e-4)
    assert not getattr(nn, f"InstanceNorm{axes}d")(3, affine=False).trainable_params()

for name, shape in (("BatchNorm1d", (6, 3)), ("BatchNorm1d", SHAPES[1]), ("BatchNorm2d", SHAPES[2]), ("BatchNorm3d", SHAPES[3]),
                    ("SyncBatchNorm", (6, 3)), ("SyncBatchNorm", SHAPES[2]), ("SyncBatchNorm", SHAPES[3])):
    cell = getattr(nn, name)(3, eps=1e-3, momentum=0.8).set_train()
    for p in cell.trainable_params():
        p.set_data(Tensor(draw(3)))
    x = draw(*shape)
    over = tuple(a for a in range(x.ndim) if a != 1)
    alike(f"{name} {shape}", cell, lambda x, g, b: normed(x, over, g, b, 1e-3), [x], cell.trainable_params(), tolerance=5e-4)
    fresh = getattr(nn, name)(3, momentum=0.8).set_train()
    fresh(Tensor(x))
    same(f"{name} {shape} mean", lambda: fresh.moving_mean, 0.2 * x.mean(over), 1e-4)
    same(f"{name} {shape} variance", lambda: fresh.moving_variance, 0.8 + 0.2 * x.var(over), 1e-4)

for radius in (1, 2):

    def reference(x):
        total = np.zeros_like(x)
        for c in range(x.shape[1]):
            total[:, c] = (x[:, max(0, c - radius):c + radius + 1] ** 2).sum(1)
        return x / (1.5 + 0.3 * total) ** 0.75

    alike(f"LRN {radius}", nn.LRN(radius, 1.5, 0.3, 0.75), reference, [draw(2, 5, 3, 2)])

# Dropout of whole channels ---------------------------------------------------------------------------------------
for axes, shape in SHAPES.items():
    cell = getattr(nn, f"Dropout{axes}d")(0.5)
    x = Tensor(np.ones((8, 16) + shape[2:], np.float32))
    same(f"Dropout{axes}d in evaluation", lambda: cell(x), x.asnumpy())
    cell.set_train()
    y = cell(x).asnumpy().reshape(8 * 16, -1)
    assert (y == y[:, :1]).all() and set(np.unique(y)) == {0.0, 2.0}, f"Dropout{axes}d drops parts of channels"
    assert 30 < (y[:, 0] == 0).sum() < 98
    g = ms.grad(lambda x: cell(x).sum())(x).asnumpy()
    assert set(np.unique(g)) == {0.0, 2.0}
    alone = getattr(ops, f"dropout{axes}d")(x[0], 0.5).asnumpy().reshape(16, -1)
    assert (alone == alone[:, :1]).all()

# Padding ---------------------------------------------------------------------------------------------------------
NAMES = {"reflect": "reflect", "symmetric": "symmetric", "replicate": "edge", "circular": "wrap"}
for mode, name in NAMES.items():
    for padding in ((1, 2), (2, 0, 1, 3), (0, 1, 2, 2, 1, 0)):
        x = draw(2, 4, 4, 5)
        width = [(0, 0)] * (4 - len(padding) // 2) + [padding[i:i + 2] for i in range(0, len(padding), 2)][::-1]
        alike(f"pad {mode} {padding}", lambda x: ops.pad(x, padding, mode), lambda x: np.pad(x, width, name), [x])
for axes in (1, 2, 3):
    x, padding = draw(2, 2, *(4, 4, 5)[:axes]), (1, 2, 0, 3, 2, 1)[:2 * axes]
    width = [(0, 0)] * 2 + [padding[i:i + 2] for i in range(0, len(padding), 2)][::-1]
    for kind, name in (("Reflection", "reflect"), ("Replication", "edge")):
        alike(f"{kind}Pad{axes}d", getattr(nn, f"{kind}Pad{axes}d")(padding), lambda x: np.pad(x, width, name), [x])
        same(f"{kind}Pad{axes}d of an int", lambda: getattr(nn, f"{kind}Pad{axes}d")(1)(Tensor(x[0])),
             np.pad(x[0], [(0, 0)] + [(1, 1)] * axes, name))
    alike(f"ConstantPad{axes}d", getattr(nn, f"ConstantPad{axes}d")(padding, 1.5),
          lambda x: np.pad(x, width, constant_values=1.5), [x])
    same(f"ConstantPad{axes}d that takes away", lambda: getattr(nn, f"ConstantPad{axes}d")((-1, 2), 0.5)(Tensor(x)),
         np.pad(x[..., 1:], [(0, 0)] * (axes + 1) + [(0, 2)], constant_values=0.5))
alike("ZeroPad2d", nn.ZeroPad2d((1, 2, 0, 1)), lambda x: np.pad(x, [(0, 0), (0, 0), (0, 1), (1, 2)]), [draw(1, 2, 3, 4)])
for mode in ("CONSTANT", "REFLECT", "SYMMETRIC"):
    alike(f"Pad {mode}", nn.Pad(((0, 0), (1, 2), (2, 1)), mode), lambda x: np.pad(x, ((0, 0), (1, 2), (2, 1)), mode.lower()), [draw(2, 3, 4)])

# Small ones ------------------------------------------------------------------------------------------------------
for bias in (True, False):
    cell = nn.BiDense(3, 4, 5, has_bias=bias)
    alike(f"BiDense bias={bias}", cell, lambda a, b, w, c=0.0: np.einsum("nmi,oij,nmj->nmo", a, w, b) + c,
          [draw(2, 3, 3), draw(2, 3, 4)], cell.trainable_params())
alike("Unflatten", nn.Unflatten(1, (2, 3)), lambda x: x.reshape(2, 2, 3, 4), [draw(2, 6, 4)])
alike("Tril", lambda x: nn.Tril()(x, 1), lambda x: np.tril(x, 1), [draw(4, 4)])
alike("Triu", lambda x: nn.Triu()(x, -1), lambda x: np.triu(x, -1), [draw(4, 4)])
alike("ChannelShuffle", nn.ChannelShuffle(2), lambda x: x[:, [0, 3, 1, 4, 2, 5]], [draw(2, 6, 2, 2)])

# Mistakes --------------------------------------------------------------------------------------------------------
refuses("rank", ValueError, lambda: nn.BatchNorm3d(3)(Tensor(draw(2, 3, 4, 4))), "BatchNorm3d", "5 axes", "(2, 3, 4, 4)")
refuses("rank of 1d", ValueError, lambda: nn.BatchNorm1d(3)(Tensor(draw(2, 3, 4, 4))), "2 or 3 axes")
refuses("channels", ValueError, lambda: nn.InstanceNorm2d(3)(Tensor(draw(2, 4, 4, 4))), "InstanceNorm2d", "3")
refuses("eps", ValueError, lambda: nn.InstanceNorm2d(3, eps=0), "eps")
refuses("p", ValueError, lambda: nn.Dropout2d(1.5), "Dropout2d", "1.5")
refuses("rank of dropout", ValueError, lambda: ops.dropout2d(Tensor(draw(2, 3))), "dropout2d", "(2, 3)")
refuses("reflection", ValueError, lambda: nn.ReflectionPad1d(4)(Tensor(draw(1, 2, 4))), "reflect", "at most 3")
refuses("padding", ValueError, lambda: nn.ReplicationPad2d((1, 2)), "4 ints")
refuses("mode", ValueError, lambda: ops.pad(Tensor(draw(3)), (1, 1), "mirror"), "mode", "mirror")
refuses("pairs", TypeError, lambda: nn.Pad((1, 2)), "pairs")
refuses("axes", ValueError, lambda: nn.Pad(((1, 2),))(Tensor(draw(2, 3))), "1 pairs", "(2, 3)")
refuses("features", ValueError, lambda: nn.BiDense(3, 4, 5)(Tensor(draw(2, 3)), Tensor(draw(2, 3))), "input2", "4")
refuses("groups", ValueError, lambda: nn.ChannelShuffle(4)(Tensor(draw(2, 6, 2, 2))), "channels", "4")
finish(80)
