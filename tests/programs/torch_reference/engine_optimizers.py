"""Optimizers and schedulers of mindspore.experimental.optim: Parameters and rates after each step into an .npz file."""
import sys

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.experimental import optim

START = np.random.default_rng(2).standard_normal((4, 3)).astype(np.float32)
out = {"start": START}
OPTIONS = {
    "SGD": dict(lr=0.05), "SGD 1": dict(lr=0.05, momentum=0.9, dampening=0.2, weight_decay=0.1), "SGD 2": dict(lr=0.05, momentum=0.9, nesterov=True),
    "Adam": dict(lr=0.05), "Adam 1": dict(lr=0.05, betas=(0.8, 0.9), weight_decay=0.1, amsgrad=True, maximize=True), "AdamW": dict(lr=0.05, weight_decay=0.2),
    "Adamax": dict(lr=0.05, weight_decay=0.1), "RAdam": dict(lr=0.05, betas=(0.8, 0.9)),
    "RMSprop": dict(lr=0.01), "RMSprop 1": dict(lr=0.01, momentum=0.5, centered=True, weight_decay=0.1), "Adagrad": dict(lr=0.1, lr_decay=0.1, weight_decay=0.1),
    "Adadelta": dict(lr=1.0, rho=0.8), "Rprop": dict(lr=0.05, etas=(0.4, 1.3)), "ASGD": dict(lr=0.02, lambd=0.1, t0=3),
}


def steps(optimizer, p, count, after=lambda: None, jitted=False):
    def one():
        optimizer((3 * p * p - 3.0 + 3 * ms.ops.cos(3 * p),))
        return p * 1.0

    one = ms.jit(one) if jitted else one
    for _ in range(count):
        one()
        after()


for name, options in OPTIONS.items():
    for jitted in (False, True):
        p = Parameter(Tensor(START), name="p")
        steps(getattr(optim, name.split()[0])([p], **options), p, 8, jitted=jitted)
        out[f"{name}/{jitted}"] = p.asnumpy()

schedule = optim.lr_scheduler
SCHEDULERS = {
    "StepLR": dict(step_size=3, gamma=0.5), "MultiStepLR": dict(milestones=[2, 5], gamma=0.3), "ExponentialLR": dict(gamma=0.8),
    "LinearLR": dict(start_factor=0.5, total_iters=4), "ConstantLR": dict(factor=0.3, total_iters=3), "CosineAnnealingLR": dict(T_max=5, eta_min=0.01),
    "CosineAnnealingWarmRestarts": dict(T_0=3, T_mult=2, eta_min=0.01), "CyclicLR": dict(base_lr=0.01, max_lr=0.1, step_size_up=2, step_size_down=3),
}
for name, options in SCHEDULERS.items():
    p, q, rates = Parameter(Tensor(START), name="p"), Parameter(Tensor(START), name="q"), []
    optimizer = optim.SGD([{"params": [p], "lr": 0.02}, {"params": [q]}], 0.05)
    scheduler = getattr(schedule, name)(optimizer, **options)
    for _ in range(12):
        rates.append(scheduler.get_last_lr())
        assert np.allclose(rates[-1], [float(lr) for lr in optimizer.lrs])
        scheduler.step()
    out[name] = np.array(rates)
# A rate that a scheduler sets is used by a compiled step.
p = Parameter(Tensor(START), name="p")
optimizer = optim.Adam([p], 0.1)
scheduler = schedule.StepLR(optimizer, 2, 0.5)
steps(optimizer, p, 6, scheduler.step, True)
out["scheduled"] = p.asnumpy()
p = Parameter(Tensor(START), name="p")
optimizer, rates = optim.SGD([p], 0.1), []
plateau = schedule.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, cooldown=1, min_lr=0.02)
for loss in (1.0, 0.9, 0.95, 0.91, 0.9, 0.92, 0.9, 0.9, 0.9, 0.9, 0.5, 0.6):
    plateau.step(loss)
    rates.append(plateau.get_last_lr()[0])
out["plateau"] = np.array(rates)
optimizer = optim.SGD([p], 0.1)
sequence = schedule.SequentialLR(optimizer, [schedule.ConstantLR(optimizer, 0.1, 2), schedule.ExponentialLR(optimizer, 0.9)], [3])
rates = []
for _ in range(8):
    rates.append(sequence.get_last_lr()[0])
    sequence.step()
out["sequence"] = np.array(rates)
np.savez(sys.argv[1], **out)
