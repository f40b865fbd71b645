"""Elements put, added or combined at places; into a copy of a tensor, or into a Parameter."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def index_fill(x, axis, index, value):
    """A copy in which the slices of one axis that the indices name hold one value."""
    index = index if isinstance(index, Tensor) else Tensor(index)
    n = x.shape[axis]
    index = index.reshape(-1).astype(_fusescope.Int32)
    index = _F["where"](index < 0, index + n, index)
    hit = _F["any"](_F["equal"](index.reshape((-1, 1)), _F["arange"](0, n, 1, _fusescope.Int32)), 0)
    shape = [1] * x.ndim
    shape[axis] = n
    value = value if isinstance(value, Tensor) else Tensor(value, x.dtype)
    return _F["where"](_F["broadcast_to"](hit.reshape(tuple(shape)), x.shape), value, x)


def masked_scatter(input, mask, source):
    """A copy in which the places of the mask hold the source's elements, one after the other."""
    mask = _F["broadcast_to"](mask, input.shape)
    order = _F["cumsum"](mask.reshape(-1).astype(_fusescope.Int32), 0).astype(_fusescope.Int32) - 1
    flat = source.reshape(-1)
    place = _F["clamp"](order, 0, flat.shape[0] - 1)
    return _F["where"](mask, _F["gather"](flat, place, 0).reshape(input.shape), input)


def scatter(input, axis, index, src):
    """A copy in which the places along an axis that the indices name hold src."""
    src = src if isinstance(src, Tensor) else _F["full"](index.shape, float(src), input.dtype)
    return _F["tensor_scatter_elements"](input, index, src, axis, "none")


def select_scatter(input, src, axis, index):
    """A copy in which one slice of an axis is replaced."""
    return slice_scatter(input, _F["expand_dims"](src, axis), axis, index, index + 1 if index != -1 else None)


def slice_scatter(input, src, axis=0, start=None, end=None, step=1):
    """A copy in which elements start, start + step, … of an axis are replaced."""
    start, end, step = slice(start, end, step).indices(input.shape[axis])
    begin, stop, strides = [0] * input.ndim, list(input.shape), [1] * input.ndim
    begin[axis], stop[axis], strides[axis] = start, end, step
    return _F["slice_update"](input, src, tuple(begin), tuple(stop), tuple(strides))


# Slices at places of the first axes: indices (…, k) name places of k axes, updates are (…, the axes that are left). -----

def tensor_scatter_sub(input_x, indices, updates):
    """A copy with slices taken off at the places that indices name."""
    return _P["TensorScatterAdd"](input_x, indices, -updates)


def _combined(input_x, indices, updates, neutral, reduce, join):
    """Updates of the same place are first combined with each other: a table of updates by places."""
    depth = indices.shape[-1]
    lead, rest = input_x.shape[:depth], input_x.shape[depth:]
    flat = indices.reshape((-1, depth)).astype(_fusescope.Int64)
    count, place = 1, None
    for k, extent in enumerate(lead):
        column = flat[:, k]
        column = _F["where"](column < 0, column + extent, column)
        place = column if place is None else place * extent + column
        count *= extent
    hit = _F["equal"](place.reshape((-1, 1)), _F["arange"](0, count, 1, _fusescope.Int64)).reshape((-1, count, 1))
    table = _F["where"](hit, updates.reshape((flat.shape[0], 1, -1)), Tensor(neutral, input_x.dtype))
    together = reduce(table).reshape(input_x.shape)
    touched = _F["any"](hit, (0, 2)).reshape(lead + (1,) * len(rest))
    return _F["where"](touched, join(input_x, together), input_x)


def _lowest(dtype, sign):
    if dtype.is_floating_point:
        return sign * {_fusescope.Float16: 65504.0}.get(dtype, 3.3895313892515355e38)
    return sign * {"Int8": 127, "Int16": 32767, "Int32": 2**31 - 1}.get(str(dtype), 2**53)


def tensor_scatter_max(input_x, indices, updates):
    """A copy with the larger of element and update at the places that indices name."""
    return _combined(input_x, indices, updates, _lowest(input_x.dtype, -1), lambda t: _F["amax"](t, 0, False),
                     _F["maximum"])


def tensor_scatter_min(input_x, indices, updates):
    """A copy with the smaller of element and update at the places that indices name."""
    return _combined(input_x, indices, updates, _lowest(input_x.dtype, 1), lambda t: _F["amin"](t, 0, False),
                     _F["minimum"])


def tensor_scatter_mul(input_x, indices, updates):
    """A copy multiplied at the places that indices name."""
    return _combined(input_x, indices, updates, 1, lambda t: _F["prod"](t, 0, False).astype(t.dtype), _F["mul"])


def tensor_scatter_div(input_x, indices, updates):
    """A copy divided at the places that indices name."""
    return _combined(input_x, indices, updates, 1, lambda t: _F["prod"](t, 0, False).astype(t.dtype), _F["div"])


# Into a Parameter; `indices` name slices of the first axis. ------------------------------------------------------------

def _into(parameter, combine, indices, updates):
    from mindspore.common.parameter import _store

    places = indices.reshape(indices.shape + (1,))
    _store(parameter, combine(parameter, places, updates))
    return parameter


def scatter_update(input_x, indices, updates):
    """Replaces slices of a Parameter."""
    return _into(input_x, _P["TensorScatterUpdate"], indices, updates)


def scatter_add(input_x, indices, updates):
    """Adds to slices of a Parameter."""
    return _into(input_x, _P["TensorScatterAdd"], indices, updates)


def scatter_sub(input_x, indices, updates):
    """Takes off slices of a Parameter."""
    return _into(input_x, tensor_scatter_sub, indices, updates)


def scatter_max(input_x, indices, updates):
    """Raises slices of a Parameter to updates that are larger."""
    return _into(input_x, tensor_scatter_max, indices, updates)


def scatter_min(input_x, indices, updates):
    """Lowers slices of a Parameter to updates that are smaller."""
    return _into(input_x, tensor_scatter_min, indices, updates)


def scatter_mul(input_x, indices, updates):
    """Multiplies slices of a Parameter."""
    return _into(input_x, tensor_scatter_mul, indices, updates)


def scatter_div(input_x, indices, updates):
    """Divides slices of a Parameter."""
    return _into(input_x, tensor_scatter_div, indices, updates)


def scatter_nd_add(input_x, indices, updates):
    """Adds to a Parameter at places of its first axes."""
    from mindspore.common.parameter import _store

    _store(input_x, _P["TensorScatterAdd"](input_x, indices, updates))
    return input_x
