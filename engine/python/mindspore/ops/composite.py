"""Functions that are short sentences in other ops, or whose Python forms the table does not have."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def _missing(name):
    raise AttributeError(f"mindspore.ops has no `{name}` in this engine; `fusescope --list-ops` lists the ops")


def _op(name):
    function = _F.get(name)
    return function if function is not None else _missing(name)


def _tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


def _as_axes(axis):
    return axis


def matmul(input, mat2):
    """Matrix product with batching as in numpy; vectors take part as rows and columns."""
    input, mat2 = _tensor(input), _tensor(mat2)
    left, right = input.ndim == 1, mat2.ndim == 1
    if not left and not right:
        return _F["matmul"](input, mat2)
    a = input.reshape((1, -1)) if left else input
    b = mat2.reshape((-1, 1)) if right else mat2
    out = _F["matmul"](a, b)
    shape = out.shape
    if right:
        shape = shape[:-1]
    if left:
        shape = shape[:-2] + shape[-1:] if not right else shape[:-1]
    return out.reshape(shape)


def bmm(input, mat2):
    """Product of two batches of matrices."""
    return _F["matmul"](input, mat2)


mm = bmm


def outer(input, vec2):
    """Every product of an element of one vector with one of the other."""
    return input.reshape((-1, 1)) * vec2.reshape((1, -1))


def dot(input, other):
    """Sum of the products of two vectors."""
    return (input * other).sum()


def clamp(input, min=None, max=None):
    """Limits elements to [min, max]; NaN stays."""
    if min is None and max is None:
        raise ValueError("clip: `min` and `max` are both None, so there is nothing to limit by")
    out = input
    if min is not None:
        out = _F["maximum"](out, min)
    if max is not None:
        out = _F["minimum"](out, max)
    return out


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    return clamp(x, clip_value_min, clip_value_max)


def clip_by_norm(x, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scales one tensor, or a list of them, so that the norm is at most max_norm."""
    tensors = [x] if isinstance(x, Tensor) else list(x)
    total = None
    for t in tensors:
        s = (t * t).sum()
        total = s if total is None else total + s
    factor = _F["minimum"](max_norm / (_F["sqrt"](total) + 1e-6), 1.0)
    scaled = [t * factor for t in tensors]
    return scaled[0] if isinstance(x, Tensor) else tuple(scaled)


def clip_by_global_norm(x, clip_norm=1.0, use_norm=None):
    """Scales all tensors by one factor so that their joint norm is at most clip_norm."""
    total = None
    for t in x:
        s = (t * t).sum()
        total = s if total is None else total + s
    norm = _F["sqrt"](total)
    factor = clip_norm / _F["maximum"](norm, clip_norm)
    return tuple(t * factor for t in x)


def zeros(size, dtype=None):
    return _F["full"](_shape(size), 0.0, _float_or(dtype))


def ones(size, dtype=None):
    return _F["full"](_shape(size), 1.0, _float_or(dtype))


def full(size, fill_value, *, dtype=None):
    if dtype is None:
        dtype = _fusescope.Bool if isinstance(fill_value, bool) else \
            _fusescope.Int64 if isinstance(fill_value, int) else _fusescope.Float32
    return _F["full"](_shape(size), float(fill_value), _fusescope.dtype_named(dtype))


def fill(type, shape, value):
    return _F["full"](_shape(shape), float(value), _fusescope.dtype_named(type))


def zeros_like(input, *, dtype=None):
    return _F["full"](input.shape, 0.0, input.dtype if dtype is None else _fusescope.dtype_named(dtype))


def ones_like(input, *, dtype=None):
    return _F["full"](input.shape, 1.0, input.dtype if dtype is None else _fusescope.dtype_named(dtype))


def full_like(input, fill_value, *, dtype=None):
    return _F["full"](input.shape, float(fill_value), input.dtype if dtype is None else _fusescope.dtype_named(dtype))


def _shape(size):
    if isinstance(size, Tensor):
        return tuple(size.tolist())
    return (size,) if isinstance(size, int) else tuple(int(n) for n in size)


def _float_or(dtype):
    return _fusescope.Float32 if dtype is None else _fusescope.dtype_named(dtype)


def arange(start=0, end=None, step=1, *, dtype=None):
    """Numbers from start up to, not including, end."""
    if end is None:
        start, end = 0, start
    start, end, step = (v.item() if isinstance(v, Tensor) else v for v in (start, end, step))
    if step == 0:
        raise ValueError("arange: `step` must not be 0")
    if dtype is None:
        whole = all(isinstance(v, int) for v in (start, end, step))
        dtype = _fusescope.Int64 if whole else _fusescope.Float32
    else:
        dtype = _fusescope.dtype_named(dtype)
    function = _F.get("arange")
    if function is not None:
        return function(start, end, step, dtype=dtype)
    import numpy

    return Tensor(numpy.arange(start, end, step), dtype)


def linspace(start, end, steps):
    """`steps` numbers from start to end, both included."""
    if steps == 1:
        return Tensor([float(start)])
    width = (float(end) - float(start)) / (steps - 1)
    return Tensor([float(start) + i * width for i in range(steps)], _fusescope.Float32)


def squeeze(input, axis=None):
    """Drops axes of extent 1."""
    shape = input.shape
    if axis is None:
        return input.reshape(tuple(n for n in shape if n != 1))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    drop = set()
    for a in axes:
        if not -len(shape) <= a < len(shape):
            raise ValueError(f"squeeze: axis {a} is out of range for a tensor of shape {shape}")
        if shape[a] != 1:
            raise ValueError(f"squeeze: axis {a} of shape {shape} has extent {shape[a]}; only extents of 1 can go")
        drop.add(a % len(shape))
    return input.reshape(tuple(n for i, n in enumerate(shape) if i not in drop))


def expand_dims(input, axis):
    """A new axis of extent 1."""
    rank = input.ndim + 1
    if not -rank <= axis < rank:
        raise ValueError(f"expand_dims: axis {axis} is out of range for a tensor of shape {input.shape}")
    axis %= rank
    return input.reshape(input.shape[:axis] + (1,) + input.shape[axis:])


unsqueeze = expand_dims


def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    """All axes from start_dim on as one; the first stays."""
    if input.ndim < 2 and start_dim == 1:
        return input.reshape((-1, 1)) if input.ndim else input.reshape((1,))
    return Tensor.flatten(input, start_dim=start_dim, end_dim=end_dim)


def swapaxes(input, axis0, axis1):
    return input.swapaxes(axis0, axis1)


def t(input):
    return input if input.ndim < 2 else input.T


def movedim(x, source, destination):
    """Axes moved to new places."""
    source = (source,) if isinstance(source, int) else tuple(source)
    destination = (destination,) if isinstance(destination, int) else tuple(destination)
    rank = x.ndim
    source = [s % rank for s in source]
    order = [i for i in range(rank) if i not in source]
    for d, s in sorted(zip((d % rank for d in destination), source)):
        order.insert(d, s)
    return _F["transpose"](x, tuple(order))


def tile(input, dims):
    """Copies of the tensor side by side."""
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    shape = input.shape
    rank = max(len(shape), len(dims))
    shape = (1,) * (rank - len(shape)) + shape
    dims = (1,) * (rank - len(dims)) + dims
    apart, wide = [], []
    for extent, n in zip(shape, dims):
        apart += [1, extent]
        wide += [n, extent]
    return input.reshape(tuple(apart)).broadcast_to(tuple(wide)).reshape(
        tuple(extent * n for extent, n in zip(shape, dims)))


def repeat_elements(x, rep, axis=0):
    """Each slice along the axis `rep` times."""
    axis %= x.ndim
    shape = x.shape
    wide = x.reshape(shape[:axis + 1] + (1,) + shape[axis + 1:])
    wide = wide.broadcast_to(shape[:axis + 1] + (rep,) + shape[axis + 1:])
    return wide.reshape(shape[:axis] + (shape[axis] * rep,) + shape[axis + 1:])


def repeat_interleave(input, repeats, axis=None):
    if axis is None:
        input, axis = input.reshape(-1), 0
    return repeat_elements(input, repeats, axis)


def expand_as(input, other):
    return input.broadcast_to(other.shape)


def masked_fill(input, mask, value):
    """`value` where the mask holds."""
    return _F["where"](mask, value if isinstance(value, Tensor) else Tensor(value, input.dtype), input)


def logical_xor(input, other):
    return _F["not_equal"](input != 0, other != 0)


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """Euclidean norm over the axes, or the p-norm."""
    if ord is None or ord == 2 or ord == "fro":
        return _F["sqrt"](_F["sum"](A * A, dim, keepdim))
    if ord == 1:
        return _F["sum"](_F["abs"](A), dim, keepdim)
    if ord == float("inf"):
        return _F["amax"](_F["abs"](A), dim, keepdim)
    return _F["sum"](_F["pow"](_F["abs"](A), ord), dim, keepdim) ** (1.0 / ord)


def max(input, axis=None, keepdims=False, *, initial=None, where=None):
    """The largest element; with an axis also where it is: (values, indices)."""
    if axis is None:
        return _F["amax"](input, None, False)
    return _F["amax"](input, axis, keepdims), _along(_op("argmax"), input, axis, keepdims)


def min(input, axis=None, keepdims=False, *, initial=None, where=None):
    """The smallest element; with an axis also where it is: (values, indices)."""
    if axis is None:
        return _F["amin"](input, None, False)
    return _F["amin"](input, axis, keepdims), _along(_op("argmin"), input, axis, keepdims)


def _along(function, input, axis, keepdims):
    places = function(input, axis)
    return expand_dims(places, axis % input.ndim) if keepdims and places.ndim < input.ndim else places


def mean_squares(x):
    return (x * x).mean()


def var(input, axis=None, ddof=0, keepdims=False):
    """Mean squared distance from the mean."""
    function = _F.get("var")
    if function is not None:
        return function(input, axis, ddof, keepdims)
    m = _F["mean"](input, axis, True)
    d = input - m
    total = _F["sum"](d * d, axis, keepdims)
    n = input.size // _F["sum"](d, axis, keepdims).size
    return total / float(n - int(ddof))


def std(input, axis=None, ddof=0, keepdims=False):
    """Square root of the variance."""
    function = _F.get("std")
    if function is not None:
        return function(input, axis, ddof, keepdims)
    return _F["sqrt"](var(input, axis, ddof, keepdims))


def var_mean(input, axis=None, ddof=0, keepdims=False):
    return var(input, axis, ddof, keepdims), _F["mean"](input, axis, keepdims)


def gelu(input, approximate="none"):
    """Gaussian error linear unit; approximate="tanh" for the usual approximation."""
    return _op("gelu")(input, approximate)


def softmax(input, axis=-1, *, dtype=None):
    """Exponentials that sum to 1 along the axis."""
    input = input if dtype is None else input.astype(dtype)
    return _op("softmax")(input, axis)


def log_softmax(logits, axis=-1):
    """Logarithm of softmax, computed without overflow."""
    return _op("log_softmax")(logits, axis)


def dropout(input, p=0.5, training=True, seed=None):
    """Zeroes elements with probability p and scales the others by 1/(1-p)."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout: `p` must be in [0, 1], but it is {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0.0
    function = _F.get("dropout")
    if function is not None:
        result = function(input, p)
        return result[0] if isinstance(result, tuple) else result
    keep = _op("standard_uniform")(input.shape) >= p
    return _F["where"](keep, input * (1.0 / (1.0 - p)), 0.0)


def mse_loss(input, target, reduction="mean"):
    """Squared differences, reduced."""
    d = input - target
    return _reduced(d * d, reduction, "mse_loss")


def l1_loss(input, target, reduction="mean"):
    """Absolute differences, reduced."""
    return _reduced(_F["abs"](input - target), reduction, "l1_loss")


def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    """Squared near zero, absolute farther away."""
    d = _F["abs"](input - target)
    return _reduced(_F["where"](d < beta, d * d * (0.5 / beta), d - 0.5 * beta), reduction, "smooth_l1_loss")


def _reduced(x, reduction, name):
    if reduction == "mean":
        return x.mean()
    if reduction == "sum":
        return x.sum()
    if reduction == "none":
        return x
    raise ValueError(f"{name}: `reduction` must be 'mean', 'sum' or 'none', but it is {reduction!r}")


def binary_cross_entropy_with_logits(logits, label, weight=None, pos_weight=None, reduction="mean"):
    """Cross entropy of sigmoid(logits) with labels in [0, 1], computed without overflow."""
    loss = _F["maximum"](logits, 0.0) - logits * label + _F["log1p"](_F["exp"](-_F["abs"](logits)))
    if pos_weight is not None:
        scale = 1.0 + (pos_weight - 1.0) * label
        loss = (1.0 - label) * logits + scale * (_F["log1p"](_F["exp"](-_F["abs"](logits))) + _F["maximum"](-logits, 0.0))
    loss = loss if weight is None else loss * weight
    return _reduced(loss, reduction, "binary_cross_entropy_with_logits")


def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    """Cross entropy of probabilities with labels in [0, 1]."""
    loss = -(labels * _F["log"](clamp(logits, 1e-12, None)) + (1.0 - labels) * _F["log"](clamp(1.0 - logits, 1e-12, None)))
    loss = loss if weight is None else loss * weight
    return _reduced(loss, reduction, "binary_cross_entropy")


def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Negative of the log-probability of the target class."""
    classes = inputs.shape[1]
    if inputs.ndim > 2:
        order = (0,) + tuple(range(2, inputs.ndim)) + (1,)
        inputs = _F["transpose"](inputs, order).reshape((-1, classes))
        target = target.reshape(-1)
    valid = target != ignore_index
    hot = one_hot(_F["where"](valid, target, 0), classes, inputs.dtype)
    picked = (hot * inputs).sum(-1)
    each = valid.astype(inputs.dtype)
    if weight is not None:
        each = each * (hot * weight).sum(-1)
    loss = -picked * each
    if label_smoothing:
        smooth = -inputs.mean(-1) * valid.astype(inputs.dtype)
        loss = loss * (1.0 - label_smoothing) + smooth * label_smoothing
    if reduction == "mean":
        return loss.sum() / each.sum()
    return _reduced(loss, reduction, "nll_loss")


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Cross entropy of logits with class numbers, or with probabilities of the classes."""
    function = _F.get("cross_entropy")
    if function is not None and input.ndim == 2 and weight is None and not target.dtype.is_floating_point:
        try:
            return function(input, target, reduction=reduction, ignore_index=ignore_index,
                            label_smoothing=label_smoothing)
        except TypeError:
            pass  # the row knows fewer of these arguments
    if target.dtype.is_floating_point:
        logs = log_softmax(input, 1)
        if label_smoothing:
            target = target * (1.0 - label_smoothing) + label_smoothing / input.shape[1]
        scaled = logs if weight is None else logs * weight.reshape((1, -1) + (1,) * (input.ndim - 2))
        loss = -(scaled * target).sum(1)
        return _reduced(loss, reduction, "cross_entropy")
    return nll_loss(log_softmax(input, 1), target, weight, ignore_index, reduction, label_smoothing)


def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """Rows of `depth` elements with one at each index. The third argument may be a dtype."""
    dtype = _fusescope.Float32
    if isinstance(on_value, _fusescope.DType):
        dtype, on_value = on_value, 1
    elif isinstance(on_value, Tensor):
        dtype = on_value.dtype
    elif isinstance(on_value, int) and isinstance(off_value, int):
        dtype = _fusescope.Int64
    positions = expand_dims(indices, -1)
    row = arange(depth).reshape((1,) * indices.ndim + (depth,))
    hit = positions.astype(_fusescope.Int64) == row
    off = off_value if isinstance(off_value, Tensor) else Tensor(off_value, dtype)
    on = on_value if isinstance(on_value, Tensor) else Tensor(on_value, dtype)
    out = _F["where"](hit, on, off)
    return out if axis in (-1, indices.ndim) else movedim(out, -1, axis)


def gather(input_params, input_indices, axis, batch_dims=0):
    """Slices along the axis, by number."""
    return _op("gather")(input_params, _tensor(input_indices), axis)


def index_select(input, axis, index):
    return _op("gather")(input, index, axis)


def gather_elements(input, dim, index):
    """Elements at the places along an axis that indices of the same rank name."""
    return _fusescope.primitives["GatherD"](input, _tensor(index), dim)


gather_d = gather_elements


def split(tensor, split_size_or_sections, axis=0):
    """Pieces of a size, or of the sizes given, along the axis."""
    axis %= tensor.ndim
    extent = tensor.shape[axis]
    sizes = split_size_or_sections
    if isinstance(sizes, int):
        whole, rest = divmod(extent, sizes)
        sizes = [sizes] * whole + ([rest] if rest else [])
    if sum(sizes) != extent:
        raise ValueError(f"split: sections {tuple(sizes)} do not add up to extent {extent} of axis {axis}")
    pieces, at = [], 0
    for n in sizes:
        index = (slice(None),) * axis + (slice(at, at + n),)
        pieces.append(tensor[index])
        at += n
    return tuple(pieces)


def chunk(input, chunks, axis=0):
    """At most `chunks` pieces of equal size, the last perhaps smaller."""
    extent = input.shape[axis]
    return split(input, -(-extent // chunks), axis)


def stack(tensors, axis=0):
    """Tensors of one shape along a new axis."""
    tensors = list(tensors)
    return _op("concat")([expand_dims(x, axis) for x in tensors], axis % (tensors[0].ndim + 1))


def concat(tensors, axis=0):
    """Tensors one after another along an axis."""
    return _op("concat")(list(tensors), axis)


cat = concat


def unstack(input_x, axis=0):
    """The slices along an axis."""
    return tuple(squeeze(piece, axis) for piece in split(input_x, 1, axis))


unbind = unstack


def tril(input, diagonal=0):
    """The part on and below a diagonal; zeros above."""
    return _triangle(input, diagonal, True)


def triu(input, diagonal=0):
    """The part on and above a diagonal; zeros below."""
    return _triangle(input, diagonal, False)


def _triangle(input, diagonal, lower):
    rows, columns = input.shape[-2:]
    i = arange(rows).reshape((-1, 1))
    j = arange(columns).reshape((1, -1))
    keep = j - i <= diagonal if lower else j - i >= diagonal
    return _F["where"](keep, input, Tensor(0, input.dtype))


def flip(input, dims):
    """Axes in reverse order."""
    dims = (dims,) if isinstance(dims, int) else tuple(dims)
    index = [slice(None)] * input.ndim
    for d in dims:
        index[d] = slice(None, None, -1)
    return input[tuple(index)]


def count_nonzero(x, axis=(), keep_dims=False, dtype=_fusescope.Int32):
    return _F["sum"]((x != 0).astype(dtype), axis or None, keep_dims)


def nonzero(input):
    """Positions of the elements that are not zero, one row each."""
    import numpy

    return Tensor(numpy.argwhere(input.asnumpy()))


def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    import numpy

    return bool(numpy.allclose(input.asnumpy(), other.asnumpy(), rtol, atol, equal_nan))


def sort(input, axis=-1, descending=False):
    """Sorted values and where they were."""
    import numpy

    array = input.asnumpy()
    order = numpy.argsort(-array if descending else array, axis=axis, kind="stable")
    return Tensor(numpy.take_along_axis(array, order, axis)), Tensor(order)


def topk(input, k, dim=None, largest=True, sorted=True):
    """The k largest values along an axis and where they are."""
    axis = -1 if dim is None else dim
    values, places = sort(input, axis, largest)
    index = [slice(None)] * input.ndim
    index[axis] = slice(0, k)
    return values[tuple(index)], places[tuple(index)].astype(_fusescope.Int32)


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return input * beta + _F["matmul"](mat1, mat2) * alpha


def addn(x):
    """Sum of several tensors."""
    total = x[0]
    for item in x[1:]:
        total = total + item
    return total


def meshgrid(*inputs, indexing="xy"):
    """Coordinate arrays of a grid."""
    inputs = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)) else inputs
    order = list(inputs)
    if indexing == "xy" and len(order) > 1:
        order[0], order[1] = order[1], order[0]
    shape = tuple(x.size for x in order)
    grids = []
    for k, x in enumerate(order):
        ones_before = (1,) * k
        grids.append(x.reshape(ones_before + (-1,) + (1,) * (len(order) - k - 1)).broadcast_to(shape))
    if indexing == "xy" and len(order) > 1:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def shape(input_x):
    return input_x.shape


def rank(input_x):
    return input_x.ndim


def size(input_x):
    return input_x.size


def is_tensor(obj):
    return isinstance(obj, Tensor)


def tensor_scatter_update(input_x, indices, updates):
    """A copy with `updates` at the positions that the rows of `indices` name."""
    copy = input_x._snapshot()
    copy[tuple(indices[..., k] for k in range(indices.shape[-1]))] = updates
    return copy


def assign(variable, value):
    """Gives a Parameter a new value."""
    if not isinstance(value, Tensor):
        value = Tensor(value, variable.dtype)
    if value.shape != variable.shape:
        raise ValueError(f"assign: the value has shape {value.shape}, but the Parameter has shape {variable.shape}")
    from mindspore.common.parameter import _store

    _store(variable, value)
    return variable


def assign_add(variable, value):
    return assign(variable, variable + value)


def assign_sub(variable, value):
    return assign(variable, variable - value)


def randn(*size, dtype=None, seed=None):
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    out = _op("standard_normal")(_shape(size))
    return out if dtype is None else out.astype(dtype)


def rand(*size, dtype=None, seed=None):
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    out = _op("standard_uniform")(_shape(size))
    return out if dtype is None else out.astype(dtype)


def randint(low, high, size, seed=None, *, dtype=None):
    """Whole numbers in [low, high)."""
    out = _F["floor"](_op("standard_uniform")(_shape(size)) * float(high - low) + float(low))
    return out.astype(_fusescope.Int64 if dtype is None else dtype)


def standard_normal(shape, seed=None):
    return _op("standard_normal")(_shape(shape))


def uniform(shape, minval, maxval, seed=None, dtype=None):
    return _op("standard_uniform")(_shape(shape)) * (maxval - minval) + minval


def randperm(n, seed=0, offset=0, dtype=_fusescope.Int64):
    """Numbers below n in random order."""
    return sort(_op("standard_uniform")((n,)))[1].astype(dtype)


def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    """Normalisation over the batch. The row's own form is used by nn.BatchNorm2d."""
    axes = (0,) + tuple(range(2, input_x.ndim))
    shape = (1, -1) + (1,) * (input_x.ndim - 2)
    if training:
        m, v = _F["mean"](input_x, axes, False), var(input_x, axes)
    else:
        m, v = running_mean, running_var
    scale = weight * _F["rsqrt"](v + eps)
    return (input_x - m.reshape(shape)) * scale.reshape(shape) + bias.reshape(shape)
