"""Functions that rearrange, pick and scatter, in the forms that the op table does not have."""
import builtins

import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def _tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def meshgrid(*inputs, indexing="xy"):
    """Grids of coordinates, one for each vector."""
    if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
        inputs = inputs[0]
    return _F["meshgrid"](list(inputs), indexing)


def narrow(input, axis, start, length):
    """`length` elements of one axis from `start` on."""
    extent = input.shape[axis]
    if not 0 <= start <= start + length <= extent:
        raise ValueError(f"narrow: elements {start} to {start + length} are not within axis {axis} of extent {extent}")
    index = [builtins.slice(None)] * input.ndim
    index[axis] = builtins.slice(start, start + length)
    return input[tuple(index)]


def slice(input_x, begin, size):
    """A box of a tensor; a size of -1 reaches to the end."""
    begin, size = (v.tolist() if isinstance(v, Tensor) else tuple(v) for v in (begin, size))
    end = tuple(n if s == -1 else b + s for b, s, n in zip(begin, size, input_x.shape))
    for axis, (b, e, n) in enumerate(zip(begin, end, input_x.shape)):
        if not 0 <= b <= e <= n:
            raise ValueError(f"slice: elements {b} to {e} are not within axis {axis} of extent {n}")
    return _P["StridedSlice"](input_x, tuple(begin), end, (1,) * len(end))


def gather_elements(input, dim, index):
    """Elements at the places along an axis that indices of the same rank name."""
    return _P["GatherD"](input, _tensor(index), dim)


def gather_d(x, dim, index):
    return gather_elements(x, dim, index)


def index_select(input, axis, index):
    """Slices along an axis, by number."""
    return _F["gather"](input, _tensor(index), axis)


def scatter_nd(indices, updates, shape):
    """A tensor of zeros to which updates are added at the places that the indices name."""
    zeros = _F["full"](tuple(shape), 0.0, updates.dtype)
    return _P["TensorScatterAdd"](zeros, indices, updates)


def unique(input):
    """The different values in order, and for each element the place of its value among them."""
    import numpy

    values, places = numpy.unique(input.asnumpy(), return_inverse=True)
    return Tensor(values, input.dtype), Tensor(places.astype("int32").reshape(input.shape))


def median(input, axis=-1, keepdims=False):
    """The middle value along an axis, the lower one of two, and where it is."""
    values, places = _P["Sort"](input, axis, False)
    middle = (input.shape[axis] - 1) // 2
    values, places = narrow(values, axis, middle, 1), narrow(places, axis, middle, 1)
    return (values, places) if keepdims else (values.squeeze(axis), places.squeeze(axis))


def ptp(x, axis=None, keepdims=False):
    """The largest element minus the smallest."""
    return _F["amax"](x, axis, keepdims) - _F["amin"](x, axis, keepdims)


def diff(x, n=1, axis=-1):
    """Differences of neighbours along an axis, n times."""
    for _ in range(n):
        extent = x.shape[axis]
        x = narrow(x, axis, 1, extent - 1) - narrow(x, axis, 0, extent - 1)
    return x


def multinomial(input, num_samples, replacement=True, seed=None):
    """Numbers of classes, drawn with probabilities in proportion to the input's rows."""
    if not replacement:
        # The largest of independent exponential races: drawing without putting back.
        draws = _F["log"](_F["uniform_real"](input.shape, _fusescope.Float32)) / input
        return _F["topk"](draws, num_samples)[1]
    rows = input.reshape((-1, input.shape[-1]))
    bounds = _F["cumsum"](rows / rows.sum(-1, True), -1)
    draws = _F["uniform_real"]((rows.shape[0], num_samples, 1), _fusescope.Float32)
    places = (draws >= bounds.reshape((rows.shape[0], 1, -1))).astype(_fusescope.Int32).sum(-1)
    places = _F["minimum"](places, input.shape[-1] - 1).astype(_fusescope.Int32)
    return places.reshape(input.shape[:-1] + (num_samples,))


def tuple_to_array(input_x):
    """A tuple of numbers as a tensor."""
    return Tensor(list(input_x))


def scalar_to_tensor(input_x, dtype=_fusescope.Float32):
    return Tensor(input_x, dtype)


def depend(value, expr):
    """`value`, after `expr`: ops with effects keep the program's order anyway."""
    return value
