"""Momentum and SGD."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.nn.optim.optimizer import Optimizer, _number

Tensor = _fusescope.Tensor
_F = _fusescope.functions


class Momentum(Optimizer):
    """v = momentum·v + g; p = p - lr·v."""

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if isinstance(momentum, bool) or not isinstance(momentum, (float, Tensor)):
            raise TypeError(f"Momentum: `momentum` must be a float, but it is {type(momentum).__name__}")
        if isinstance(momentum, float) and momentum < 0:
            raise ValueError(f"Momentum: `momentum` must not be negative, but it is {momentum}")
        if not isinstance(use_nesterov, bool):
            raise TypeError(f"Momentum: `use_nesterov` must be True or False, but it is {use_nesterov!r}")
        self.momentum = Parameter(momentum if isinstance(momentum, Tensor) else Tensor(momentum, mstype.float32),
                                  name="momentum", requires_grad=False)
        self.use_nesterov = use_nesterov
        self.moments = self.state("moments")

    def update(self, i, parameter, gradient, rate, weight_decay):
        gradient = self.decayed(gradient, parameter, weight_decay)
        _F["apply_momentum"](parameter, self.moments[i], rate, gradient, self.momentum, self.use_nesterov)


class SGD(Optimizer):
    """Gradient descent, with momentum and dampening if wanted."""

    def __init__(self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False,
                 loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        for name, value in (("momentum", momentum), ("dampening", dampening)):
            if not _number(value):
                raise TypeError(f"SGD: `{name}` must be a number, but it is {type(value).__name__}")
            if value < 0:
                raise ValueError(f"SGD: `{name}` must not be negative, but it is {value}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError(f"SGD: `nesterov` needs momentum above 0 and dampening 0, "
                             f"but they are {momentum} and {dampening}")
        self.dampening, self.nesterov = float(dampening), nesterov
        self.momentum = Parameter(Tensor(float(momentum), mstype.float32), name="momentum", requires_grad=False)
        self._has_momentum = momentum > 0
        self.accum = self.state("accum")
        self.stat = self.state("stat", "ones")

    def update(self, i, parameter, gradient, rate, weight_decay):
        gradient = self.decayed(gradient, parameter, weight_decay)
        if not self._has_momentum:
            ops.assign(parameter, parameter - rate * gradient)
            return
        # In the first step the moment is the gradient itself; stat is 1 then and 0 later.
        _F["sgd"](parameter, self.accum[i], self.stat[i], rate, gradient, self.momentum, self.dampening, 0.0,
                  self.nesterov)
