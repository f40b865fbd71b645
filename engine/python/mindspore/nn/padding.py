"""Layers that pad."""
from mindspore import ops
from mindspore.nn.cell import Cell


class _Pad(Cell):
    """Pads the last `axes` axes of a tensor that has one or two more."""

    axes = 1
    mode = "constant"

    def __init__(self, padding):
        super().__init__()
        name = type(self).__name__
        if isinstance(padding, int) and not isinstance(padding, bool):
            padding = (padding,) * 2 * self.axes
        if not isinstance(padding, (tuple, list)):
            raise TypeError(f"{name}: `padding` must be an int or a tuple, but it is {type(padding).__name__}")
        self.padding = tuple(padding)
        if len(self.padding) != 2 * self.axes and not (self.mode == "constant" and len(self.padding) % 2 == 0):
            raise ValueError(f"{name}: `padding` must hold {2 * self.axes} ints, but it is {self.padding}")
        self.value = None

    def construct(self, x):
        if x.ndim not in (self.axes + 1, self.axes + 2) and self.mode != "constant":
            raise ValueError(f"{type(self).__name__}: the input must have {self.axes + 1} or {self.axes + 2} axes, "
                             f"but its shape is {x.shape}")
        return ops.pad(x, self.padding, self.mode, self.value)

    def extend_repr(self):
        return f"padding={self.padding}"


class ReflectionPad1d(_Pad):
    """What lies behind the edges, turned round; the edges themselves are not repeated."""

    axes, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """What lies behind the edges, turned round; the edges themselves are not repeated."""

    axes, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """What lies behind the edges, turned round; the edges themselves are not repeated."""

    axes, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """The edges, again and again."""

    axes, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """The edges, again and again."""

    axes, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """The edges, again and again."""

    axes, mode = 3, "replicate"


class ConstantPad1d(_Pad):
    """One value; negative counts take elements away."""

    axes = 1

    def __init__(self, padding, value):
        super().__init__(padding)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"{type(self).__name__}: `value` must be a number, but it is {type(value).__name__}")
        self.value = value


class ConstantPad2d(ConstantPad1d):
    """One value; negative counts take elements away."""

    axes = 2


class ConstantPad3d(ConstantPad1d):
    """One value; negative counts take elements away."""

    axes = 3


class ZeroPad2d(_Pad):
    """Zeros; negative counts take elements away."""

    axes = 2


class Pad(Cell):
    """A pair (before, after) for each axis, from the first on."""

    def __init__(self, paddings, mode="CONSTANT"):
        super().__init__()
        modes = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}
        if mode not in modes:
            raise ValueError(f"Pad: `mode` must be 'CONSTANT', 'REFLECT' or 'SYMMETRIC', but it is {mode!r}")
        if not isinstance(paddings, tuple) or any(not isinstance(p, (tuple, list)) or len(p) != 2 for p in paddings):
            raise TypeError(f"Pad: `paddings` must be a tuple of pairs, but it is {paddings!r}")
        self.paddings, self.mode = paddings, mode
        self._mode = modes[mode]

    def construct(self, x):
        if len(self.paddings) != x.ndim:
            raise ValueError(f"Pad: `paddings` has {len(self.paddings)} pairs, but the input's shape is {x.shape}")
        return ops.pad(x, tuple(p for pair in reversed(self.paddings) for p in pair), self._mode)
