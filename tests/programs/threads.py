"""Threads of a program compute what its main thread computes, also when it has come to its end."""
import atexit
import threading
import time

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

faults = []
x = Tensor(np.array([1, 2, 3], np.float32))
net = nn.SequentialCell(nn.Dense(3, 4), nn.GELU(), nn.LayerNorm((4,)), nn.Softmax())


def gradients():
    return ms.grad(lambda a: (net(a) * x[:1]).sum() + ops.norm(a) + ops.std(a))(x).asnumpy()


def in_thread(f):
    result = []
    thread = threading.Thread(target=lambda: result.append(f()))
    thread.start()
    thread.join()
    return result[0]


def seeded():
    ms.set_seed(3)
    return ops.dropout(ops.ones((64,), ms.float32), 0.5).asnumpy()


for what, f in (("gradients", gradients), ("random numbers", seeded),
                ("a compiled function", lambda: ms.jit(lambda a: ops.softmax(a) * 2)(x).asnumpy())):
    here, there = f(), in_thread(f)
    if not np.array_equal(here, there):
        faults.append(f"{what}: {there} in a thread, {here} in the main one")


class Last:
    def __del__(self):
        print("in a finaliser:", float((x + 1).sum()))


last = Last()
last.itself = last
atexit.register(lambda: print("at exit:", (x * 2).asnumpy().sum()))


def late():
    time.sleep(0.2)
    total = x
    for k in range(50):
        total = total + x * k
    print("late:", total.asnumpy().sum())


threading.Thread(target=late).start()
print("\n".join(faults) or "main: no faults")
raise SystemExit(bool(faults))
