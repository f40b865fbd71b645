"""Adam and AdamWeightDecay."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.nn.optim.optimizer import Optimizer, _number

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def _check_betas(name, beta1, beta2, eps):
    for word, value in (("beta1", beta1), ("beta2", beta2)):
        if not _number(value):
            raise TypeError(f"{name}: `{word}` must be a float, but it is {type(value).__name__}")
        if not 0 < value < 1:
            raise ValueError(f"{name}: `{word}` must be in (0, 1), but it is {value}")
    if not _number(eps):
        raise TypeError(f"{name}: `eps` must be a float, but it is {type(eps).__name__}")
    if eps <= 0:
        raise ValueError(f"{name}: `eps` must be above 0, but it is {eps}")


class Adam(Optimizer):
    """Adaptive moments, corrected for their start at zero."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0, use_amsgrad=False, **kwargs):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_betas("Adam", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.use_nesterov, self.use_amsgrad = use_nesterov, use_amsgrad
        self.beta1_power = Parameter(Tensor(1.0, mstype.float32), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(1.0, mstype.float32), name="beta2_power", requires_grad=False)
        self.moment1 = self.state("moment1")
        self.moment2 = self.state("moment2")
        if use_amsgrad:
            self.vhat = self.state("vhat")

    def begin_step(self):
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)
        ops.assign(self.beta2_power, self.beta2_power * self.beta2)

    def update(self, i, parameter, gradient, rate, weight_decay):
        gradient = self.decayed(gradient, parameter, weight_decay)
        if not self.use_amsgrad:
            _F["adam"](parameter, self.moment1[i], self.moment2[i], self.beta1_power, self.beta2_power, rate, self.beta1,
                       self.beta2, self.eps, gradient, self.use_nesterov)
            return
        m = self.moment1[i] * self.beta1 + gradient * (1.0 - self.beta1)
        v = self.moment2[i] * self.beta2 + gradient * gradient * (1.0 - self.beta2)
        ops.assign(self.moment1[i], m)
        ops.assign(self.moment2[i], v)
        scaled = rate * ops.sqrt(1.0 - self.beta2_power) / (1.0 - self.beta1_power)
        if self.use_amsgrad:
            v = ops.maximum(self.vhat[i], v)
            ops.assign(self.vhat[i], v)
        if self.use_nesterov:
            m = m * self.beta1 + gradient * (1.0 - self.beta1)
        ops.assign(parameter, parameter - scaled * m / (ops.sqrt(v) + self.eps))


class AdamWeightDecay(Optimizer):
    """Adaptive moments without correction, and decay that bypasses them."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        _check_betas("AdamWeightDecay", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.moments1 = self.state("adam_m")
        self.moments2 = self.state("adam_v")

    def update(self, i, parameter, gradient, rate, weight_decay):
        _F["adam_weight_decay"](parameter, self.moments1[i], self.moments2[i], rate, self.beta1, self.beta2, self.eps,
                                weight_decay, gradient)
