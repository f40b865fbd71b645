"""For the programs of this folder: each line runs one small function on a few numbers and looks at the result. With
BORN_JIT=1 the function is compiled first."""
import os

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

nan, inf = float("nan"), float("inf")
f16, bf16, f32, f64 = ms.float16, ms.bfloat16, ms.float32, ms.float64
compiled = ms.jit if os.environ.get("BORN_JIT") == "1" else (lambda f: f)


def tensors(data, dtype):
    return [d if isinstance(d, Tensor) else Tensor(d, dtype) if dtype else Tensor(d) for d in data]


def show(result):
    for r in result if isinstance(result, (tuple, list)) else [result]:
        (r.astype(f32) if r.dtype == bf16 else r).asnumpy()


def run(f, *data, dtype=None):
    show(compiled(f)(*tensors(data, dtype)))


def grad(f, *data, dtype=None, wrt=0):
    show(compiled(ms.grad(lambda *a: f(*a).sum(), wrt))(*tensors(data, dtype)))
