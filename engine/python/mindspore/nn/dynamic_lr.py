"""mindspore.nn.dynamic_lr: learning rates as lists."""
from mindspore.nn.optim.schedules import (
    cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr, piecewise_constant_lr,
    polynomial_decay_lr, warmup_lr)
