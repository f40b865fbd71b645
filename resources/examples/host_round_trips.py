"""Copies between host and device that cost more than the computing: a loop that reads its loss back each step."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, ops

ms.set_context(device_target="Ascend")

weights = Tensor(np.full((256, 256), 0.01, np.float32))


def chatty(x):
    """Goes to the host and back in each step."""
    for _ in range(8):
        x = ops.tanh(ops.matmul(x, weights))
        largest = x.asnumpy().max()  # read back
        x = x / Tensor(np.float32(largest))  # sent again
    return x


def quiet(x):
    """The same on the device; one value is read at the end."""
    for _ in range(8):
        x = ops.tanh(ops.matmul(x, weights))
        x = x / ops.amax(x)
    return x


start = Tensor(np.linspace(0.1, 1, 64 * 256, dtype=np.float32).reshape(64, 256))
a = chatty(start)
b = quiet(start)
print("same result:", np.allclose(a.asnumpy(), b.asnumpy(), atol=1e-5))
