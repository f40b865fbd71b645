"""After something went wrong a program may go on: what was right has its value, what was not says so when it is looked
at, and no size or nesting ends the process."""
import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, ops

faults = 0


def fault(text):
    global faults
    faults += 1
    print(text)


def expect(what, got, wanted):
    if not np.allclose(got.asnumpy(), wanted):
        fault(f"{what}: {got} instead of {wanted}")


def raises(what, kinds, f):
    try:
        f()
    except kinds:
        return
    except Exception as error:
        return fault(f"{what}: raised {error!r}")
    fault(f"{what}: raised nothing")


x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
places = Tensor(np.array([0, 9], np.int32))
p = Parameter(Tensor(np.ones(3, np.float32)), name="p")


# An index out of range: at once in eager mode, when somebody looks in graph mode.
def out_of_range():
    ops.assign_add(p, Tensor(np.ones(3, np.float32)))
    rows = ops.gather(x, places, 0)
    later.append(rows + 1)
    return rows.asnumpy()


later = []
raises("gather out of range", IndexError, out_of_range)
for tensor in later:
    raises("what depends on a failed op", RuntimeError, tensor.asnumpy)
    raises("an op on what has no value", RuntimeError, lambda: (tensor * 2).asnumpy())
    tensor.set_data(x)
    expect("a tensor without a value that got one", tensor, x.asnumpy())
expect("a tensor from before", x + 1, x.asnumpy() + 1)
p.asnumpy()

# A compiled function that raises in the middle: what it handed out before has its value.
kept = []


@ms.jit
def raising(a):
    ops.assign_add(p, a[0])
    kept.append(a * 2)
    raise KeyError("in the middle")


p.set_data(Tensor(np.zeros(3, np.float32)))
for call in (1, 2):
    raises("an exception in a compiled function", KeyError, lambda: raising(x))
    expect(f"a tensor from a compiled function that raised, call {call}", kept[-1], x.asnumpy() * 2)
    expect(f"a Parameter that it changed, call {call}", p, x.asnumpy()[0] * call)


@ms.jit
def failing(a, i):
    ops.assign_add(p, a[0])
    return ops.gather(a, i, 0)


before = p.asnumpy()
raises("an op that fails when the compiled function runs", IndexError, lambda: failing(x, places))
expect("the same function with a good index", failing(x, Tensor(np.array([1, 0], np.int32))), x.asnumpy()[[1, 0]])

# Branches: their operands have no values while they are traced, and what leaks out of them never has.
scalar, flag = Tensor(np.float32(2)), Tensor(True)
leaked = []


def leaking(a):
    leaked.extend((a, a * 2))
    return a * 3


expect("a branch that looks at its operand", ops.cond(flag, lambda a: a * float(a), ops.neg, scalar), 4)
expect("a branch that copies its operand", ops.cond(flag, lambda a: a.copy() * 2, ops.neg, scalar), 4)
expect("a branch that leaks", ops.cond(flag, leaking, ops.neg, scalar), 6)
for tensor in leaked:
    try:
        tensor.asnumpy()  # eager: a value as any other
    except RuntimeError:
        pass

# Shapes whose sizes wrap around, and lists without end.
one = Tensor(np.ones((1, 1), np.float32))
for shape in ((2**32, 2**32), (2**33, 2**31 + 1), (2**62, 4), (2**40, 2**40), (2**23, 2**24)):
    raises(f"a tensor of shape {shape}", (ValueError, MemoryError),
           lambda: (ops.broadcast_to(one, shape) + 1).sum().asnumpy())
endless = []
endless.append(endless)
raises("a list that holds itself", ValueError, lambda: Tensor(endless))
deep = 1.0
for _ in range(100000):
    deep = [deep]
raises("a deep list", ValueError, lambda: Tensor(deep))



# What a program need not do, but may.
class Forgetful(Tensor):
    def __init__(self):
        pass  # no super().__init__()


expect("a tensor whose class forgot to make it", Forgetful() + 1, 1)
raises("an array of numbers that no tensor holds", TypeError, lambda: Tensor(np.array([2**63], np.uint64)))
raises("an array of objects", TypeError, lambda: Tensor(np.array([object()])))

raise SystemExit(faults > 0)
