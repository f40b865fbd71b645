"""Softmax, reductions, running sums and products, variance."""
from support import *

# softmax
run(lambda x: ops.softmax(x, -1), [[-inf, -inf], [1.0, 2.0]])
#: nan Softmax [0, 0] fully_masked_row
run(lambda x: ops.log_softmax(x, -1), [[-inf, -inf], [1.0, 2.0]])
#: nan LogSoftmax [0, 0] fully_masked_row
run(lambda x: ops.softmax(x, -1), [[inf, 1.0], [1.0, 2.0]])
#: nan Softmax [0, 0] softmax_of_infinity
run(lambda x: ops.log_softmax(x, -1), [[inf, 1.0], [1.0, 2.0]])
#: nan LogSoftmax [0, 0] softmax_of_infinity
run(lambda x: ops.softmax(x, 0), [[-inf, -inf], [-inf, 2.0]])
#: nan Softmax [0, 0] fully_masked_row
run(lambda x: ops.log(ops.softmax(x, -1)), [[0.0, 200.0]])
#: inf Log [0, 0] log_of_zero
grad(lambda x: ops.log(ops.softmax(x, -1)), [[0.0, 200.0]])
#: inf Log [0, 0] log_of_zero; inf Log' [0, 0] gradient_of_log_at_zero; nan Softmax' [0, 0] zero_gradient_times_inf
grad(lambda x: ops.log_softmax(x, -1), [[-inf, 2.0]])
grad(lambda x: ops.softmax(x, -1), [[-inf, -inf]])
#: nan Softmax [0, 0] fully_masked_row
run(lambda x: ops.softmax(x * 1e30 * 1e30, -1), [[1.0, 2.0]])
#: inf Mul [0, 0] overflow; nan Softmax [0, 0] softmax_of_infinity
# reductions
run(lambda x: x.sum(), [60000.0, 60000.0], dtype=f16)
#: inf ReduceSum [] overflow
run(lambda x: x.sum(), [3e38, 3e38])
#: inf ReduceSum [] overflow
run(lambda x: x.mean(), [60000.0, 60000.0], dtype=f16)
run(lambda x: x.mean(), [3e38, 3e38])
#: inf ReduceMean [] overflow
run(lambda x: ops.mean(x), [inf, -inf])
#: nan ReduceMean [] inf_minus_inf
run(lambda x: ops.sum(x), [inf, -inf])
#: nan ReduceSum [] inf_minus_inf
run(lambda x: ops.prod(x), [1e30, 1e30])
#: inf ReduceProd [] overflow
run(lambda x: ops.prod(x), [0.0, inf])
#: nan ReduceProd [] zero_times_inf
run(lambda x: ops.cumsum(x, 0), [3e38, 3e38, 1.0])
#: inf CumSum [1] overflow
run(lambda x: ops.cumsum(x, 0), [inf, 1.0, -inf])
#: nan CumSum [2] inf_minus_inf
run(lambda x: ops.cumprod(x, 0), [1e30, 1e30, 0.0])
#: nan CumProd [2] overflow_on_the_way; inf CumProd [1] overflow
run(lambda x: ops.cumprod(x, 0), [inf, 1.0, 0.0])
#: nan CumProd [2] zero_times_inf
run(lambda x: ops.cumprod(x, 0), [0.0, 1.0, inf])
#: nan CumProd [2] zero_times_inf
run(lambda x: ops.cumprod(x, 0), [1e30, 1e30, 1.0])
#: inf CumProd [1] overflow
run(lambda x: ops.mean(x), Tensor(np.zeros((0,), np.float32)))
#: nan ReduceMean [] mean_of_nothing
run(lambda x: ops.mean(x, 1), Tensor(np.zeros((2, 0), np.float32)))
#: nan ReduceMean [0] mean_of_nothing
run(lambda x: ops.var(x), [1.0])
run(lambda x: ops.var(x, ddof=1), [1.0])
#: nan ReduceVar [] variance_of_one_element
run(lambda x: ops.var(x, axis=1, ddof=1), [[1.0], [2.0]])
#: nan ReduceVar [0] variance_of_one_element
run(lambda x: ops.std(x, ddof=1), [1.0])
#: nan ReduceStd [] variance_of_one_element
run(lambda x: ops.std(x, axis=1, ddof=1), [[1.0], [2.0]])
#: nan ReduceStd [0] variance_of_one_element
run(lambda x: ops.var(x, ddof=2), [1.0, 2.0])
#: inf ReduceVar [] variance_of_one_element
run(lambda x: ops.var(x), [inf, 1.0])
#: nan ReduceVar [0] inf_minus_inf
run(lambda x: ops.var(x), [3e38, -3e38])
#: inf ReduceVar [0] overflow
run(lambda x: ops.var(x), [60000.0, -60000.0], dtype=f16)
#: inf ReduceVar [0] overflow
run(lambda x: ops.std(x), [3e38, -3e38])
#: inf ReduceStd [0] overflow
run(lambda x: ops.var(x), Tensor(np.zeros((0,), np.float32)))
#: nan ReduceVar [0] mean_of_nothing
run(lambda x: ops.std(x), Tensor(np.zeros((0,), np.float32)))
#: nan ReduceStd [0] mean_of_nothing
grad(lambda x: ops.prod(x), [0.0, 2.0])
grad(lambda x: ops.cumprod(x, 0), [0.0, 2.0])
grad(lambda x: ops.var(x, ddof=1), [2.0])
#: nan ReduceVar [] variance_of_one_element; nan ReduceVar' [0] zero_gradient_times_inf
