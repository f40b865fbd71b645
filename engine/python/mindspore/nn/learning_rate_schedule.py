"""mindspore.nn.learning_rate_schedule: learning rates as Cells of the step."""
from mindspore.nn.optim.optimizer import LearningRateSchedule
from mindspore.nn.optim.schedules import (
    CosineDecayLR, ExponentialDecayLR, InverseDecayLR, NaturalExpDecayLR, PolynomialDecayLR, WarmUpLR)
