"""Cells that make a training step of a network, its loss and an optimizer."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.nn.cell import Cell

Tensor = _fusescope.Tensor


def _check(owner, word, value, kind="a Cell", also=Cell):
    if not isinstance(value, also):
        what = f"the class {value.__name__}; make an object of it: {value.__name__}(...)" if isinstance(value, type) else \
            type(value).__name__
        raise TypeError(f"{owner}: `{word}` must be {kind}, but it is {what}")


def _check_step(owner, network, optimizer):
    _check(owner, "network", network)
    _check(owner, "optimizer", optimizer, "an optimizer of nn")
    if not hasattr(optimizer, "parameters"):
        raise TypeError(f"{owner}: `optimizer` must be an optimizer of nn, but it is {type(optimizer).__name__}, which has "
                        "no `parameters`")


class WithLossCell(Cell):
    """loss_fn(backbone(data), label)."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        _check("WithLossCell", "backbone", backbone)
        self._backbone = backbone
        self._loss_fn = loss_fn

    @property
    def backbone_network(self):
        return self._backbone

    def construct(self, data, label):
        return self._loss_fn(self._backbone(data), label)


class WithEvalCell(Cell):
    """(loss, what the network gives, label), for metrics."""

    def __init__(self, network, loss_fn, add_cast_fp32=False):
        super().__init__(auto_prefix=False)
        _check("WithEvalCell", "network", network)
        self._network = network
        self._loss_fn = loss_fn
        self._cast = add_cast_fp32

    def construct(self, data, label):
        outputs = self._network(data)
        if self._cast:
            outputs = ops.cast(outputs, mstype.float32)
        return self._loss_fn(outputs, label), outputs, label


class ForwardValueAndGrad(Cell):
    """The network's value and its gradients, for the inputs, for `weights`, or for both."""

    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__(auto_prefix=False)
        if sens_param:
            raise ValueError("ForwardValueAndGrad: `sens_param` is not supported; scale the value that the network gives")
        self.network = network
        self.weights, self._all, self._by_list = weights, get_all, get_by_list

    def construct(self, *inputs):
        places = tuple(range(len(inputs))) if self._all else None if self._by_list else 0
        weights = self.weights if self._by_list else None
        return ops.value_and_grad(self.network, places, weights)(*inputs)


class TrainOneStepCell(Cell):
    """One step: loss, gradients (of the loss times `sens`), update. Gives the loss."""

    def __init__(self, network, optimizer, sens=1.0, return_grad=False):
        super().__init__(auto_prefix=False)
        _check_step(type(self).__name__, network, optimizer)
        self.network = network
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.sens = 1.0 if sens is None else sens
        self.return_grad = return_grad
        self.grad_fn = ops.value_and_grad(self._scaled, None, optimizer.parameters, has_aux=True)

    def _scaled(self, *inputs):
        loss = self.network(*inputs)
        return loss if self.sens == 1.0 else loss * self.sens, loss

    def construct(self, *inputs):
        (_, loss), grads = self.grad_fn(*inputs)
        self.optimizer(grads)
        if self.return_grad:
            return loss, {p.name: g for p, g in zip(self.weights, grads)}
        return loss


class FixedLossScaleUpdateCell(Cell):
    """The scale stays; says whether the step is to be left out."""

    def __init__(self, loss_scale_value):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        return self.loss_scale_value

    def construct(self, _, overflow):
        return overflow


class DynamicLossScaleUpdateCell(Cell):
    """The scale is divided at an overflow and multiplied after `scale_window` steps without."""

    def __init__(self, loss_scale_value, scale_factor, scale_window):
        super().__init__()
        self.loss_scale_value = loss_scale_value
        self.scale_factor, self.scale_window = scale_factor, scale_window
        self.good_steps = Parameter(Tensor(0, mstype.int32), name="good_steps", requires_grad=False)

    def get_loss_scale(self):
        return self.loss_scale_value

    def construct(self, loss_scale, overflow):
        bad = ops.cast(overflow, mstype.bool_)
        counted = self.good_steps + 1
        at_window = ops.equal(counted, self.scale_window)
        smaller = ops.maximum(loss_scale / self.scale_factor, ops.ones_like(loss_scale))
        larger = ops.select(at_window, loss_scale * self.scale_factor, loss_scale * 1.0)
        ops.assign(loss_scale, ops.select(bad, smaller, larger))
        ops.assign(self.good_steps, ops.select(ops.logical_or(bad, at_window), ops.zeros_like(counted), counted))
        return overflow


class TrainOneStepWithLossScaleCell(Cell):
    """One step with a scaled loss; left out when a gradient is not finite. Gives loss, overflow and scale."""

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(auto_prefix=False)
        _check_step(type(self).__name__, network, optimizer)
        self.network = network
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            scale_sense = scale_sense.get_loss_scale()
        elif not isinstance(scale_sense, Tensor):
            raise TypeError(f"TrainOneStepWithLossScaleCell: `scale_sense` must be a Cell or a Tensor, but it is "
                            f"{type(scale_sense).__name__}")
        self.scale_sense = Parameter(Tensor(scale_sense, mstype.float32), name="scale_sense", requires_grad=False)
        self.grad_fn = ops.value_and_grad(self._scaled, None, optimizer.parameters, has_aux=True)

    def _scaled(self, *inputs):
        loss = self.network(*inputs)
        return loss * ops.cast(self.scale_sense, loss.dtype), loss

    def set_sense_scale(self, sens):
        """Another scale for the steps to come."""
        self.scale_sense.set_data(Tensor(sens, mstype.float32).reshape(self.scale_sense.shape))

    def construct(self, *inputs):
        scale = self.scale_sense * 1.0
        (_, loss), grads = self.grad_fn(*inputs)
        grads = tuple(g * ops.cast(1.0 / scale, g.dtype) for g in grads)
        overflow = Tensor(False)
        for gradient in grads:
            overflow = ops.logical_or(overflow, ops.logical_not(ops.isfinite(gradient).all()))
        if self.loss_scaling_manager is not None:
            overflow = self.loss_scaling_manager(self.scale_sense, overflow)
        if not overflow:
            self.optimizer(grads)
        return loss, overflow, scale
