"""Running values along an axis, places in sorted sequences, counts, and statistics that pass over NaN."""
import _fusescope
from mindspore.ops.arrays import narrow

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def _scanned(parts, axis, combine):
    """Each place combined with all before it: distances double, so that there are log2(n) rounds."""
    n, distance = parts[0].shape[axis], 1
    while distance < n:
        first = [narrow(p, axis, 0, distance) for p in parts]
        later = [narrow(p, axis, distance, n - distance) for p in parts]
        before = [narrow(p, axis, 0, n - distance) for p in parts]
        parts = [_F["concat"]([a, b], axis) for a, b in zip(first, combine(before, later))]
        distance *= 2
    return parts


def _running(op, input, axis, better):
    axis = axis % input.ndim if input.ndim else 0
    if input.ndim == 0:
        return input, Tensor(0, _fusescope.Int64)
    n = input.shape[axis]
    shape = [1] * input.ndim
    shape[axis] = n
    places = _F["broadcast_to"](_F["arange"](0, n, 1, _fusescope.Int64).reshape(tuple(shape)), input.shape)

    def combine(before, later):
        keep = better(later[0], before[0])
        return [_F["where"](keep, a, b) for a, b in zip(later, before)]

    _, places = _scanned([_F["stop_gradient"](input), places], axis, combine)
    return _P["GatherD"](input, places, axis), places


def cummax(input, axis):
    """The largest element so far along an axis, and the last place where it stands."""
    return _running("cummax", input, axis, lambda a, b: a >= b)


def cummin(input, axis):
    """The smallest element so far along an axis, and the last place where it stands."""
    return _running("cummin", input, axis, lambda a, b: a <= b)


def logcumsumexp(input, axis):
    """Logarithm of the running sum of exponentials, without overflow."""
    return _scanned([input], axis % input.ndim, lambda before, later: [_F["logaddexp"](later[0], before[0])])[0]


def searchsorted(sorted_sequence, values, *, out_int32=False, right=False):
    """Where values would be put so that the sequence stays sorted: before equal elements, or after them."""
    dtype = _fusescope.Int32 if out_int32 else _fusescope.Int64
    if not isinstance(values, Tensor):
        values = Tensor(values, sorted_sequence.dtype)
    if sorted_sequence.ndim > 1 and sorted_sequence.shape[:-1] != values.shape[:-1]:
        raise ValueError(f"searchsorted: `sorted_sequence` and `values` must agree in all axes but the last, but their "
                         f"shapes are {sorted_sequence.shape} and {values.shape}")
    if sorted_sequence.ndim > 1:
        sorted_sequence = _F["expand_dims"](sorted_sequence, -2)
    other = _F["expand_dims"](values, -1)
    below = sorted_sequence <= other if right else sorted_sequence < other
    return _F["sum"](below.astype(_fusescope.Int32), -1, False).astype(dtype)


def bucketize(input, boundaries, *, right=False):
    """The number of the interval between boundaries in which each element lies."""
    boundaries = boundaries if isinstance(boundaries, Tensor) else Tensor(list(boundaries))
    return searchsorted(boundaries, input, out_int32=True, right=right)


def bincount(input, weights=None, minlength=0):
    """How often each whole number from 0 on occurs, or the sum of the weights where it does."""
    if input.ndim != 1 or input.dtype.is_floating_point:
        raise ValueError(f"bincount: a vector of whole numbers is wanted, but it is {input.dtype} of shape {input.shape}")
    values = input.asnumpy()
    if values.size and values.min() < 0:
        raise ValueError(f"bincount: the numbers must not be negative, but one is {values.min()}")
    count = int(max(values.max() + 1 if values.size else 0, minlength))
    each = _F["full"](input.shape, 1.0, _fusescope.Int64) if weights is None else weights
    return _F["index_add"](_F["full"]((count,), 0.0, each.dtype), input.astype(_fusescope.Int32), each, 0)


def histc(input, bins=100, min=0.0, max=0.0):
    """How many elements lie in each of `bins` equal intervals; min and max are the input's own when both are equal."""
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise ValueError(f"histc: `bins` must be an int above 0, but it is {bins!r}")
    if min > max:
        raise ValueError(f"histc: `min` {min} must not be above `max` {max}")
    flat = input.reshape(-1)
    if min == max:
        low, high = _F["amin"](flat), _F["amax"](flat)
        same = low == high
        low, high = _F["where"](same, low - 1, low), _F["where"](same, high + 1, high)
    else:
        low, high = Tensor(min, flat.dtype), Tensor(max, flat.dtype)
    inside = _F["logical_and"](flat >= low, flat <= high)
    place = _F["floor"]((flat - low) * float(bins) / (high - low)).astype(_fusescope.Int32)
    place = _F["clamp"](place, 0, bins - 1)
    return _F["index_add"](_F["full"]((bins,), 0.0, input.dtype), place, inside.astype(input.dtype), 0)


def nansum(input, axis=None, keepdims=False, *, dtype=None):
    """Sum of what is not NaN."""
    total = _F["sum"](_F["where"](_F["isnan"](input), 0.0, input), axis, keepdims)
    return total if dtype is None else total.astype(dtype)


def nanmean(input, axis=None, keepdims=False, *, dtype=None):
    """Mean of what is not NaN."""
    valid = _F["logical_not"](_F["isnan"](input)).astype(input.dtype)
    mean = nansum(input, axis, keepdims) / _F["sum"](valid, axis, keepdims)
    return mean if dtype is None else mean.astype(dtype)


def std_mean(input, axis=None, ddof=0, keepdims=False):
    return _F["std"](input, axis, ddof, keepdims), _F["mean"](input, axis, keepdims)


def aminmax(input, *, axis=None, keepdims=False):
    return _F["amin"](input, axis, keepdims), _F["amax"](input, axis, keepdims)


def trapz(y, x=None, *, dx=1.0, dim=-1):
    """The integral along an axis by trapezia; x are the places, dx is their distance."""
    n = y.shape[dim]
    means = (narrow(y, dim % y.ndim, 1, n - 1) + narrow(y, dim % y.ndim, 0, n - 1)) * 0.5
    if x is None:
        return _F["sum"](means, dim, False) * dx
    last = (dim if x.ndim > 1 else 0) % x.ndim
    width = narrow(x, last, 1, n - 1) - narrow(x, last, 0, n - 1)
    if x.ndim == 1:
        shape = [1] * y.ndim
        shape[dim] = n - 1
        width = width.reshape(tuple(shape))
    return _F["sum"](means * width, dim, False)


def quantile(input, q, axis=None, keepdims=False):
    """The value below which a share q of the elements lies, between neighbours in a straight line."""
    single = not isinstance(q, (Tensor, tuple, list)) or (isinstance(q, Tensor) and q.ndim == 0)
    shares = q.tolist() if isinstance(q, Tensor) else q
    shares = [shares] if single else list(shares)
    if any(not 0 <= s <= 1 for s in shares):
        raise ValueError(f"quantile: `q` must be in [0, 1], but it is {q}")
    x, along = (input.reshape(-1), 0) if axis is None else (input, axis % input.ndim)
    ordered, n = _P["Sort"](x, along, False)[0], x.shape[along]
    results = []
    for s in shares:
        place = s * (n - 1)
        low = int(place)
        a, b = narrow(ordered, along, low, 1), narrow(ordered, along, low + 1 if low + 1 < n else low, 1)
        value = a + (b - a) * (place - low)
        if axis is None:
            value = value.reshape((1,) * input.ndim if keepdims else ())
        elif not keepdims:
            value = value.squeeze(along)
        results.append(value)
    return results[0] if single else _F["stack"](results, 0)


def unique_consecutive(input, return_inverse=False, return_counts=False, axis=None):
    """Elements, or slices along an axis, each run of equal ones once; also the run of each place, and the runs' lengths."""
    import numpy

    values = input.asnumpy()
    rows = values.reshape(-1) if axis is None else numpy.moveaxis(values, axis, 0)
    if len(rows):
        new = numpy.concatenate([[True], (rows[1:] != rows[:-1]).reshape(len(rows) - 1, -1).any(1)])
    else:
        new = numpy.zeros(0, bool)
    kept = rows[new] if axis is None else numpy.moveaxis(rows[new], 0, axis)
    results = [Tensor(numpy.ascontiguousarray(kept), input.dtype)]
    runs = numpy.cumsum(new) - 1
    if return_inverse:
        results.append(Tensor(runs.reshape(values.shape) if axis is None else runs))
    if return_counts:
        results.append(Tensor(numpy.bincount(runs, minlength=0)))
    return results[0] if len(results) == 1 else tuple(results)


def sequence_mask(lengths, maxlen=None):
    """True at the first `lengths` places of a last axis of extent maxlen."""
    maxlen = int(lengths.max()) if maxlen is None else maxlen
    return _F["arange"](0, maxlen, 1, lengths.dtype) < _F["expand_dims"](lengths, -1)
