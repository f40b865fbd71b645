"""mindspore.experimental.optim.lr_scheduler: each step() of a scheduler sets the learning rates of an optimizer's groups."""
import math

from mindspore.experimental.optim.optimizer import Optimizer


class LRScheduler:
    """Base: get_lr() gives the rates of step last_epoch, from `base_lrs` or from the present ones."""

    def __init__(self, optimizer, last_epoch=-1):
        name = type(self).__name__
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{name}: `optimizer` must be one of mindspore.experimental.optim, "
                            f"but it is {type(optimizer).__name__}")
        if isinstance(last_epoch, bool) or not isinstance(last_epoch, int):
            raise TypeError(f"{name}: `last_epoch` must be an int, but it is {type(last_epoch).__name__}")
        self.optimizer = optimizer
        self.groups_count = len(optimizer.param_groups)
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._last_lr = [float(group["lr"]) for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def get_lr(self):
        """The rates of the groups."""
        raise RuntimeError(f"{type(self).__name__} does not say which rates there are")

    def get_last_lr(self):
        """The rates that were set last."""
        return list(self._last_lr)

    def step(self, epoch=None):
        """One step on, or to a given one."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set(self.get_lr())

    def _set(self, rates):
        from mindspore.common.tensor import Tensor

        for group, rate in zip(self.optimizer.param_groups, rates):
            group["lr"].set_data(Tensor(float(rate), group["lr"].dtype))
        self._last_lr = [float(rate) for rate in rates]


class _Scaled(LRScheduler):
    """The first rates times a factor of the step."""

    def factor(self, t):
        raise RuntimeError(f"{type(self).__name__} does not say what the rates are multiplied with")

    def get_lr(self):
        factor = self.factor(self.last_epoch)
        return [rate * factor for rate in self.base_lrs]


class StepLR(_Scaled):
    """Times gamma every step_size steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        if isinstance(step_size, bool) or not isinstance(step_size, int) or step_size < 1:
            raise ValueError(f"StepLR: `step_size` must be an int above 0, but it is {step_size!r}")
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, t):
        return self.gamma ** (t // self.step_size)


class MultiStepLR(_Scaled):
    """Times gamma at each milestone."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, t):
        return self.gamma ** sum(m <= t for m in self.milestones)


class ExponentialLR(_Scaled):
    """Times gamma at each step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, t):
        return self.gamma ** t


class LinearLR(_Scaled):
    """From start_factor to end_factor in a straight line of total_iters steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise ValueError(f"LinearLR: `start_factor` must be in (0, 1], but it is {start_factor}")
        if not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: `end_factor` must be in [0, 1], but it is {end_factor}")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def factor(self, t):
        share = min(t, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * share


class ConstantLR(_Scaled):
    """Times a factor for the first total_iters steps."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError(f"ConstantLR: `factor` must be in [0, 1], but it is {factor}")
        self._factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def factor(self, t):
        return self._factor if t < self.total_iters else 1.0


class PolynomialLR(_Scaled):
    """Down to zero along a power."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def factor(self, t):
        return (1.0 - min(t, self.total_iters) / self.total_iters) ** self.power


class LambdaLR(LRScheduler):
    """Times what a function of the step gives; one function, or one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        many = isinstance(lr_lambda, (tuple, list))
        self.lr_lambdas = list(lr_lambda) if many else [lr_lambda] * len(optimizer.param_groups)
        if len(self.lr_lambdas) != len(optimizer.param_groups):
            raise ValueError(f"{type(self).__name__}: {len(self.lr_lambdas)} functions were given for "
                             f"{len(optimizer.param_groups)} groups")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [rate * f(self.last_epoch) for rate, f in zip(self.base_lrs, self.lr_lambdas)]


class MultiplicativeLR(LambdaLR):
    """The rate before times what a function of the step gives."""

    def get_lr(self):
        if self.last_epoch == 0:
            return self._last_lr
        return [rate * f(self.last_epoch) for rate, f in zip(self._last_lr, self.lr_lambdas)]


class CosineAnnealingLR(LRScheduler):
    """Down to eta_min along half a cosine of T_max steps, and up again."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        if T_max < 1:
            raise ValueError(f"CosineAnnealingLR: `T_max` must be above 0, but it is {T_max}")
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        share = (1.0 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Down to eta_min along half a cosine; then again from the start, T_mult times as slowly each time."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 < 1 or T_mult < 1:
            raise ValueError(f"CosineAnnealingWarmRestarts: `T_0` and `T_mult` must be above 0, but they are {T_0} and "
                             f"{T_mult}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        t, length = self.last_epoch, self.T_0
        while t >= length:
            t, length = t - length, length * self.T_mult
        share = (1.0 + math.cos(math.pi * t / length)) / 2
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]


class CyclicLR(LRScheduler):
    """Between base_lr and max_lr, up and down in straight lines."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0,
                 scale_fn=None, scale_mode="cycle", last_epoch=-1):
        if mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError(f"CyclicLR: `mode` must be 'triangular', 'triangular2' or 'exp_range', but it is {mode!r}")
        count = len(optimizer.param_groups)
        self.low, self.high = (list(v) if isinstance(v, (tuple, list)) else [v] * count for v in (base_lr, max_lr))
        self.up = step_size_up
        self.length = step_size_up + (step_size_up if step_size_down is None else step_size_down)
        self.mode, self.gamma, self.scale_fn, self.scale_mode = mode, gamma, scale_fn, scale_mode
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        cycle = self.last_epoch // self.length
        t = self.last_epoch - cycle * self.length
        share = t / self.up if t <= self.up else (self.length - t) / (self.length - self.up)
        if self.scale_fn is not None:
            share *= self.scale_fn(cycle + 1 if self.scale_mode == "cycle" else self.last_epoch)
        elif self.mode == "triangular2":
            share *= 0.5 ** cycle
        elif self.mode == "exp_range":
            share *= self.gamma ** self.last_epoch
        return [low + (high - low) * share for low, high in zip(self.low, self.high)]


class SequentialLR:
    """One scheduler after the other, changed at the milestones."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) != len(milestones) + 1:
            raise ValueError(f"SequentialLR: {len(schedulers)} schedulers need {len(schedulers) - 1} milestones, "
                             f"but there are {len(milestones)}")
        if any(s.optimizer is not optimizer for s in schedulers):
            raise ValueError("SequentialLR: every scheduler must be of the same optimizer")
        self.optimizer, self._schedulers, self._milestones = optimizer, list(schedulers), list(milestones)
        self.last_epoch = last_epoch + 1
        self._schedulers[0].step(0)
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self):
        self.last_epoch += 1
        place = sum(m <= self.last_epoch for m in self._milestones)
        scheduler = self._schedulers[place]
        if place and self._milestones[place - 1] == self.last_epoch:
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def get_last_lr(self):
        return list(self._last_lr)


class ReduceLROnPlateau:
    """Times a factor when a metric has not become better for some steps."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0,
                 min_lr=0.0, eps=1e-8):
        if mode not in ("min", "max"):
            raise ValueError(f"ReduceLROnPlateau: `mode` must be 'min' or 'max', but it is {mode!r}")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceLROnPlateau: `threshold_mode` must be 'rel' or 'abs', but it is {threshold_mode!r}")
        if not 0 <= factor < 1:
            raise ValueError(f"ReduceLROnPlateau: `factor` must be in [0, 1), but it is {factor}")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        count = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, (tuple, list)) else [min_lr] * count
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = 0
        self.last_epoch = 0

    def _better(self, value):
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "rel":
            bound = self.best * (1 + sign * self.threshold) if math.isfinite(self.best) else self.best
        else:
            bound = self.best + sign * self.threshold
        return value < bound if self.mode == "min" else value > bound

    def step(self, metrics):
        from mindspore.common.tensor import Tensor

        value = float(metrics)
        self.last_epoch += 1
        if self._better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs):
                before = float(group["lr"])
                after = max(before * self.factor, least)
                if before - after > self.eps:
                    group["lr"].set_data(Tensor(after, group["lr"].dtype))
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0

    def in_cooldown(self):
        return self.cooldown_counter > 0

    def get_last_lr(self):
        return [float(group["lr"]) for group in self.optimizer.param_groups]
