"""Activations as Cells, as functions and by name, against numpy. Run in eager and graph mode."""
import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Tensor, nn, ops


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def glu(x, axis=-1):
    a, b = np.split(x, 2, axis)
    return a * sigmoid(b)


SELU = (1.0507009873554805, 1.6732632423543772)
# name of get_activation (or None), Cell, function (or None), reference
TABLE = [
    ("relu", nn.ReLU(), ops.relu, lambda x: np.maximum(x, 0)), ("relu6", nn.ReLU6(), ops.relu6, lambda x: np.clip(x, 0, 6)),
    ("sigmoid", nn.Sigmoid(), ops.sigmoid, sigmoid), ("tanh", nn.Tanh(), ops.tanh, np.tanh),
    ("gelu", nn.GELU(), lambda x: ops.gelu(x, approximate="tanh"), gelu), ("silu", nn.SiLU(), ops.silu, lambda x: x * sigmoid(x)),
    ("fast_gelu", nn.FastGelu(), ops.fast_gelu, lambda x: x / (1 + np.exp(-1.702 * abs(x))) * np.exp(0.851 * (x - abs(x)))),
    ("elu", nn.ELU(), ops.elu, elu), ("celu", nn.CELU(), ops.celu, elu),
    (None, nn.CELU(2.0), lambda x: ops.celu(x, 2.0), lambda x: np.maximum(x, 0) + np.minimum(2 * np.expm1(x / 2), 0)),
    (None, nn.CELU(-2.0), lambda x: ops.celu(x, -2.0), lambda x: np.maximum(x, 0) + np.minimum(-2 * np.expm1(x / -2), 0)),
    ("selu", nn.SeLU(), ops.selu, lambda x: SELU[0] * elu(x, SELU[1])),
    ("softmax", nn.Softmax(), ops.softmax, lambda x: softmax(x, -1)), ("softmin", nn.Softmin(), ops.softmin, lambda x: softmax(-x, -1)),
    (None, nn.Softmin(1), lambda x: ops.softmin(x, 1), lambda x: softmax(-x, 1)),
    ("softmax2d", nn.Softmax2d(), None, lambda x: softmax(x, -3)), ("logsoftmax", nn.LogSoftmax(), ops.log_softmax, lambda x: np.log(softmax(x, -1))),
    ("softshrink", nn.SoftShrink(), ops.softshrink, lambda x: np.where(abs(x) > 0.5, x - 0.5 * np.sign(x), 0)),
    (None, nn.SoftShrink(0.3), lambda x: ops.softshrink(x, 0.3), lambda x: np.where(abs(x) > 0.3, x - 0.3 * np.sign(x), 0)),
    ("hshrink", nn.HShrink(), ops.hardshrink, lambda x: np.where(abs(x) > 0.5, x, 0)), ("tanhshrink", nn.Tanhshrink(), ops.tanhshrink, lambda x: x - np.tanh(x)),
    (None, nn.Threshold(0.3, -1.5), lambda x: ops.threshold(x, 0.3, -1.5), lambda x: np.where(x > 0.3, x, -1.5)),
    ("logsigmoid", nn.LogSigmoid(), ops.logsigmoid, lambda x: np.log(sigmoid(x))), ("softsign", nn.Softsign(), ops.softsign, lambda x: x / (1 + abs(x))),
    ("glu", nn.GLU(), ops.glu, glu), (None, nn.GLU(1), lambda x: ops.glu(x, 1), lambda x: glu(x, 1)),
    ("hardtanh", nn.Hardtanh(), ops.hardtanh, lambda x: np.clip(x, -1, 1)),
    (None, nn.Hardtanh(-0.2, 0.7), lambda x: ops.hardtanh(x, -0.2, 0.7), lambda x: np.clip(x, -0.2, 0.7)),
    ("leakyrelu", nn.LeakyReLU(), lambda x: ops.leaky_relu(x, 0.2), lambda x: np.where(x > 0, x, 0.2 * x)),
    ("hswish", nn.HSwish(), ops.hardswish, lambda x: x * np.clip(x + 3, 0, 6) / 6), ("hsigmoid", nn.HSigmoid(), ops.hardsigmoid, lambda x: np.clip(x + 3, 0, 6) / 6),
    ("mish", nn.Mish(), ops.mish, lambda x: x * np.tanh(np.log1p(np.exp(x)))), ("softplus", nn.Softplus(), ops.softplus, lambda x: np.log1p(np.exp(x))),
    (None, lambda x: ops.crelu(x), None, lambda x: np.concatenate([np.maximum(x, 0), np.maximum(-x, 0)], 1)),
]
for name, cell, function, reference in TABLE:
    x = draw(2, 4, 3, 6) * np.float32(1.5)
    title = name or repr(cell)
    alike(f"{title} as a Cell", cell, reference, [x])
    if function:
        alike(f"{title} as a function", function, reference, [x])
    if name:
        made = nn.get_activation(name)
        assert type(made) is type(cell), name
        same(f"{name} by name", lambda: made(Tensor(x)), reference(x.astype(np.float64)), 1e-4)
        same(f"Dense with {name}", lambda: nn.Dense(6, 4, "ones", "zeros", activation=name)(Tensor(x)).shape,
             reference(np.zeros((2, 4, 3, 4))).shape)

for channels, w in ((4, draw(4)), (1, draw(1))):
    alike(f"prelu of {channels}", ops.prelu, lambda x, w: np.where(x > 0, x, x * (w.reshape(1, -1, 1) if w.size > 1 else w)), [draw(2, 4, 3), w])
net = nn.PReLU(4)
alike("PReLU", net, lambda x, w: np.where(x > 0, x, x * w.reshape(1, -1, 1, 1)), [draw(2, 4, 3, 3)], net.trainable_params())

# Drawn slopes and noise ------------------------------------------------------------------------------------------
x = draw(50, 40)
for f in (nn.RReLU(0.2, 0.4), lambda x: ops.rrelu(x, 0.2, 0.4)):
    y = f(Tensor(x)).asnumpy()
    slopes = (y / x)[x < 0]
    assert (y[x >= 0] == x[x >= 0]).all() and slopes.min() >= 0.199 and slopes.max() <= 0.401 and slopes.std() > 0.04
    g = ms.grad(lambda x: f(x).sum())(Tensor(x)).asnumpy()
    assert (g[x >= 0] == 1).all() and (g[x < 0] >= 0.199).all() and (g[x < 0] <= 0.401).all()
soft, hard = ops.gumbel_softmax(Tensor(x), 0.5).asnumpy(), ops.gumbel_softmax(Tensor(x), 0.5, True).asnumpy()
assert np.allclose(soft.sum(-1), 1, atol=1e-5) and np.allclose(np.sort(hard, -1)[:, :-1], 0, atol=1e-6) and np.allclose(hard.sum(-1), 1)

# Mistakes --------------------------------------------------------------------------------------------------------
refuses("celu", ValueError, lambda: ops.celu(Tensor(x), 0), "alpha")
refuses("CELU", ValueError, lambda: nn.CELU(0.0), "CELU", "alpha")
refuses("glu", ValueError, lambda: ops.glu(Tensor(draw(2, 3))), "glu", "even", "(2, 3)")
refuses("prelu", ValueError, lambda: ops.prelu(Tensor(draw(2, 3)), Tensor(draw(2))), "prelu", "3 channels")
refuses("Softmax2d", ValueError, lambda: nn.Softmax2d()(Tensor(draw(2, 3))), "Softmax2d", "(2, 3)")
refuses("RReLU", ValueError, lambda: nn.RReLU(0.5, 0.2), "RReLU", "lower")
refuses("Hardtanh", ValueError, lambda: nn.Hardtanh(1.0, -1.0), "Hardtanh", "min_val")
refuses("Threshold", TypeError, lambda: nn.Threshold("a", 1.0), "Threshold", "number")
refuses("get_activation", KeyError, lambda: nn.get_activation("sine"), "sine", "softshrink")
finish(125)
