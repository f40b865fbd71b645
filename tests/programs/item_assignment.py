"""Tensors that are changed where they are: gradients, graphs, branches and Parameters see the value of the moment."""
import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, ops

faults = 0


def expect(what, got, wanted):
    global faults
    got = got.asnumpy() if isinstance(got, Tensor) else got
    if not np.allclose(got, wanted):
        faults += 1
        print(f"{what}: {got} instead of {wanted}")


def x():
    return Tensor(np.array([1, 2, 3], np.float32))


def changed_argument(a):
    y = a * a
    a[0] = 5.0
    return (y + a).sum()


def changed_middle(a):
    h = a * 2
    y = h * h
    h[0] = 10.0
    return (y + h * h).sum()


def changed_twice(a):
    h = a * 1.0
    h[0] = h[1] * h[2]
    h[1] = h[0] * h[0]
    return h.sum()


def in_place_methods(a):
    h = a * 1.0
    h.mul_(a)
    y = h * h
    h.zero_() if hasattr(h, "zero_") else h.mul_(0.0)
    return (y + h).sum()


def overwritten(a):
    a[:] = Tensor(np.array([4, 4, 4], np.float32))
    return (a * a).sum()


for way, wrap in (("op by op", lambda f: f), ("jit", ms.jit)):
    for f, wanted in ((changed_argument, [2, 5, 7]), (changed_middle, [8, 32, 48]), (changed_twice, [0, 39, 27]),
                      (in_place_methods, [4, 32, 108]), (overwritten, [0, 0, 0])):
        gradient = wrap(lambda a, f=f: ms.grad(f)(a))
        for call in (1, 2):
            expect(f"gradient of {f.__name__}, {way}, call {call}", gradient(x()), wanted)

# The caller's tensor changes as well.
seen = x()
changed_argument(seen)
expect("an argument changed by the function", seen, [5, 2, 3])

# A Parameter that a method changes in place, before and after an op that changes it.
p = Parameter(x(), name="p")
p.add_(1.0)
expect("add_ of a Parameter", p, [2, 3, 4])
p.add_(1.0)
ops.assign_add(p, x())
p.mul_(2.0)
expect("add_, assign_add and mul_ of a Parameter", p, [8, 12, 16])
p.assign_value(x())
expect("assign_value of a Parameter", p + 0, [1, 2, 3])


@ms.jit
def step(a):
    p.add_(a)
    return p * 1.0


for call in (1, 2, 3):
    step(x())
expect("a Parameter changed in place by a compiled function", p, [4, 8, 12])

# What a branch changes outside of itself is changed.
flag = Tensor(True)
outer, given = x(), x()


def change_outer(a):
    outer[0] = 7.0
    return a * 2


def change_given(a):
    a[1] = 9.0
    return a * 2


expect("result of a branch that changes another tensor", ops.cond(flag, change_outer, ops.neg, x()), [2, 4, 6])
expect("another tensor that a branch changed", outer, [7, 2, 3])
expect("result of a branch that changes its operand", ops.cond(flag, change_given, ops.neg, given), [2, 18, 6])
expect("the operand that a branch changed", given, [1, 9, 3])

raise SystemExit(faults > 0)
