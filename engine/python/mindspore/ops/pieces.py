"""Tensors taken apart, put together and turned round."""
import itertools

import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def _tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def tensor_split(input, indices_or_sections, axis=0):
    """Cut into as many parts as are wanted, the first ones larger, or before each of several places."""
    n = input.shape[axis]
    if isinstance(indices_or_sections, int):
        count = indices_or_sections
        if count < 1:
            raise ValueError(f"tensor_split: the number of parts must be above 0, but it is {count}")
        sizes = [n // count + (i < n % count) for i in range(count)]
        places = list(itertools.accumulate(sizes))[:-1]
    else:
        places = [slice(0, p).indices(n)[1] for p in indices_or_sections]
    index, parts, before = [slice(None)] * input.ndim, [], 0
    for place in places + [n]:
        index[axis] = slice(before, max(place, before))
        parts.append(input[tuple(index)])
        before = place
    return tuple(parts)


def hsplit(input, indices_or_sections):
    """tensor_split along the second axis, or the only one."""
    return tensor_split(input, indices_or_sections, 0 if input.ndim == 1 else 1)


def vsplit(input, indices_or_sections):
    """tensor_split along the first axis."""
    return tensor_split(input, indices_or_sections, 0)


def dsplit(input, indices_or_sections):
    """tensor_split along the third axis."""
    return tensor_split(input, indices_or_sections, 2)


def _all(inputs, f):
    if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
        inputs = inputs[0]
        return tuple(f(_tensor(x)) for x in inputs)
    return f(_tensor(inputs[0])) if len(inputs) == 1 else tuple(f(_tensor(x)) for x in inputs)


def atleast_1d(*inputs):
    return _all(inputs, lambda x: x.reshape((1,)) if x.ndim == 0 else x)


def atleast_2d(*inputs):
    return _all(inputs, lambda x: x.reshape((1, -1)) if x.ndim < 2 else x)


def atleast_3d(*inputs):
    return _all(inputs, lambda x: x.reshape((1, -1, 1)) if x.ndim < 2 else x.reshape(x.shape + (1,)) if x.ndim == 2 else x)


def hstack(tensors):
    """Side by side: along the second axis, or the only one."""
    tensors = [atleast_1d(x) for x in tensors]
    return _F["concat"](tensors, 0 if tensors[0].ndim == 1 else 1)


def vstack(inputs):
    """One above the other; vectors are rows."""
    return _F["concat"]([atleast_2d(x) for x in inputs], 0)


def dstack(inputs):
    """One behind the other, along the third axis."""
    return _F["concat"]([atleast_3d(x) for x in inputs], 2)


def column_stack(tensors):
    """Side by side; vectors are columns."""
    return _F["concat"]([x.reshape((-1, 1)) if x.ndim < 2 else x for x in map(_tensor, tensors)], 1)


def fliplr(input):
    """Columns in the opposite order."""
    return _F["flip"](input, (1,))


def flipud(input):
    """Rows in the opposite order."""
    return _F["flip"](input, (0,))


def rot90(input, k, dims):
    """Turned k times by a right angle, from the first axis toward the second."""
    a, b = (d % input.ndim for d in dims)
    if a == b:
        raise ValueError(f"rot90: `dims` must be two axes, but they are {dims}")
    order = list(range(input.ndim))
    order[a], order[b] = b, a
    if k % 4 == 2:
        return _F["flip"](input, (a, b))
    if k % 4 == 1:
        return _F["flip"](_F["transpose"](input, tuple(order)), (a,))
    return _F["transpose"](_F["flip"](input, (a,)), tuple(order)) if k % 4 == 3 else input


def block_diag(*inputs):
    """Matrices along the diagonal of a larger one, zero elsewhere."""
    inputs = [atleast_2d(x) for x in inputs]
    columns, before, rows = sum(x.shape[1] for x in inputs), 0, []
    for x in inputs:
        rows.append(_F["pad"](x, (before, columns - before - x.shape[1]), "constant", 0))
        before += x.shape[1]
    return _F["concat"](rows, 0)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Vectors along the last axis on the diagonals of matrices."""
    n = input.shape[-1] + abs(offset)
    shape = input.shape[:-1] + (n, n)
    zeros = _F["full"](shape, 0.0, input.dtype)
    y = _F["diagonal_scatter"](zeros, input, offset, len(shape) - 2, len(shape) - 1)
    dim1, dim2 = dim1 % len(shape), dim2 % len(shape)
    order = [a for a in range(len(shape) - 2)]
    for place, axis in sorted(((dim1, len(shape) - 2), (dim2, len(shape) - 1))):
        order.insert(place, axis)
    return y if order == list(range(len(shape))) else _F["transpose"](y, tuple(order))


def cartesian_prod(*inputs):
    """All ways to take one element of each vector, as rows."""
    if len(inputs) == 1:
        return inputs[0]
    grids = _F["meshgrid"](list(inputs), "ij")
    return _F["stack"]([g.reshape(-1) for g in grids], 1)


def combinations(input, r=2, with_replacement=False):
    """All ways to take r elements of a vector, as rows."""
    if r < 1:
        raise ValueError(f"combinations: `r` must be above 0, but it is {r}")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = list(choose(range(input.shape[0]), r))
    if not places:
        return _F["full"]((0, r), 0.0, input.dtype)
    return _F["gather"](input, Tensor(places, _fusescope.Int32).reshape(-1), 0).reshape((len(places), r))


def _triangle(row, col, keep, dtype):
    import numpy

    rows, columns = numpy.nonzero(keep(numpy.arange(row)[:, None], numpy.arange(col)[None, :]))
    return Tensor(numpy.stack([rows, columns]).astype(numpy.int64), dtype or _fusescope.Int64)


def tril_indices(row, col, offset=0, *, dtype=None):
    """Rows and columns of the lower triangle's elements."""
    return _triangle(row, col, lambda r, c: c - r <= offset, dtype)


def triu_indices(row, col, offset=0, *, dtype=None):
    """Rows and columns of the upper triangle's elements."""
    return _triangle(row, col, lambda r, c: c - r >= offset, dtype)


def vander(x, N=None):
    """Rows of falling powers of the elements."""
    n = x.shape[0] if N is None else N
    return _F["pow"](x.reshape((-1, 1)), _F["arange"](n - 1, -1, -1, _fusescope.Float32).astype(x.dtype))


def logspace(start, end, steps, base=10, *, dtype=None):
    """Powers of the base whose exponents are evenly spaced."""
    start, end = (v.item() if isinstance(v, Tensor) else v for v in (start, end))
    powers = _F["linspace"](float(start), float(end), steps)
    y = _F["pow"](Tensor(float(base)), powers)
    return y if dtype is None else y.astype(dtype)


def moveaxis(x, source, destination):
    """Another name of movedim."""
    from mindspore.ops.composite import movedim

    return movedim(x, source, destination)
