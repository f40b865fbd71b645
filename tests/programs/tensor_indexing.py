"""t[index] and t[index] = value: as numpy has them, also with gradients and compiled, and never another element's when an
index is out of range."""
import numpy as np

import mindspore as ms
from mindspore import Tensor

faults = 0
DATA = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def fault(*what):
    global faults
    faults += 1
    print(*what)


def ours(index):
    """The index with its arrays as tensors."""
    if isinstance(index, tuple):
        return tuple(ours(part) for part in index)
    return Tensor(index) if isinstance(index, np.ndarray) else index


def ways(f):
    return ("op by op", f), ("jit", ms.jit(f))


def same(got, wanted):
    return got.shape == wanted.shape and np.array_equal(got.asnumpy(), wanted)


def check(index):
    wanted = DATA[np.array(index) if isinstance(index, list) else index]
    slope = np.zeros_like(DATA)
    np.add.at(slope, index, 2 * wanted)
    for way, get in ways(lambda t: t[ours(index)]):
        if not same(get(Tensor(DATA)), np.asarray(wanted)):
            fault(f"[{index}], {way}")
        if not same(ms.grad(lambda t: (get(t) * get(t)).sum())(Tensor(DATA)), slope):
            fault(f"gradient of [{index}], {way}")
    for value in (5.0, -np.arange(wanted.size, dtype=np.float32).reshape(wanted.shape)):
        changed = DATA.copy()
        changed[index] = value

        def put(t):
            t[ours(index)] = Tensor(value) if isinstance(value, np.ndarray) else value
            return t

        for way, f in ways(put):
            if not same(f(Tensor(DATA.copy())), changed):
                fault(f"[{index}] = {type(value).__name__}, {way}")


EVERY = slice(None)
for index in (
        # Slices with starts outside, and with steps that are never taken.
        slice(-100, None, -1), slice(None, -100, -1), slice(5, None, -1), slice(1, 1, -1), slice(-1, -5, -3),
        slice(0, -1, 10 ** 30), slice(None, None, -10 ** 30), (EVERY, slice(5, 9)), (EVERY, slice(-9, -7)),
        # False is an axis without elements.
        False, (False, slice(0, 1)), (..., False), np.array(False), True,
        # Arrays, alone and together.
        [-2], ([-1], [-3]), ([1, 0], [2, -3], [3, -4]), (np.array([[0], [1]]), np.array([[0, 2]])),
        (EVERY, np.array([[0, 1], [1, 2]]), 1), ([0, 1], EVERY, np.array([1, 2], np.uint8)),
        (np.array([0, 1], np.int32), np.array([0, 1], np.int64)), (np.array(1), np.array(2)),
        (np.zeros(0, np.int64), np.zeros(0, np.int64)), (0, EVERY, [0, 1, 1])):
    check(index)

for index in ([2], [-3], ([0], [5]), ([1], [-4]), (EVERY, [3]), (EVERY, [0], [-5]), ([0], [0], [4]), ([0, 1], [0, 3])):
    def put(t):
        t[index] = 1.0
        return t

    for what, f in (("getting", lambda t: t[index]), ("setting", put)):
        for way, run in ways(f):
            try:
                run(Tensor(DATA)).asnumpy()
                fault(f"{what} [{index}], {way}, takes another element")
            except IndexError as error:
                if "is outside" not in str(error):
                    fault(f"{what} [{index}], {way}: {error}")

# A mask of a scalar.
scalar = Tensor(np.float32(3))
if not same(scalar[scalar > 5], np.zeros(0, np.float32)) or not same(scalar[scalar > 1], np.float32([3])):
    fault("the mask of a scalar")

raise SystemExit(faults > 0)
