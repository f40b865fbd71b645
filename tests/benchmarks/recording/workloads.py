"""Small eager ops, where recording weighs most, and the train step of the graph mode. Prints "NAME MICROSECONDS"."""
import time

import mindspore as ms
from mindspore import Tensor, nn, ops

ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")


def best_of(rounds, count, body):
    body(count)
    best = 1e9
    for _ in range(rounds):
        start = time.perf_counter()
        body(count)
        best = min(best, (time.perf_counter() - start) / count)
        time.sleep(0.1)  # the writer catches up, as it does in a program of ordinary ops
    return best * 1e6


def adds(count):
    add, u, v = ops.add, x, y
    for _ in range(count):
        add(u, v)


x, y = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[5.0, 6.0], [7.0, 8.0]])
print("eager_add_2x2", best_of(15, 20000, adds))


class SimpleNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(1024, 1024)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.fc(x))


net, loss_fn = SimpleNet(), nn.MSELoss()
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)


@ms.jit
def train_step(data, label):
    def forward(data, label):
        logits = net(data)
        return loss_fn(logits, label), logits

    (loss, _), gradients = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)(data, label)
    optimizer(gradients)
    return loss


data, label = (Tensor(ms.numpy.randn(32, 1024), ms.float32) for _ in range(2))


def steps(count):
    for _ in range(count):
        float(train_step(data, label))


print("train_step", best_of(9, 30, steps))
