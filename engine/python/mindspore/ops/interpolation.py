"""Other resolutions: along each axis a product with a matrix of weights; and samples at places of a grid."""
import _fusescope
from mindspore.ops.pooling import _adaptive_avg_pool

Tensor = _fusescope.Tensor
_F = _fusescope.functions

_MODES = {"nearest": (1, 2, 3), "nearest-exact": (1, 2, 3), "linear": (1,), "bilinear": (2,), "bicubic": (2,),
          "trilinear": (3,), "area": (1, 2, 3)}


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """(N, C, …) with other extents after the first two."""
    axes = input.ndim - 2
    if mode not in _MODES:
        raise ValueError(f"interpolate: `mode` must be one of {', '.join(_MODES)}, but it is {mode!r}")
    if axes not in _MODES[mode]:
        raise ValueError(f"interpolate: mode {mode!r} is for {' or '.join(str(a + 2) for a in _MODES[mode])} axes, "
                         f"but the shape is {input.shape}")
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: either `size` or `scale_factor` is wanted")
    if align_corners and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError(f"interpolate: `align_corners` has no meaning for mode {mode!r}")
    scales = [None] * axes
    if size is None:
        given = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * axes
        scales = list(given)
        size = tuple(int(n * s) for n, s in zip(input.shape[2:], scales))
        if recompute_scale_factor:
            scales = [None] * axes
    size = tuple(size) if isinstance(size, (tuple, list)) else (size,) * axes
    if len(size) != axes or any(s < 1 for s in size):
        raise ValueError(f"interpolate: `size` must be {axes} ints above 0, but it is {size}")
    if mode == "area":
        return _adaptive_avg_pool("interpolate", axes, input, size)
    x = input
    for k in range(axes):
        n, m, axis = input.shape[2 + k], size[k], 2 + k
        if n == m and (scales[k] is None or scales[k] == 1):
            continue
        if mode.startswith("nearest"):
            x = _F["gather"](x, Tensor(_nearest(n, m, scales[k], mode == "nearest-exact")), axis)
        else:
            x = _weighted(x, axis, _weights(n, m, scales[k], bool(align_corners), mode == "bicubic"))
    return x


upsample = interpolate


def _resize_bilinear(x, size, align_corners, half_pixel_centers):
    """As interpolate, and the older form too, in which the first elements' corners lie on each other."""
    for k in range(2):
        n, m = x.shape[2 + k], size[k]
        matrix = _weights(n, m, None, align_corners, False, not half_pixel_centers)
        x = _weighted(x, 2 + k, matrix) if n != m else x
    return x


def _nearest(n, m, scale, exact):
    import numpy

    step = n / m if scale is None else 1.0 / scale
    places = numpy.floor((numpy.arange(m) + (0.5 if exact else 0.0)) * step)
    return numpy.clip(places, 0, n - 1).astype("int32")


def _weights(n, m, scale, align_corners, cubic, corner=False):
    """The matrix (n, m) whose columns say of what each new element is made."""
    import numpy

    if align_corners:
        at = numpy.arange(m) * ((n - 1) / (m - 1) if m > 1 else 0.0)
    elif corner:
        at = numpy.arange(m) * (n / m)
    else:
        at = (numpy.arange(m) + 0.5) * (n / m if scale is None else 1.0 / scale) - 0.5
        at = at if cubic else numpy.maximum(at, 0.0)
    low = numpy.floor(at).astype(int)
    t = at - low
    if cubic:
        a = -0.75
        near = lambda d: ((a + 2) * d - (a + 3)) * d * d + 1
        far = lambda d: ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
        terms = ((-1, far(t + 1)), (0, near(t)), (1, near(1 - t)), (2, far(2 - t)))
    else:
        terms = ((0, 1 - t), (1, t))
    matrix = numpy.zeros((n, m))
    for offset, weight in terms:
        numpy.add.at(matrix, (numpy.clip(low + offset, 0, n - 1), numpy.arange(m)), weight)
    return matrix


def _weighted(x, axis, matrix):
    n, m = matrix.shape
    order = [a for a in range(x.ndim) if a != axis] + [axis]
    moved = x if axis == x.ndim - 1 else _F["transpose"](x, tuple(order))
    y = _F["matmul"](moved.reshape((-1, n)), Tensor(matrix, x.dtype)).reshape(moved.shape[:-1] + (m,))
    return y if axis == x.ndim - 1 else _F["transpose"](y, tuple(order.index(a) for a in range(x.ndim)))


def affine_grid(theta, size, align_corners=False):
    """The grid (N, H, W, 2) of places that an affine map (N, 2, 3) gives, for grid_sample."""
    import numpy

    n, _, h, w = size

    def line(count):
        at = numpy.linspace(-1, 1, count) if count > 1 else numpy.zeros(1)
        return at if align_corners else at * (count - 1) / count

    y, x = numpy.meshgrid(line(h), line(w), indexing="ij")
    base = Tensor(numpy.stack([x, y, numpy.ones_like(x)], -1).reshape(1, h * w, 3), theta.dtype)
    return _F["matmul"](_F["broadcast_to"](base, (n, h * w, 3)), theta, transpose_b=True).reshape((n, h, w, 2))


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """(N, C, H', W') of (N, C, H, W): what is at the places (x, y) of a grid (N, H', W', 2), each in [-1, 1]."""
    if input.ndim != 4 or grid.ndim != 4 or grid.shape[-1] != 2 or grid.shape[0] != input.shape[0]:
        raise ValueError(f"grid_sample: shapes (N, C, H, W) and (N, H', W', 2) are wanted, but they are {input.shape} "
                         f"and {grid.shape}")
    if mode not in ("bilinear", "nearest"):
        raise ValueError(f"grid_sample: `mode` must be 'bilinear' or 'nearest', but it is {mode!r}")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(f"grid_sample: `padding_mode` must be 'zeros', 'border' or 'reflection', but it is "
                         f"{padding_mode!r}")
    n, c, h, w = input.shape
    places = []
    for k, extent in ((0, w), (1, h)):
        at = grid[..., k]
        at = (at + 1.0) * ((extent - 1) / 2) if align_corners else ((at + 1.0) * extent - 1.0) * 0.5
        if padding_mode == "reflection":
            low, span = (0.0, extent - 1.0) if align_corners else (-0.5, float(extent))
            distance = _F["abs"](at - low)
            rest = _F["floor_mod"](distance, 2 * span) if span else distance * 0.0
            at = _F["minimum"](rest, 2 * span - rest) + low
        if padding_mode != "zeros":
            at = _F["clamp"](at, 0.0, extent - 1.0)
        places.append(at)
    x, y = places
    flat = _F["transpose"](input.reshape((n, c, h * w)), (0, 2, 1)).reshape((n * h * w, c))
    first = (_F["arange"](0, n, 1, _fusescope.Int32) * (h * w)).reshape((n, 1, 1))

    def picked(column, row):
        inside = _F["logical_and"](_F["logical_and"](column >= 0, column <= w - 1),
                                   _F["logical_and"](row >= 0, row <= h - 1))
        column, row = (_F["clamp"](v, 0, m - 1).astype(_fusescope.Int32) for v, m in ((column, w), (row, h)))
        values = _F["gather"](flat, (first + row * w + column).reshape(-1), 0).reshape(x.shape + (c,))
        return values * inside.astype(input.dtype).reshape(x.shape + (1,))

    if mode == "nearest":
        total = picked(_F["round"](x), _F["round"](y))
    else:
        left, top = _F["floor"](x), _F["floor"](y)
        s, t = (_F["expand_dims"](v, -1) for v in (x - left, y - top))
        total = (picked(left, top) * (1.0 - s) * (1.0 - t) + picked(left + 1.0, top) * s * (1.0 - t)
                 + picked(left, top + 1.0) * (1.0 - s) * t + picked(left + 1.0, top + 1.0) * s * t)
    return _F["transpose"](total, (0, 3, 1, 2))
