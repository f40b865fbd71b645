"""Functions that are short sentences in other ops, or whose Python forms the table does not have."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def _tensor(x):
    return x if isinstance(x, Tensor) else Tensor(x)


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


def full(size, fill_value, *, dtype=None):
    if dtype is None:
        dtype = _fusescope.Bool if isinstance(fill_value, bool) else \
            _fusescope.Int64 if isinstance(fill_value, int) else _fusescope.Float32
    return _F["full"](_shape(size), float(fill_value), _fusescope.dtype_named(dtype))


def _shape(size):
    if isinstance(size, Tensor):
        return tuple(size.tolist())
    return (size,) if isinstance(size, int) else tuple(int(n) for n in size)


def _float_or(dtype):
    return _fusescope.Float32 if dtype is None else _fusescope.dtype_named(dtype)


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


def expand_as(input, other):
    return input.broadcast_to(other.shape)


def var_mean(input, axis=None, ddof=0, keepdims=False):
    return _F["var"](input, axis, ddof, keepdims), _F["mean"](input, axis, keepdims)


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
    loss = -(labels * _F["log"](_F["clamp"](logits, 1e-12, None)) + (1.0 - labels) * _F["log"](_F["clamp"](1.0 - logits, 1e-12, None)))
    loss = loss if weight is None else loss * weight
    return _reduced(loss, reduction, "binary_cross_entropy")


def _check_labels(op, scores, labels, one_each):
    """Labels are one for each row of scores, or as many as the scores themselves."""
    rows = scores.shape[:1] + scores.shape[2:]
    wanted = rows if one_each else scores.shape
    if labels.shape == wanted:
        return
    hint = "; class numbers must be ints" if not one_each and labels.shape == rows else ""
    _fusescope.refuse_shape(op, f"{op}: the labels must have shape {wanted} for scores of shape {scores.shape}, but they "
                            f"have shape {labels.shape}{hint}", "wanted", wanted, "labels", labels)


def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Negative of the log-probability of the target class."""
    _check_labels("NLLLoss", inputs, target, True)
    classes = inputs.shape[1]
    if inputs.ndim > 2:
        order = (0,) + tuple(range(2, inputs.ndim)) + (1,)
        inputs = _F["transpose"](inputs, order).reshape((-1, classes))
        target = target.reshape(-1)
    valid = _fusescope.primitives["LabelMask"](target, ignore_index, classes)
    hot = one_hot(_F["where"](valid, target, 0), classes, inputs.dtype)
    # A product would make NaN of a class that a mask of -inf rules out.
    picked = _F["where"](hot > 0, inputs, 0.0).sum(-1)
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
    _check_labels("CrossEntropy", input, target, not target.dtype.is_floating_point)
    if target.dtype.is_floating_point:
        logs = _F["log_softmax"](input, 1)
        if label_smoothing:
            target = target * (1.0 - label_smoothing) + label_smoothing / input.shape[1]
        scaled = logs if weight is None else logs * weight.reshape((1, -1) + (1,) * (input.ndim - 2))
        loss = -(scaled * target).sum(1)
        return _reduced(loss, reduction, "cross_entropy")
    return nll_loss(_F["log_softmax"](input, 1), target, weight, ignore_index, reduction, label_smoothing)


def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    import numpy

    return bool(numpy.allclose(input.asnumpy(), other.asnumpy(), rtol, atol, equal_nan))


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return input * beta + _F["matmul"](mat1, mat2) * alpha


def addn(x):
    """Sum of several tensors."""
    total = x[0]
    for item in x[1:]:
        total = total + item
    return total


def shape(input_x):
    return input_x.shape


def rank(input_x):
    return input_x.ndim


def size(input_x):
    return input_x.size


def is_tensor(obj):
    return isinstance(obj, Tensor)


def assign(variable, value):
    """Gives a Parameter a new value."""
    if not isinstance(value, Tensor):
        value = Tensor(value, variable.dtype)
    if value.shape != variable.shape:
        _fusescope.refuse_shape("Assign", f"Assign: the value has shape {value.shape}, but the Parameter has shape "
                                f"{variable.shape}", "wanted", variable.shape, "value", value)
    from mindspore.common.parameter import _store

    _store(variable, value)
    return variable


def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    """Normalises each channel by the running statistics, or by the batch's own when training."""
    return _F["batch_norm"](input_x, weight, bias, running_mean, running_var, training, eps)[0]


def zeros(size, dtype=None):
    """Zeros, Float32 unless told otherwise."""
    return _F["full"](_shape(size), 0.0, _float_or(dtype))


def ones(size, dtype=None):
    """Ones, Float32 unless told otherwise."""
    return _F["full"](_shape(size), 1.0, _float_or(dtype))


def fill(type, shape, value):
    """A tensor of one number; the dtype comes first."""
    return _F["full"](_shape(shape), float(value), type)


def arange(start=0, end=None, step=1, *, dtype=None):
    """Numbers from start up to, not including, end: Int64 when all three are ints, else Float32."""
    if end is None:
        start, end = 0, start
    start, end, step = (v.item() if isinstance(v, Tensor) else v for v in (start, end, step))
    if step == 0:
        raise ValueError("arange: `step` must not be 0")
    if dtype is None:
        whole = all(isinstance(v, int) for v in (start, end, step))
        dtype = _fusescope.Int64 if whole else _fusescope.Float32
    return _F["arange"](start, end, step, dtype)


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """Another name of clamp."""
    return _F["clamp"](x, clip_value_min, clip_value_max)


def max(input, axis=None, keepdims=False, *, initial=None, where=None):
    """(values, indices) of the largest elements; without an axis the index is 0, as in MindSpore."""
    return (_F["amax"](input), Tensor(0, _fusescope.Int32)) if axis is None else _F["max"](input, axis, keepdims)


def min(input, axis=None, keepdims=False, *, initial=None, where=None):
    """(values, indices) of the smallest elements; without an axis the index is 0, as in MindSpore."""
    return (_F["amin"](input), Tensor(0, _fusescope.Int32)) if axis is None else _F["min"](input, axis, keepdims)


def softmax(input, axis=-1, *, dtype=None):
    """Exponentials that sum to 1 along the axis."""
    return _F["softmax"](input if dtype is None else input.astype(dtype), axis)


def dropout(input, p=0.5, training=True, seed=None):
    """Zeroes elements with probability p and scales the others by 1/(1-p)."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout: `p` must be in [0, 1], but it is {p}")
    return _F["dropout"](input, p)[0] if training and p else input


def _dropout_of_channels(name, ranks, x, p, training):
    if x.ndim not in ranks:
        raise ValueError(f"{name}: the input must have {' or '.join(str(r) for r in ranks)} axes, "
                         f"but its shape is {x.shape}")
    if not 0 <= p <= 1:
        raise ValueError(f"{name}: `p` must be in [0, 1], but it is {p}")
    if not training or not p:
        return x
    lead = x.ndim - (ranks[-1] - 2)  # batch and channels, or channels alone
    kept = _F["dropout"](_F["full"](x.shape[:lead] + (1,) * (x.ndim - lead), 1.0, x.dtype), p)[0]
    return x * kept


def dropout1d(input, p=0.5, training=True):
    """Zeroes whole channels of ([N,] C, L)."""
    return _dropout_of_channels("dropout1d", (2, 3), input, p, training)


def dropout2d(input, p=0.5, training=True):
    """Zeroes whole channels of ([N,] C, H, W)."""
    return _dropout_of_channels("dropout2d", (3, 4), input, p, training)


def dropout3d(input, p=0.5, training=True):
    """Zeroes whole channels of ([N,] C, D, H, W)."""
    return _dropout_of_channels("dropout3d", (4, 5), input, p, training)


def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """Rows of `depth` elements with on_value at each index. The third argument may be a dtype."""
    if isinstance(on_value, _fusescope.DType):
        return _F["one_hot"](indices, depth, 1, 0, axis, on_value)
    if isinstance(on_value, Tensor):
        dtype = on_value.dtype
    else:
        dtype = _fusescope.Int64 if isinstance(on_value, int) and isinstance(off_value, int) else _fusescope.Float32
    return _F["one_hot"](indices, depth, on_value, off_value, axis, dtype)


def gather(input_params, input_indices, axis, batch_dims=0):
    """Slices along the axis, by number."""
    return _F["gather"](input_params, _tensor(input_indices), axis)


def randn(*size, dtype=None, seed=None):
    """Standard normal numbers."""
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    return _F["standard_normal"](_shape(size), _float_or(dtype))


def rand(*size, dtype=None, seed=None):
    """Numbers in [0, 1)."""
    size = size[0] if len(size) == 1 and not isinstance(size[0], int) else size
    return _F["uniform_real"](_shape(size), _float_or(dtype))


def randint(low, high, size, seed=None, *, dtype=None):
    """Whole numbers in [low, high)."""
    return _F["randint"](low, high, _shape(size), _fusescope.Int64 if dtype is None else dtype)


def standard_normal(shape, seed=None):
    """Standard normal numbers."""
    return _F["standard_normal"](_shape(shape))


def uniform(shape, minval, maxval, seed=None, dtype=None):
    """Numbers in [minval, maxval)."""
    return _F["uniform"](_shape(shape), minval, maxval, _float_or(dtype))
