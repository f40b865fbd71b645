"""Conv1d, Conv2d and Conv3d, and the transposed ones."""
import math

import _fusescope
from mindspore.common import dtype as mstype
from mindspore.common.initializer import HeUniform, Uniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.nn.basic import positive_int
from mindspore.nn.cell import Cell
from mindspore.ops.convolution import _convolved, _pads, _transposed
from mindspore.ops.windows import _each

_F = _fusescope.functions


class _Conv(Cell):
    """Pads 'same' and has no bias unless told otherwise."""

    axes = 2
    transposed = False

    def __init__(self, in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                 weight_init, bias_init, data_format, dtype, output_padding=0):
        super().__init__()
        name, axes = type(self).__name__, self.axes
        self.in_channels = positive_int("in_channels", in_channels, name)
        self.out_channels = positive_int("out_channels", out_channels, name)
        self.kernel_size = _each("kernel_size", kernel_size, axes, name, 1)
        self.stride = _each("stride", stride, axes, name, 1)
        self.dilation = _each("dilation", dilation, axes, name, 1)
        self.output_padding = _each("output_padding", output_padding, axes, name, 0)
        self.pad_mode, self.padding = pad_mode, padding
        self._padding = _pads(padding, axes, pad_mode, name)
        if pad_mode != "pad" and any(self.output_padding):
            raise ValueError(f"{name}: `output_padding` {output_padding} needs pad_mode='pad', "
                             f"but `pad_mode` is {pad_mode!r}")
        self.group = positive_int("group", group, name)
        self.has_bias = has_bias
        wanted, spans = {2: ("NCHW", "height, width"), 3: ("NCDHW", "depth, height, width")}.get(axes, (None, None))
        if data_format != wanted:
            raise ValueError(f"{name}: `data_format` must be {wanted!r}, but it is {data_format!r}; "
                             f"transpose the input to (batch, channels, {spans})")
        self.data_format = data_format
        for word, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                raise ValueError(f"{name}: `{word}` {channels} must be divisible by `group` {group}")
        first, second = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        # The weight of one axis has an axis of extent 1 more, as MindSpore's checkpoints have it.
        shape = (first, second // group) + ((1,) if axes == 1 else ()) + self.kernel_size
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        self.bias = None
        if has_bias:
            bound = Uniform(1 / math.sqrt(math.prod(shape[1:]))) if bias_init is None else bias_init
            self.bias = Parameter(initializer(bound, (out_channels,), dtype), name="bias")

    def construct(self, x):
        name = type(self).__name__
        if self.transposed:
            return _transposed(name, self.axes, x, self.weight, self.bias, self.stride, self.pad_mode, self._padding,
                               self.output_padding, self.dilation, self.group)
        if self.axes == 1:
            return _convolved(name, 1, x, self.weight, self.bias, self.stride, self.pad_mode, self._padding,
                              self.dilation, self.group)
        x = _F["conv2d" if self.axes == 2 else "conv3d"](x, self.weight, None, self.stride, self.pad_mode, self._padding,
                                                         self.dilation, self.group)
        return _F["bias_add"](x, self.bias) if self.has_bias else x

    def extend_repr(self):
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
                f"padding={self.padding}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}")


class Conv1d(_Conv):
    """Convolution of (N, C, L)."""

    axes = 1

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, dtype=mstype.float32):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, None, dtype)


class Conv2d(_Conv):
    """Convolution of (N, C, H, W)."""

    axes = 2

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCHW", dtype=mstype.float32):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, data_format, dtype)


class Conv3d(_Conv):
    """Convolution of (N, C, D, H, W)."""

    axes = 3

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCDHW", dtype=mstype.float32):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, data_format, dtype)


class Conv1dTranspose(_Conv):
    """Transposed convolution of (N, C, L); the weight is (in, out/group, 1, length)."""

    axes, transposed = 1, True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, dtype=mstype.float32):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, None, dtype)


class Conv2dTranspose(_Conv):
    """Transposed convolution of (N, C, H, W); the weight is (in, out/group, rows, columns)."""

    axes, transposed = 2, True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, output_padding=0,
                 dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None, dtype=mstype.float32):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, "NCHW", dtype, output_padding)


class Conv3dTranspose(_Conv):
    """Transposed convolution of (N, C, D, H, W); the weight is (in, out/group, depth, rows, columns)."""

    axes, transposed = 3, True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, output_padding=0, has_bias=False, weight_init=None, bias_init=None, data_format="NCDHW",
                 dtype=mstype.float32):
        super().__init__(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                         weight_init, bias_init, data_format, dtype, output_padding)
