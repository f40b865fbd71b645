"""Losses, normalisations, clipping, pooling; gradients that where() does not stop."""
from support import *

# losses
run(lambda p, t: ops.binary_cross_entropy(p, t), [0.0, 1.0], [1.0, 1.0])
run(lambda p, t: ops.binary_cross_entropy(p, t), [0.0, 1.0], [0.0, 0.0])
run(lambda p, t: nn.BCELoss()(p, t), [0.0, 1.0], [1.0, 1.0])
grad(lambda p, t: ops.binary_cross_entropy(p, t), [0.0, 0.5], [1.0, 1.0])
run(lambda p, t: ops.binary_cross_entropy_with_logits(p, t, Tensor([1.0]), Tensor([1.0])), [1000.0, -1000.0], [1.0, 1.0])
run(lambda p: ops.cross_entropy(p, Tensor([0, 1])), [[-inf, 1.0], [1.0, 2.0]])
run(lambda p: ops.cross_entropy(p, Tensor([0, 1])), [[-inf, -inf], [1.0, 2.0]])
#: nan LogSoftmax [0, 0] fully_masked_row
run(lambda p: ops.cross_entropy(p, Tensor([0, 1])), [[inf, 1.0], [1.0, 2.0]])
#: nan LogSoftmax [0, 0] softmax_of_infinity
run(lambda p: ops.cross_entropy(p, Tensor([-100, -100])), [[0.5, 1.0], [1.0, 2.0]])
#: nan Div [] zero_over_zero
run(lambda p: ops.cross_entropy(p, Tensor([0, 1]), weight=Tensor([0.0, 0.0])), [[0.5, 1.0], [1.0, 2.0]])
#: nan Div [] zero_over_zero
run(lambda p: ops.nll_loss(ops.log(p), Tensor([0, 1])), [[0.0, 1.0], [1.0, 2.0]])
#: inf Log [0, 0] log_of_zero
run(lambda p: ops.nll_loss(p, Tensor([-100, -100])), [[0.0, 1.0], [1.0, 2.0]])
#: nan Div [] zero_over_zero
run(lambda p: nn.CrossEntropyLoss()(p, Tensor([0, 1])), [[-inf, 1.0], [1.0, 2.0]])
run(lambda p: nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")(p, Tensor([0, 1])), [[-inf, 1.0], [1.0, 2.0]])
run(lambda p: nn.NLLLoss()(ops.log(p), Tensor([0, 1])), [[0.0, 1.0], [1.0, 2.0]])
#: inf Log [0, 0] log_of_zero
run(lambda p, t: ops.mse_loss(p, t), [3e38, 1.0], [-3e38, 1.0])
#: inf MSELoss [0] overflow
run(lambda p, t: ops.mse_loss(p, t), [300.0, 1.0], [-300.0, 1.0], dtype=f16)
#: inf MSELoss [0] overflow
run(lambda p, t: nn.MSELoss()(p, t), [inf, 1.0], [inf, 1.0])
#: nan Sub [0] inf_minus_inf
run(lambda p, t: ops.l1_loss(p, t), [inf, 1.0], [inf, 1.0])
#: nan L1Loss [0] inf_minus_inf
run(lambda p, t: ops.smooth_l1_loss(p, t), [inf, 1.0], [inf, 1.0])
#: nan Sub [0] inf_minus_inf
# normalisations
run(lambda x: nn.LayerNorm((2,), epsilon=0.0)(x), [[1.0, 1.0], [1.0, 2.0]])
#: nan LayerNorm [0, 0] variance_of_zero; inf LayerNorm [0, 0] variance_of_zero
run(lambda x: nn.LayerNorm((1,), epsilon=0.0)(x), [[1.0], [2.0]])
#: nan LayerNorm [0, 0] variance_of_zero; inf LayerNorm [0, 0] variance_of_zero
run(lambda x: nn.LayerNorm((2,))(x), [[3e38, -3e38], [1.0, 2.0]])
run(lambda x: nn.LayerNorm((2,))(x), [[inf, 1.0], [1.0, 2.0]])
#: nan LayerNorm [0, 0] normalised_infinity
run(lambda x: ops.batch_norm(x, Tensor([0.0, 0.0]), Tensor([0.0, 1.0]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0]), False, 0.1, 0.0), [[1.0, 1.0], [1.0, 2.0]])
#: inf BatchNorm [0, 0] variance_of_zero
run(lambda x: nn.BatchNorm1d(2).set_train()(x), [[inf, 1.0], [1.0, 2.0]])
#: nan BatchNorm [0, 0] normalised_infinity
run(lambda x: nn.BatchNorm1d(2).set_train()(x), [[3e38, 1.0], [-3e38, 2.0]])
#: inf BatchNorm [0] overflow
run(lambda x: nn.GroupNorm(1, 2, eps=0.0)(x), [[[[1.0]], [[1.0]]]])
#: inf Rsqrt [0, 0, 0] rsqrt_of_zero; nan Mul [0, 0, 0] zero_times_inf
run(lambda x: x / ops.norm(x, dim=-1, keepdim=True), [[0.0, 0.0], [1.0, 1.0]])
#: nan Div [0, 0] zero_over_zero
run(lambda x: (x - x.mean()) / x.std(), [1.0, 1.0])
#: nan Div [0] zero_over_zero
run(lambda x: (x - x.min()) / (x.max() - x.min()), [1.0, 1.0])
#: nan Div [0] zero_over_zero
grad(lambda x: nn.LayerNorm((2,), epsilon=0.0)(x), [[1.0, 1.0], [1.0, 2.0]])
#: nan LayerNorm [0, 0] variance_of_zero; inf LayerNorm [0, 0] variance_of_zero; nan LayerNorm' [0, 0] zero_gradient_times_inf
# special
run(lambda x: ops.clip_by_norm(x, 1.0), [0.0, 0.0])
run(lambda x: ops.clip_by_global_norm((x,), 1.0), [0.0, 0.0])
run(lambda x: ops.clip_by_global_norm((x,), 1.0), [inf, 0.0])
#: nan Mul [0] zero_times_inf
run(lambda x: ops.clip_by_norm(x, 1.0), [inf, 1.0])
#: nan Mul [0] zero_times_inf
run(lambda x: nn.Dropout(p=0.5).set_train()(x), [inf, 1.0])
run(lambda x: ops.dropout(x, 0.5), [3e38, 3e38, 3e38, 3e38, 3e38])
#: inf Dropout [0] overflow
run(lambda x: ops.avg_pool2d(x, 2), [[[[3e38, 3e38], [3e38, 3e38]]]])
#: inf AvgPool [0, 0, 0, 0] overflow
run(lambda x: ops.avg_pool2d(x, 2), [[[[inf, -inf], [3e38, 3e38]]]])
#: nan AvgPool [0, 0, 0, 0] inf_minus_inf
run(lambda x: ops.max_pool2d(x, 2), [[[[inf, -inf], [3e38, 3e38]]]])
run(lambda x: nn.MaxPool2d(2, pad_mode="same")(x), [[[[1.0, 2.0, 3.0]]]])
run(lambda x: ops.einsum("ij,jk->ik", x, x), [[3e38, 3e38], [3e38, 3e38]])
#: inf MatMul [0, 0] overflow
run(lambda x: ops.tensor_dot(x, x, 1), [[3e38, 3e38], [3e38, 3e38]])
#: inf MatMul [0, 0] overflow
run(lambda x: ops.outer(x, x), [3e38, 3e38])
#: inf Mul [0, 0] overflow
run(lambda x: ops.sum(ops.tile(x, (2,))), [3e38])
#: inf ReduceSum [] overflow
run(lambda x: ops.max(x)[0] - ops.min(x)[0], [3e38, -3e38])
#: inf Sub [] overflow
run(lambda x: ops.diff(x), [3e38, -3e38])
#: inf Sub [0] overflow
run(lambda x: ops.softmax(x / 0.0), [3.0, 1.0])
#: inf Div [0] division_by_zero; nan Softmax [0] softmax_of_infinity
run(lambda x: ops.argmax(ops.log(x)), [0.0, 1.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.topk(ops.log(x), 1)[0], [0.0, 1.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.sort(ops.log(x))[0], [0.0, 1.0])
#: inf Log [0] log_of_zero
run(lambda x: ops.floor(ops.log(x)), [0.0, 1.0])
#: inf Log [0] log_of_zero
run(lambda x: ops.log(x).astype(ms.int32), [0.0, 1.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.softplus(ops.log(x)), [0.0, 1.0])
#: ~inf Log [0] log_of_zero
run(lambda x: ops.where(x > 0, ops.log(x), ops.zeros_like(x)), [0.0, 1.0])
#: ~inf Log [0] log_of_zero
grad(lambda x: ops.where(x > 0, ops.log(x), ops.zeros_like(x)), [0.0, 1.0])
#: ~inf Log [0] log_of_zero; nan Log' [0] zero_gradient_over_zero
grad(lambda x: ops.where(x > 0, ops.sqrt(x), ops.zeros_like(x)), [0.0, 1.0])
#: nan Sqrt' [0] zero_gradient_at_root
grad(lambda x: ops.where(x > 0, ops.pow(x, 0.5), ops.zeros_like(x)), [0.0, 1.0])
#: inf Pow' [0] gradient_of_power_at_zero; nan Pow' [0] zero_gradient_times_inf
grad(lambda x: ops.where(x < 10, ops.exp(x), ops.zeros_like(x)), [100.0, 1.0])
#: inf Exp [0] overflow_of_exp; nan Exp' [0] zero_gradient_times_inf
grad(lambda x: ops.where(x < 0.9, ops.acos(x), ops.zeros_like(x)), [2.0, 0.5])
#: ~nan ACos [0] outside_minus_one_to_one; nan ACos' [0] outside_minus_one_to_one
grad(lambda x: ops.where(x > 0, x / x, ops.zeros_like(x)), [0.0, 1.0])
#: nan Div [0] zero_over_zero; nan Div' [0] zero_gradient_over_zero
grad(lambda x: ops.where(x > 0, 1.0 / x, ops.zeros_like(x)), [0.0, 1.0])
#: inf Div [0] division_by_zero; nan Div' [0] zero_gradient_times_inf
grad(lambda x: ops.where(x > 0, ops.rsqrt(x), ops.zeros_like(x)), [0.0, 1.0])
#: inf Rsqrt [0] rsqrt_of_zero; nan Rsqrt' [0] zero_gradient_times_inf
grad(lambda x: ops.sinh(x) , [100.0, 1.0])
#: inf Sinh [0] overflow_of_exp; inf Sinh' [0] overflow_of_exp
grad(lambda x: ops.exp(x) * 0.0, [100.0, 1.0])
#: inf Exp [0] overflow_of_exp; nan Mul [0] zero_times_inf; nan Exp' [0] zero_gradient_times_inf
grad(lambda x: ops.tan(x), [1.5707964, 1.0])
grad(lambda x: ops.abs(x), [0.0, 1.0])
grad(lambda x: ops.logsumexp(x, 0), [-inf, -inf])
#: nan LogSumExp' [0] fully_masked_row
grad(lambda x: ops.cumsum(x, 0) * 3e38, [1.0, 1.0])
#: inf Mul [1] overflow; inf CumSum' [0] overflow
grad(lambda x: ops.square(x) * 3e38, [10.0, 1.0])
#: inf Mul [0] overflow; inf Square' [0] overflow
