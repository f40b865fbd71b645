"""Activations as Cells."""
import _fusescope
from mindspore import ops
from mindspore.nn.cell import Cell

_F = _fusescope.functions


class ReLU(Cell):
    """max(x, 0)."""

    def construct(self, x):
        return _F["relu"](x)


class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""

    def construct(self, x):
        return ops.sigmoid(x)


class Tanh(Cell):
    """Hyperbolic tangent."""

    def construct(self, x):
        return ops.tanh(x)


class GELU(Cell):
    """Gaussian error linear unit; by the tanh formula unless approximate=False."""

    def __init__(self, approximate=True):
        super().__init__()
        self.approximate = approximate

    def construct(self, x):
        return ops.gelu(x, "tanh" if self.approximate else "none")


class Softmax(Cell):
    """Exponentials that sum to 1 along the axis."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        return ops.softmax(x, self.axis)

    def extend_repr(self):
        return f"axis={self.axis}"


class LogSoftmax(Softmax):
    """Logarithm of softmax."""

    def construct(self, x):
        return ops.log_softmax(x, self.axis)


class LeakyReLU(Cell):
    """x where positive, alpha·x elsewhere."""

    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        return _F["where"](x > 0, x, x * self.alpha)


class ELU(Cell):
    """x where positive, alpha·(exp(x) - 1) elsewhere."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        return _F["where"](x > 0, x, ops.expm1(ops.minimum(x, 0.0)) * self.alpha)


class SiLU(Cell):
    """x · sigmoid(x)."""

    def construct(self, x):
        return ops.silu(x)


class Mish(Cell):
    """x · tanh(softplus(x))."""

    def construct(self, x):
        return x * ops.tanh(_softplus(x))


class Softplus(Cell):
    """log(1 + exp(x)), without overflow."""

    def construct(self, x):
        return _softplus(x)


def _softplus(x):
    return ops.maximum(x, 0.0) + ops.log1p(ops.exp(-ops.abs(x)))


class ReLU6(Cell):
    """min(max(x, 0), 6)."""

    def construct(self, x):
        return ops.minimum(_F["relu"](x), 6.0)


class HSigmoid(Cell):
    """min(max(x + 3, 0), 6) / 6."""

    def construct(self, x):
        return ops.minimum(_F["relu"](x + 3.0), 6.0) / 6.0


class HSwish(Cell):
    """x · hsigmoid(x)."""

    def construct(self, x):
        return x * (ops.minimum(_F["relu"](x + 3.0), 6.0) / 6.0)


class PReLU(Cell):
    """x where positive, w·x elsewhere, with a learnt w per channel."""

    def __init__(self, channel=1, w=0.25):
        from mindspore.common.initializer import initializer
        from mindspore.common.parameter import Parameter

        super().__init__()
        self.w = Parameter(initializer(w, (channel,)), name="a")

    def construct(self, x):
        w = self.w if self.w.size == 1 else self.w.reshape((1, -1) + (1,) * (x.ndim - 2))
        return _F["where"](x > 0, x, x * w)
