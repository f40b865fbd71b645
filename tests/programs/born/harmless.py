"""Infinities that are meant, and bad values that nothing keeps: no reason to fail."""
from support import *

run(lambda x: ops.softmax(ops.masked_fill(x, x > 1.5, -inf), -1), [1.0, 2.0])
run(lambda x: ops.softmax(ops.where(x > 1.5, x, ops.full_like(x, -inf)), -1), [1.0, 2.0])
run(lambda x: ops.softmax(x + ops.triu(ops.full((2, 2), -inf), 1), -1), [1.0, 2.0])
run(lambda x: ops.nan_to_num(x / x), [0.0, 2.0])
#: ~nan Div [0] zero_over_zero
run(lambda x: ops.where(ops.isnan(x / x), ops.zeros_like(x), x / x), [0.0, 2.0])
#: ~nan Div [0] zero_over_zero
run(lambda x: ops.where(x == 0, ops.zeros_like(x), 1.0 / x), [0.0, 2.0])
#: ~inf Div [0] division_by_zero
run(lambda x: ops.minimum(ops.full((2,), inf), x), [0.0, 2.0])
run(lambda x: ops.maximum(ops.full((2,), -inf), x).max(), [0.0, 2.0])
run(lambda x: ops.isfinite(ops.sqrt(x)), [-1.0, 2.0])
#: ~nan Sqrt [0] sqrt_of_negative
run(lambda x: ops.isnan(x).any(), [nan, 2.0])
run(lambda x: ops.nan_to_num(x), [nan, 2.0])
run(lambda x: ops.where(ops.isnan(x), ops.zeros_like(x), x), [nan, 2.0])
run(lambda x: ops.masked_fill(x, ops.isnan(x), 0.0), [nan, 2.0])
run(lambda x: 1.0 / (1.0 + ops.exp(x)), [100.0, 1.0])
#: ~inf Exp [0] overflow_of_exp
run(lambda x: ops.tanh(x * 1e30 * 1e30), [100.0, 1.0])
#: ~inf Mul [0] overflow
run(lambda x: ops.exp(x - inf), [100.0, 1.0])
run(lambda x: ops.clip(x / 0.0, -1.0, 1.0), [100.0, 1.0])
#: ~inf Div [0] division_by_zero
run(lambda x: (ops.log(x) > 0).astype(f32), [0.0, 1.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.topk(ops.log(x), 1)[0], [0.0, 1.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.exp(ops.log(x)), [0.0, 1.0])
#: ~inf Log [0] log_of_zero
grad(lambda x: ops.softmax(ops.masked_fill(x, x > 1.5, -inf), -1)[0], [1.0, 2.0])
grad(lambda x: ops.where(x > 0, ops.log(ops.where(x > 0, x, ops.ones_like(x))), ops.zeros_like(x)), [0.0, 1.0])
grad(lambda x: ops.relu(x) / ops.maximum(x, 1e-6), [-1.0, 1.0])
run(lambda p: ops.cross_entropy(p, Tensor([1, 1], ms.int32)), [[-inf, 1.0], [1.0, 2.0]])
grad(lambda p: ops.cross_entropy(p, Tensor([1, 1], ms.int32)), [[-inf, 1.0], [1.0, 2.0]])
run(lambda p: nn.SoftmaxCrossEntropyWithLogits(sparse=True)(p, Tensor([1, 1], ms.int32)), [[-inf, 1.0], [1.0, 2.0]])
