"""Mixed precision: which Cells compute in float16 or bfloat16, and scaling of losses."""
import math

import numpy

import _fusescope
from mindspore import nn, ops
from mindspore.common import dtype as mstype
from mindspore.common.api import jit_class
from mindspore.common.parameter import Parameter

Tensor = _fusescope.Tensor

_WHITE = ("Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose", "Dense", "LSTMCell",
          "RNNCell", "GRUCell", "MultiheadAttention")
_BLACK = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm1d",
          "InstanceNorm2d", "InstanceNorm3d", "RMSNorm")
_LEVELS = ("O0", "O1", "O2", "O3", "auto")


def _cells(names):
    return [getattr(nn, name) for name in names if hasattr(nn, name)]


def get_white_list():
    """Classes of Cells that gain from few bits: products and convolutions."""
    return _cells(_WHITE)


def get_black_list():
    """Classes of Cells that need many bits: normalisations."""
    return _cells(_BLACK)


def _half(dtype, caller):
    if dtype not in (mstype.float16, mstype.bfloat16):
        raise ValueError(f"{caller}: `dtype` must be mindspore.float16 or mindspore.bfloat16, but it is {dtype}")
    return dtype


def _lower(network, classes, dtype):
    for _, cell in network.cells_and_names():
        if isinstance(cell, tuple(classes)):
            cell._compute_in(dtype, mstype.float32)


def _lower_all_but(network, classes, dtype):
    kept = tuple(classes)

    def walk(cell):
        if isinstance(cell, kept):
            cell._compute_in(mstype.float32, None)
            return
        cell._compute_in(dtype, None)
        for inner in cell.cells():
            if inner is not None:
                walk(inner)

    walk(network)


def auto_mixed_precision(network, amp_level="O0", dtype=mstype.float16):
    """O0: as it is. O1 and auto: layers of products and convolutions in `dtype`, and what they give in float32 again. O2:
    all in `dtype` but normalisations; the result is float32. O3: all in `dtype`. Parameters stay float32 and are
    converted where they are used."""
    if not isinstance(network, nn.Cell):
        raise TypeError(f"auto_mixed_precision: `network` must be a Cell, but it is {type(network).__name__}")
    if amp_level not in _LEVELS:
        raise ValueError(f"auto_mixed_precision: `amp_level` must be one of {', '.join(_LEVELS)}, but it is "
                         f"{amp_level!r}")
    _half(dtype, "auto_mixed_precision")
    if amp_level in ("O1", "auto"):
        _lower(network, get_white_list(), dtype)
    elif amp_level == "O2":
        _lower_all_but(network, get_black_list(), dtype)
        network._give_as(mstype.float32)
    elif amp_level == "O3":
        _lower_all_but(network, (), dtype)
    return network


def custom_mixed_precision(network, *, white_list=None, black_list=None, dtype=mstype.float16):
    """As O1 with these classes, or as O2 with those."""
    if (white_list is None) == (black_list is None):
        raise ValueError("custom_mixed_precision: give either `white_list` or `black_list`")
    _half(dtype, "custom_mixed_precision")
    classes = [c for c in (black_list if white_list is None else white_list)
               if isinstance(c, type) and issubclass(c, nn.Cell)]
    if white_list is not None:
        _lower(network, classes, dtype)
    else:
        _lower_all_but(network, classes, dtype)
        network._give_as(mstype.float32)
    return network


def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """A Cell that makes one step: loss, gradients, scaling and update."""
    manager = kwargs.get("loss_scale_manager")
    if kwargs.get("keep_batchnorm_fp32") is False and level == "O2":
        level = "O3"
    network = auto_mixed_precision(network, level)
    if loss_fn is not None:
        network = _WithLoss(network, loss_fn)
    if manager is None:
        return nn.TrainOneStepCell(network, optimizer).set_train()
    update = manager.get_update_cell()
    if update is None:
        return nn.TrainOneStepCell(network, optimizer, manager.get_loss_scale()).set_train()
    return nn.TrainOneStepWithLossScaleCell(network, optimizer, update).set_train()


class _WithLoss(nn.WithLossCell):
    """The loss in float32, whatever the network computes in."""

    def construct(self, data, label):
        out = self._backbone(data)
        if isinstance(out, Tensor) and out.dtype in (mstype.float16, mstype.bfloat16):
            out = ops.cast(out, mstype.float32)
        return self._loss_fn(out, label)


# Scaling ------------------------------------------------------------------------------------------------------------


def init_status():
    """What older programs give to all_finite."""
    return Tensor([0.0] * 8, mstype.float32)


def is_finite(inputs):
    return ops.isfinite(inputs).all()


def all_finite(inputs, status=None):
    """Whether no element of these tensors is NaN or Inf."""
    if isinstance(inputs, Tensor):
        inputs = (inputs,)
    if not isinstance(inputs, (tuple, list)) or not all(isinstance(t, Tensor) for t in inputs):
        raise TypeError("all_finite: `inputs` must be a Tensor or a tuple of them, but it is "
                        + (type(inputs).__name__ if not isinstance(inputs, (tuple, list)) else
                           "a tuple with " + next(type(t).__name__ for t in inputs if not isinstance(t, Tensor))))
    finite = None
    for tensor in inputs:
        if tensor.dtype.is_floating_point:
            here = ops.isfinite(tensor).all()
            finite = here if finite is None else ops.logical_and(finite, here)
    return Tensor(True) if finite is None else finite


def _mapped(function, inputs):
    if isinstance(inputs, Tensor):
        return function(inputs)
    if not isinstance(inputs, (tuple, list)):
        raise TypeError(f"LossScaler: `inputs` must be a Tensor or a tuple of them, but it holds {type(inputs).__name__}")
    return tuple(_mapped(function, item) for item in inputs)


def _scale(owner, word, value, above=0):
    """A number of a scaler as it is given to it."""
    number = value.asnumpy() if isinstance(value, Tensor) and value.size == 1 else value
    if isinstance(number, bool) or not isinstance(number, (int, float, numpy.generic, numpy.ndarray)):
        raise TypeError(f"{owner}: `{word}` must be a number, but it is {type(value).__name__}")
    if not above < float(number) < math.inf:
        raise ValueError(f"{owner}: `{word}` must be above {above} and finite, but it is {float(number):g}")
    return float(number)


@jit_class
class LossScaler:
    """Base of scalers: scale before gradients, unscale after, adjust by whether they were finite."""

    def scale(self, inputs):
        raise NotImplementedError

    def unscale(self, inputs):
        raise NotImplementedError

    def adjust(self, grads_finite):
        raise NotImplementedError


class StaticLossScaler(LossScaler):
    """One scale."""

    def __init__(self, scale_value):
        scale_value = _scale("StaticLossScaler", "scale_value", scale_value)
        self.scale_value = Parameter(Tensor(scale_value, mstype.float32), name="scale_value", requires_grad=False)

    def scale(self, inputs):
        return _mapped(lambda t: t * ops.cast(self.scale_value, t.dtype), inputs)

    def unscale(self, inputs):
        return _mapped(lambda t: t * ops.cast(1.0 / self.scale_value, t.dtype), inputs)

    def adjust(self, grads_finite):
        return False


class DynamicLossScaler(LossScaler):
    """Divided when gradients were not finite, multiplied after `scale_window` steps in which they were."""

    def __init__(self, scale_value, scale_factor, scale_window):
        scale_value = _scale("DynamicLossScaler", "scale_value", scale_value)
        scale_factor = _scale("DynamicLossScaler", "scale_factor", scale_factor, 1)
        scale_window = _scale("DynamicLossScaler", "scale_window", scale_window)
        if scale_window < 1:
            raise ValueError(f"DynamicLossScaler: `scale_window` must be at least 1, but it is {scale_window:g}")
        self.scale_value = Parameter(Tensor(scale_value, mstype.float32), name="scale_value", requires_grad=False)
        self.scale_factor, self.scale_window = float(scale_factor), int(scale_window)
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter", requires_grad=False)

    def scale(self, inputs):
        return _mapped(lambda t: t * ops.cast(self.scale_value, t.dtype), inputs)

    def unscale(self, inputs):
        return _mapped(lambda t: t * ops.cast(1.0 / self.scale_value, t.dtype), inputs)

    def adjust(self, grads_finite):
        good = ops.cast(grads_finite, mstype.bool_)
        smaller = ops.maximum(self.scale_value / self.scale_factor, Tensor(1.0, mstype.float32))
        at_window = ops.equal(self.counter, self.scale_window - 1)
        larger = ops.select(ops.logical_and(at_window, ops.isfinite(self.scale_value * self.scale_factor)),
                            self.scale_value * self.scale_factor, self.scale_value * 1.0)
        counted = ops.select(at_window, ops.zeros_like(self.counter), self.counter + 1)
        ops.assign(self.scale_value, ops.select(good, larger, smaller))
        ops.assign(self.counter, ops.select(good, counted, ops.zeros_like(counted)))
        return True
