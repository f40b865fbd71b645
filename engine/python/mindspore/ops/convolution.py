"""Convolutions over one, two or three axes, and transposed ones: the gradients of a convolution's input."""
import _fusescope
from mindspore.ops.windows import _SPANS, _each

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def _pads(padding, axes, pad_mode, op):
    """A pair an axis, one after the other."""
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(f"{op}: `pad_mode` must be 'same', 'valid' or 'pad', but it is {pad_mode!r}")
    if isinstance(padding, (tuple, list)) and len(padding) == 2 * axes:
        pads = tuple(padding)
    else:
        pads = tuple(p for one in _each("padding", padding, axes, op, 0) for p in (one, one))
    for item in pads:
        if isinstance(item, bool) or not isinstance(item, int) or item < 0:
            raise ValueError(f"{op}: `padding` must hold ints that are not negative, but it holds {item!r}")
    if pad_mode != "pad" and any(pads):
        raise ValueError(f"{op}: `padding` {padding} needs pad_mode='pad', but `pad_mode` is {pad_mode!r}")
    return pads


def _convolved(op, axes, x, weight, bias, stride, pad_mode, padding, dilation, groups):
    if not isinstance(x, Tensor) or not isinstance(weight, Tensor):
        raise TypeError(f"{op}: `input` and `weight` must be tensors")
    if axes == 1 and x.ndim != 3:  # for more axes the op says what may be meant
        raise ValueError(f"{op}: the input must be (batch, channels, length), but its shape is {x.shape}")
    stride, dilation = _each("stride", stride, axes, op, 1), _each("dilation", dilation, axes, op, 1)
    pads = _pads(padding, axes, pad_mode, op)
    if axes == 1:
        # One row: Conv1d's own weight has that axis already.
        x = x.reshape(x.shape[:2] + (1,) + x.shape[2:])
        if weight.ndim == 3:
            weight = weight.reshape(weight.shape[:2] + (1,) + weight.shape[2:])
        stride, dilation, pads = (1,) + stride, (1,) + dilation, (0, 0) + pads
    y = _F["conv3d" if axes == 3 else "conv2d"](x, weight, None, stride, pad_mode, pads, dilation, groups)
    if bias is not None:
        y = _F["bias_add"](y, bias)
    return y.reshape(y.shape[:2] + y.shape[3:]) if axes == 1 else y


def _transposed(op, axes, x, weight, bias, stride, pad_mode, padding, output_padding, dilation, groups):
    """weight is (in, out/group, …); a convolution with it would make the input's shape out of the result's."""
    if not isinstance(x, Tensor) or not isinstance(weight, Tensor):
        raise TypeError(f"{op}: `input` and `weight` must be tensors")
    if x.ndim != axes + 2:
        raise ValueError(f"{op}: the input must be (batch, channels, {_SPANS[axes]}), but its shape is {x.shape}")
    if x.shape[1] != weight.shape[0]:
        raise ValueError(f"{op}: the input has {x.shape[1]} channels, but the weight of shape {weight.shape} is for "
                         f"{weight.shape[0]}")
    stride, dilation = _each("stride", stride, axes, op, 1), _each("dilation", dilation, axes, op, 1)
    more = _each("output_padding", output_padding, axes, op, 0)
    pads = _pads(padding, axes, pad_mode, op)
    if pad_mode != "pad" and any(more):
        raise ValueError(f"{op}: `output_padding` needs pad_mode='pad', but `pad_mode` is {pad_mode!r}")
    if axes == 1:
        x = x.reshape(x.shape[:2] + (1,) + x.shape[2:])
        if weight.ndim == 3:
            weight = weight.reshape(weight.shape[:2] + (1,) + weight.shape[2:])
        stride, dilation, pads, more = (1,) + stride, (1,) + dilation, (0, 0) + pads, (0,) + more
    size = []
    for i, n in enumerate(x.shape[2:]):
        reach = (weight.shape[2 + i] - 1) * dilation[i] + 1
        if more[i] >= stride[i]:
            raise ValueError(f"{op}: `output_padding` {more[i]} must be below `stride` {stride[i]}")
        if pad_mode == "same":
            size.append(n * stride[i])
        elif pad_mode == "valid":
            size.append(n * stride[i] + max(reach - stride[i], 0))
        else:
            size.append((n - 1) * stride[i] - pads[2 * i] - pads[2 * i + 1] + reach + more[i])
        if size[-1] < 1:
            raise ValueError(f"{op}: nothing is left of an extent of {n} with padding {pads[2 * i]} and "
                             f"{pads[2 * i + 1]}")
    size = (x.shape[0], weight.shape[1] * groups) + tuple(size)
    row = "Conv3DBackpropInput" if axes == 3 else "Conv2DBackpropInput"
    y = _P[row](x, weight, stride, pad_mode, pads, dilation, groups, size)
    if bias is not None:
        y = _F["bias_add"](y, bias)
    return y.reshape(y.shape[:2] + y.shape[3:]) if axes == 1 else y


def conv1d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Convolution of (N, C, L) with a weight (out, in/groups, length)."""
    return _convolved("conv1d", 1, input, weight, bias, stride, pad_mode, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Convolution of (N, C, H, W) with a weight (out, in/groups, rows, columns)."""
    return _convolved("conv2d", 2, input, weight, bias, stride, pad_mode, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Convolution of (N, C, D, H, W) with a weight (out, in/groups, depth, rows, columns)."""
    return _convolved("conv3d", 3, input, weight, bias, stride, pad_mode, padding, dilation, groups)


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed convolution of (N, C, L) with a weight (in, out/groups, length)."""
    return _transposed("conv_transpose1d", 1, input, weight, bias, stride, "pad", padding, output_padding, dilation,
                       groups)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed convolution of (N, C, H, W) with a weight (in, out/groups, rows, columns)."""
    return _transposed("conv_transpose2d", 2, input, weight, bias, stride, "pad", padding, output_padding, dilation,
                       groups)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed convolution of (N, C, D, H, W) with a weight (in, out/groups, depth, rows, columns)."""
    return _transposed("conv_transpose3d", 3, input, weight, bias, stride, "pad", padding, output_padding, dilation,
                       groups)


def pixel_shuffle(input, upscale_factor):
    """(…, C·r², H, W) as (…, C, H·r, W·r): each group of r² channels becomes a square of pixels."""
    r = _factor("pixel_shuffle", "upscale_factor", upscale_factor, input)
    *batch, c, h, w = input.shape
    if c % (r * r):
        raise ValueError(f"pixel_shuffle: the channels must divide by {r}² = {r * r}, but the shape is {input.shape}")
    x = input.reshape((-1, c // (r * r), r, r, h, w))
    return _F["transpose"](x, (0, 1, 4, 2, 5, 3)).reshape((*batch, c // (r * r), h * r, w * r))


def pixel_unshuffle(input, downscale_factor):
    """(…, C, H·r, W·r) as (…, C·r², H, W): each square of pixels becomes channels."""
    r = _factor("pixel_unshuffle", "downscale_factor", downscale_factor, input)
    *batch, c, h, w = input.shape
    if h % r or w % r:
        raise ValueError(f"pixel_unshuffle: rows and columns must divide by {r}, but the shape is {input.shape}")
    x = input.reshape((-1, c, h // r, r, w // r, r))
    return _F["transpose"](x, (0, 1, 3, 5, 2, 4)).reshape((*batch, c * r * r, h // r, w // r))


def channel_shuffle(input, groups):
    """Channels in groups, dealt out like cards: the first of each group, then the second of each."""
    n, c = input.shape[:2]
    if c % groups:
        raise ValueError(f"channel_shuffle: the channels must divide by {groups}, but the shape is {input.shape}")
    return _F["swapaxes"](input.reshape((n, groups, c // groups, -1)), 1, 2).reshape(input.shape)


def _factor(op, name, value, x):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{op}: `{name}` must be an int, but it is {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{op}: `{name}` must be above 0, but it is {value}")
    if x.ndim < 3:
        raise ValueError(f"{op}: the input must be (…, channels, height, width), but its shape is {x.shape}")
    return value
