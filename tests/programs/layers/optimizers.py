"""Optimizers step by step against numpy, and learning rates that change. Run in eager and graph mode."""
import math

import numpy as np

import mindspore as ms
from against_numpy import draw, finish, refuses, same
from mindspore import Parameter, Tensor, nn
from mindspore.experimental import optim
from mindspore.nn import dynamic_lr, learning_rate_schedule

START = draw(4, 3)
STEPS = 6


def slope(p):
    """Of (p³ + p + sin 3p) summed up: it changes its sign now and then."""
    return 3 * p**2 + 1 + 3 * np.cos(3 * p) - 4


def trained(make, jitted):
    p = Parameter(Tensor(START), name="p")
    optimizer = make([p])
    gradient = lambda: 3 * p * p + 1.0 + 3 * ms.ops.cos(3 * p) - 4.0

    def step():
        optimizer((gradient(),))
        return p * 1.0

    step = ms.jit(step) if jitted else step
    for _ in range(STEPS):
        step()
    return p


def rmsprop(p, lr=0.05, decay=0.9, mu=0.5, eps=1e-6, centered=False, wd=0.0):
    v, m, a = np.zeros_like(p), np.ones_like(p), np.zeros_like(p)
    for _ in range(STEPS):
        g = slope(p) + wd * p
        m = decay * m + (1 - decay) * g * g
        a = decay * a + (1 - decay) * g
        v = mu * v + lr * g / np.sqrt(m - (a * a if centered else 0) + eps)
        p = p - v
    return p


def adagrad(p, lr=0.05, acc=0.2, wd=0.0, l1=0.0, l2=0.0):
    s = np.full_like(p, acc)
    for _ in range(STEPS):
        g = slope(p) + wd * p
        s = s + g * g
        p = p - lr * g / np.sqrt(s)
        p = np.sign(p) * np.maximum(np.abs(p) - lr * l1, 0) / (1 + lr * l2)
    return p


def adadelta(p, lr=0.5, rho=0.8, eps=1e-3):
    s, u = np.zeros_like(p), np.zeros_like(p)
    for _ in range(STEPS):
        g = slope(p)
        s = rho * s + (1 - rho) * g * g
        d = g * np.sqrt(u + eps) / np.sqrt(s + eps)
        u = rho * u + (1 - rho) * d * d
        p = p - lr * d
    return p


def adamax(p, lr=0.05, b1=0.9, b2=0.99, eps=1e-8):
    m, v = np.zeros_like(p), np.zeros_like(p)
    for t in range(1, STEPS + 1):
        g = slope(p)
        m, v = b1 * m + (1 - b1) * g, np.maximum(b2 * v, np.abs(g))
        p = p - lr / (1 - b1**t) * m / (v + eps)
    return p


def rprop(p, lr=0.05, down=0.4, up=1.3, low=1e-3, high=0.2):
    before, size = np.zeros_like(p), np.full_like(p, lr)
    for _ in range(STEPS):
        g = slope(p)
        turn = g * before
        size = np.clip(size * np.where(turn > 0, up, np.where(turn < 0, down, 1)), low, high)
        g = np.where(turn < 0, 0, g)
        p, before = p - np.sign(g) * size, g
    return p


def asgd(p, lr=0.02, lambd=0.1, alpha=0.75):
    for t in range(STEPS):
        eta = lr / (1 + lambd * lr * t) ** alpha
        p = p * (1 - lambd * eta) - eta * slope(p)
    return p


def lamb(p, lr=0.05, b1=0.9, b2=0.99, eps=1e-6, wd=0.1):
    m, v = np.zeros_like(p), np.zeros_like(p)
    for t in range(1, STEPS + 1):
        g = slope(p)
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        d = m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps) + wd * p
        p = p - lr * np.linalg.norm(p) / np.linalg.norm(d) * d
    return p


def adam(p, lr=0.05, b1=0.9, b2=0.999, eps=1e-8, eps_after=False):
    """MindSpore adds eps to the root before its correction, PyTorch after it."""
    m, v = np.zeros_like(p), np.zeros_like(p)
    for t in range(1, STEPS + 1):
        g = slope(p)
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        c = math.sqrt(1 - b2**t)
        p = p - lr * c / (1 - b1**t) * m / (np.sqrt(v) + (eps * c if eps_after else eps))
    return p


def ftrl(p, lr=0.1, l1=0.0, l2=0.0, start=0.1, power=-0.5):
    n, z = np.full_like(p, start), np.zeros_like(p)
    for _ in range(STEPS):
        g = slope(p)
        after = n + g * g
        z = z + g - (after**-power - n**-power) / lr * p
        n = after
        p = np.where(np.abs(z) > l1, (np.sign(z) * l1 - z) / (n**-power / lr + 2 * l2), 0)
    return p


TABLE = {
    "RMSProp": (lambda p: nn.RMSProp(p, 0.05, 0.9, 0.5, 1e-6), rmsprop),
    "RMSProp centered": (lambda p: nn.RMSProp(p, 0.02, momentum=0.5, epsilon=1e-6, centered=True), lambda p: rmsprop(p, 0.02, centered=True)),
    "RMSProp with decay": (lambda p: nn.RMSProp(p, 0.05, 0.9, 0.5, 1e-6, weight_decay=0.1), lambda p: rmsprop(p, wd=0.1)),
    "Adagrad": (lambda p: nn.Adagrad(p, 0.2, 0.05), adagrad),
    "Adagrad with decay": (lambda p: nn.Adagrad(p, 0.2, 0.05, weight_decay=0.1), lambda p: adagrad(p, wd=0.1)),
    "Adadelta": (lambda p: nn.Adadelta(p, 0.5, 0.8, 1e-3), adadelta), "AdaMax": (lambda p: nn.AdaMax(p, 0.05, 0.9, 0.99), adamax),
    "Rprop": (lambda p: nn.Rprop(p, 0.05, (0.4, 1.3), (1e-3, 0.2)), rprop), "ASGD": (lambda p: nn.ASGD(p, 0.02, 0.1), asgd),
    "Lamb": (lambda p: nn.Lamb(p, 0.05, 0.9, 0.99, weight_decay=0.1), lamb), "LazyAdam": (lambda p: nn.LazyAdam(p, 0.05), adam),
    "FTRL": (lambda p: nn.FTRL(p, learning_rate=0.1), ftrl), "FTRL l1 l2": (lambda p: nn.FTRL(p, learning_rate=0.1, l1=3.0, l2=0.5), lambda p: ftrl(p, l1=3.0, l2=0.5)),
    "ProximalAdagrad": (lambda p: nn.ProximalAdagrad(p, 0.2, 0.05, l1=0.3, l2=0.5), lambda p: adagrad(p, l1=0.3, l2=0.5)),
}
for name, (make, reference) in TABLE.items():
    for jitted in (False, True):
        same(f"{name} jitted={jitted}", lambda: trained(make, jitted), reference(START.astype(np.float64)), 2e-4)

# mindspore.experimental.optim; PyTorch's optimizers are the reference of the others, in torch_reference --------------
def nadam(p, lr=0.05, b1=0.9, b2=0.999, eps=1e-8, wd=0.1, decay=4e-3):
    """The look ahead in mu as its paper has it; PyTorch 1 multiplied one mu twice."""
    m, v, product = np.zeros_like(p), np.zeros_like(p), 1.0
    for t in range(1, STEPS + 1):
        g = slope(p) + wd * p
        now, after = (b1 * (1 - 0.5 * 0.96 ** (k * decay)) for k in (t, t + 1))
        product *= now
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        ahead = after * m / (1 - product * after) + (1 - now) * g / (1 - product)
        p = p - lr * ahead / (np.sqrt(v / (1 - b2**t)) + eps)
    return p


for jitted in (False, True):
    same(f"experimental NAdam jitted={jitted}", lambda: trained(lambda p: optim.NAdam(p, 0.05, weight_decay=0.1), jitted),
         nadam(START.astype(np.float64)), 2e-4)
    same(f"experimental AdamW jitted={jitted}", lambda: trained(lambda p: optim.AdamW(p, 0.05, weight_decay=0.0), jitted),
         adam(START.astype(np.float64), eps_after=True), 2e-4)
p = Parameter(Tensor(START), name="p")
optimizer = optim.SGD([p], 0.5)
scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda t: 0.5**t)
again = optim.lr_scheduler.MultiplicativeLR(optim.SGD([p], 0.5), lambda t: 0.5)
for t in range(3):
    same(f"LambdaLR {t}", lambda: np.array([scheduler.get_last_lr(), again.get_last_lr()]), np.full((2, 1), 0.5 * 0.5**t))
    optimizer(Tensor(START))
    scheduler.step()
    again.step()
same("steps of LambdaLR", lambda: p, START * (1 - 0.5 - 0.25 - 0.125), 1e-5)
refuses("a group's rate", ValueError, lambda: optim.Adam([p], -0.1), "lr", "-0.1")
refuses("the same Parameter", ValueError, lambda: optim.SGD([{"params": [p]}, {"params": [p]}], 0.1), "more than one group")
refuses("betas of AdamW", ValueError, lambda: optim.AdamW([p], betas=(1.0, 0.9)), "betas")
refuses("another optimizer", TypeError, lambda: optim.lr_scheduler.StepLR(nn.SGD([p], 0.1), 2), "experimental")
refuses("step_size", ValueError, lambda: optim.lr_scheduler.StepLR(optimizer, 0), "step_size")

# Groups, rates that change, and an optimizer as a Cell with its state's names.
a, b = Parameter(Tensor(START), name="a"), Parameter(Tensor(START), name="b")
optimizer = nn.RMSProp([{"params": [a], "lr": 0.02}, {"params": [b]}], 0.1)
optimizer((a * 1.0, b * 1.0))
first = START / np.sqrt(0.9 + 0.1 * START**2 + 1e-10)
same("rates of groups", lambda: [a, b], [START - 0.02 * first, START - 0.1 * first], 1e-4)
assert "mean_square.a" in [p.name for p in optimizer.get_parameters()]
p = Parameter(Tensor(START), name="p")
optimizer = nn.Adagrad([p], 1.0, nn.NaturalExpDecayLR(0.1, 0.5, 2))
want, total = START.astype(np.float64), 1.0
for t in range(3):
    optimizer((Tensor(START),))
    total = total + START.astype(np.float64)**2
    want = want - 0.1 * math.exp(-0.5 * t) * START / np.sqrt(total)
same("a schedule", lambda: p, want, 1e-4)

# Schedules -------------------------------------------------------------------------------------------------------
STEP = range(0, 25, 3)
SCHEDULES = {
    "NaturalExpDecayLR": (nn.NaturalExpDecayLR(0.1, 0.9, 4), lambda s: 0.1 * math.exp(-0.9 * s)),
    "NaturalExpDecayLR in stairs": (nn.NaturalExpDecayLR(0.1, 0.1, 4, True), lambda s: 0.1 * math.exp(-0.1 * 4 * (s // 4))),
    "InverseDecayLR": (nn.InverseDecayLR(0.1, 0.9, 4), lambda s: 0.1 / (1 + 0.9 * s / 4)),
    "InverseDecayLR in stairs": (nn.InverseDecayLR(0.1, 0.9, 4, True), lambda s: 0.1 / (1 + 0.9 * (s // 4))),
    "PolynomialDecayLR": (nn.PolynomialDecayLR(0.1, 0.01, 10, 0.5), lambda s: 0.09 * (1 - min(s, 10) / 10)**0.5 + 0.01),
    "PolynomialDecayLR again": (nn.PolynomialDecayLR(0.1, 0.01, 10, 0.5, True),
                                lambda s: 0.09 * (1 - s / (10 * max(1, math.ceil(s / 10))))**0.5 + 0.01),
}
for name, (schedule, f) in SCHEDULES.items():
    same(name, lambda: [schedule(Tensor(s, ms.int32)) for s in STEP], [f(s) for s in STEP])
LISTS = {
    "natural_exp_decay_lr": (nn.natural_exp_decay_lr(0.1, 0.9, 12, 2, 2, True), lambda e: 0.1 * math.exp(-0.9 * (e // 2 * 2))),
    "inverse_decay_lr": (nn.inverse_decay_lr(0.1, 0.5, 12, 2, 2), lambda e: 0.1 / (1 + 0.5 * e / 2)),
    "polynomial_decay_lr": (nn.polynomial_decay_lr(0.1, 0.01, 12, 2, 3, 0.5), lambda e: 0.09 * (1 - min(e, 3) / 3)**0.5 + 0.01),
    "warmup_lr": (nn.warmup_lr(0.1, 12, 2, 3), lambda e: 0.1 * min(e, 3) / 3),
}
for name, (rates, f) in LISTS.items():
    same(name, lambda: np.array(rates), np.array([f(i // 2) for i in range(12)]))
assert dynamic_lr.warmup_lr is nn.warmup_lr and learning_rate_schedule.WarmUpLR is nn.WarmUpLR

# Mistakes --------------------------------------------------------------------------------------------------------
own = [Parameter(Tensor(START), name="p")]
refuses("decay", ValueError, lambda: nn.RMSProp(own, decay=-1), "RMSProp", "decay")
refuses("rho", ValueError, lambda: nn.Adadelta(own, rho=2), "rho", "2")
refuses("betas", ValueError, lambda: nn.Lamb(own, 0.1, 1.5), "Lamb", "beta1")
refuses("etas", ValueError, lambda: nn.Rprop(own, etas=(1.2, 0.5)), "Rprop", "etas")
refuses("sizes", ValueError, lambda: nn.Rprop(own, step_sizes=(2, 1)), "step_sizes")
refuses("power", ValueError, lambda: nn.FTRL(own, lr_power=1), "lr_power")
refuses("l1", TypeError, lambda: nn.FTRL(own, l1="a"), "l1", "number")
refuses("accum", ValueError, lambda: nn.Adagrad(own, accum=-0.1), "accum")
finish(61)
