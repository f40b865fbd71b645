"""The optimizers side by side on one valley, each step one graph."""
import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Valley(nn.Cell):
    """A long narrow valley with its lowest point at (1, 1)."""

    def __init__(self):
        super().__init__()
        self.at = Parameter(Tensor(np.array([-1.0, 1.5], np.float32)), name="at")

    def construct(self):
        x, y = self.at[0], self.at[1]
        return 4.0 * (y - x * x) ** 2 + (1.0 - x) ** 2


def descend(make, steps=200):
    valley = Valley()
    optimizer = make(valley.trainable_params())
    gradients = ms.value_and_grad(valley, None, optimizer.parameters)

    @ms.jit
    def step():
        loss, grads = gradients()
        optimizer(grads)
        return loss

    first = float(step())
    for _ in range(steps):
        last = step()
    return first, float(last)


for name, make in {
    "SGD": lambda p: nn.SGD(p, learning_rate=0.01),
    "Momentum": lambda p: nn.Momentum(p, learning_rate=0.005, momentum=0.9),
    "Adam": lambda p: nn.Adam(p, learning_rate=0.05),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, learning_rate=0.05, weight_decay=0.0),
}.items():
    first, last = descend(make)
    print(f"{name:16s} {first:.3f} -> lower: {last < 0.2 * first}")
