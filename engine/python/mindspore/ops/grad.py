"""Gradients of functions: grad, value_and_grad, GradOperation and their neighbours."""
import _fusescope
from mindspore.common.parameter import Parameter, ParameterTuple

Tensor = _fusescope.Tensor


def _tensors_of(value, into):
    """The tensors of a nested value, in order."""
    if isinstance(value, Tensor):
        into.append(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            _tensors_of(item, into)
    elif isinstance(value, dict):
        for item in value.values():
            _tensors_of(item, into)
    return into


def _check_position(position):
    if position is None:
        return None
    if isinstance(position, int) and not isinstance(position, bool):
        if position < 0:
            raise ValueError(f"grad: `grad_position` must not be negative, but it is {position}")
        return position
    if isinstance(position, (tuple, list)):
        for item in position:
            if isinstance(item, bool) or not isinstance(item, int):
                raise TypeError(f"grad: `grad_position` must be an int or a tuple of ints, but it holds {item!r}")
            if item < 0:
                raise ValueError(f"grad: `grad_position` must not be negative, but it holds {item}")
        if len(set(position)) != len(position):
            raise ValueError(f"grad: `grad_position` names an argument twice: {tuple(position)}")
        return tuple(position)
    raise TypeError(f"grad: `grad_position` must be an int or a tuple of ints, but it is {type(position).__name__}")


def _check_weights(weights):
    if weights is None or isinstance(weights, Parameter):
        return weights
    if isinstance(weights, (tuple, list)):
        for item in weights:
            if not isinstance(item, Parameter):
                raise TypeError(f"grad: every weight must be a Parameter, but one is {type(item).__name__}")
        return weights
    raise TypeError(f"grad: `weights` must be a ParameterTuple or a list of Parameters, "
                    f"but it is {type(weights).__name__}")


def _run(fn, args, kwargs, position, weights, has_aux, seeds=None):
    """(outputs, gradients of the arguments, gradients of the weights)."""
    positions = () if position is None else (position,) if isinstance(position, int) else position
    args = list(args)
    watched = []
    for place in positions:
        if place >= len(args):
            raise ValueError(f"grad: `grad_position` {place} names no argument: the function was called with "
                             f"{len(args)}")
        value = args[place]
        if not isinstance(value, Tensor):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                value = Tensor(float(value))
            else:
                raise TypeError(f"grad: argument {place} must be a tensor to have a gradient, "
                                f"but it is {type(value).__name__}")
        elif not isinstance(value, Parameter):
            # A handle of its own: the same tensor given twice has two gradients. An outer tape must see where it is from.
            value = _fusescope.functions["identity"](value) if _fusescope.taping() else value._snapshot()
        args[place] = value
        watched.append(value)
    weight_list = [] if weights is None else [weights] if isinstance(weights, Parameter) else list(weights)
    tape = _fusescope.Tape()
    try:
        for value in watched:
            tape.watch(value)
        for value in weight_list:
            tape.watch(value)
        outputs = fn(*args, **kwargs)
        tape.stop()
        if has_aux:
            if not isinstance(outputs, (tuple, list)) or len(outputs) < 2:
                raise ValueError("grad: with `has_aux` the function must return a tuple of at least two: what is "
                                 f"differentiated, and the rest; it returned {_describe(outputs)}")
            differentiated = outputs[0]
        else:
            differentiated = outputs
        results = [t for t in _tensors_of(differentiated, []) if t.dtype.is_floating_point]
        if not results and not isinstance(differentiated, (Tensor, tuple, list)):
            raise TypeError(f"grad: the function must return tensors, but it returned {_describe(differentiated)}")
        gradients = tape.gradient(results, seeds if seeds is not None else [None] * len(results),
                                  watched + weight_list)
    finally:
        tape.stop()
    return outputs, gradients[:len(watched)], gradients[len(watched):]


def _describe(value):
    return f"a tuple of {len(value)}" if isinstance(value, (tuple, list)) else type(value).__name__


def _arrange(position, weights, of_arguments, of_weights, return_ids):
    inputs = None
    if position is not None:
        if isinstance(position, int):
            inputs = (position, of_arguments[0]) if return_ids else of_arguments[0]
        else:
            inputs = tuple(zip(position, of_arguments)) if return_ids else tuple(of_arguments)
    if weights is None:
        return inputs
    if isinstance(weights, Parameter):
        parameters = (weights.name, of_weights[0]) if return_ids else of_weights[0]
    elif return_ids:
        parameters = tuple((p.name, g) for p, g in zip(weights, of_weights))
    else:
        parameters = tuple(of_weights)
    return parameters if position is None else (inputs, parameters)


def _checked(fn, position, weights, what):
    if not callable(fn):
        raise TypeError(f"{what}: `fn` must be a function or a Cell, but it is {type(fn).__name__}")
    position = _check_position(position)
    weights = _check_weights(weights)
    if position is None and weights is None:
        raise ValueError(f"{what}: `grad_position` and `weights` are both None, so there is nothing to differentiate by")
    return position, weights


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """A function that gives fn's outputs and their gradients."""
    grad_position, weights = _checked(fn, grad_position, weights, "value_and_grad")

    def value_and_gradient(*args, **kwargs):
        outputs, inputs, parameters = _run(fn, args, kwargs, grad_position, weights, has_aux)
        return outputs, _arrange(grad_position, weights, inputs, parameters, return_ids)

    return value_and_gradient


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """A function that gives the gradients of fn; with has_aux also its further outputs."""
    grad_position, weights = _checked(fn, grad_position, weights, "grad")

    def gradient(*args, **kwargs):
        outputs, inputs, parameters = _run(fn, args, kwargs, grad_position, weights, has_aux)
        gradients = _arrange(grad_position, weights, inputs, parameters, return_ids)
        if has_aux:
            rest = tuple(outputs[1:])
            return gradients, rest[0] if len(rest) == 1 else rest
        return gradients

    return gradient


class GradOperation:
    """The older way: GradOperation(get_all, get_by_list, sens_param)(fn[, weights])."""

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise TypeError(f"GradOperation: `{name}` must be True or False, but it is {value!r}")
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None):
        if self.get_by_list and weights is None:
            weights = ParameterTuple(fn.trainable_params())

        def gradient(*args, **kwargs):
            seeds = None
            if self.sens_param:
                *args, sens = args
                seeds = _tensors_of(sens, []) if isinstance(sens, (tuple, list, Tensor)) else [Tensor(float(sens))]
            if self.get_all or not self.get_by_list:
                position = tuple(i for i, a in enumerate(args) if isinstance(a, Tensor)) if self.get_all else 0
            else:
                position = None
            _, inputs, parameters = _run(fn, args, kwargs, position, weights if self.get_by_list else None, False, seeds)
            return _arrange(position, weights if self.get_by_list else None, inputs, parameters, False)

        return gradient


def vjp(fn, *inputs, weights=None, has_aux=False):
    """fn's outputs, and a function from a seed to the gradients of the inputs."""
    position = 0 if len(inputs) == 1 else tuple(range(len(inputs)))
    outputs = fn(*inputs)

    def pull_back(*seeds):
        _, grads, parameters = _run(fn, inputs, {}, position, weights, has_aux, _tensors_of(list(seeds), []))
        result = _arrange(position, weights, grads, parameters, False)
        return result if isinstance(result, tuple) else (result,)

    return outputs, pull_back


def jvp(fn, inputs, v, has_aux=False):
    """fn's outputs and the directional derivative, by differentiating the gradient with respect to its seed."""
    inputs = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    directions = v if isinstance(v, (tuple, list)) else (v,)
    outputs = fn(*inputs)
    seeds = [t * 0.0 + 1.0 for t in _tensors_of(outputs, [])]

    def weighted(*seed):
        _, grads, _ = _run(fn, inputs, {}, tuple(range(len(inputs))), None, has_aux, list(seed))
        total = None
        for g, d in zip(grads, directions):
            term = (g * d).sum()
            total = term if total is None else total + term
        return total

    _, tangents, _ = _run(weighted, seeds, {}, tuple(range(len(seeds))), None, False)
    return outputs, tangents[0] if len(tangents) == 1 else tuple(tangents)


def with_own_gradient(cell, args, kwargs):
    """What a Cell's construct gives; its gradient is what its bprop gives."""
    # Handles of its own: a Cell that hands back its input has an output with another gradient all the same.
    fresh = _fusescope.functions["identity"]
    outputs = _fusescope.untaped(lambda: _each(lambda t: fresh(t), cell.construct(*args, **kwargs)))
    inputs = _tensors_of(args, [])

    def backward(*gradients):
        # In the form of the outputs, and None where an output is no tensor.
        given = iter(gradients)
        result = cell.bprop(*args, outputs, _each(lambda t: next(given), outputs, None))
        if not isinstance(result, (tuple, list)):
            result = (result,)
        if len(result) < len(args):
            raise TypeError(f"{type(cell).__name__}.bprop: a gradient for each of the {len(args)} inputs is wanted, "
                            f"but it gives {len(result)}")
        found = []
        for place, (value, gradient) in enumerate(zip(args, result)):
            wanted, got = _tensors_of(value, []), _tensors_of(gradient, [])
            if isinstance(gradient, (int, float)) and len(wanted) == 1:
                got = [_fusescope.functions["full_like"](wanted[0], gradient)]
            if got and len(got) != len(wanted):
                raise TypeError(f"{type(cell).__name__}.bprop: input {place} holds {len(wanted)} tensors, but its "
                                f"gradient {len(got)}")
            for tensor, slope in zip(wanted, got):
                if tensor.shape != slope.shape:
                    raise ValueError(f"{type(cell).__name__}.bprop: the gradient of input {place} has shape "
                                     f"{slope.shape}, but the input has shape {tensor.shape}")
            found.extend(got or [None] * len(wanted))
        return found

    _fusescope.own_gradient(inputs, _tensors_of(outputs, []), backward)
    return outputs


def _each(change, value, *other):
    """A nested value with each tensor changed, and with `other` in place of what is none, where that is given."""
    if isinstance(value, Tensor):
        return change(value)
    if type(value) in (tuple, list):
        return type(value)(_each(change, item, *other) for item in value)
    if type(value) is dict:
        return {name: _each(change, item, *other) for name, item in value.items()}
    return other[0] if other else value


def stop_gradient(value):
    """The same value, through which no gradient flows."""
    return _fusescope.functions["stop_gradient"](value)
