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
                         ("Size", "size"), ("AddN", "addn"), ("StopGradient", "stop_gradient")):
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


__all__ += [n for n in ("OneHot", "Concat", "Stack", "Softmax", "LogSoftmax") if n not in __all__]
