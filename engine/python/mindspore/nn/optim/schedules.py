"""Learning rates that change: as Cells of the step, and as lists."""
import math

import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.nn.optim.optimizer import LearningRateSchedule

Tensor = _fusescope.Tensor


def _step(global_step):
    if not isinstance(global_step, Tensor):
        global_step = Tensor(global_step)
    return global_step.astype(mstype.float32).reshape(())


class ExponentialDecayLR(LearningRateSchedule):
    """rate · decay_rate^(step / decay_steps)."""

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        self.learning_rate, self.decay_rate, self.decay_steps = learning_rate, decay_rate, decay_steps
        self.is_stair = is_stair

    def construct(self, global_step):
        p = _step(global_step) / float(self.decay_steps)
        if self.is_stair:
            p = ops.floor(p)
        return ops.exp(p * math.log(self.decay_rate)) * self.learning_rate


class CosineDecayLR(LearningRateSchedule):
    """From max_lr down to min_lr along half a cosine."""

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        self.min_lr, self.max_lr, self.decay_steps = min_lr, max_lr, decay_steps

    def construct(self, global_step):
        p = ops.minimum(_step(global_step), float(self.decay_steps))
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1.0 + ops.cos(p * (math.pi / self.decay_steps)))


class PolynomialDecayLR(LearningRateSchedule):
    """From learning_rate down to end_learning_rate along a power."""

    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False):
        super().__init__()
        self.learning_rate, self.end_learning_rate = learning_rate, end_learning_rate
        self.decay_steps, self.power = decay_steps, power

    def construct(self, global_step):
        p = ops.minimum(_step(global_step), float(self.decay_steps))
        left = ops.pow(1.0 - p / float(self.decay_steps), self.power)
        return (self.learning_rate - self.end_learning_rate) * left + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """From zero up to learning_rate in a straight line."""

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps

    def construct(self, global_step):
        p = ops.minimum(_step(global_step), float(self.warmup_steps))
        return p / float(self.warmup_steps) * self.learning_rate


def exponential_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """The rates of exponential decay as a list."""
    rates = []
    for i in range(total_step):
        p = (i // step_per_epoch) / decay_epoch
        rates.append(learning_rate * decay_rate ** (math.floor(p) if is_stair else p))
    return rates


def cosine_decay_lr(min_lr, max_lr, total_step, step_per_epoch, decay_epoch):
    """The rates of cosine decay as a list."""
    rates = []
    for i in range(total_step):
        epoch = min(i // step_per_epoch, decay_epoch)
        rates.append(min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * epoch / decay_epoch)))
    return rates


def piecewise_constant_lr(milestone, learning_rates):
    """One rate up to each milestone, as a list."""
    if len(milestone) != len(learning_rates):
        raise ValueError(f"piecewise_constant_lr: {len(milestone)} milestones, but {len(learning_rates)} rates")
    rates, last = [], 0
    for end, rate in zip(milestone, learning_rates):
        rates += [rate] * (end - last)
        last = end
    return rates
