"""Train a small perceptron on two spirals, the training step compiled as one graph."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

ms.set_seed(1)


def two_spirals(points):
    angle = np.linspace(0.3, 3.0 * np.pi, points)
    radius = angle / (3.0 * np.pi)
    one = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    data = np.concatenate([one, -one]).astype(np.float32)
    label = np.concatenate([np.zeros(points), np.ones(points)]).astype(np.int32)
    return Tensor(data), Tensor(label)


class Perceptron(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Dense(2, width)
        self.second = nn.Dense(width, width)
        self.last = nn.Dense(width, 2)
        self.act = nn.Tanh()

    def construct(self, x):
        x = self.act(self.first(x))
        x = self.act(self.second(x))
        return self.last(x)


net = Perceptron(48)
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01)


def forward(data, label):
    logits = net(data)
    return loss_fn(logits, label), logits


gradients = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)


@ms.jit
def train_step(data, label):
    (loss, logits), grads = gradients(data, label)
    optimizer(grads)
    hits = ops.equal(ops.argmax(logits, 1), label.astype(ms.int64))
    return loss, hits.astype(ms.float32).mean()


data, label = two_spirals(200)
for step in range(301):
    loss, accuracy = train_step(data, label)
    if step % 100 == 0:
        print(f"step {step:3d}  loss {float(loss):.4f}  accuracy {float(accuracy):.3f}")
