"""Elementwise functions in terms of those of the op table, and questions about a tensor's kind."""
import math

import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def deg2rad(x):
    """Degrees as radians."""
    return x * (math.pi / 180.0)


def rad2deg(x):
    """Radians as degrees."""
    return x * (180.0 / math.pi)


def frac(x):
    """What is left of each element without its whole part; it has the element's sign."""
    return x - _F["trunc"](x)


def sinc(input):
    """sin(πx) / (πx), and 1 at zero."""
    zero = input == 0
    angle = _F["where"](zero, 1.0, input) * math.pi
    return _F["where"](zero, 1.0, _F["sin"](angle) / angle)


def heaviside(input, values):
    """0 below zero, 1 above it, and `values` at it."""
    return _F["where"](input == 0, values, (input > 0).astype(input.dtype))


def logit(input, eps=None):
    """log(x / (1 - x)); with eps the input is held between eps and 1 - eps."""
    x = input if eps is None else _F["clamp"](input, eps, 1.0 - eps)
    return _F["log"](x / (1.0 - x))


def float_power(input, exponent):
    """The power, computed in Float64."""
    wide = [x.astype(_fusescope.Float64) if isinstance(x, Tensor) else Tensor(float(x), _fusescope.Float64)
            for x in (input, exponent)]
    return _F["pow"](*wide)


def _shifted(x):
    """(x + 7, the product and the sum of reciprocals of x … x + 6) for the recurrences of gamma."""
    product, reciprocals = x, 1.0 / x
    for k in range(1, 7):
        product = product * (x + float(k))
        reciprocals = reciprocals + 1.0 / (x + float(k))
    return x + 7.0, product, reciprocals


def lgamma(input):
    """Logarithm of the absolute value of the gamma function."""
    low = input < 0.5
    x = _F["where"](low, 1.0 - input, input)
    z, product, _ = _shifted(x)
    # Stirling's series, which is exact to Float64's last digits but two from 7 on.
    w = 1.0 / (z * z)
    series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188))))) / z
    above = (z - 0.5) * _F["log"](z) - z + 0.5 * math.log(2 * math.pi) + series - _F["log"](product)
    sine = _F["abs"](_F["sin"](_F["where"](low, input, 0.5) * math.pi))
    return _F["where"](low, math.log(math.pi) - _F["log"](sine) - above, above)


def digamma(input):
    """Derivative of the logarithm of the gamma function."""
    low = input < 0.5
    x = _F["where"](low, 1.0 - input, input)
    z, _, reciprocals = _shifted(x)
    w = 1.0 / (z * z)
    series = w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * (1 / 240 - w * (1 / 132)))))
    above = _F["log"](z) - 0.5 / z - series - reciprocals
    return _F["where"](low, above - math.pi / _F["tan"](_F["where"](low, input, 0.25) * math.pi), above)


_NEAR = (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
         -0.00417768164, 0.246640727, 1.50140941)
_FAR = (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
        1.00167406, 2.83297682)


def erfinv(input):
    """The number whose error function is each element."""
    edge = _F["abs"](input) >= 1.0
    x = _F["where"](edge, 0.0, input)
    # A start by polynomials (M. Giles, "Approximating the erfinv function", 2010), then Newton's steps, of which the
    # last one gives the gradient too.
    flat = _F["stop_gradient"](x)
    w = -_F["log"](1.0 - flat * flat)
    near, far = w - 2.5, _F["sqrt"](_F["maximum"](w, 5.0)) - 3.0
    p, q = near * 0.0 + _NEAR[0], near * 0.0 + _FAR[0]
    for a, b in zip(_NEAR[1:], _FAR[1:]):
        p, q = a + p * near, b + q * far
    y = _F["where"](w < 5.0, p, q) * flat
    for target in (flat, x):
        y = _F["stop_gradient"](y)
        y = y - (_F["erf"](y) - target) * _F["exp"](y * y) * (math.sqrt(math.pi) / 2)
    # Infinite at the ends and no number beyond them; nothing of that is computed for other elements.
    beyond = _F["sign"](input) / _F["sqrt"](_F["where"](edge, 1.0 - _F["abs"](input), 1.0))
    return _F["where"](edge, _F["stop_gradient"](beyond), y)


def _by_numpy(name, input, other):
    import numpy

    a, b = (x if isinstance(x, Tensor) else Tensor(x) for x in (input, other))
    for x in (a, b):
        if x.dtype.is_floating_point:
            raise TypeError(f"{name}: whole numbers are wanted, but the dtype is {x.dtype}")
    return Tensor(getattr(numpy, name)(a.asnumpy(), b.asnumpy()))


def gcd(input, other):
    """Greatest common divisor of whole numbers."""
    return _by_numpy("gcd", input, other)


def lcm(input, other):
    """Least common multiple of whole numbers."""
    return _by_numpy("lcm", input, other)


def numel(input):
    """How many elements a tensor has."""
    return input.size


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    """Always False: tensors of complex numbers do not exist here."""
    return False


def isreal(input):
    """True for every element: tensors of complex numbers do not exist here."""
    return _F["full"](input.shape, 1.0, _fusescope.Bool)
