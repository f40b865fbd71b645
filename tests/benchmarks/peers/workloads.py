"""The workloads that are compared with PyTorch, written against the mindspore API; prints `name microseconds` lines.

Run by compare.py under `fusescope --record`, once without recording cost in the timed part (--watch off) and so on.
"""
import statistics
import sys
import time

import mindspore as ms
from mindspore import Tensor, nn, ops

ONLY = sys.argv[1] if len(sys.argv) > 1 else ""


def bench(name, function, count, repeats=7, warm=5):
    if ONLY not in name:
        return
    for _ in range(warm):
        function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - start) / count)
    print(f"{name:28s} {statistics.median(times) * 1e6:12.2f}", flush=True)


def train_step():
    net = nn.SequentialCell(nn.Dense(1024, 1024), nn.ReLU())
    loss_fn = nn.MSELoss()
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
    gradients = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, grads = gradients(x, y)
        optimizer(grads)
        return loss

    x, y = ms.numpy.randn(32, 1024), ms.numpy.randn(32, 1024)
    bench("train_step", lambda: step(x, y), 100, warm=30)


def eager_add():
    a, b = Tensor([[1.0, 1.0], [1.0, 1.0]]), Tensor([[1.0, 1.0], [1.0, 1.0]])
    bench("eager_add_2x2", lambda: ops.add(a, b), 5000, warm=1000)

    def hundred():
        z = a
        for _ in range(100):
            z = ops.add(z, b)

    bench("eager_add_x100", hundred, 50)


def chain():
    u, v = ms.numpy.randn(1 << 24), ms.numpy.randn(1 << 24)
    fused = ms.jit(lambda u, v: ops.relu((u + v) * 2.0 - u) * v)
    bench("chain4_16M", lambda: fused(u, v), 2, repeats=5, warm=2)


def rows():
    r = ms.numpy.randn(4096, 1024)
    norm = nn.LayerNorm((1024,))
    bench("softmax_4096x1024", lambda: ops.softmax(r, -1), 5)
    bench("layernorm_4096x1024", lambda: norm(r), 5)
    bench("gelu_4096x1024", lambda: ops.gelu(r), 5)


def convolution():
    net = nn.SequentialCell(nn.Conv2d(64, 64, 3, pad_mode="pad", padding=1), nn.BatchNorm2d(64), nn.ReLU())
    net.set_train(False)
    x = ms.numpy.randn(8, 64, 56, 56)
    infer = ms.jit(net)
    bench("convbnrelu_infer", lambda: infer(x), 3, repeats=5)


ms.set_seed(0)
if any(ONLY in n for n in ("train_step",)):
    train_step()
if any(ONLY in n for n in ("eager_add_2x2", "eager_add_x100")):
    eager_add()
if any(ONLY in n for n in ("chain4_16M",)):
    chain()
if any(ONLY in n for n in ("softmax_4096x1024", "layernorm_4096x1024", "gelu_4096x1024")):
    rows()
if any(ONLY in n for n in ("convbnrelu_infer",)):
    convolution()
