"""Pooling over one, two or three axes, in terms of the two-dimensional ops and of windows."""
import _fusescope
from mindspore.ops.windows import _batched, _each, _extent, _gathered, _joined, _places, _same_padding

Tensor = _fusescope.Tensor
_F = _fusescope.functions

# The largest number's negative: less than any, and no infinity that would be told as one.
_LOWEST = {_fusescope.Float16: -65504.0, _fusescope.Float64: -1.7976931348623157e308}
_LOWEST_FLOAT32 = -3.3895313892515355e38  # BFloat16 has it too


class _Windows:
    """What one pooling call is about: for each axis kernel, stride, dilation, padding and the number of windows."""

    def __init__(self, op, axes, x, kernel_size, stride, pad_mode, padding, dilation, ceil_mode):
        self.extents = x.shape[2:]
        self.kernel = _each("kernel_size", kernel_size, axes, op, 1)
        self.stride = self.kernel if stride is None else _each("stride", stride, axes, op, 1)
        self.dilation = _each("dilation", dilation, axes, op, 1)
        if pad_mode not in ("same", "valid", "pad"):
            raise ValueError(f"{op}: `pad_mode` must be 'same', 'valid' or 'pad', but it is {pad_mode!r}")
        if isinstance(padding, (tuple, list)) and len(padding) == 2 * axes and axes > 1:
            given = [tuple(padding[2 * i:2 * i + 2]) for i in range(axes)]
        else:
            given = [(p, p) for p in _each("padding", padding, axes, op, 0)]
        if pad_mode == "same":
            given = [_same_padding(*a) for a in zip(self.extents, self.kernel, self.stride, self.dilation)]
        self.counts, self.pads, self.given = [], [], given
        for n, k, s, d, (before, after) in zip(self.extents, self.kernel, self.stride, self.dilation, given):
            count, after = _extent(n, k, s, d, before, after, ceil_mode, op)
            self.counts.append(count)
            self.pads.append((before, after))

    def along(self):
        """The places of the elements of each window, for each axis."""
        return [_places(n, k, s, d, p[0], c) for n, k, s, d, p, c in
                zip(self.extents, self.kernel, self.stride, self.dilation, self.pads, self.counts)]


def _by_planes(row, x, w):
    """The two-dimensional op, once or along two axes and then the third: maxima and sums of windows are separable."""
    axes, (n, c) = len(w.extents), x.shape[:2]
    flat = [p for pair in w.pads for p in pair]
    if axes == 1:
        y = _F[row](x.reshape((n, c, 1, w.extents[0])), (1, w.kernel[0]), (1, w.stride[0]), "pad", (0, 0, *flat))
        return y.reshape((n, c, w.counts[0]))
    if axes == 2:
        return _F[row](x, w.kernel, w.stride, "pad", tuple(flat))
    depth = w.extents[0]
    y = _F[row](x.reshape((n, c * depth) + w.extents[1:]), w.kernel[1:], w.stride[1:], "pad", tuple(flat[2:]))
    y = y.reshape((n, c, depth, w.counts[1] * w.counts[2]))
    y = _F[row](y, (w.kernel[0], 1), (w.stride[0], 1), "pad", (flat[0], flat[1], 0, 0))
    return y.reshape((n, c) + tuple(w.counts))


def _max_pool(op, axes, x, kernel_size, stride=None, pad_mode="pad", padding=0, dilation=1, return_indices=False,
              ceil_mode=False):
    x, alone = _batched(x, axes, op)
    w = _Windows(op, axes, x, kernel_size, stride, pad_mode, padding, dilation, ceil_mode)
    if not return_indices and max(w.dilation) == 1:
        y = _by_planes("max_pool2d", x, w)
        return y.reshape(y.shape[1:]) if alone else y
    return _largest(x, _joined(w.along(), w.extents), tuple(w.counts), return_indices, alone)


def _largest(x, places, counts, return_indices, alone):
    """The largest element of each window, and where it is in the flattened axes."""
    values, found = _F["max"](_gathered(x, places, _LOWEST.get(x.dtype, _LOWEST_FLOAT32)), -1, False)
    shape = (x.shape[:1] if not alone else ()) + x.shape[1:2] + counts
    values = values.reshape(shape)
    if not return_indices:
        return values
    first = Tensor((_range(places.shape[0]) * places.shape[1]).reshape(1, 1, -1))
    chosen = (found.astype(_fusescope.Int64) + first).reshape(-1)
    return values, _F["gather"](Tensor(places.reshape(-1)), chosen, 0).reshape(shape)


def _range(n):
    import numpy

    return numpy.arange(n, dtype=numpy.int64)


def _avg_pool(op, axes, x, kernel_size, stride=None, pad_mode="pad", padding=0, ceil_mode=False, count_include_pad=True,
              divisor_override=None):
    if divisor_override is not None and (isinstance(divisor_override, bool) or not isinstance(divisor_override, int)):
        raise TypeError(f"{op}: `divisor_override` must be an int, but it is {divisor_override!r}")
    x, alone = _batched(x, axes, op)
    w = _Windows(op, axes, x, kernel_size, stride, pad_mode, padding, 1, ceil_mode)
    y = _by_planes("avg_pool2d", x, w)  # divided by the whole window
    scale = _scale(w, count_include_pad and pad_mode != "same", divisor_override)
    if scale is not None:
        y = y * Tensor(scale, x.dtype)
    return y.reshape(y.shape[1:]) if alone else y


def _scale(w, count_include_pad, divisor_override):
    """What a sum divided by the whole window is multiplied by, or None."""
    import numpy

    whole = 1
    for k in w.kernel:
        whole *= k
    if divisor_override:
        return numpy.asarray(whole / divisor_override) if divisor_override != whole else None
    divisors = numpy.ones((1,))
    for n, k, s, (before, after), count in zip(w.extents, w.kernel, w.stride, w.given, w.counts):
        start = numpy.arange(count) * s - before
        end = numpy.minimum(start + k, n + after)
        held = end - start if count_include_pad else numpy.minimum(end, n) - numpy.maximum(start, 0)
        divisors = divisors[..., None] * numpy.maximum(held, 1)
    divisors = divisors[0]
    return None if (divisors == whole).all() else whole / divisors


def max_pool1d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window along the last axis of ([N,] C, L)."""
    return _max_pool("max_pool1d", 1, x, kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """The largest element of each window over the last two axes of ([N,] C, H, W)."""
    return _max_pool("max_pool2d", 2, x, kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)


def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest element of each window over the last three axes of ([N,] C, D, H, W)."""
    return _max_pool("max_pool3d", 3, x, kernel_size, stride, "pad", padding, dilation, return_indices, ceil_mode)


def avg_pool1d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of each window along the last axis of ([N,] C, L)."""
    return _avg_pool("avg_pool1d", 1, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad)


def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """The mean of each window over the last two axes of ([N,] C, H, W)."""
    return _avg_pool("avg_pool2d", 2, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad,
                     divisor_override)


def avg_pool3d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """The mean of each window over the last three axes of ([N,] C, D, H, W)."""
    return _avg_pool("avg_pool3d", 3, input_x, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad,
                     divisor_override)


# Adaptive pooling: as many windows as the result has places; they overlap where the extents do not divide. ----------

def _sizes(output_size, extents, op):
    axes = len(extents)
    if not isinstance(output_size, (tuple, list)):
        output_size = (output_size,) * axes
    if len(output_size) != axes:
        raise ValueError(f"{op}: `output_size` must be one int or {axes}, but it is {output_size!r}")
    sizes = tuple(n if s is None else s for s, n in zip(output_size, extents))
    for s in sizes:
        if isinstance(s, bool) or not isinstance(s, int):
            raise TypeError(f"{op}: `output_size` must hold ints or None, but it holds {s!r}")
        if s < 1:
            raise ValueError(f"{op}: `output_size` must be above 0, but it holds {s}")
    return sizes


def _bounds(n, count):
    return [(i * n // count, -(-(i + 1) * n // count)) for i in range(count)]


def _adaptive_avg_pool(op, axes, x, output_size):
    x, alone = _batched(x, axes, op)
    sizes = _sizes(output_size, x.shape[2:], op)
    shape, over, k = list(x.shape[:2]), [], 2
    for axis, (n, s) in enumerate(zip(x.shape[2:], sizes)):
        if n % s:
            x = _averaged(x, axis + 2, s)
            n = s
        shape += [s, n // s]
        over.append(k + 1)
        k += 2
    y = _F["mean"](x.reshape(tuple(shape)), tuple(over), False) if tuple(sizes) != x.shape[2:] else x
    return y.reshape(y.shape[1:]) if alone else y


def _averaged(x, axis, count):
    """One axis multiplied by the matrix whose columns hold the windows' weights."""
    import numpy

    n = x.shape[axis]
    matrix = numpy.zeros((n, count))
    for i, (begin, end) in enumerate(_bounds(n, count)):
        matrix[begin:end, i] = 1.0 / (end - begin)
    order = [a for a in range(x.ndim) if a != axis] + [axis]
    back = [order.index(a) for a in range(x.ndim)]
    moved = _F["transpose"](x, tuple(order))
    y = _F["matmul"](moved.reshape((-1, n)), Tensor(matrix, x.dtype)).reshape(moved.shape[:-1] + (count,))
    return _F["transpose"](y, tuple(back))


def _adaptive_max_pool(op, axes, x, output_size, return_indices=False):
    import numpy

    x, alone = _batched(x, axes, op)
    sizes, along = _sizes(output_size, x.shape[2:], op), []
    for n, s in zip(x.shape[2:], sizes):
        bounds = _bounds(n, s)
        places = numpy.full((s, max(e - b for b, e in bounds)), -1)
        for i, (b, e) in enumerate(bounds):
            places[i, :e - b] = numpy.arange(b, e)
        along.append(places)
    return _largest(x, _joined(along, x.shape[2:]), sizes, return_indices, alone)


def adaptive_avg_pool1d(input, output_size):
    """The means of output_size windows of ([N,] C, L)."""
    return _adaptive_avg_pool("adaptive_avg_pool1d", 1, input, output_size)


def adaptive_avg_pool2d(input, output_size):
    """The means of output_size windows of ([N,] C, H, W)."""
    return _adaptive_avg_pool("adaptive_avg_pool2d", 2, input, output_size)


def adaptive_avg_pool3d(input, output_size):
    """The means of output_size windows of ([N,] C, D, H, W)."""
    return _adaptive_avg_pool("adaptive_avg_pool3d", 3, input, output_size)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest elements of output_size windows of ([N,] C, L)."""
    return _adaptive_max_pool("adaptive_max_pool1d", 1, input, output_size, return_indices)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest elements of output_size windows of ([N,] C, H, W)."""
    return _adaptive_max_pool("adaptive_max_pool2d", 2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest elements of output_size windows of ([N,] C, D, H, W)."""
    return _adaptive_max_pool("adaptive_max_pool3d", 3, input, output_size, return_indices)


# Norms of windows, and the places of maxima filled again. -----------------------------------------------------------

def _lp_pool(op, axes, x, norm_type, kernel_size, stride, ceil_mode):
    if isinstance(norm_type, bool) or not isinstance(norm_type, (int, float)) or norm_type == 0:
        raise ValueError(f"{op}: `norm_type` must be a number other than 0, but it is {norm_type!r}")
    sums = _avg_pool(op, axes, _F["pow"](x, float(norm_type)), kernel_size, stride, "pad", 0, ceil_mode, True, 1)
    return _F["pow"](sums, 1.0 / norm_type)


def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm_type-norm of each window along the last axis."""
    return _lp_pool("lp_pool1d", 1, x, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm_type-norm of each window over the last two axes."""
    return _lp_pool("lp_pool2d", 2, x, norm_type, kernel_size, stride, ceil_mode)


def _max_unpool(op, axes, x, indices, kernel_size, stride, padding, output_size):
    if x.shape != indices.shape:
        raise ValueError(f"{op}: `x` and `indices` must have the same shape, but theirs are {x.shape} and "
                         f"{indices.shape}")
    x, alone = _batched(x, axes, op)
    kernel = _each("kernel_size", kernel_size, axes, op, 1)
    stride = kernel if stride is None else _each("stride", stride, axes, op, 1)
    padding = _each("padding", padding, axes, op, 0)
    if output_size is None:
        size = tuple((n - 1) * s - 2 * p + k for n, k, s, p in zip(x.shape[2:], kernel, stride, padding))
    else:
        size = tuple(output_size)[-axes:]
    planes, count = x.shape[:2], 1
    for extent in size:
        count *= extent
    zeros = _F["full"](planes + (count,), 0.0, x.dtype)
    y = _F["tensor_scatter_elements"](zeros, indices.reshape(planes + (-1,)), x.reshape(planes + (-1,)), 2, "none")
    return y.reshape((() if alone else planes[:1]) + planes[1:] + size)


def max_unpool1d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """What max_pool1d took, put back where it was; zeros elsewhere."""
    return _max_unpool("max_unpool1d", 1, x, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """What max_pool2d took, put back where it was; zeros elsewhere."""
    return _max_unpool("max_unpool2d", 2, x, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """What max_pool3d took, put back where it was; zeros elsewhere."""
    return _max_unpool("max_unpool3d", 3, x, indices, kernel_size, stride, padding, output_size)
