"""Tensors, dtypes, Parameters, seeds and initializers."""
from mindspore.common import dtype
from mindspore.common.dtype import *
from mindspore.common.tensor import Tensor
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.seed import get_seed, set_seed
from mindspore.common.initializer import initializer
