"""A Cell's own bprop is the gradient, whatever its construct does: plain, nested, several outputs, twice, in jit."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops


class Straight(nn.Cell):
    """Rounds; its gradient passes as if it did not (a straight-through estimator)."""

    def construct(self, x):
        return ops.round(x)

    def bprop(self, x, out, dout):
        return (dout,)


class Reversal(nn.Cell):
    def __init__(self, strength):
        super().__init__()
        self.strength = strength

    def construct(self, x):
        return x

    def bprop(self, x, out, dout):
        return (-self.strength * dout,)


class Product(nn.Cell):
    """Two outputs of two inputs, and a gradient that is marked so that it can be told from the true one."""

    def construct(self, x, y):
        return x * y, x + y

    def bprop(self, x, y, out, dout):
        return dout[0] * y * 10.0 + dout[1], dout[0] * x * 100.0 + dout[1]


class OneInput(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return dout * y, ops.zeros_like(y)


class Cube(nn.Cell):
    def construct(self, x):
        return ops.stop_gradient(x * x * x)

    def bprop(self, x, out, dout):
        return (3.0 * x * x * dout,)


class WrongShape(nn.Cell):
    def construct(self, x):
        return x.sum()

    def bprop(self, x, out, dout):
        return (dout,)


class TooFew(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return (dout * y,)


def same(got, expected):
    # Sums that cancel are zero or a rounding away from it, by the order in which each side adds.
    np.testing.assert_allclose(got.asnumpy(), np.asarray(expected), rtol=1e-5, atol=1e-6)


x = Tensor([0.4, 1.6, -2.3], ms.float32)
y = Tensor([2.0, 3.0, 4.0], ms.float32)
straight, product, cube = Straight(), Product(), Cube()


def everything(wrap):
    """`wrap` compiles functions, or leaves them."""
    same(ms.grad(wrap(lambda x: (straight(x) * y).sum()))(x), y.asnumpy())
    same(ms.grad(wrap(lambda x: Reversal(0.5)(x * x).sum()))(x), -x.asnumpy())

    def both(x, y):
        first, second = product(x, y)
        return (first * 2.0 + second).sum()

    gx, gy = ms.grad(wrap(both), (0, 1))(x, y)
    same(gx, 20.0 * y.asnumpy() + 1.0)
    same(gy, 200.0 * x.asnumpy() + 1.0)
    # An output that nobody used has a gradient of zeros.
    same(ms.grad(wrap(lambda x: product(x, y)[1].sum()))(x), np.ones(3))
    gx, gy = ms.grad(wrap(lambda x, y: OneInput()(x, y).sum()), (0, 1))(x, y)
    same(gx, y.asnumpy())
    same(gy, np.zeros(3))
    # The value is construct's, with and without a tape.
    value, _ = ms.value_and_grad(wrap(lambda x: straight(x).sum()))(x)
    same(value, np.round(x.asnumpy()).sum())
    same(straight(x), np.round(x.asnumpy()))


everything(lambda f: f)
everything(ms.jit)

# The gradient's own gradient goes through bprop.
same(ms.grad(lambda x: ms.grad(lambda x: cube(x).sum())(x).sum())(x), 6.0 * x.asnumpy())

# Inside a network that trains: what comes before and after keeps its gradient.
ms.set_seed(1)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.middle, self.last = nn.Dense(3, 4), Straight(), nn.Dense(4, 1)

    def construct(self, x):
        return self.last(self.middle(self.first(x) * 5.0))


net = Net()
data = Tensor(np.linspace(-1.0, 1.0, 6).reshape(2, 3), ms.float32)
_, grads = ms.value_and_grad(lambda data: net(data).sum(), None, net.trainable_params())(data)
middle = net.last.weight.asnumpy().repeat(2, 0) * 5.0
same(grads[0], middle.T @ data.asnumpy())
same(grads[1], middle.sum(0))


@ms.jit
def step(data):
    loss, grads = ms.value_and_grad(lambda data: net(data).sum(), None, net.trainable_params())(data)
    return grads[0]


for _ in range(3):
    same(step(data), middle.T @ data.asnumpy())

# What a bprop gives is checked.
for cell, arguments, error, words in ((WrongShape(), (x,), ValueError, "input 0 has shape ()"),
                                      (TooFew(), (x, y), TypeError, "each of the 2 inputs")):
    try:
        ms.grad(lambda *a: cell(*a).sum())(*arguments)
    except error as e:
        assert words in str(e) and type(cell).__name__ in str(e), e
    else:
        raise AssertionError(type(cell).__name__)
