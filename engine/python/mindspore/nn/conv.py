"""Conv2d and pooling."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.initializer import HeUniform, Uniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.nn.basic import positive_int
from mindspore.nn.cell import Cell

_F = _fusescope.functions


def _pair(name, value, cell):
    if isinstance(value, int) and not isinstance(value, bool):
        positive_int(name, value, cell)
        return (value, value)
    if isinstance(value, (tuple, list)) and len(value) == 2:
        for item in value:
            positive_int(name, item, cell)
        return tuple(value)
    raise TypeError(f"{cell}: `{name}` must be an int or a tuple of two ints, but it is {value!r}")


def _padding(pad_mode, padding, cell):
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(f"{cell}: `pad_mode` must be 'same', 'valid' or 'pad', but it is {pad_mode!r}")
    if isinstance(padding, int):
        padding = (padding,) * 4
    elif isinstance(padding, (tuple, list)) and len(padding) == 2:
        padding = (padding[0], padding[0], padding[1], padding[1])
    elif isinstance(padding, (tuple, list)) and len(padding) == 4:
        padding = tuple(padding)
    else:
        raise ValueError(f"{cell}: `padding` must be an int or a tuple of four ints, but it is {padding!r}")
    if pad_mode != "pad" and any(padding):
        raise ValueError(f"{cell}: `padding` {padding} needs pad_mode='pad', but `pad_mode` is {pad_mode!r}")
    return padding


class Conv2d(Cell):
    """Two-dimensional convolution; pads 'same' and has no bias unless told otherwise."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCHW", dtype=mstype.float32):
        super().__init__()
        self.in_channels = positive_int("in_channels", in_channels, "Conv2d")
        self.out_channels = positive_int("out_channels", out_channels, "Conv2d")
        self.kernel_size = _pair("kernel_size", kernel_size, "Conv2d")
        self.stride = _pair("stride", stride, "Conv2d")
        self.dilation = _pair("dilation", dilation, "Conv2d")
        self.pad_mode = pad_mode
        self.padding = padding
        self._pads = _padding(pad_mode, padding, "Conv2d")
        self.group = positive_int("group", group, "Conv2d")
        self.has_bias = has_bias
        if data_format != "NCHW":
            raise ValueError(f"Conv2d: `data_format` must be 'NCHW', but it is {data_format!r}; "
                             "transpose the input to (batch, channels, height, width)")
        self.data_format = data_format
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                raise ValueError(f"Conv2d: `{name}` {channels} must be divisible by `group` {group}")
        shape = (out_channels, in_channels // group) + self.kernel_size
        fan_in = shape[1] * shape[2] * shape[3]
        self.weight_init = HeUniform(5**0.5) if weight_init is None else weight_init
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        self.bias = None
        if has_bias:
            bound = Uniform(1 / fan_in**0.5) if bias_init is None else bias_init
            self.bias = Parameter(initializer(bound, (out_channels,), dtype), name="bias")

    def construct(self, x):
        x = _F["conv2d"](x, self.weight, None, self.stride, self.pad_mode, self._pads, self.dilation, self.group)
        return _F["bias_add"](x, self.bias) if self.has_bias else x

    def extend_repr(self):
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
                f"padding={self.padding}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}")


class _Pool2d(Cell):
    row = ""

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, data_format="NCHW"):
        super().__init__()
        name = type(self).__name__
        self.kernel_size = _pair("kernel_size", kernel_size, name)
        self.stride = _pair("stride", stride, name)
        self.pad_mode = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
        self.padding = padding
        self._pads = _padding(self.pad_mode, padding, name)
        if data_format != "NCHW":
            raise ValueError(f"{name}: `data_format` must be 'NCHW', but it is {data_format!r}")

    def extend_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"

    def construct(self, x):
        alone = x.ndim == 3
        if alone:
            x = x.reshape((1,) + x.shape)
        x = _F[self.row](x, self.kernel_size, self.stride, self.pad_mode, self._pads)
        return x.reshape(x.shape[1:]) if alone else x


class MaxPool2d(_Pool2d):
    """The largest element of each window."""

    row = "max_pool2d"


class AvgPool2d(_Pool2d):
    """The mean of each window."""

    row = "avg_pool2d"


class AdaptiveAvgPool2d(Cell):
    """The mean of as many windows as the output has places; extents must divide."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)

    def construct(self, x):
        n, c, h, w = x.shape
        rows, columns = (s if s is not None else e for s, e in zip(self.output_size, (h, w)))
        if h % rows or w % columns:
            raise ValueError(f"AdaptiveAvgPool2d: extents ({h}, {w}) must be divisible by output_size {self.output_size}")
        return x.reshape((n, c, rows, h // rows, columns, w // columns)).mean((3, 5))


class Upsample(Cell):
    """Repeats rows and columns (mode 'nearest')."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        if mode != "nearest":
            raise ValueError(f"Upsample: `mode` must be 'nearest', but it is {mode!r}")
        self.scale = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor, scale_factor)

    def construct(self, x):
        return ops.repeat_elements(ops.repeat_elements(x, int(self.scale[0]), 2), int(self.scale[1]), 3)
