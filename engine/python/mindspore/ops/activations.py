"""Activations that the op table does not have, in terms of those that it has."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def celu(x, alpha=1.0):
    """max(x, 0) + min(alpha·(exp(x/alpha) - 1), 0)."""
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)):
        raise TypeError(f"celu: `alpha` must be a number, but it is {type(alpha).__name__}")
    if alpha == 0:
        raise ValueError("celu: `alpha` must not be 0")
    return _F["relu"](x) + _F["expm1"](_F["minimum"](x, 0.0) / float(alpha)) * float(alpha)


def glu(x, axis=-1):
    """The first half along an axis times the sigmoid of the second."""
    extent = x.shape[axis]
    if extent % 2:
        raise ValueError(f"glu: axis {axis} must have an even extent, but the shape is {x.shape}")
    a, b = _F["split"](x, extent // 2, axis)
    return a * _F["sigmoid"](b)


def softmin(x, axis=-1, *, dtype=None):
    """Exponentials of the negatives that sum to 1 along the axis."""
    return _F["softmax"](-(x if dtype is None else x.astype(dtype)), axis)


def prelu(input, weight):
    """x where positive, weight·x elsewhere; one weight, or one for each channel."""
    if not isinstance(weight, Tensor):
        raise TypeError(f"prelu: `weight` must be a tensor, but it is {type(weight).__name__}")
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.size not in (1, channels) or weight.ndim > 1:
        raise ValueError(f"prelu: `weight` must have 1 element or one for each of {channels} channels, but its shape is "
                         f"{weight.shape} for an input of shape {input.shape}")
    if input.ndim > 1 and weight.size > 1:
        weight = weight.reshape((1, -1) + (1,) * (input.ndim - 2))
    return _F["where"](input > 0, input, input * weight)


def fast_gelu(x):
    """x · sigmoid(1.702 x), close to gelu."""
    return x * _F["sigmoid"](x * 1.702)


def tanhshrink(input):
    """x - tanh(x)."""
    return input - _F["tanh"](input)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3):
    """x where positive, elsewhere times a slope drawn between the bounds for each element."""
    for word, value in (("lower", lower), ("upper", upper)):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"rrelu: `{word}` must be a number, but it is {type(value).__name__}")
    if not 0 <= lower <= upper <= 1:
        raise ValueError(f"rrelu: 0 ≤ lower ≤ upper ≤ 1 is wanted, but `lower` is {lower} and `upper` {upper}")
    slope = _F["uniform_real"](input.shape, _fusescope.Float32) * float(upper - lower) + float(lower)
    return _F["where"](input >= 0, input, input * slope.astype(input.dtype))


def crelu(input):
    """relu of the input and of its negative, side by side along axis 1."""
    return _F["concat"]([_F["relu"](input), _F["relu"](-input)], 1)


def gumbel_softmax(logits, tau=1.0, hard=False, dim=-1):
    """Softmax of logits with Gumbel noise; when hard, one-hot rows with the soft ones' gradient."""
    if tau <= 0:
        raise ValueError(f"gumbel_softmax: `tau` must be above 0, but it is {tau}")
    draws = _F["uniform_real"](logits.shape, _fusescope.Float32)
    noise = -_F["log"](-_F["log"](_F["clamp"](draws, 1e-20, 1.0 - 1e-7)))
    soft = _F["softmax"]((logits + noise.astype(logits.dtype)) / float(tau), dim)
    if not hard:
        return soft
    rows = _F["equal"](soft, _F["amax"](soft, dim, True)).astype(soft.dtype)
    return _F["stop_gradient"](rows - soft) + soft
