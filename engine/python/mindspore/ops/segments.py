"""Rows gathered into segments, sequences turned round within their lengths, and statistics of variables."""
import _fusescope
from mindspore.ops.scattering import _lowest, tensor_scatter_max, tensor_scatter_min, tensor_scatter_mul

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def _segments(op, input_x, segment_ids, num_segments):
    count = int(num_segments)
    rank = segment_ids.ndim
    if input_x.shape[:rank] != segment_ids.shape:
        raise ValueError(f"{op}: the first axes of the input must be those of `segment_ids`, but the shapes are "
                         f"{input_x.shape} and {segment_ids.shape}")
    rest = input_x.shape[rank:]
    ids = segment_ids.reshape(-1).astype(_fusescope.Int32)
    return ids, input_x.reshape((ids.shape[0],) + rest), (count,) + rest


def unsorted_segment_sum(input_x, segment_ids, num_segments):
    """Sum of the slices of each segment; zeros where there are none."""
    ids, rows, shape = _segments("unsorted_segment_sum", input_x, segment_ids, num_segments)
    return _F["index_add"](_F["full"](shape, 0.0, rows.dtype), ids, rows, 0)


def unsorted_segment_max(x, segment_ids, num_segments):
    """Largest elements of each segment; the lowest number where there are none."""
    ids, rows, shape = _segments("unsorted_segment_max", x, segment_ids, num_segments)
    return tensor_scatter_max(_F["full"](shape, _lowest(rows.dtype, -1), rows.dtype), ids.reshape((-1, 1)), rows)


def unsorted_segment_min(x, segment_ids, num_segments):
    """Smallest elements of each segment; the highest number where there are none."""
    ids, rows, shape = _segments("unsorted_segment_min", x, segment_ids, num_segments)
    return tensor_scatter_min(_F["full"](shape, _lowest(rows.dtype, 1), rows.dtype), ids.reshape((-1, 1)), rows)


def unsorted_segment_prod(x, segment_ids, num_segments):
    """Products of the slices of each segment; ones where there are none."""
    ids, rows, shape = _segments("unsorted_segment_prod", x, segment_ids, num_segments)
    return tensor_scatter_mul(_F["full"](shape, 1.0, rows.dtype), ids.reshape((-1, 1)), rows)


def reverse_sequence(x, seq_lengths, seq_dim, batch_dim=0):
    """Along one axis, the first elements of each sample turned round, as many as its length says."""
    seq_dim, batch_dim = seq_dim % x.ndim, batch_dim % x.ndim
    steps, batch = x.shape[seq_dim], x.shape[batch_dim]
    if seq_lengths.shape != (batch,):
        raise ValueError(f"reverse_sequence: `seq_lengths` must have shape ({batch},), but it is {seq_lengths.shape}")
    order = [seq_dim, batch_dim] + [a for a in range(x.ndim) if a not in (seq_dim, batch_dim)]
    moved = _F["transpose"](x, tuple(order))
    times = _F["arange"](0, steps, 1, _fusescope.Int32).reshape((steps, 1))
    lengths = seq_lengths.astype(_fusescope.Int32).reshape((1, batch))
    source = _F["where"](times < lengths, lengths - 1 - times, times)
    rows = (source * batch + _F["arange"](0, batch, 1, _fusescope.Int32)).reshape(-1)
    turned = _F["gather"](moved.reshape((steps * batch, -1)), rows, 0).reshape(moved.shape)
    return _F["transpose"](turned, tuple(order.index(a) for a in range(x.ndim)))


def cov(input, *, correction=1, fweights=None, aweights=None):
    """Covariances of variables (rows) over observations (columns)."""
    x = input.reshape((1, -1)) if input.ndim < 2 else input
    weights = None
    for w in (fweights, aweights):
        if w is not None:
            w = w.astype(x.dtype)
            weights = w if weights is None else weights * w
    if weights is None:
        d = x - _F["mean"](x, 1, True)
        total, own = d, float(max(x.shape[1] - correction, 0))
    else:
        mass = weights.sum()
        d = x - _F["sum"](x * weights, 1, True) / mass
        total = d * weights
        own = mass - correction if aweights is None else mass - correction * (weights * aweights).sum() / mass
    c = _F["matmul"](total, d, transpose_b=True) / own
    return c.reshape(()) if input.ndim < 2 else c


def corrcoef(input):
    """Correlations of variables (rows) over observations (columns)."""
    c = cov(input)
    if c.ndim == 0:
        return c / c
    spread = _F["sqrt"](_F["diagonal"](c, 0, 0, 1))
    return c / spread.reshape((-1, 1)) / spread.reshape((1, -1))


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalises groups of channels of each sample."""
    if input.shape[1] % num_groups:
        raise ValueError(f"group_norm: the channels must divide by {num_groups}, but the shape is {input.shape}")
    grouped = input.reshape((input.shape[0], num_groups, -1))
    d = grouped - _F["mean"](grouped, -1, True)
    y = (d * _F["rsqrt"](_F["mean"](d * d, -1, True) + eps)).reshape(input.shape)
    channels = (1, -1) + (1,) * (input.ndim - 2)
    y = y if weight is None else y * weight.reshape(channels)
    return y if bias is None else y + bias.reshape(channels)


def rms_norm(x, gamma, epsilon=1e-6):
    """(x over its root mean square along gamma's axes times gamma, what it was multiplied with)."""
    over = tuple(range(x.ndim - gamma.ndim, x.ndim))
    scale = _F["rsqrt"](_F["mean"](x * x, over, True) + epsilon)
    return x * scale * gamma, scale


def rand_like(input, seed=None, *, dtype=None):
    """Numbers in [0, 1) in the shape of a tensor."""
    return _F["uniform_real"](input.shape, input.dtype if dtype is None else dtype)


def randn_like(input, seed=None, *, dtype=None):
    """Standard normal numbers in the shape of a tensor."""
    return _F["standard_normal"](input.shape, input.dtype if dtype is None else dtype)


def randint_like(input, low, high, seed=None, *, dtype=None):
    """Whole numbers in [low, high) in the shape of a tensor."""
    return _F["randint"](low, high, input.shape, input.dtype if dtype is None else dtype)
