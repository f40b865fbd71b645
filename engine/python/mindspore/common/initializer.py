"""Initializers: how a new Parameter's value is drawn."""
import math

import _fusescope
from mindspore.common import dtype as mstype

_F = _fusescope.functions


def _fans(shape):
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    field = 1
    for extent in shape[2:]:
        field *= extent
    return shape[1] * field, shape[0] * field


def _normal(shape, mean, sigma):
    return _F["normal"](tuple(shape), mean, sigma)


def _uniform(shape, low, high):
    return _F["uniform"](tuple(shape), low, high)


class Initializer:
    """Base of all initializers: a call gives a Float32 tensor of a shape."""

    def __init__(self, **kwargs):
        self._kwargs = kwargs
        self.shape = None
        self.dtype = None

    def make(self, shape):
        """A tensor of `shape`."""
        raise RuntimeError(f"{type(self).__name__} does not say how to make a value")

    def init_data(self, *_):
        """The value for the shape and dtype that initializer() was given."""
        return initializer(self, self.shape, self.dtype)


class Constant(Initializer):
    def __init__(self, value):
        super().__init__(value=value)
        self.value = value

    def make(self, shape):
        return _F["full"](tuple(shape), float(self.value))


class Zero(Constant):
    def __init__(self):
        super().__init__(0.0)


class One(Constant):
    def __init__(self):
        super().__init__(1.0)


class Normal(Initializer):
    def __init__(self, sigma=0.01, mean=0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma, self.mean = sigma, mean

    def make(self, shape):
        return _normal(shape, self.mean, self.sigma)


class TruncatedNormal(Initializer):
    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def make(self, shape):
        # By the inverse of the distribution function, so that every draw is inside.
        def phi(x):
            return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

        from statistics import NormalDist

        low, high = phi(self.a), phi(self.b)
        draws = _uniform(shape, low, high)
        flat = draws.reshape(-1).tolist()
        inverse = NormalDist().inv_cdf
        limited = [min(max(p, 1e-9), 1 - 1e-9) for p in flat]
        values = _fusescope.Tensor([inverse(p) for p in limited], mstype.float32)
        return values.reshape(tuple(shape)) * self.sigma + self.mean


class Uniform(Initializer):
    def __init__(self, scale=0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def make(self, shape):
        return _uniform(shape, -self.scale, self.scale)


class XavierUniform(Initializer):
    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def make(self, shape):
        fan_in, fan_out = _fans(shape)
        bound = self.gain * math.sqrt(6.0 / (fan_in + fan_out))
        return _uniform(shape, -bound, bound)


class XavierNormal(Initializer):
    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def make(self, shape):
        fan_in, fan_out = _fans(shape)
        return _normal(shape, 0.0, self.gain * math.sqrt(2.0 / (fan_in + fan_out)))


class _He(Initializer):
    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(f"{type(self).__name__}: `mode` must be 'fan_in' or 'fan_out', but it is {mode!r}")
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def _gain(self):
        kind = self.nonlinearity
        if kind == "leaky_relu":
            return math.sqrt(2.0 / (1.0 + self.negative_slope**2))
        gains = {"relu": math.sqrt(2.0), "tanh": 5.0 / 3.0, "linear": 1.0, "sigmoid": 1.0, "conv2d": 1.0}
        if kind not in gains:
            raise ValueError(f"{type(self).__name__}: `nonlinearity` {kind!r} is not known")
        return gains[kind]

    def _scale(self, shape):
        fan_in, fan_out = _fans(shape)
        return self._gain() / math.sqrt(max(1, fan_in if self.mode == "fan_in" else fan_out))


class HeUniform(_He):
    def make(self, shape):
        bound = math.sqrt(3.0) * self._scale(shape)
        return _uniform(shape, -bound, bound)


class HeNormal(_He):
    def make(self, shape):
        return _normal(shape, 0.0, self._scale(shape))


class Identity(Initializer):
    def make(self, shape):
        if len(shape) != 2:
            raise ValueError(f"Identity: the shape must have two extents, but it is {tuple(shape)}")
        return _F["eye"](shape[0], shape[1])


class Orthogonal(Initializer):
    def __init__(self, gain=1.0):
        super().__init__(gain=gain)
        self.gain = gain

    def make(self, shape):
        import numpy

        rows = shape[0]
        columns = 1
        for extent in shape[1:]:
            columns *= extent
        flat = _normal((max(rows, columns), min(rows, columns)), 0.0, 1.0).asnumpy()
        q, r = numpy.linalg.qr(flat.astype(numpy.float64))
        q = q * numpy.sign(numpy.diag(r))
        q = q.T if rows < columns else q
        return _fusescope.Tensor((self.gain * q).astype(numpy.float32).reshape(tuple(shape)))


_NAMES = {
    "zero": Zero, "zeros": Zero, "one": One, "ones": One, "normal": Normal, "truncatednormal": TruncatedNormal,
    "truncated_normal": TruncatedNormal, "uniform": Uniform, "xavier_uniform": XavierUniform,
    "xavieruniform": XavierUniform, "xavier_normal": XavierNormal, "xaviernormal": XavierNormal,
    "he_uniform": HeUniform, "heuniform": HeUniform, "he_normal": HeNormal, "henormal": HeNormal,
    "identity": Identity, "orthogonal": Orthogonal,
}


def initializer(init, shape=None, dtype=mstype.float32):
    """A tensor whose value comes from `init`: a name, a number, an Initializer or a Tensor of the same shape."""
    if isinstance(init, _fusescope.Tensor):
        if shape is not None and tuple(init.shape) != tuple(_shape(shape)):
            _fusescope.refuse_shape("Parameter", f"initializer: the tensor has shape {init.shape}, but shape "
                                    f"{tuple(_shape(shape))} is wanted", "wanted", _shape(shape), "given", init)
        return init
    shape = _shape(() if shape is None else shape)
    if isinstance(init, str):
        if init.lower() not in _NAMES:
            raise ValueError(f"initializer: {init!r} is no initializer; the names are {', '.join(sorted(_NAMES))}")
        init = _NAMES[init.lower()]()
    elif isinstance(init, (int, float)) and not isinstance(init, bool):
        init = Constant(init)
    if not isinstance(init, Initializer):
        raise TypeError(f"initializer: `init` must be a name, a number, an Initializer or a Tensor, "
                        f"but it is {type(init).__name__}")
    init.shape, init.dtype = shape, dtype
    made = init.make(shape)
    return made if dtype is None or made.dtype == dtype else made.astype(dtype)


def _shape(shape):
    return (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)


__all__ = ["Initializer", "initializer", "Constant", "Zero", "One", "Normal", "TruncatedNormal", "Uniform",
           "XavierUniform", "XavierNormal", "HeUniform", "HeNormal", "Identity", "Orthogonal"]
