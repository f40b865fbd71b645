"""The part of MindSpore's Python API that this engine runs."""
import _fusescope
from mindspore import context
from mindspore.common import dtype
import sys as _sys

_sys.modules["mindspore.dtype"] = dtype
from mindspore.common.dtype import *
from mindspore.common.tensor import Tensor
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.seed import get_seed, set_seed
from mindspore.context import (
    COMPATIBLE, GRAPH_MODE, LAX, PYNATIVE_MODE, STRICT, get_context, reset_auto_parallel_context,
    set_auto_parallel_context, set_context, set_device)
from mindspore import ops
from mindspore.ops.grad import grad, jvp, value_and_grad, vjp
from mindspore.common.api import JitConfig, constexpr, jit, jit_class, ms_function, ms_class, mutable
from mindspore import nn
from mindspore import numpy
from mindspore.train.serialization import (
    load_checkpoint, load_param_into_net, save_checkpoint)

tensor = Tensor
from_numpy = Tensor.from_numpy
__version__ = "2.7.0"
common = _sys.modules["mindspore.common"]

# Imported when they are first used: they need numpy, and most programs do without.
_LATER = {"amp": "mindspore.amp", "dataset": "mindspore.dataset", "experimental": "mindspore.experimental", "Model": "mindspore.train.model",
          "Callback": "mindspore.train.callback",
          **dict.fromkeys(("DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"),
                          "mindspore.train.loss_scale_manager")}


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError(f"module 'mindspore' has no attribute '{name}'")
    import importlib

    module = importlib.import_module(_LATER[name])
    value = module if _LATER[name].endswith(f".{name}") else getattr(module, name)
    globals()[name] = value
    return value


def run_check():
    """Says that the engine works, as MindSpore's installation check does."""
    value = (Tensor([1.0, 2.0]) + 1.0).tolist()
    print(f"MindSpore version:  {__version__}")
    print("The result of computation is correct, fusescope's engine runs." if value == [2.0, 3.0] else f"wrong: {value}")


def get_current_device():
    """What set_context(device_target=…) names."""
    return get_context("device_target")


class runtime:
    """mindspore.runtime: what makes sense on one device."""

    @staticmethod
    def launch_blocking():
        """Ops of this engine are always finished when they return."""

    @staticmethod
    def synchronize():
        _fusescope.flush()

    @staticmethod
    def set_cpu_affinity(*args, **kwargs):
        """Threads are placed by the operating system here."""


class hal:
    """mindspore.hal: the one call that programs make for timing."""

    @staticmethod
    def synchronize(stream=None):
        _fusescope.flush()
