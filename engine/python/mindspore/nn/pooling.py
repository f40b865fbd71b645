"""Pooling layers."""
import _fusescope
from mindspore.nn.cell import Cell
from mindspore.ops.convolution import _pads
from mindspore.ops.pooling import (
    _adaptive_avg_pool, _adaptive_max_pool, _avg_pool, _lp_pool, _max_pool, _max_unpool)
from mindspore.ops.windows import _each

_F = _fusescope.functions


class _Pool(Cell):
    axes = 2

    def __init__(self, kernel_size, stride, pad_mode, padding, data_format="NCHW"):
        super().__init__()
        name = type(self).__name__
        self.kernel_size = _each("kernel_size", kernel_size, self.axes, name, 1)
        self.stride = _each("stride", stride, self.axes, name, 1)
        self.pad_mode = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
        self.padding = padding
        self._pads = _pads(padding, self.axes, self.pad_mode, name)
        if data_format != "NCHW":
            raise ValueError(f"{name}: `data_format` must be 'NCHW', but it is {data_format!r}")

    def _by_op(self, row, x):
        alone = x.ndim == 3
        if alone:
            x = x.reshape((1,) + x.shape)
        x = _F[row](x, self.kernel_size, self.stride, self.pad_mode, self._pads)
        return x.reshape(x.shape[1:]) if alone else x

    def extend_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


class _MaxPool(_Pool):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False,
                 ceil_mode=False, data_format="NCHW"):
        super().__init__(kernel_size, stride, pad_mode, padding, data_format)
        self.dilation = _each("dilation", dilation, self.axes, type(self).__name__, 1)
        self.return_indices, self.ceil_mode = return_indices, ceil_mode
        self._plain = self.axes == 2 and self.dilation == (1, 1) and not return_indices and not ceil_mode

    def construct(self, x):
        if self._plain:
            return self._by_op("max_pool2d", x)
        return _max_pool(type(self).__name__, self.axes, x, self.kernel_size, self.stride, self.pad_mode, self.padding,
                         self.dilation, self.return_indices, self.ceil_mode)


class MaxPool1d(_MaxPool):
    """The largest element of each window of ([N,] C, L)."""

    axes = 1


class MaxPool2d(_MaxPool):
    """The largest element of each window of ([N,] C, H, W)."""

    axes = 2


class MaxPool3d(_MaxPool):
    """The largest element of each window of ([N,] C, D, H, W)."""

    axes = 3


class _AvgPool(_Pool):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None, data_format="NCHW"):
        super().__init__(kernel_size, stride, pad_mode, padding, data_format)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad
        self.divisor_override = divisor_override
        self._plain = self.axes == 2 and not ceil_mode and count_include_pad and divisor_override is None

    def construct(self, x):
        if self._plain:
            return self._by_op("avg_pool2d", x)
        return _avg_pool(type(self).__name__, self.axes, x, self.kernel_size, self.stride, self.pad_mode, self.padding,
                         self.ceil_mode, self.count_include_pad, self.divisor_override)


class AvgPool1d(_AvgPool):
    """The mean of each window of ([N,] C, L)."""

    axes = 1

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


class AvgPool2d(_AvgPool):
    """The mean of each window of ([N,] C, H, W)."""

    axes = 2


class AvgPool3d(_AvgPool):
    """The mean of each window of ([N,] C, D, H, W)."""

    axes = 3


class _Adaptive(Cell):
    """As many windows as the output has places."""

    axes = 2

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, x):
        return _adaptive_avg_pool(type(self).__name__, self.axes, x, self.output_size)

    def extend_repr(self):
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_Adaptive):
    """The means of output_size windows of ([N,] C, L)."""

    axes = 1


class AdaptiveAvgPool2d(_Adaptive):
    """The means of output_size windows of ([N,] C, H, W)."""

    axes = 2


class AdaptiveAvgPool3d(_Adaptive):
    """The means of output_size windows of ([N,] C, D, H, W)."""

    axes = 3


class _AdaptiveMax(_Adaptive):
    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def construct(self, x):
        return _adaptive_max_pool(type(self).__name__, self.axes, x, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMax):
    """The largest elements of output_size windows of ([N,] C, L)."""

    axes = 1


class AdaptiveMaxPool2d(_AdaptiveMax):
    """The largest elements of output_size windows of ([N,] C, H, W)."""

    axes = 2


class AdaptiveMaxPool3d(_AdaptiveMax):
    """The largest elements of output_size windows of ([N,] C, D, H, W)."""

    axes = 3


class _LPPool(Cell):
    """Norms of windows."""

    axes = 2

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def construct(self, x):
        return _lp_pool(type(self).__name__, self.axes, x, self.norm_type, self.kernel_size, self.stride,
                        self.ceil_mode)


class LPPool1d(_LPPool):
    """The norm_type-norm of each window of ([N,] C, L)."""

    axes = 1


class LPPool2d(_LPPool):
    """The norm_type-norm of each window of ([N,] C, H, W)."""

    axes = 2


class _MaxUnpool(Cell):
    """What a MaxPool took, put back where it was."""

    axes = 2

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

    def construct(self, x, indices, output_size=None):
        return _max_unpool(type(self).__name__, self.axes, x, indices, self.kernel_size, self.stride, self.padding,
                           output_size)


class MaxUnpool1d(_MaxUnpool):
    """What MaxPool1d took, put back where it was; zeros elsewhere."""

    axes = 1


class MaxUnpool2d(_MaxUnpool):
    """What MaxPool2d took, put back where it was; zeros elsewhere."""

    axes = 2


class MaxUnpool3d(_MaxUnpool):
    """What MaxPool3d took, put back where it was; zeros elsewhere."""

    axes = 3
