"""A NaN bug to hunt: a hand-written cross entropy meets a probability that has underflowed to zero."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

ms.set_seed(2)


class Classifier(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 3, weight_init="ones", bias_init="zeros")

    def construct(self, x):
        return ops.softmax(self.fc(x), axis=-1)


net = Classifier()
net.fc.weight.set_data(Tensor(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], np.float32)))
optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)


def cross_entropy(probabilities, one_hot):
    log_p = ops.log(probabilities)  # the log of zero is born here
    return -(one_hot * log_p).sum(axis=-1).mean()


def forward(x, one_hot):
    return cross_entropy(net(x), one_hot)


gradients = ms.value_and_grad(forward, None, optimizer.parameters)
labels = Tensor(np.eye(3, dtype=np.float32)[[0, 1]])

for step in range(4):
    # From step 2 on one sample is so clear-cut that its other probabilities are exactly zero.
    height = 3.0 if step < 2 else 200.0
    batch = Tensor(np.array([[height, 0, 0, 0], [0, 1, 0, 0]], np.float32))
    loss, grads = gradients(batch, labels)
    optimizer(grads)
    print(f"step {step}  loss {float(loss):.4f}")
