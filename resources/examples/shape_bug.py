"""A shape bug to explain: the mean over an axis loses it, so the subtraction no longer lines up."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, ops


def standardize(x):
    mean = x.mean(axis=1)  # keep_dims=True would keep the column
    std = ops.sqrt(((x - mean) ** 2).mean(axis=1))
    return (x - mean) / std


samples = Tensor(np.arange(12, dtype=np.float32).reshape(4, 3))
try:
    standardize(samples)
except ValueError as error:
    print("ValueError:", str(error).splitlines()[0])
    print("The cure: mean(axis=1, keep_dims=True)")
