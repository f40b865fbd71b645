"""What breaks a graph: the same function with a Python `if` on a tensor, and without."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, ops


@ms.jit
def broken(x):
    y = ops.tanh(x) * 2.0
    if y.sum() > 0:  # Python must know the value: the graph ends here
        y = y + 1.0
    else:
        y = y - 1.0
    return ops.square(y)


@ms.jit
def whole(x):
    y = ops.tanh(x) * 2.0
    y = ops.where(y.sum() > 0, y + 1.0, y - 1.0)
    return ops.square(y)


for sign in (1.0, -1.0):
    x = Tensor(np.array([0.5, 1.5, 2.5], np.float32)) * sign
    print(np.array_equal(broken(x).asnumpy(), whole(x).asnumpy()), whole(x))
