"""Optimizers that scale each step by the gradients of the past: RMSProp, Adagrad, Adadelta, AdaMax, Rprop, ASGD, Lamb,
FTRL and ProximalAdagrad. All are written in elementwise ops, which a graph fuses."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.nn.optim.adam import Adam, _check_betas
from mindspore.nn.optim.optimizer import Optimizer, _number

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def _at_least(cell, name, value, least, above=False):
    if not _number(value):
        raise TypeError(f"{cell}: `{name}` must be a number, but it is {type(value).__name__}")
    if value < least or (above and value == least):
        raise ValueError(f"{cell}: `{name}` must be {'above' if above else 'at least'} {least}, but it is {value}")
    return float(value)


class RMSProp(Optimizer):
    """The gradient over the root of its decaying mean square, with momentum."""

    def __init__(self, params, learning_rate=0.1, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = _at_least("RMSProp", "decay", decay, 0)
        self.momentum = _at_least("RMSProp", "momentum", momentum, 0)
        self.epsilon = _at_least("RMSProp", "epsilon", epsilon, 0, True)
        self.centered = centered
        self.moment = self.state("moment")
        self.ms = self.state("mean_square", "ones")
        if centered:
            self.mg = self.state("mean_grad")

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        square = self.ms[i] * self.decay + g * g * (1.0 - self.decay)
        spread = square
        if self.centered:
            mean = self.mg[i] * self.decay + g * (1.0 - self.decay)
            ops.assign(self.mg[i], mean)
            spread = square - mean * mean
        moment = self.moment[i] * self.momentum + rate * g / _F["sqrt"](spread + self.epsilon)
        ops.assign(self.ms[i], square)
        ops.assign(self.moment[i], moment)
        ops.assign(parameter, parameter - moment)


class Adagrad(Optimizer):
    """The gradient over the root of the sum of its squares."""

    def __init__(self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        accum = _at_least("Adagrad", "accum", accum, 0)
        self.update_slots = update_slots
        self.accum = self.state("accum")
        for a in self.accum:
            a.set_data(_F["full"](a.shape, accum, a.dtype))

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        total = self.accum[i]
        if self.update_slots:
            total = total + g * g
            ops.assign(self.accum[i], total)
        ops.assign(parameter, parameter - rate * g * _F["rsqrt"](total))


class Adadelta(Optimizer):
    """The gradient scaled by the ratio of the decaying sizes of past steps and of gradients."""

    def __init__(self, params, learning_rate=1.0, rho=0.9, epsilon=1e-6, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = _at_least("Adadelta", "rho", rho, 0)
        if self.rho > 1:
            raise ValueError(f"Adadelta: `rho` must be in [0, 1], but it is {rho}")
        self.epsilon = _at_least("Adadelta", "epsilon", epsilon, 0, True)
        self.accum = self.state("accum")
        self.accum_update = self.state("accum_update")

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        total = self.accum[i] * self.rho + g * g * (1.0 - self.rho)
        move = g * _F["sqrt"](self.accum_update[i] + self.epsilon) / _F["sqrt"](total + self.epsilon)
        ops.assign(self.accum[i], total)
        ops.assign(self.accum_update[i], self.accum_update[i] * self.rho + move * move * (1.0 - self.rho))
        ops.assign(parameter, parameter - rate * move)


class AdaMax(Optimizer):
    """Adam with the largest gradient of the past in place of the mean square."""

    def __init__(self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_betas("AdaMax", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.beta1_power = Parameter(Tensor(1.0, mstype.float32), name="beta1_power", requires_grad=False)
        self.moment1 = self.state("moment1")
        self.moment2 = self.state("moment2")

    def begin_step(self):
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        m = self.moment1[i] * self.beta1 + g * (1.0 - self.beta1)
        v = _F["maximum"](self.moment2[i] * self.beta2, _F["abs"](g))
        ops.assign(self.moment1[i], m)
        ops.assign(self.moment2[i], v)
        ops.assign(parameter, parameter - rate / (1.0 - self.beta1_power) * m / (v + self.eps))


class Rprop(Optimizer):
    """Steps whose sizes grow while the gradient keeps its sign and shrink when it turns."""

    def __init__(self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(value, (tuple, list)) or len(value) != 2:
                raise TypeError(f"Rprop: `{name}` must be a pair, but it is {value!r}")
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Rprop: `etas` must be (below 1, above 1), but it is {etas}")
        if step_sizes[0] >= step_sizes[1]:
            raise ValueError(f"Rprop: `step_sizes` must be (smaller, larger), but it is {step_sizes}")
        self.etas, self.step_sizes = tuple(etas), tuple(step_sizes)
        self.prev = self.state("prev")
        self.step_size = self.state("step_size")
        self.begun = Parameter(Tensor(0.0, mstype.float32), name="begun", requires_grad=False)

    def construct(self, gradients):
        done = super().construct(gradients)
        ops.assign(self.begun, self.begun * 0.0 + 1.0)
        return done

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        down, up = self.etas
        size = _F["where"](self.begun > 0, self.step_size[i], rate)
        turn = _F["sign"](g * self.prev[i])
        factor = _F["where"](turn > 0, up, _F["where"](turn < 0, down, _F["full"](g.shape, 1.0, g.dtype)))
        size = _F["clamp"](size * factor, self.step_sizes[0], self.step_sizes[1])
        g = _F["where"](turn < 0, _F["full"](g.shape, 0.0, g.dtype), g)
        ops.assign(self.step_size[i], size)
        ops.assign(self.prev[i], g)
        ops.assign(parameter, parameter - _F["sign"](g) * size)


class ASGD(Optimizer):
    """Gradient descent that also keeps the average of what the Parameters were."""

    def __init__(self, params, learning_rate=0.1, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = _at_least("ASGD", "lambd", lambd, 0)
        self.alpha = _at_least("ASGD", "alpha", alpha, 0)
        self.t0 = _at_least("ASGD", "t0", t0, 0)
        self.ax = self.state("ax")
        self.taken = Parameter(Tensor(0.0, mstype.float32), name="steps", requires_grad=False)

    def begin_step(self):
        ops.assign(self.taken, self.taken + 1.0)

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        # The rate of step t is lr / (1 + lambd · lr · (t - 1)) ^ alpha; the average begins after step t0.
        before = _F["maximum"](self.taken - 1.0, 0.0)
        eta = rate / _F["pow"](1.0 + self.lambd * rate * before, self.alpha)
        moved = parameter * (1.0 - self.lambd * eta) - eta * g
        share = 1.0 / _F["maximum"](before - self.t0, 1.0)
        ops.assign(self.ax[i], self.ax[i] + (moved - self.ax[i]) * share)
        ops.assign(parameter, moved)


class Lamb(Optimizer):
    """Adam's direction with decay, in steps as long as the layer's own norm says."""

    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        _check_betas("Lamb", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.beta1_power = Parameter(Tensor(1.0, mstype.float32), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(1.0, mstype.float32), name="beta2_power", requires_grad=False)
        self.moments1 = self.state("lamb_m")
        self.moments2 = self.state("lamb_v")

    def begin_step(self):
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)
        ops.assign(self.beta2_power, self.beta2_power * self.beta2)

    def update(self, i, parameter, gradient, rate, weight_decay):
        m = self.moments1[i] * self.beta1 + gradient * (1.0 - self.beta1)
        v = self.moments2[i] * self.beta2 + gradient * gradient * (1.0 - self.beta2)
        ops.assign(self.moments1[i], m)
        ops.assign(self.moments2[i], v)
        corrected = m / (1.0 - self.beta1_power)
        direction = corrected / (_F["sqrt"](v / (1.0 - self.beta2_power)) + self.eps)
        if not (_number(weight_decay) and weight_decay == 0):
            direction = direction + parameter * weight_decay
        own, step = (_F["sqrt"](_F["square"](x).sum()) for x in (parameter, direction))
        one = own * 0.0 + 1.0
        ratio = _F["where"](own > 0, _F["where"](step > 0, own / _F["where"](step > 0, step, one), one), one)
        ops.assign(parameter, parameter - rate * ratio * direction)


class LazyAdam(Adam):
    """Adam; gradients are never sparse here, so that nothing is left out."""


class FTRL(Optimizer):
    """Follows the regularised leader: l1 makes small Parameters exactly zero."""

    def __init__(self, params, initial_accum=0.1, learning_rate=0.001, lr_power=-0.5, l1=0.0, l2=0.0, use_locking=False,
                 loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        initial = _at_least("FTRL", "initial_accum", initial_accum, 0)
        self.l1, self.l2 = _at_least("FTRL", "l1", l1, 0), _at_least("FTRL", "l2", l2, 0)
        if not _number(lr_power) or lr_power > 0:
            raise ValueError(f"FTRL: `lr_power` must not be above 0, but it is {lr_power!r}")
        self.lr_power = float(lr_power)
        self.moments = self.state("moments")
        self.linear = self.state("linear")
        for a in self.moments:
            a.set_data(_F["full"](a.shape, initial, a.dtype))

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        total = self.moments[i] + g * g
        root, before = (_F["pow"](x, -self.lr_power) for x in (total, self.moments[i]))
        linear = self.linear[i] + g - (root - before) / rate * parameter
        ops.assign(self.moments[i], total)
        ops.assign(self.linear[i], linear)
        held = _F["clamp"](linear, -self.l1, self.l1)
        ops.assign(parameter, (held - linear) / (root / rate + 2.0 * self.l2))


class ProximalAdagrad(Optimizer):
    """Adagrad whose result l1 and l2 pull to zero."""

    def __init__(self, params, accum=0.1, learning_rate=0.001, l1=0.0, l2=0.0, use_locking=False, loss_scale=1.0,
                 weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        accum = _at_least("ProximalAdagrad", "accum", accum, 0)
        self.l1, self.l2 = _at_least("ProximalAdagrad", "l1", l1, 0), _at_least("ProximalAdagrad", "l2", l2, 0)
        self.accum = self.state("accum")
        for a in self.accum:
            a.set_data(_F["full"](a.shape, accum, a.dtype))

    def update(self, i, parameter, gradient, rate, weight_decay):
        g = self.decayed(gradient, parameter, weight_decay)
        total = self.accum[i] + g * g
        ops.assign(self.accum[i], total)
        moved = parameter - rate * g * _F["rsqrt"](total)
        if self.l1:
            moved = _F["sign"](moved) * _F["relu"](_F["abs"](moved) - rate * self.l1)
        ops.assign(parameter, moved / (1.0 + rate * self.l2))
