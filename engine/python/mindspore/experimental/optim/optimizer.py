"""Optimizers that keep their options in param_groups, each with a learning rate that a scheduler or a program may set.

The formulas are PyTorch's, which these classes follow. `lr` of a group is a Parameter: what is stored in it is used from
the next step on, in graphs too.
"""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.nn.cell import Cell
from mindspore.nn.optim import optimizer as _base

Tensor = _fusescope.Tensor
_F = _fusescope.functions


class Optimizer(Cell):
    """Base: optimizer(grads) makes one step."""

    states = ()  # names of the tensors beside each Parameter

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        if isinstance(params, (Tensor, str)) or params is None:
            raise TypeError(f"{name}: `params` must be a list of Parameters or of dicts")
        params = list(params)
        if not params:
            raise ValueError(f"{name}: `params` is empty, so there is nothing to train")
        if not isinstance(params[0], dict):
            params = [{"params": params}]
        self.defaults = dict(defaults)
        self.param_groups = []
        self.parameters = ParameterTuple([])
        self.step_count = Parameter(Tensor(0.0, mstype.float32), name="step_count", requires_grad=False)
        self._states = {state: [] for state in self.states}
        for group in params:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        """Further Parameters, with options of their own."""
        name = type(self).__name__
        if not isinstance(param_group, dict):
            raise TypeError(f"{name}: a group must be a dict, but it is {type(param_group).__name__}")
        own = param_group["params"]
        own = [own] if isinstance(own, Parameter) else list(own)
        for p in own:
            if not isinstance(p, Parameter):
                raise TypeError(f"{name}: every item of `params` must be a Parameter, but one is {type(p).__name__}")
            if any(p is other for other in self.parameters):
                raise ValueError(f"{name}: the Parameter `{p.name}` is in more than one group")
        group = {**self.defaults, **param_group, "params": own}
        rate = group["lr"]
        if isinstance(rate, (int, float)) and rate < 0:
            raise ValueError(f"{name}: `lr` must not be negative, but it is {rate}")
        value = rate if isinstance(rate, Tensor) else Tensor(float(rate), mstype.float32)
        group["lr"] = Parameter(value, name=f"learning_rate_group_{len(self.param_groups)}", requires_grad=False)
        group.setdefault("initial_lr", float(rate if not isinstance(rate, Tensor) else rate.item()))
        self.insert_param_to_cell(f"learning_rate_group_{len(self.param_groups)}", group["lr"])
        self.param_groups.append(group)
        self.__dict__["parameters"] = ParameterTuple(list(self.parameters) + own)
        for state, made in self._states.items():
            for p in own:
                made.append(Parameter(_F["full"](p.shape, 0.0, p.dtype), name=f"{state}.{p.name}", requires_grad=False))
                self.insert_param_to_cell(f"{state}_{len(made)}", made[-1])

    @property
    def lrs(self):
        """The learning rates of the groups."""
        return [group["lr"] for group in self.param_groups]

    def __setattr__(self, name, value):
        if name == "parameters":
            self.__dict__[name] = value
        else:
            super().__setattr__(name, value)

    def __call__(self, gradients, *args, **kwargs):
        token = _fusescope.begin_optimizer()
        try:
            return super().__call__(gradients, *args, **kwargs)
        finally:
            _fusescope.end_optimizer(token)
            _base.steps += 1

    def construct(self, gradients):
        gradients = (gradients,) if isinstance(gradients, Tensor) else tuple(gradients)
        if len(gradients) != len(self.parameters):
            raise ValueError(f"{type(self).__name__}: {len(gradients)} gradients were given for "
                             f"{len(self.parameters)} Parameters")
        ops.assign(self.step_count, self.step_count + 1.0)
        place = 0
        for group in self.param_groups:
            for p in group["params"]:
                g = gradients[place]
                if g.shape != p.shape:
                    raise ValueError(f"{type(self).__name__}: the gradient of `{p.name}` has shape {g.shape}, but the "
                                     f"Parameter has shape {p.shape}")
                if group.get("maximize"):
                    g = -g
                state = [self._states[name][place] for name in self.states]
                self.update(p, g, group["lr"], self.step_count, group, *state)
                place += 1
        return True

    def update(self, p, g, lr, t, group, *state):
        """Moves one Parameter; t is the number of this step, from 1 on."""
        raise RuntimeError(f"{type(self).__name__} does not say how to update a Parameter")


def _decayed(p, g, group):
    return g + p * group["weight_decay"] if group["weight_decay"] else g


class SGD(Optimizer):
    """Gradient descent with momentum."""

    states = ("accum",)

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("SGD: `nesterov` needs momentum above 0 and dampening 0")
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov, maximize=maximize))

    def update(self, p, g, lr, t, group, accum):
        g = _decayed(p, g, group)
        mu = group["momentum"]
        if mu:
            # In the first step the moment is the gradient itself.
            kept = _F["where"](t > 1.0, 1.0 - group["dampening"], Tensor(1.0, mstype.float32))
            moment = accum * mu + g * kept
            ops.assign(accum, moment)
            g = g + moment * mu if group["nesterov"] else moment
        ops.assign(p, p - lr * g)


class Adam(Optimizer):
    """Adaptive moments, corrected for their start at zero."""

    states = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")
    decoupled = False

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False):
        name = type(self).__name__
        if len(betas) != 2 or not all(0 <= b < 1 for b in betas):
            raise ValueError(f"{name}: `betas` must be two numbers in [0, 1), but they are {betas}")
        if eps < 0:
            raise ValueError(f"{name}: `eps` must not be negative, but it is {eps}")
        if weight_decay < 0:
            raise ValueError(f"{name}: `weight_decay` must not be negative, but it is {weight_decay}")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad,
                                      maximize=maximize))

    def update(self, p, g, lr, t, group, m, v, top):
        b1, b2 = group["betas"]
        value = p
        if self.decoupled:
            value = p * (1.0 - lr * group["weight_decay"])
        else:
            g = _decayed(p, g, group)
        first, second = m * b1 + g * (1.0 - b1), v * b2 + g * g * (1.0 - b2)
        ops.assign(m, first)
        ops.assign(v, second)
        if group["amsgrad"]:
            second = _F["maximum"](top, second)
            ops.assign(top, second)
        c1, c2 = 1.0 - _F["pow"](b1, t), 1.0 - _F["pow"](b2, t)
        ops.assign(p, value - lr / c1 * first / (_F["sqrt"](second / c2) + group["eps"]))


class AdamW(Adam):
    """Adam with decay that bypasses the moments."""

    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
                 maximize=False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)


class Adamax(Optimizer):
    """Adam with the largest gradient of the past in place of the mean square."""

    states = ("exp_avg", "exp_inf")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *, maximize=False):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def update(self, p, g, lr, t, group, m, u):
        b1, b2 = group["betas"]
        g = _decayed(p, g, group)
        first, top = m * b1 + g * (1.0 - b1), _F["maximum"](u * b2, _F["abs"](g) + group["eps"])
        ops.assign(m, first)
        ops.assign(u, top)
        ops.assign(p, p - lr / (1.0 - _F["pow"](b1, t)) * first / top)


class NAdam(Optimizer):
    """Adam with Nesterov's look ahead."""

    states = ("exp_avg", "exp_avg_sq", "mu_product")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, momentum_decay=4e-3):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay,
                                      momentum_decay=momentum_decay))
        for product in self._states["mu_product"]:
            product.set_data(_F["full"](product.shape, 1.0, product.dtype))

    def update(self, p, g, lr, t, group, m, v, product):
        b1, b2 = group["betas"]
        g = _decayed(p, g, group)
        now = b1 * (1.0 - 0.5 * _F["pow"](0.96, t * group["momentum_decay"]))
        after = b1 * (1.0 - 0.5 * _F["pow"](0.96, (t + 1.0) * group["momentum_decay"]))
        total = product * now
        first, second = m * b1 + g * (1.0 - b1), v * b2 + g * g * (1.0 - b2)
        ops.assign(product, total)
        ops.assign(m, first)
        ops.assign(v, second)
        root = _F["sqrt"](second / (1.0 - _F["pow"](b2, t))) + group["eps"]
        move = g * (1.0 - now) / (1.0 - total) + first * after / (1.0 - total * after)
        ops.assign(p, p - lr * move / root)


class RAdam(Optimizer):
    """Adam that trusts its mean squares only once there are enough of them."""

    states = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def update(self, p, g, lr, t, group, m, v):
        b1, b2 = group["betas"]
        g = _decayed(p, g, group)
        first, second = m * b1 + g * (1.0 - b1), v * b2 + g * g * (1.0 - b2)
        ops.assign(m, first)
        ops.assign(v, second)
        c1, power = 1.0 - _F["pow"](b1, t), _F["pow"](b2, t)
        most = 2.0 / (1.0 - b2) - 1.0
        rho = most - 2.0 * t * power / (1.0 - power)
        safe = _F["maximum"](rho, 5.0)
        trust = _F["sqrt"]((safe - 4.0) * (safe - 2.0) * most / ((most - 4.0) * (most - 2.0) * safe))
        scaled = trust * _F["sqrt"](1.0 - power) / (_F["sqrt"](second) + group["eps"])
        ops.assign(p, p - lr * first / c1 * _F["where"](rho > 5.0, scaled, scaled * 0.0 + 1.0))


class RMSprop(Optimizer):
    """The gradient over the root of its decaying mean square, with momentum."""

    states = ("square_avg", "grad_avg", "momentum_buffer")

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False,
                 maximize=False):
        super().__init__(params, dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum,
                                      centered=centered, maximize=maximize))

    def update(self, p, g, lr, t, group, square, mean, moment):
        a = group["alpha"]
        g = _decayed(p, g, group)
        spread = square * a + g * g * (1.0 - a)
        ops.assign(square, spread)
        if group["centered"]:
            average = mean * a + g * (1.0 - a)
            ops.assign(mean, average)
            spread = spread - average * average
        move = g / (_F["sqrt"](spread) + group["eps"])
        if group["momentum"]:
            move = moment * group["momentum"] + move
            ops.assign(moment, move)
        ops.assign(p, p - lr * move)


class Adagrad(Optimizer):
    """The gradient over the root of the sum of its squares."""

    states = ("sum",)

    def __init__(self, params, lr=1e-2, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10, *,
                 maximize=False):
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, eps=eps, maximize=maximize))
        for total in self._states["sum"]:
            total.set_data(_F["full"](total.shape, float(initial_accumulator_value), total.dtype))

    def update(self, p, g, lr, t, group, total):
        g = _decayed(p, g, group)
        after = total + g * g
        ops.assign(total, after)
        ops.assign(p, p - lr / (1.0 + (t - 1.0) * group["lr_decay"]) * g / (_F["sqrt"](after) + group["eps"]))


class Adadelta(Optimizer):
    """The gradient scaled by the ratio of the decaying sizes of past steps and of gradients."""

    states = ("square_avg", "acc_delta")

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, *, maximize=False):
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def update(self, p, g, lr, t, group, square, moved):
        rho, eps = group["rho"], group["eps"]
        g = _decayed(p, g, group)
        after = square * rho + g * g * (1.0 - rho)
        move = _F["sqrt"](moved + eps) / _F["sqrt"](after + eps) * g
        ops.assign(square, after)
        ops.assign(moved, moved * rho + move * move * (1.0 - rho))
        ops.assign(p, p - lr * move)


class Rprop(Optimizer):
    """Steps whose sizes grow while the gradient keeps its sign and shrink when it turns."""

    states = ("prev", "step_size")

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), *, maximize=False):
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize))

    def update(self, p, g, lr, t, group, prev, step_size):
        down, up = group["etas"]
        one, none = _F["full"](g.shape, 1.0, g.dtype), _F["full"](g.shape, 0.0, g.dtype)
        turn = g * prev
        size = _F["where"](t > 1.0, step_size, lr) * _F["where"](turn > 0, up, _F["where"](turn < 0, down, one))
        size = _F["clamp"](size, group["step_sizes"][0], group["step_sizes"][1])
        g = _F["where"](turn < 0, none, g)
        ops.assign(step_size, size)
        ops.assign(prev, g)
        ops.assign(p, p - _F["sign"](g) * size)


class ASGD(Optimizer):
    """Gradient descent that also keeps the average of what the Parameters were."""

    states = ("ax",)

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0, maximize=False):
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay,
                                      maximize=maximize))

    def update(self, p, g, lr, t, group, ax):
        g = _decayed(p, g, group)
        before = t - 1.0
        eta = lr / _F["pow"](1.0 + group["lambd"] * lr * before, group["alpha"])
        moved = p * (1.0 - group["lambd"] * eta) - eta * g
        ops.assign(ax, ax + (moved - ax) / _F["maximum"](before - group["t0"], 1.0))
        ops.assign(p, moved)
