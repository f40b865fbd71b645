"""Branches and loops that stay inside the graph: ops.cond and ops.while_loop."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, ops


@ms.jit
def clip_or_scale(x, limit):
    """Scales x down when its norm is above the limit, else leaves it."""
    norm = ops.sqrt((x * x).sum())
    return ops.cond(norm > limit, lambda v: v * (limit / norm), lambda v: v * 1.0, x)


@ms.jit
def newton_sqrt(a):
    """Newton's iteration for the square root until it stands still."""
    def going(x, before):
        return ops.abs(x - before) > 1e-6

    def step(x, before):
        return 0.5 * (x + a / x), x

    x, _ = ops.while_loop(going, step, (a, a * 0.0))
    return x


x = Tensor(np.array([3.0, 4.0], np.float32))
print("long  ", clip_or_scale(x, Tensor(1.0, ms.float32)))
print("short ", clip_or_scale(x, Tensor(10.0, ms.float32)))
print("sqrt 2", f"{float(newton_sqrt(Tensor(2.0, ms.float32))):.6f}")
print("sqrt 9", f"{float(newton_sqrt(Tensor(9.0, ms.float32))):.6f}")
