"""Optimizers."""
from mindspore.nn.optim.optimizer import LearningRateSchedule, Optimizer
from mindspore.nn.optim.momentum import SGD, Momentum
from mindspore.nn.optim.adam import Adam, AdamWeightDecay
from mindspore.nn.optim.schedules import (
    CosineDecayLR, ExponentialDecayLR, PolynomialDecayLR, WarmUpLR, cosine_decay_lr, exponential_decay_lr,
    piecewise_constant_lr)
