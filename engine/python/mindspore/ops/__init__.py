"""mindspore.ops: the op table's functions, and what is written in terms of them."""
import sys as _sys

import _fusescope

globals().update(_fusescope.functions)

from mindspore.ops import activations as _activations
from mindspore.ops import arrays as _arrays
from mindspore.ops import composite as _composite
from mindspore.ops import convolution as _convolution
from mindspore.ops import ctc as _ctc
from mindspore.ops import interpolation as _interpolation
from mindspore.ops import losses as _losses
from mindspore.ops import padding as _padding
from mindspore.ops import pooling as _pooling
from mindspore.ops import pieces as _pieces
from mindspore.ops import products as _products
from mindspore.ops import scans as _scans
from mindspore.ops import scattering as _scattering
from mindspore.ops import segments as _segments
from mindspore.ops import special as _special
from mindspore.ops import windows as _windows
from mindspore.ops.control import ForiLoop, Print, Scan, WhileLoop, cond, print_, while_loop
from mindspore.ops.grad import GradOperation, grad, jvp, stop_gradient, value_and_grad, vjp

# A composite stands in front of a row of the same name only where it adds to the row's form.
_BESIDE_ROWS = ("full", "max", "min", "arange", "softmax", "cross_entropy", "dropout", "one_hot", "gather",
                "assign", "batch_norm", "standard_normal", "zeros", "ones", "rand", "randn", "randint", "uniform",
                "meshgrid", "index_select", "gather_elements", "slice", "conv2d", "conv3d", "max_pool2d", "avg_pool2d",
                "pad")
for _module in (_composite, _arrays, _products, _convolution, _windows, _pooling, _padding,
                _activations, _losses, _ctc, _special, _scans, _pieces, _scattering, _interpolation,
                _segments):
    for _name, _value in list(vars(_module).items()):
        if not _name.startswith("_") and callable(_value) and getattr(_value, "__module__", "") == _module.__name__:
            if _name not in _fusescope.functions or _name in _BESIDE_ROWS:
                globals()[_name] = _value
eps = 1e-5

from mindspore.ops import functional, operations
from mindspore.ops.operations import *


def __getattr__(name):
    raise AttributeError(f"mindspore.ops has no `{name}` in this engine; `fusescope --list-ops` lists the ops")
