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


class _Decay(LearningRateSchedule):
    """What decays with a rate has in common; in stairs it changes after whole decay_steps only."""

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        self.learning_rate, self.decay_rate, self.decay_steps = learning_rate, decay_rate, decay_steps
        self.is_stair = is_stair

    def passed(self, global_step):
        """How many decay_steps have gone by."""
        p = _step(global_step) / float(self.decay_steps)
        return ops.floor(p) if self.is_stair else p


class ExponentialDecayLR(_Decay):
    """rate · decay_rate^(step / decay_steps)."""

    def construct(self, global_step):
        p = self.passed(global_step)
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
        self.decay_steps, self.power, self.update_decay_steps = decay_steps, power, update_decay_steps

    def construct(self, global_step):
        step, end = _step(global_step), float(self.decay_steps)
        if self.update_decay_steps:
            end = ops.maximum(ops.ceil(step / end), 1.0) * end
        left = ops.pow(1.0 - ops.minimum(step, end) / end, self.power)
        return (self.learning_rate - self.end_learning_rate) * left + self.end_learning_rate


class NaturalExpDecayLR(_Decay):
    """rate · exp(-decay_rate · step); in stairs, of whole decay_steps only."""

    def construct(self, global_step):
        # Without stairs the step itself: a division there and back would round.
        p = self.passed(global_step) * float(self.decay_steps) if self.is_stair else _step(global_step)
        return ops.exp(p * -float(self.decay_rate)) * self.learning_rate


class InverseDecayLR(_Decay):
    """rate / (1 + decay_rate · step / decay_steps)."""

    def construct(self, global_step):
        p = self.passed(global_step)
        return self.learning_rate / (1.0 + p * float(self.decay_rate))


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


def natural_exp_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """The rates of natural exponential decay as a list."""
    rates = []
    for i in range(total_step):
        epoch = i // step_per_epoch
        rates.append(learning_rate * math.exp(-decay_rate * (epoch // decay_epoch * decay_epoch if is_stair else epoch)))
    return rates


def inverse_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """The rates of decay by division as a list."""
    rates = []
    for i in range(total_step):
        p = (i // step_per_epoch) / decay_epoch
        rates.append(learning_rate / (1 + decay_rate * (math.floor(p) if is_stair else p)))
    return rates


def polynomial_decay_lr(learning_rate, end_learning_rate, total_step, step_per_epoch, decay_epoch, power,
                        update_decay_epoch=False):
    """The rates of decay along a power as a list; with update_decay_epoch it begins anew each time it has ended."""
    rates = []
    for i in range(total_step):
        epoch = i // step_per_epoch
        end = decay_epoch * max(1, math.ceil(epoch / decay_epoch)) if update_decay_epoch else decay_epoch
        left = (1 - min(epoch, end) / end) ** power
        rates.append((learning_rate - end_learning_rate) * left + end_learning_rate)
    return rates


def warmup_lr(learning_rate, total_step, step_per_epoch, warmup_epoch):
    """The rates of a straight rise as a list."""
    if warmup_epoch == 0:
        return [learning_rate] * total_step
    return [learning_rate * min(i // step_per_epoch, warmup_epoch) / warmup_epoch for i in range(total_step)]


def piecewise_constant_lr(milestone, learning_rates):
    """One rate up to each milestone, as a list."""
    if len(milestone) != len(learning_rates):
        raise ValueError(f"piecewise_constant_lr: {len(milestone)} milestones, but {len(learning_rates)} rates")
    rates, last = [], 0
    for end, rate in zip(milestone, learning_rates):
        rates += [rate] * (end - last)
        last = end
    return rates
