"""What all optimizers share: groups, learning rates, weight decay and the step itself."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.nn.cell import Cell

Tensor = _fusescope.Tensor
_F = _fusescope.functions

# Steps made by all optimizers while Python ran; a compiled call that made one makes one each time it runs.
steps = 0


class LearningRateSchedule(Cell):
    """A Cell that gives the learning rate of a step."""

    def construct(self, global_step):
        raise RuntimeError(f"{type(self).__name__} does not say how the learning rate depends on the step")


class _Group:
    __slots__ = ("rate", "rates", "schedule", "weight_decay")


def _number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Optimizer(Cell):
    """Base of optimizers: optimizer(grads) makes one step."""

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        if parameters is None or isinstance(parameters, (Tensor, str)):
            raise TypeError(f"{name}: `params` must be a list of Parameters or of dicts")
        parameters = list(parameters)
        if not parameters:
            raise ValueError(f"{name}: `params` is empty, so there is nothing to train")
        if not _number(loss_scale) or loss_scale <= 0:
            raise ValueError(f"{name}: `loss_scale` must be above 0, but it is {loss_scale!r}")
        self.loss_scale = float(loss_scale)
        self._check_decay(weight_decay)
        self.__dict__["weight_decay"] = weight_decay
        self.dynamic_lr = False
        default = self._group(learning_rate, weight_decay, "learning_rate")
        self.is_group = isinstance(parameters[0], dict)
        self._groups = [default]
        self._group_of = []
        if self.is_group:
            chosen = self._by_groups(parameters, learning_rate, weight_decay)
        else:
            for parameter in parameters:
                if not isinstance(parameter, Parameter):
                    raise TypeError(f"{name}: every item of `params` must be a Parameter, "
                                    f"but one is {type(parameter).__name__}")
            chosen = parameters
            self._group_of = [0] * len(chosen)
        names = [p.name for p in chosen]
        if len(set(names)) != len(names):
            twice = sorted({n for n in names if names.count(n) > 1})
            raise ValueError(f"{name}: Parameters have the same name: {', '.join(twice)}")
        self.__dict__["parameters"] = self.__dict__["_parameters"] = ParameterTuple(chosen)
        self.global_step = Parameter(Tensor([0], mstype.int32), name="global_step", requires_grad=False)
        # Names with beta or gamma (normalisation) do not decay.
        self._decays = [not ("beta" in n or "gamma" in n) for n in names]

    def _check_decay(self, weight_decay):
        if isinstance(weight_decay, Cell):
            return
        if not _number(weight_decay):
            raise TypeError(f"{type(self).__name__}: `weight_decay` must be a number, "
                            f"but it is {type(weight_decay).__name__}")
        if weight_decay < 0:
            raise ValueError(f"{type(self).__name__}: `weight_decay` must not be negative, but it is {weight_decay}")

    def _group(self, rate, weight_decay, attribute):
        group = _Group()
        group.weight_decay = weight_decay
        group.rate = group.rates = group.schedule = None
        name = type(self).__name__
        if isinstance(rate, LearningRateSchedule) or (isinstance(rate, Cell) and not isinstance(rate, Parameter)):
            group.schedule = rate
            self.dynamic_lr = True
        elif isinstance(rate, (list, tuple)) or (isinstance(rate, Tensor) and rate.ndim == 1):
            values = rate.tolist() if isinstance(rate, Tensor) else [float(r) for r in rate]
            if not values:
                raise ValueError(f"{name}: `learning_rate` is an empty list")
            group.rates = Parameter(Tensor(values, mstype.float32), name=attribute, requires_grad=False)
            self.dynamic_lr = True
        elif isinstance(rate, Tensor) and rate.ndim == 0:
            group.rate = Parameter(rate.astype(mstype.float32), name=attribute, requires_grad=False)
        elif _number(rate):
            if rate < 0:
                raise ValueError(f"{name}: `learning_rate` must not be negative, but it is {rate}")
            group.rate = Parameter(Tensor(float(rate), mstype.float32), name=attribute, requires_grad=False)
        else:
            raise TypeError(f"{name}: `learning_rate` must be a number, a list, a Tensor or a schedule, "
                            f"but it is {type(rate).__name__}")
        own = group.rate if group.rate is not None else group.rates
        if attribute == "learning_rate":
            if own is not None:
                self.insert_param_to_cell("learning_rate", own)
            else:
                self.learning_rate = group.schedule
        elif own is not None:
            self.insert_param_to_cell(attribute, own)
        return group

    def _by_groups(self, dicts, learning_rate, weight_decay):
        chosen, order = [], None
        for number, item in enumerate(dicts):
            if not isinstance(item, dict):
                raise TypeError(f"{type(self).__name__}: `params` mixes dicts and Parameters")
            unknown = set(item) - {"params", "lr", "weight_decay", "order_params", "grad_centralization"}
            if unknown:
                raise KeyError(f"{type(self).__name__}: a group has the unknown key {sorted(unknown)[0]!r}; "
                               "the keys are params, lr, weight_decay, order_params, grad_centralization")
            if "order_params" in item:
                order = list(item["order_params"])
                continue
            if not item.get("params"):
                raise ValueError(f"{type(self).__name__}: group {number} has no `params`")
            if "lr" in item or "weight_decay" in item:
                self._check_decay(item.get("weight_decay", weight_decay))
                if "lr" in item:
                    group = self._group(item["lr"], item.get("weight_decay", weight_decay), f"learning_rate_{number}")
                else:
                    group = _Group()
                    first = self._groups[0]
                    group.rate, group.rates, group.schedule = first.rate, first.rates, first.schedule
                    group.weight_decay = item["weight_decay"]
                self._groups.append(group)
                place = len(self._groups) - 1
            else:
                place = 0
            for parameter in item["params"]:
                chosen.append(parameter)
                self._group_of.append(place)
        if order is not None:
            places = {id(p): g for p, g in zip(chosen, self._group_of)}
            if {id(p) for p in order} != set(places):
                raise ValueError(f"{type(self).__name__}: `order_params` must name the Parameters of all groups")
            chosen = order
            self._group_of = [places[id(p)] for p in order]
        return chosen

    # One step -------------------------------------------------------------------------------------------------------

    def __call__(self, gradients, *args, **kwargs):
        global steps
        token = _fusescope.begin_optimizer()
        try:
            result = super().__call__(gradients, *args, **kwargs)
        finally:
            _fusescope.end_optimizer(token)
            steps += 1
        return result

    def construct(self, gradients):
        gradients = self._checked(gradients)
        rates = [self._rate(group) for group in self._groups]
        if self.dynamic_lr:
            ops.assign(self.global_step, self.global_step + 1)
        self.begin_step()
        for i, parameter in enumerate(self.parameters):
            group = self._groups[self._group_of[i]]
            gradient = gradients[i]
            if self.loss_scale != 1.0:
                gradient = gradient * (1.0 / self.loss_scale)
            decay = group.weight_decay
            if isinstance(decay, Cell):
                decay = decay(self.global_step)
            decays = self._decays[i] and not (_number(decay) and decay == 0)
            self.update(i, parameter, gradient, rates[self._group_of[i]], decay if decays else 0.0)
        return (True,) * len(gradients)

    def begin_step(self):
        """Work that is done once a step, before the Parameters."""

    def update(self, i, parameter, gradient, rate, weight_decay):
        """Moves one Parameter."""
        raise RuntimeError(f"{type(self).__name__} does not say how to update a Parameter")

    def decayed(self, gradient, parameter, weight_decay):
        """The gradient with the Parameter's pull to zero added."""
        if _number(weight_decay) and weight_decay == 0:
            return gradient
        return gradient + parameter * weight_decay

    def _checked(self, gradients):
        if isinstance(gradients, Tensor):
            gradients = (gradients,)
        n = len(self.parameters)
        if len(gradients) != n:
            raise ValueError(f"{type(self).__name__}: {len(gradients)} gradients were given for {n} Parameters")
        for gradient, parameter in zip(gradients, self.parameters):
            if not isinstance(gradient, Tensor):
                raise TypeError(f"{type(self).__name__}: every gradient must be a tensor, "
                                f"but one is {type(gradient).__name__}")
            if gradient.shape != parameter.shape:
                name = type(self).__name__
                _fusescope.refuse_shape(name, f"{name}: the gradient of `{parameter.name}` has shape {gradient.shape}, "
                                        f"but the Parameter has shape {parameter.shape}", parameter.name,
                                        parameter.shape, "gradient", gradient)
        return gradients

    def _rate(self, group):
        if group.rate is not None:
            return group.rate
        if group.rates is not None:
            last = group.rates.size - 1
            place = ops.minimum(self.global_step, last)
            return _F["gather"](group.rates, place, 0).reshape(())
        rate = group.schedule(self.global_step)
        if not isinstance(rate, Tensor):
            rate = Tensor(float(rate), mstype.float32)
        return rate if rate.ndim == 0 else rate.reshape(())

    def get_lr(self):
        """The present learning rate (of each group)."""
        rates = tuple(self._rate(group) for group in self._groups)
        return rates if len(rates) > 1 else rates[0]

    def get_lr_parameter(self, param):
        """The learning rate of a Parameter."""
        for i, parameter in enumerate(self.parameters):
            if parameter is param:
                group = self._groups[self._group_of[i]]
                return group.rate if group.rate is not None else self._rate(group)
        raise ValueError(f"{type(self).__name__}: the Parameter is not one of this optimizer's")

    def state(self, prefix, init="zeros"):
        """A Parameter beside each trained one, named `prefix.NAME`."""
        made = []
        for p in self.parameters:
            value = _F["full"](p.shape, 1.0 if init == "ones" else 0.0, p.dtype)
            made.append(Parameter(value, name=f"{prefix}.{p.name}", requires_grad=False))
        return ParameterTuple(made)
