"""What is born beside a NaN or an infinity that is only carried, as a mask is."""
from support import *

run(lambda x: ops.log(x), [nan, 0.0])
#: inf Log [1] log_of_zero
run(lambda x: ops.exp(x), [-inf, inf, 100.0])
#: inf Exp [2] overflow_of_exp
run(lambda x: ops.sqrt(x), [inf, -1.0, nan])
#: nan Sqrt [1] sqrt_of_negative
run(lambda x, m: ops.softmax(x + m, -1), [[1.0, 2.0], [1.0, 2.0]], [[-inf, 0.0], [-inf, -inf]])
#: nan Softmax [1, 0] fully_masked_row
run(lambda x: ops.softmax(x, -1), [[nan, 1.0], [-inf, -inf], [1.0, 2.0]])
#: nan Softmax [1, 0] fully_masked_row
run(lambda x: x * x, [nan, 300.0], dtype=f16)
#: inf Mul [1] overflow
run(lambda x, y: ops.matmul(x, y), [[nan, 1.0], [3e38, 3e38]], [[1.0], [2.0]])
#: inf MatMul [1, 0] overflow
run(lambda x: x.sum(axis=1), [[nan, 1.0], [3e38, 3e38]])
#: inf ReduceSum [1] overflow
run(lambda x: x.mean(axis=1), [[inf, 1.0], [inf, -inf]])
#: nan ReduceMean [1] inf_minus_inf
run(lambda x: (x - x.max()).sum(), [inf, 1.0])
#: nan Sub [0] inf_minus_inf
run(lambda x: ops.cumsum(x, 0), [[nan, 3e38], [1.0, 3e38]])
#: inf CumSum [1, 1] overflow
run(lambda x: x.reshape((2, 1)), [nan, inf])
run(lambda x: ops.relu(ops.concat([x, x])), [nan, inf])
run(lambda x: ops.exp(ops.masked_fill(x, x < 0, -inf)) * 1e38, [-1.0, 10.0])
#: inf Mul [1] overflow
run(lambda s: ops.masked_fill(s, s < 0, -inf) * 1e3, [-1.0, 100.0], dtype=f16)
#: inf Mul [1] overflow
run(lambda s: ops.softmax(s * 1e3 + ops.triu(ops.full((2, 2), -inf), 1), -1), [[100.0, 1.0], [1.0, 1.0]], dtype=f16)
#: inf Mul [0, 0] overflow; nan Softmax [0, 0] softmax_of_infinity
