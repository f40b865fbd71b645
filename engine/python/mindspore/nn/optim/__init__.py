"""Optimizers."""
from mindspore.nn.optim.optimizer import LearningRateSchedule, Optimizer
from mindspore.nn.optim.momentum import SGD, Momentum
from mindspore.nn.optim.adam import Adam, AdamWeightDecay
from mindspore.nn.optim.adaptive import (
    ASGD, FTRL, Adadelta, Adagrad, AdaMax, Lamb, LazyAdam, ProximalAdagrad, RMSProp, Rprop)
from mindspore.nn.optim.schedules import (
    CosineDecayLR, ExponentialDecayLR, InverseDecayLR, NaturalExpDecayLR, PolynomialDecayLR, WarmUpLR,
    cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr, piecewise_constant_lr,
    polynomial_decay_lr, warmup_lr)
