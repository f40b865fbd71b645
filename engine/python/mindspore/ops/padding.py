"""Padding along axes: with one value, or with what the tensor has near its edges."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions

_MODES = ("constant", "reflect", "symmetric", "replicate", "circular")


def pad(input_x, padding, mode="constant", value=None):
    """Elements before and after along axes, in pairs from the last axis on; negative counts take elements away."""
    if isinstance(padding, Tensor):
        padding = padding.tolist()
    padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
    if mode not in _MODES:
        raise ValueError(f"pad: `mode` must be one of {', '.join(_MODES)}, but it is {mode!r}")
    if len(padding) % 2 or len(padding) > 2 * input_x.ndim:
        raise ValueError(f"pad: `padding` must hold a pair for each axis from the last on, but it is {padding} for a "
                         f"tensor of shape {input_x.shape}")
    if any(isinstance(p, bool) or not isinstance(p, int) for p in padding):
        raise TypeError(f"pad: `padding` must hold ints, but it is {padding}")
    if mode != "constant" and value not in (None, 0, 0.0):
        raise ValueError(f"pad: `value` has a meaning for mode 'constant' only, but `mode` is {mode!r}")
    if mode == "constant":
        if any(p < 0 for p in padding):
            input_x = _cropped(input_x, padding)
            padding = tuple(max(p, 0) for p in padding)
        return _F["pad"](input_x, padding, "constant", value) if any(padding) else input_x
    for k in range(len(padding) // 2):
        before, after = padding[2 * k], padding[2 * k + 1]
        if before or after:
            axis = input_x.ndim - 1 - k
            places = _places(input_x.shape[axis], before, after, mode)
            input_x = _F["gather"](input_x, Tensor(places), axis)
    return input_x


def _cropped(x, padding):
    index = [slice(None)] * x.ndim
    for k in range(len(padding) // 2):
        axis = x.ndim - 1 - k
        begin, end = max(-padding[2 * k], 0), x.shape[axis] - max(-padding[2 * k + 1], 0)
        if begin > end:
            raise ValueError(f"pad: {padding[2 * k:2 * k + 2]} takes away more than axis {axis} of shape {x.shape} has")
        index[axis] = slice(begin, end)
    return x[tuple(index)]


def _places(n, before, after, mode):
    """Where the elements of a padded axis come from."""
    import numpy

    most = {"reflect": n - 1, "symmetric": n, "circular": n}.get(mode)
    if most is not None and max(before, after) > most:
        raise ValueError(f"pad: mode {mode!r} can add at most {most} elements to an axis of extent {n}, "
                         f"but {max(before, after)} are wanted")
    at = numpy.arange(-before, n + after)
    if mode == "replicate":
        at = numpy.clip(at, 0, n - 1)
    elif mode == "circular":
        at = at % n
    elif mode == "reflect":
        at = (n - 1) - numpy.abs((n - 1) - numpy.abs(at))
    else:
        at = numpy.where(at < 0, -at - 1, numpy.where(at >= n, 2 * n - 1 - at, at))
    return at.astype("int32")
