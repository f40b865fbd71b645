"""Parameters: tensors with a name that optimizers change."""
import copy

import _fusescope
from mindspore.common.tensor import Tensor


class Parameter(Tensor):
    """A tensor that a Cell owns. Its value may be replaced; whoever saw the old value keeps it."""

    def __init__(self, default_input, name=None, requires_grad=True, layerwise_parallel=False, parallel_optimizer=True,
                 storage_format=""):
        if name is not None and not isinstance(name, str):
            raise TypeError(f"Parameter: `name` must be a string, but it is {type(name).__name__}")
        if not isinstance(requires_grad, bool):
            raise TypeError(f"Parameter: `requires_grad` must be True or False, but it is {requires_grad!r}")
        if default_input is None or isinstance(default_input, str):
            raise TypeError(f"Parameter: `default_input` must be a tensor, an array or a number, "
                            f"but it is {type(default_input).__name__}")
        self._set_from(default_input)
        self._name = "Parameter" if name is None else name
        self._named = name is not None
        self._requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        self._make_parameter(self._name, requires_grad)

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, value):
        if not isinstance(value, str) or not value:
            raise ValueError(f"Parameter: a name must be a string with at least one character, but it is {value!r}")
        self._name = value
        self._named = True
        self._make_parameter(value, self._requires_grad)

    @property
    def requires_grad(self):
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"Parameter: `requires_grad` must be True or False, but it is {value!r}")
        self._requires_grad = value
        self._make_parameter(self._name, value)

    @property
    def data(self):
        return self

    def value(self):
        """The present value as a Tensor that later assignments do not change."""
        return self._snapshot()

    def set_data(self, data, slice_shape=False):
        """Gives the Parameter a new value of the same shape."""
        if not isinstance(data, Tensor):
            data = Tensor(data)
        if tuple(data.shape) != tuple(self.shape) and not slice_shape:
            _fusescope.refuse_shape("Parameter", f"Parameter `{self._name}`: the new value has shape {data.shape}, "
                                    f"but the Parameter has shape {self.shape}", self._name, self.shape, "data", data)
        _store(self, data)
        return self

    def init_data(self, layout=None, set_sliced=False):
        return self

    def clone(self, init="same"):
        if init == "same":
            copy = Parameter(self._snapshot(), self._name, self._requires_grad)
        else:
            from mindspore.common.initializer import initializer

            copy = Parameter(initializer(init, self.shape, self.dtype), self._name, self._requires_grad)
        copy._named = self._named
        return copy

    def asnumpy(self):
        return Tensor.asnumpy(self)

    def __repr__(self):
        return (f"Parameter (name={self._name}, shape={self.shape}, dtype={self.dtype}, "
                f"requires_grad={self._requires_grad})")

    __str__ = __repr__

    def __format__(self, spec):
        return object.__format__(self, spec)

    def __hash__(self):
        return id(self)

    def __reduce_ex__(self, protocol):
        return _restore, (Tensor.asnumpy(self), str(self.dtype), self._name, self._requires_grad)

    def __deepcopy__(self, memo):
        return self.clone()


def _restore(array, dtype, name, requires_grad):
    return Parameter(Tensor(array, _fusescope.dtype_named(dtype)), name, requires_grad)


def _store(parameter, value):
    """Writes a value into a Parameter (or any tensor): noted in the current trace, else at once."""
    if isinstance(parameter, Parameter):
        _fusescope.functions["assign"](parameter, value)
        return
    if value.dtype != parameter.dtype:
        value = value.astype(parameter.dtype)
    parameter._assign(value)


class ParameterTuple(tuple):
    """A tuple of Parameters."""

    def __new__(cls, iterable):
        items = list(iterable)
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(f"ParameterTuple: every item must be a Parameter, but one is {type(item).__name__}")
        return super().__new__(cls, items)

    def clone(self, prefix, init="same"):
        """Copies with `prefix.` before their names."""
        copies = []
        for parameter in self:
            copies.append(parameter.clone(init))
            copies[-1].name = prefix + "." + parameter.name
        return ParameterTuple(copies)

    def __deepcopy__(self, memo):
        # By the memo: a copied Cell has each Parameter both here and under its name.
        return ParameterTuple(copy.deepcopy(p, memo) for p in self)
