"""Threads of a program compute what its main thread computes, also when it has come to its end."""
import atexit
import sys
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


# Threads that are interrupted while they trace and differentiate.
def busy(number):
    for turn in range(20):
        k = float(number * 100 + turn + 1)

        @ms.jit
        def scaled(a):
            for _ in range(4):
                a = a * k
            return ops.cond(a > 0, lambda u: u / k**3, lambda u: u, a) + 1

        for value in (1.0, 2.0):
            got = float(scaled(Tensor(np.float32(value))))
            if abs(got - (value * k + 1)) > 1e-3 * got:
                faults.append(f"compiled in thread {number}: {got} instead of {value * k + 1}")
        got = float(ms.grad(lambda a: (net(x) * a * a * k).sum())(Tensor(np.float32(2))))
        if abs(got - 4 * k) > 1e-3 * got:
            faults.append(f"gradient in thread {number}: {got} instead of {4 * k}")


interval = sys.getswitchinterval()
sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=busy, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.setswitchinterval(interval)


# Graph mode is turned off and on while a function is traced.
@ms.jit
def changing(a):
    mode = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.set_context(mode=mode)
    return a + 1


for value in (1.0, 2.0):
    if float(changing(Tensor(np.float32(value))) + 1) != value + 2:
        faults.append("a function that changes the mode")


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
