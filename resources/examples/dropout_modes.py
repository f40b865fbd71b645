"""Random ops give the same stream eagerly and in a graph when the seed is the same."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

layer = nn.Dropout(p=0.5)
layer.set_train(True)
x = Tensor(np.ones((2, 8), np.float32))


def noisy(x):
    return layer(x) + ops.relu(ops.standard_normal((2, 8)))


ms.set_seed(7)
eager = noisy(x)
ms.set_seed(7)
graph = ms.jit(noisy)(x)
print("the same in both modes:", np.array_equal(eager.asnumpy(), graph.asnumpy()))
layer.set_train(False)
print("in inference dropout does nothing:", np.array_equal(layer(x).asnumpy(), x.asnumpy()))
