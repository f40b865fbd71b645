"""Roots, and gradients where a function has none."""
from support import *

# roots
run(lambda x: ops.sqrt(x), [1.0, -1.0])
#: nan Sqrt [1] sqrt_of_negative
run(lambda x: ops.rsqrt(x), [1.0, 0.0])
#: inf Rsqrt [1] rsqrt_of_zero
run(lambda x: ops.rsqrt(x), [1.0, -1.0])
#: nan Rsqrt [1] sqrt_of_negative
grad(lambda x: ops.sqrt(x), [1.0, 0.0])
#: inf Sqrt' [1] gradient_of_root_at_zero
grad(lambda x: ops.sqrt(x * x), [1.0, 0.0])
#: inf Sqrt' [1] gradient_of_root_at_zero; nan Mul' [1] zero_gradient_times_inf
grad(lambda x: ops.norm(x), [0.0, 0.0])
grad(lambda x: ops.norm(x, dim=1), [[0.0, 0.0], [3.0, 4.0]])
grad(lambda x: ops.norm(x, ord=1), [0.0, 0.0])
grad(lambda x: ops.norm(x, ord=float("inf")), [0.0, 0.0])
grad(lambda x: ops.std(x), [2.0, 2.0])
grad(lambda x: ops.std(x, axis=1), [[2.0, 2.0], [1.0, 2.0]])
grad(lambda x: ops.cbrt(x), [1.0, 0.0])
#: inf Cbrt' [1] gradient_of_root_at_zero
grad(lambda x, y: ops.hypot(x, y), [1.0, 0.0], [0.0, 0.0])
#: inf Hypot' [1] gradient_at_origin; nan Hypot' [1] zero_gradient_times_inf
grad(lambda x: ops.sqrt(ops.relu(x)), [1.0, -1.0])
#: ~inf Sqrt' [1] gradient_of_root_at_zero
run(lambda x: ops.norm(x), [300.0, 300.0], dtype=f16)
#: inf LpNorm [0] overflow
run(lambda x: ops.norm(x), [1e30, 1e30])
#: inf LpNorm [0] overflow
run(lambda x, y: ops.hypot(x, y), [3e38, 0.0], [3e38, 0.0])
#: inf Hypot [0] overflow
