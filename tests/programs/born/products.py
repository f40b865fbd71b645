"""Products of matrices and windows."""
from support import *

# matmul
run(lambda x, y: ops.matmul(x, y), [[300.0, 300.0]], [[300.0], [300.0]], dtype=f16)
#: inf MatMul [0, 0] overflow
run(lambda x, y: ops.matmul(x, y), [[3e38, 3e38]], [[300.0], [300.0]])
#: inf MatMul [0, 0] overflow
run(lambda x, y: ops.matmul(x, y), [[inf, 1.0]], [[0.0], [300.0]])
#: nan MatMul [0, 0] zero_times_inf
run(lambda x, y: ops.matmul(x, y), [[inf, inf]], [[1.0], [-1.0]])
#: nan MatMul [0, 0] inf_minus_inf
run(lambda x, y: ops.matmul(x, y), [[1.0, 2.0], [3e38, 3e38]], [[1.0, 1.0], [-1.0, 2.0]])
#: inf MatMul [1, 1] overflow
run(lambda x, y: ops.matmul(x, y), [[1.0, 2.0], [0.0, 3e38]], [[1.0, inf], [-1.0, 2.0]])
#: nan MatMul [1, 1] zero_times_inf
run(lambda x, y: ops.bmm(x, y), [[[1.0, 2.0], [0.0, 3e38]]], [[[1.0, inf], [-1.0, 2.0]]])
#: nan MatMul [0, 1, 1] zero_times_inf
run(lambda x, y: ops.dot(x, y), [3e38, 3e38], [10.0, 1.0])
#: inf Mul [0] overflow
run(lambda x, y: ops.conv2d(x, y), [[[[60000.0, 60000.0], [1.0, 1.0]]]], [[[[2.0]]]], dtype=f16)
#: inf Conv2D [0, 0, 0, 0] overflow
run(lambda x, y: ops.conv2d(x, y), [[[[1.0, inf], [1.0, 1.0]]]], [[[[0.0]]]])
#: nan Conv2D [0, 0, 0, 1] zero_times_inf
run(lambda x, y: ops.dense(x, y), [[3e38, 3e38]], [[2.0, 3.0]])
#: inf Dense [0, 0] overflow
run(lambda x, y: ops.dense(x, y), [[inf, 1.0]], [[0.0, 3.0]])
#: nan Dense [0, 0] zero_times_inf
