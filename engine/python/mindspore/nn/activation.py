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


def _number(name, value, cell):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{cell}: `{name}` must be a number, but it is {type(value).__name__}")
    return value


class CELU(Cell):
    """max(x, 0) + min(alpha·(exp(x/alpha) - 1), 0)."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = _number("alpha", alpha, "CELU")
        if alpha == 0:
            raise ValueError("CELU: `alpha` must not be 0")

    def construct(self, x):
        return ops.celu(x, self.alpha)


class SeLU(Cell):
    """Scaled exponential linear unit."""

    def construct(self, x):
        return _F["selu"](x)


class Softmin(Softmax):
    """Exponentials of the negatives that sum to 1 along the axis."""

    def construct(self, x):
        return ops.softmin(x, self.axis)


class Softmax2d(Cell):
    """Softmax over the channels of ([N,] C, H, W)."""

    def construct(self, x):
        if x.ndim not in (3, 4):
            raise ValueError(f"Softmax2d: the input must be ([batch,] channels, height, width), "
                             f"but its shape is {x.shape}")
        return ops.softmax(x, -3)


class SoftShrink(Cell):
    """Each element moved toward zero by lambd, zero within it."""

    row = "softshrink"

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = _number("lambd", lambd, type(self).__name__)

    def construct(self, x):
        return _F[self.row](x, self.lambd)


class HShrink(SoftShrink):
    """Zero within lambd of zero, the element itself elsewhere."""

    row = "hardshrink"


class Tanhshrink(Cell):
    """x - tanh(x)."""

    def construct(self, x):
        return ops.tanhshrink(x)


class Threshold(Cell):
    """Elements above the threshold as they are, `value` for all others."""

    def __init__(self, threshold, value):
        super().__init__()
        self.threshold = _number("threshold", threshold, "Threshold")
        self.value = _number("value", value, "Threshold")

    def construct(self, x):
        return _F["threshold"](x, self.threshold, self.value)


class LogSigmoid(Cell):
    """Logarithm of the sigmoid."""

    def construct(self, x):
        return _F["logsigmoid"](x)


class Softsign(Cell):
    """x / (1 + |x|)."""

    def construct(self, x):
        return _F["softsign"](x)


class GLU(Cell):
    """The first half along an axis times the sigmoid of the second."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        return ops.glu(x, self.axis)


class RReLU(Cell):
    """x where positive, elsewhere times a slope drawn between the bounds for each element."""

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3):
        super().__init__()
        self.lower, self.upper = _number("lower", lower, "RReLU"), _number("upper", upper, "RReLU")
        if not 0 <= lower <= upper <= 1:
            raise ValueError(f"RReLU: 0 ≤ lower ≤ upper ≤ 1 is wanted, but `lower` is {lower} and `upper` {upper}")

    def construct(self, x):
        return ops.rrelu(x, self.lower, self.upper)


class FastGelu(Cell):
    """x · sigmoid(1.702 x), close to GELU."""

    def construct(self, x):
        return ops.fast_gelu(x)


class Hardtanh(Cell):
    """Each element held between min_val and max_val."""

    def __init__(self, min_val=-1.0, max_val=1.0):
        super().__init__()
        self.min_val, self.max_val = _number("min_val", min_val, "Hardtanh"), _number("max_val", max_val, "Hardtanh")
        if min_val >= max_val:
            raise ValueError(f"Hardtanh: `min_val` {min_val} must be below `max_val` {max_val}")

    def construct(self, x):
        return _F["hardtanh"](x, self.min_val, self.max_val)
