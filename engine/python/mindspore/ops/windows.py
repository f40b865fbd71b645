"""Sliding windows over any number of axes: where they lie, and their elements side by side."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions

_SPANS = {1: "length", 2: "height, width", 3: "depth, height, width"}


def _each(name, value, axes, op, least):
    """One int an axis, out of one int or as many."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = (value,) * axes
    elif isinstance(value, (tuple, list)) and len(value) in (1, axes):
        value = tuple(value) * (axes if len(value) == 1 else 1)
    else:
        raise TypeError(f"{op}: `{name}` must be an int or a tuple of {axes}, but it is {value!r}")
    for item in value:
        if isinstance(item, bool) or not isinstance(item, int):
            raise TypeError(f"{op}: `{name}` must hold ints, but it holds {item!r}")
        if item < least:
            raise ValueError(f"{op}: `{name}` must be at least {least}, but it holds {item}")
    return tuple(value)


def _batched(x, axes, op):
    """The tensor with a batch axis, and whether it had none."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{op}: the input must be a tensor, but it is {type(x).__name__}")
    if x.ndim == axes + 1:
        return x.reshape((1,) + x.shape), True
    if x.ndim != axes + 2:
        raise ValueError(f"{op}: the input must be ([batch,] channels, {_SPANS[axes]}), but its shape is {x.shape}")
    return x, False


def _extent(n, kernel, stride, dilation, before, after, ceil_mode, op):
    """How many windows there are along an axis, and how far the last one makes the padding reach."""
    reach = (kernel - 1) * dilation + 1
    room = n + before + after - reach
    if room < 0:
        raise ValueError(f"{op}: a window of {reach} elements does not fit in {n} with padding {before} and {after}")
    count = (room + (stride - 1 if ceil_mode else 0)) // stride + 1
    if ceil_mode and (count - 1) * stride >= n + before:
        count -= 1  # a window must begin within the input or the padding before it
    return count, max(after, (count - 1) * stride + reach - n - before)


def _same_padding(n, kernel, stride, dilation):
    total = max(0, (-(-n // stride) - 1) * stride + (kernel - 1) * dilation + 1 - n)
    return total // 2, total - total // 2


def _places(n, kernel, stride, dilation, before, count):
    """For each window the places of its elements along one axis; -1 outside of the input."""
    import numpy

    places = (numpy.arange(count) * stride - before)[:, None] + (numpy.arange(kernel) * dilation)[None, :]
    return numpy.where((places < 0) | (places >= n), -1, places)


def _joined(places, extents):
    """Places in the flattened axes: an array (windows, elements of each); -1 outside of the input."""
    import numpy

    flat = numpy.zeros((1, 1), numpy.int64)
    outside = numpy.zeros((1, 1), bool)
    for along, extent in zip(places, extents):
        windows, elements = along.shape
        flat = (flat[:, None, :, None] * extent + numpy.maximum(along, 0)[None, :, None, :])
        outside = outside[:, None, :, None] | (along < 0)[None, :, None, :]
        flat, outside = (a.reshape(-1, a.shape[2] * elements) for a in (flat, outside))
    return numpy.where(outside, -1, flat)


def _gathered(x, places, fill):
    """(batch, channels, windows, elements) of a tensor (batch, channels, …) whose further axes count as one."""
    count = 1
    for extent in x.shape[2:]:
        count *= extent
    flat = x.reshape(x.shape[:2] + (count,))
    if (places < 0).any():
        flat = _F["concat"]([flat, _F["full"](flat.shape[:2] + (1,), fill, x.dtype)], -1)
        places = places.copy()
        places[places < 0] = count
    windows = _F["gather"](flat, Tensor(places.reshape(-1).astype("int32")), 2)
    return windows.reshape(x.shape[:2] + places.shape)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The elements of each window of (N, C, H, W) as a column: (N, C · elements of a window, windows)."""
    x, alone = _batched(input, 2, "unfold")
    places, _ = _window_places(x.shape[2:], kernel_size, dilation, padding, stride, "unfold")
    windows = _F["transpose"](_gathered(x, places, 0.0), (0, 1, 3, 2))
    columns = windows.reshape((x.shape[0], -1, places.shape[0]))
    return columns.reshape(columns.shape[1:]) if alone else columns


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The opposite of unfold: columns are added at the places of their windows."""
    if isinstance(output_size, Tensor):
        output_size = output_size.tolist()
    size = _each("output_size", output_size, 2, "fold", 1)
    kernel = _each("kernel_size", kernel_size, 2, "fold", 1)
    places, _ = _window_places(size, kernel, dilation, padding, stride, "fold")
    alone = input.ndim == 2
    x = input.reshape((1,) + input.shape) if alone else input
    elements, windows = kernel[0] * kernel[1], places.shape[0]
    if x.ndim != 3 or x.shape[1] % elements or x.shape[2] != windows:
        raise ValueError(f"fold: the input must be (batch, channels · {elements}, {windows}) for this output_size, "
                         f"kernel_size, stride and padding, but its shape is {input.shape}")
    n, channels = x.shape[0], x.shape[1] // elements
    x = _F["transpose"](x.reshape((n, channels, elements, windows)), (0, 1, 3, 2)).reshape((n, channels, -1))
    count = size[0] * size[1]
    places = places.reshape(-1)
    places[places < 0] = count  # what hangs over goes to one place more, which is dropped
    sums = _F["index_add"](_F["full"]((n, channels, count + 1), 0.0, x.dtype), Tensor(places.astype("int32")), x, 2)
    y = sums[:, :, :count].reshape((n, channels) + size)
    return y.reshape(y.shape[1:]) if alone else y


def _window_places(extents, kernel, dilation, padding, stride, op):
    kernel, dilation = _each("kernel_size", kernel, 2, op, 1), _each("dilation", dilation, 2, op, 1)
    stride, padding = _each("stride", stride, 2, op, 1), _each("padding", padding, 2, op, 0)
    along, counts = [], []
    for n, k, s, d, p in zip(extents, kernel, stride, dilation, padding):
        count, _ = _extent(n, k, s, d, p, p, False, op)
        along.append(_places(n, k, s, d, p, count))
        counts.append(count)
    return _joined(along, extents), counts
