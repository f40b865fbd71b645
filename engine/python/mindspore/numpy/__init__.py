"""mindspore.numpy: numpy's names for making and shaping tensors."""
import _fusescope
from mindspore import ops as _ops
from mindspore.common.dtype import *

Tensor = _fusescope.Tensor
pi = 3.141592653589793
e = 2.718281828459045
inf = float("inf")
nan = float("nan")
newaxis = None


def _shape(shape):
    return (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)


def array(obj, dtype=None, copy=True, ndmin=0):
    """A tensor of numbers, nested lists, an array or a tensor."""
    out = Tensor(obj, dtype)
    return out if out.ndim >= ndmin else out.reshape((1,) * (ndmin - out.ndim) + out.shape)


asarray = array
asfarray = array


def copy(a):
    return array(a)


def zeros(shape, dtype=float32):
    return _ops.zeros(_shape(shape), dtype)


def ones(shape, dtype=float32):
    return _ops.ones(_shape(shape), dtype)


empty = zeros


def full(shape, fill_value, dtype=None):
    return _ops.full(_shape(shape), fill_value, dtype=dtype)


def zeros_like(a, dtype=None, shape=None):
    return _ops.zeros_like(a, dtype=dtype)


def ones_like(a, dtype=None, shape=None):
    return _ops.ones_like(a, dtype=dtype)


empty_like = zeros_like


def full_like(a, fill_value, dtype=None, shape=None):
    return _ops.full_like(a, fill_value, dtype=dtype)


def arange(start, stop=None, step=1, dtype=None):
    return _ops.arange(start, stop, step, dtype=dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    end = stop if endpoint else start + (stop - start) * (num - 1) / num
    out = _ops.linspace(start, end, num)
    return out if dtype is None else out.astype(dtype)


def eye(N, M=None, k=0, dtype=float32):
    """Ones on a diagonal."""
    columns = _ops.arange(N if M is None else M).reshape((1, -1))
    rows = _ops.arange(N).reshape((-1, 1))
    return (columns - rows == k).astype(dtype)


def identity(n, dtype=float32):
    return eye(n, dtype=dtype)


def diag(v, k=0):
    """A matrix with v on its diagonal, or the diagonal of a matrix."""
    if v.ndim == 1:
        return eye(v.size, dtype=v.dtype) * v.reshape((1, -1))
    n = builtins_min(v.shape)
    return (v * eye(*v.shape, dtype=v.dtype)).sum(1)[:n]


def randn(*shape, dtype=float32):
    """Standard normal numbers under the seed that was set."""
    out = _ops.standard_normal(tuple(int(n) for n in shape))
    return out if dtype == float32 else out.astype(dtype)


def rand(*shape, dtype=float32):
    """Numbers in [0, 1) under the seed that was set."""
    return _ops.rand(*shape, dtype=dtype)


def randint(minval, maxval=None, shape=None, dtype=int32):
    if maxval is None:
        minval, maxval = 0, minval
    return _ops.randint(minval, maxval, () if shape is None else _shape(shape), dtype=dtype)


def reshape(x, new_shape):
    return x.reshape(_shape(new_shape))


def transpose(a, axes=None):
    return a.T if axes is None else a.transpose(axes)


def sum(a, axis=None, dtype=None, keepdims=False, initial=None):
    out = a.sum(axis, keepdims)
    return out if dtype is None else out.astype(dtype)


def mean(a, axis=None, keepdims=False, dtype=None):
    return a.mean(axis, keepdims)


def max(a, axis=None, keepdims=False, initial=None, where=True):
    return _ops.amax(a, axis, keepdims)


def min(a, axis=None, keepdims=False, initial=None, where=True):
    return _ops.amin(a, axis, keepdims)


amax, amin = max, min


def std(x, axis=None, ddof=0, keepdims=False):
    return _ops.std(x, axis, ddof, keepdims)


def var(x, axis=None, ddof=0, keepdims=False):
    return _ops.var(x, axis, ddof, keepdims)


def concatenate(arrays, axis=0):
    return _ops.concat(arrays, axis)


def stack(arrays, axis=0):
    return _ops.stack(arrays, axis)


def clip(x, xmin, xmax, dtype=None):
    return _ops.clamp(x, xmin, xmax)


def dot(a, b):
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return _ops.matmul(a, b)


def where(condition, x=None, y=None):
    return _ops.where(condition, x, y)


from builtins import min as builtins_min


def __getattr__(name):
    other = {"power": "pow", "absolute": "abs", "negative": "neg", "arctan": "atan", "arcsin": "asin"}.get(name, name)
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return getattr(_ops, other)
    except AttributeError:
        raise AttributeError(f"mindspore.numpy has no `{name}` in this engine") from None
