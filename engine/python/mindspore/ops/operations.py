"""Primitive classes: ops.Add()(x, y). Attributes are given when one is made, operands when it is called."""
import _fusescope
from mindspore.ops.control import Print


class Primitive:
    """An op with its attributes."""

    def __init__(self, name="Primitive", **attributes):
        self.name = name
        self.attrs = attributes

    def add_prim_attr(self, name, value):
        self.attrs[name] = value
        return self

    set_prim_instance_name = add_prim_attr


class _Row(Primitive):
    row = ""

    def __init__(self, *args, **attributes):
        super().__init__(self.row, **attributes)
        self.args = args

    def __call__(self, *operands):
        return _fusescope.primitives[self.row](*operands, *self.args, **self.attrs)

    def __repr__(self):
        return f"Prim[{self.row}]<{', '.join(f'{k}={v}' for k, v in self.attrs.items())}>"


def _make(name):
    return type(name, (_Row,), {"row": name, "__doc__": _fusescope.primitives[name].__doc__})


__all__ = ["Primitive", "Print"]
for _name in _fusescope.primitives:
    if _name not in globals():
        globals()[_name] = _make(_name)
        __all__.append(_name)


class _ByFunction(Primitive):
    """Primitives whose call differs from the row's: the axis comes with the operands."""

    function = ""

    def __init__(self, **attributes):
        super().__init__(self.function, **attributes)

    def __call__(self, *args):
        from mindspore import ops

        return getattr(ops, self.function)(*args, **self.attrs)


for _name, _function in (("ReduceSum", "sum"), ("ReduceMean", "mean"), ("ReduceMax", "amax"), ("ReduceMin", "amin"),
                         ("ReduceProd", "prod"), ("Gather", "gather"), ("Transpose", "transpose"), ("Assign", "assign"),
                         ("Reshape", "reshape"), ("Cast", "cast"), ("ExpandDims", "expand_dims"), ("Tile", "tile"),
                         ("Squeeze", "squeeze"), ("AssignAdd", "assign_add"), ("AssignSub", "assign_sub"),
                         ("ZerosLike", "zeros_like"), ("OnesLike", "ones_like"), ("Shape", "shape"), ("Rank", "rank"),
                         ("Size", "size"), ("AddN", "addn"), ("StopGradient", "stop_gradient"), ("RealDiv", "div"),
                         ("Mod", "floor_mod"), ("Slice", "slice"), ("ScatterNd", "scatter_nd"), ("Depend", "depend"),
                         ("TupleToArray", "tuple_to_array"), ("ScalarToTensor", "scalar_to_tensor")):
    globals()[_name] = type(_name, (_ByFunction,), {"function": _function})
    if _name not in __all__:
        __all__.append(_name)


class OneHot(Primitive):
    def __init__(self, axis=-1):
        super().__init__("OneHot", axis=axis)

    def __call__(self, indices, depth, on_value, off_value):
        from mindspore import ops

        return ops.one_hot(indices, depth, on_value, off_value, self.attrs["axis"])


class Concat(Primitive):
    def __init__(self, axis=0):
        super().__init__("Concat", axis=axis)

    def __call__(self, tensors):
        from mindspore import ops

        return ops.concat(tensors, self.attrs["axis"])


class Stack(Concat):
    def __call__(self, tensors):
        from mindspore import ops

        return ops.stack(tensors, self.attrs["axis"])


class Softmax(Primitive):
    def __init__(self, axis=-1):
        super().__init__("Softmax", axis=axis)

    def __call__(self, logits):
        from mindspore import ops

        return ops.softmax(logits, self.attrs["axis"])


class LogSoftmax(Softmax):
    def __call__(self, logits):
        from mindspore import ops

        return ops.log_softmax(logits, self.attrs["axis"])


class BatchMatMul(Primitive):
    def __init__(self, transpose_a=False, transpose_b=False):
        super().__init__("BatchMatMul", transpose_a=transpose_a, transpose_b=transpose_b)

    def __call__(self, x, y):
        return _fusescope.functions["matmul"](x, y, **self.attrs)


class DType(Primitive):
    def __call__(self, x):
        return x.dtype


class L2Loss(Primitive):
    """Half the sum of the squares."""

    def __call__(self, x):
        return (x * x).sum() * 0.5


class SoftmaxCrossEntropyWithLogits(Primitive):
    """(losses of the rows, their gradients by the logits)."""

    def __call__(self, logits, labels):
        from mindspore import ops

        loss = -(labels * ops.log_softmax(logits, -1)).sum(-1)
        return loss, ops.stop_gradient(ops.softmax(logits, -1) - labels)


class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    """The mean loss, or with is_grad its gradient by the logits."""

    def __init__(self, is_grad=False):
        super().__init__("SparseSoftmaxCrossEntropyWithLogits", is_grad=is_grad)

    def __call__(self, logits, labels):
        from mindspore import ops

        if not self.attrs["is_grad"]:
            return ops.cross_entropy(logits, labels)
        return (ops.softmax(logits, -1) - ops.one_hot(labels, logits.shape[-1], logits.dtype)) / logits.shape[0]


class SmoothL1Loss(Primitive):
    def __init__(self, beta=1.0, reduction="none"):
        super().__init__("SmoothL1Loss", beta=beta, reduction=reduction)

    def __call__(self, prediction, target):
        from mindspore import ops

        return ops.smooth_l1_loss(prediction, target, **self.attrs)


class Einsum(Primitive):
    def __init__(self, equation):
        super().__init__("Einsum", equation=equation)

    def __call__(self, inputs):
        from mindspore import ops

        return ops.einsum(self.attrs["equation"], *inputs)


class Partial(Primitive):
    """A function with its first arguments filled in."""

    def __call__(self, function, *args, **kwargs):
        import functools

        return functools.partial(function, *args, **kwargs)


class HyperMap(Primitive):
    """A function over the elements of nested tuples and lists in step."""

    def __init__(self, ops=None, reverse=False):
        super().__init__("HyperMap")
        self.ops = ops

    def __call__(self, *args):
        function, args = (self.ops, args) if self.ops is not None else (args[0], args[1:])
        return self._apply(function, args)

    def _apply(self, function, args):
        if isinstance(args[0], (tuple, list)):
            return type(args[0])(self._apply(function, items) for items in zip(*args))
        return function(*args)


class Map(HyperMap):
    """A function over the elements of tuples and lists in step, not of those inside."""

    def _apply(self, function, args):
        return type(args[0])(function(*items) for items in zip(*args))


class MultitypeFuncGraph(Primitive):
    """One name for functions of different argument types, chosen by the words that register gives."""

    def __init__(self, name, **options):
        super().__init__(name)
        self.entries = []

    def register(self, *types):
        def keep(function):
            self.entries.append((types, function))
            return function

        return keep

    def __call__(self, *args):
        for types, function in self.entries:
            if len(types) == len(args) and all(_is_a(a, t) for a, t in zip(args, types)):
                return function(*args)
        raise TypeError(f"{self.name}: no form takes ({', '.join(type(a).__name__ for a in args)})")


def _is_a(value, word):
    if not isinstance(word, str):
        return True
    if word == "Tensor":
        return isinstance(value, _fusescope.Tensor)
    kinds = {"Number": (int, float), "Function": object, "Bool": bool, "Tuple": tuple, "List": list, "String": str}
    return isinstance(value, kinds.get(word, object))


__all__ += [n for n in ("OneHot", "Concat", "Stack", "Softmax", "LogSoftmax", "BatchMatMul", "DType", "L2Loss",
                        "SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits", "SmoothL1Loss",
                        "Einsum", "Partial", "HyperMap", "Map", "MultitypeFuncGraph") if n not in __all__]
