"""Births in loops, training steps, optimizers, branches and functions that are compiled and run again."""
from support import *


def train(optimizer, loss_of, values, together=False):
    """Steps of training with one value each, compiled whole when `together`; the Parameter is not looked at."""
    w = ms.Parameter(Tensor([0.5]), name="w")
    update = optimizer([w])
    loss_and_gradient = ms.value_and_grad(lambda v: loss_of(w, v), None, [w])

    def step(v):
        loss, gradients = loss_and_gradient(v)
        update(gradients)
        return loss

    step = ms.jit(step) if together else step
    for v in values:
        step(Tensor(v))


sgd = lambda p: nn.SGD(p, 0.1)
train(sgd, lambda w, v: (ops.log(w * v) ** 2).sum(), [1.0, 1.0, 0.0, 1.0])
#: inf Log [0] log_of_zero step=2; nan Mul' [0] zero_gradient_times_inf step=2 reached=yes
train(sgd, lambda w, v: (ops.log(w * v) ** 2).sum(), [1.0, 0.0, 1.0], together=True)
#: inf Log [0] log_of_zero step=5; nan Mul' [0] zero_gradient_times_inf step=5 reached=yes
train(sgd, lambda w, v: ops.where(v > 0, ops.log(w * v), w).sum(), [1.0, 0.0, 1.0])
#: ~inf Log [0] log_of_zero step=8; nan Log' [0] zero_gradient_over_zero step=8 reached=yes


@ms.jit
def one_of_two(x):
    grown = ops.where(x < 50.0, ops.exp(x), x)
    return grown + ops.log(x)
    #: inf Log [0] log_of_zero


for value in (100.0, 1.0, 0.0):
    show(one_of_two(Tensor([value])))


@ms.jit
def looped(x):
    return ops.log(ops.while_loop(lambda v: v.max() < 1e10, lambda v: v * v, x) * 0.0)
    #: inf Log [0] log_of_zero


@ms.jit
def grown(x):
    return ops.while_loop(lambda v: ops.isfinite(v).all(), lambda v: v * v, x)
    #: inf Mul [0] overflow


@ms.jit
def branched(x):
    return ops.cond(x.sum() > 0, lambda: ops.log(x - 1.0), lambda: ops.sqrt(x))
    #: inf Log [0] log_of_zero; nan Sqrt [0] sqrt_of_negative


show([looped(Tensor([10.0])), grown(Tensor([10.0])), branched(Tensor([1.0])), branched(Tensor([-1.0]))])


def made(optimizer):
    return optimizer([ms.Parameter(Tensor([1.0, 2.0]), name="w")])


made(lambda p: nn.Adam(p, 0.1))((Tensor([inf, 1.0]),))
#: nan Adam^ [0] inf_over_inf reached=yes
made(lambda p: nn.Adam(p, 0.1))((Tensor([1e30, 1.0]),))
#: inf Adam^ [0] overflow reached=yes
made(lambda p: nn.Momentum(p, 1e30, 0.9))((Tensor([1e30, 1.0]),))
#: inf ApplyMomentum^ [0] overflow reached=yes
total = Tensor([1.0])
for value in (1.0, 0.0, 1.0):
    total = total + Tensor([1.0]) / Tensor([value])
    #: inf Div [0] division_by_zero occurrence=2
show(total)
