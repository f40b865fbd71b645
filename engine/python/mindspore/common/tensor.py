"""What Tensor has beside the engine's fast paths: making one, printing, indexing, rarer methods."""
import _fusescope
from mindspore.common import _index
from mindspore.common._text import tensor_repr

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def _init(self, input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None, internal=False):
    if dtype is not None:
        dtype = _fusescope.dtype_named(dtype)
    if init is not None:
        from mindspore.common.initializer import initializer

        if input_data is not None:
            raise ValueError("Tensor: give either `input_data` or `init`, not both")
        if shape is None or dtype is None:
            raise ValueError("Tensor: `init` needs `shape` and `dtype`")
        self._set_from(initializer(init, shape, dtype))
        return
    if input_data is None:
        if shape is None or dtype is None:
            raise ValueError("Tensor: `input_data` is missing; without it `shape`, `dtype` and `init` are needed")
        if isinstance(shape, (tuple, list)) and any(n is None or n < 0 for n in shape):
            # A description with open extents, as set_inputs takes it: nothing in it is computed with.
            shape = tuple(1 if n is None or n < 0 else n for n in shape)
        self._set_from(_F["full"](shape, 0.0, dtype))
        return
    if isinstance(input_data, str):
        raise TypeError("Tensor: `input_data` must be a tensor, an array, a number or nested lists, but it is str")
    self._set_from(input_data, dtype)


def _repr(self):
    return tensor_repr(self, self.tolist())


def _str(self):
    return str(self._numpy_for_print())


def _iter(self):
    if self.ndim == 0:
        raise TypeError("a tensor of rank 0 cannot be iterated over")
    for i in range(self.shape[0]):
        yield _index.get_item(self, i)


def _contains(self, value):
    return bool((self == value).any())


def _copy(self):
    """A tensor of its own with the same value."""
    return self._snapshot()


def _deepcopy(self, memo):
    return self._snapshot()


def _reduce(self, protocol):
    return _restore, (self.asnumpy(), str(self.dtype))


def _restore(array, dtype):
    return Tensor(array, _fusescope.dtype_named(dtype))


def _set_data(self, value):
    """Gives a tensor or Parameter another value."""
    from mindspore.common.parameter import _store

    _store(self, value)
    return self


def _in_place(name):
    function = _F[name]

    def method(self, *args, **kwargs):
        return _set_data(self, function(self, *args, **kwargs))

    method.__name__ = name + "_"
    method.__doc__ = f"ops.{name}, written into this tensor."
    return method


def _transposed(self):
    return _F["transpose"](self, tuple(reversed(range(self.ndim))))


def _flatten(self, order="C", *, start_dim=0, end_dim=-1):
    """All axes from start_dim to end_dim as one."""
    rank = self.ndim
    if rank == 0:
        return self.reshape(1)
    start, end = start_dim % rank, end_dim % rank
    count = 1
    for extent in self.shape[start:end + 1]:
        count *= extent
    return self.reshape(self.shape[:start] + (count,) + self.shape[end + 1:])


def _view_as(self, other):
    return self.reshape(other.shape)


def _swapaxes(self, axis0, axis1):
    order = list(range(self.ndim))
    order[axis0], order[axis1] = order[axis1], order[axis0]
    return _F["transpose"](self, tuple(order))


def _reducing(row, both):
    """Tensor.max and Tensor.min: the value alone unless the places are asked for."""

    def method(self, axis=None, keepdims=False, *, initial=None, where=None, return_indices=False):
        if return_indices and axis is not None:
            return _F[both](self, axis, keepdims)
        return _F[row](self, axis, keepdims)

    method.__name__ = both
    return method


def _method_of(name):
    """A method that calls mindspore.ops.NAME when it is used; ops is imported after this module."""

    def method(self, *args, **kwargs):
        from mindspore import ops

        return getattr(ops, name)(self, *args, **kwargs)

    method.__name__ = name
    return method


def _install():
    for name, function in _fusescope.methods.items():
        if name not in Tensor.__dict__:
            setattr(Tensor, name, function)
    Tensor.__init__ = _init
    Tensor.__repr__ = _repr
    Tensor.__str__ = _str
    Tensor.__iter__ = _iter
    Tensor.__contains__ = _contains
    Tensor.__getitem__ = _index.get_item
    Tensor.__setitem__ = _index.set_item
    Tensor.__copy__ = _copy
    Tensor.__deepcopy__ = _deepcopy
    Tensor.__reduce_ex__ = _reduce
    Tensor.copy = Tensor.clone = _copy
    Tensor.contiguous = lambda self: self
    Tensor.is_contiguous = lambda self: True
    Tensor.set_data = _set_data
    Tensor.assign_value = _set_data
    Tensor.flatten = _flatten
    Tensor.ravel = lambda self: self.reshape(-1)
    Tensor.view_as = Tensor.reshape_as = _view_as
    Tensor.swapaxes = _swapaxes
    Tensor.type = Tensor.astype
    Tensor.max = _reducing("amax", "max")
    Tensor.min = _reducing("amin", "min")
    Tensor.T = property(_transposed)
    Tensor.dim = lambda self: self.ndim
    Tensor.numel = lambda self: self.size
    Tensor.float = lambda self: _F["cast"](self, _fusescope.Float32)
    Tensor.half = lambda self: _F["cast"](self, _fusescope.Float16)
    Tensor.double = lambda self: _F["cast"](self, _fusescope.Float64)
    Tensor.int = lambda self: _F["cast"](self, _fusescope.Int32)
    Tensor.long = lambda self: _F["cast"](self, _fusescope.Int64)
    Tensor.bool = lambda self: _F["cast"](self, _fusescope.Bool)
    Tensor.is_floating_point = lambda self: self.dtype.is_floating_point
    Tensor.requires_grad = False
    Tensor.from_numpy = staticmethod(lambda array: Tensor(array))
    Tensor.__hash__ = lambda self: id(self)
    for name in ("max", "min", "std", "var", "any", "all", "argmax", "argmin", "softmax", "norm", "clip", "clamp",
                 "split", "chunk", "squeeze", "unsqueeze", "expand_dims", "expand_as", "gather", "cumsum", "prod",
                 "where", "masked_fill", "repeat", "tile", "sort", "topk", "matmul", "one_hot", "nonzero", "ptp",
                 "diag", "index_select", "stack", "select", "flip", "roll", "trace", "tril", "triu", "log_softmax",
                 "bmm", "mm", "new_zeros", "new_ones", "choose", "sigmoid", "square", "gelu", "var_mean", "diff",
                 "median", "mean", "sum", "isclose", "allclose", "true_divide", "subtract", "multiply", "divide",
                 "cummax", "cummin", "logcumsumexp", "cumprod", "searchsorted", "bucketize", "bincount", "histc",
                 "nansum", "nanmean", "std_mean", "aminmax", "quantile", "unique_consecutive", "deg2rad", "rad2deg",
                 "frac", "sinc", "heaviside", "logit", "float_power", "lgamma", "digamma", "erfinv", "gcd", "lcm",
                 "is_complex", "isreal", "tensor_split", "hsplit", "vsplit", "dsplit", "fliplr", "flipud", "rot90",
                 "diag_embed", "moveaxis", "movedim", "narrow", "inner", "ger", "outer", "dot", "mv", "addmv", "addr",
                 "addmm", "addbmm", "baddbmm", "kron", "cross", "index_fill", "masked_scatter", "scatter",
                 "select_scatter", "slice_scatter", "gather_elements", "tensor_scatter_sub", "tensor_scatter_max",
                 "tensor_scatter_min", "tensor_scatter_mul", "tensor_scatter_div", "hardtanh", "unique", "t", "swapdims",
                 "atleast_1d", "softmin", "leaky_relu", "cbrt"):
        if name not in Tensor.__dict__:
            setattr(Tensor, name, _method_of(name))
    for name in ("add", "sub", "mul", "div", "relu", "exp", "sqrt", "clip", "clamp", "zero"):
        if name in _F and name + "_" not in Tensor.__dict__:
            setattr(Tensor, name + "_", _in_place(name))


_install()
