"""Branches and loops on tensors, and printing."""
import inspect

import _fusescope

Tensor = _fusescope.Tensor


def _flatten(value, into):
    """Tensors of a nested value go to `into`; what comes back rebuilds it from them."""
    if isinstance(value, Tensor):
        into.append(value)
        return lambda taken: next(taken)
    if isinstance(value, (tuple, list)):
        parts = [_flatten(item, into) for item in value]
        kind = type(value) if type(value) in (tuple, list) else tuple
        return lambda taken: kind(part(taken) for part in parts)
    if isinstance(value, dict):
        parts = {key: _flatten(item, into) for key, item in value.items()}
        return lambda taken: {key: part(taken) for key, part in parts.items()}
    return lambda taken: value


def cond(pred, true_fn=None, false_fn=None, *operands):
    """true_fn(*operands) where the predicate holds, else false_fn(*operands); a branch of the graph when tracing."""
    if not callable(true_fn):
        return _condition_number(pred, true_fn)
    if not callable(false_fn):
        raise TypeError("cond: `true_fn` and `false_fn` must both be functions")
    if not isinstance(pred, Tensor):
        return true_fn(*operands) if pred else false_fn(*operands)
    if pred.size != 1:
        raise ValueError(f"cond: the predicate must have one element, but its shape is {pred.shape}")
    if not _fusescope.tracing() or _fusescope.taping():
        return true_fn(*operands) if bool(pred) else false_fn(*operands)
    rebuilt = {}

    def branch(fn):
        def run(*tensors):
            into = []
            rebuilt[fn] = _flatten(fn(*rebuild(iter(tensors))), into)
            return into

        return run

    given = []
    rebuild = _flatten(tuple(operands), given)
    flag = pred if pred.dtype == _fusescope.Bool else pred != 0
    flag = flag if flag.ndim == 0 else flag.reshape(())
    result = _fusescope.trace_cond(flag, branch(true_fn), branch(false_fn), given)
    if isinstance(result, str):
        return true_fn(*operands) if bool(pred) else false_fn(*operands)
    return rebuilt[true_fn](iter(result))


def while_loop(cond_fn, body_fn, init_val, *more):
    """Repeats value = body_fn(value) while cond_fn(value) holds; a loop of the graph when tracing."""
    if not callable(cond_fn) or not callable(body_fn):
        raise TypeError("while_loop: the condition and the body must be functions")
    value = (init_val, *more) if more else init_val
    spread = isinstance(value, (tuple, list)) and (bool(more) or _takes(cond_fn, len(value)))

    def call(fn, v):
        return fn(*v) if spread else fn(v)

    if _fusescope.tracing() and not _fusescope.taping():
        state = []
        rebuild = _flatten(value, state)
        if state:
            last = {}

            def condition(*tensors):
                flag = call(cond_fn, rebuild(iter(tensors)))
                if not isinstance(flag, Tensor):
                    flag = Tensor(bool(flag))
                flag = flag if flag.dtype == _fusescope.Bool else flag != 0
                return flag if flag.ndim == 0 else flag.reshape(())

            def body(*tensors):
                into = []
                last["rebuild"] = _flatten(call(body_fn, rebuild(iter(tensors))), into)
                return into

            result = _fusescope.trace_loop(condition, body, state)
            if not isinstance(result, str):
                return last["rebuild"](iter(result))
    while call(cond_fn, value):
        value = call(body_fn, value)
    return value


def _takes(function, count):
    """Whether a function is written for `count` arguments rather than for one that holds them."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None or count < 2:
        return False
    own = code.co_argcount - (1 if hasattr(function, "__self__") else 0)
    return own == count or bool(code.co_flags & inspect.CO_VARARGS and own == 0)


class WhileLoop:
    """ops.WhileLoop()(cond_func, loop_func, init_val)."""

    def __call__(self, cond_func, loop_func, init_val):
        return while_loop(cond_func, loop_func, init_val)


class ForiLoop:
    """ops.ForiLoop()(lower, upper, loop_func, init_val): loop_func(i, value) for each i."""

    def __call__(self, lower, upper, loop_func, init_val, unroll=True):
        value = init_val
        for i in range(int(lower), int(upper)):
            value = loop_func(i, value)
        return value


class Scan:
    """ops.Scan()(loop_func, init, xs, length): (carry, outputs) of carry, y = loop_func(carry, x)."""

    def __call__(self, loop_func, init, xs, length=None, unroll=True):
        items = [None] * length if xs is None else xs
        outputs = []
        for x in items:
            init, y = loop_func(init, x)
            outputs.append(y)
        return init, outputs


def _condition_number(a, p=None):
    import numpy

    return Tensor(numpy.asarray(numpy.linalg.cond(a.asnumpy(), p), dtype=a.asnumpy().dtype))


def _text_of(value):
    if isinstance(value, Tensor):
        return Tensor.__repr__(value)
    return str(value)


class Print:
    """Prints each argument on a line of its own: a tensor as its repr."""

    def __call__(self, *args):
        for value in args:
            print(_text_of(value))
        return args[0] if len(args) == 1 else None


def print_(*args):
    """ops.print_: the functional form of Print."""
    Print()(*args)
