"""Compares calls of the engine with numpy written independently: values, and gradients with differences of the numpy form.

A reference computes in Float64, so a difference quotient of it is exact to about nine digits; along random directions it
says what the engine's gradients must add up to.
"""
import sys

import numpy as np

import mindspore as ms
from mindspore import Tensor

random = np.random.default_rng(7)
_faults = []
_count = 0


def draw(*shape, low=None, high=None):
    """Float32 numbers, normal or in [low, high)."""
    x = random.standard_normal(shape) if low is None else random.uniform(low, high, shape)
    return x.astype(np.float32)


def _many(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _flat(value):
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in _flat(item)]
    return [value]


def _same(got, want, tolerance):
    got = got.asnumpy() if isinstance(got, Tensor) else np.asarray(got)
    want = np.asarray(want)
    assert got.shape == want.shape, f"shape {got.shape} instead of {want.shape}"
    assert (got.dtype == bool) == (want.dtype == bool), f"dtype {got.dtype} instead of {want.dtype}"
    if want.dtype != bool:
        got, want = got.astype(np.float64), want.astype(np.float64)
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def same(name, call, want, tolerance=1e-5):
    """The call's result has this value; a tuple or list of results has one value each."""
    global _count
    _count += 1
    try:
        got, wanted = call(), [want]
        if isinstance(got, (tuple, list)):
            wanted = want
        else:
            got = [got]
        assert len(got) == len(wanted), f"{len(got)} results instead of {len(wanted)}"
        for one, other in zip(got, wanted):
            _same(one, other, tolerance)
    except Exception as e:
        _faults.append(name)
        print(f"{name}: {type(e).__name__}: {e}")


def alike(name, call, reference, inputs, parameters=(), tolerance=1e-4, fixed=(), gradient=True):
    """call(*tensors) gives what reference(*arrays) gives, and its gradients are the reference's slopes.

    `inputs` are arrays, `fixed` further ones without gradients; `parameters` are the Parameters whose values follow the
    inputs in the reference's arguments: reference(*inputs, *fixed, *values of parameters).
    """
    global _count
    _count += 1
    try:
        tensors = [Tensor(x) for x in inputs] + [Tensor(x) for x in fixed]
        arrays = [np.asarray(x, np.float64) for x in inputs]
        values = [p.asnumpy().astype(np.float64) for p in parameters]

        def wide(moved):
            n = len(arrays)
            return [np.asarray(x, np.float64) for x in _flat(reference(*moved[:n], *fixed, *moved[n:]))]

        want = wide(arrays + values)
        got = _flat(call(*tensors))
        assert len(got) == len(want), f"{len(got)} results instead of {len(want)}"
        for one, other in zip(got, want):
            _same(one, other, tolerance)
        if not gradient:
            return
        weights = [draw(*x.shape) for x in want]

        def loss(*args):
            total = 0.0
            for y, w in zip(_flat(call(*args)), weights):
                total = total + (y * Tensor(w)).sum()
            return total

        places = tuple(range(len(inputs)))
        if parameters and places:
            of_inputs, of_parameters = ms.grad(loss, places, list(parameters))(*tensors)
            slopes = list(_many(of_inputs)) + list(_many(of_parameters))
        elif parameters:
            slopes = list(_many(ms.grad(loss, None, list(parameters))(*tensors)))
        else:
            slopes = list(_many(ms.grad(loss, places)(*tensors)))
        _check_slopes(slopes, arrays + values, wide, weights, tolerance)
    except Exception as e:
        _faults.append(name)
        print(f"{name}: {type(e).__name__}: {e}")


def _check_slopes(slopes, arrays, wide, weights, tolerance, step=1e-6):
    def total(moved):
        return sum((y * w).sum() for y, w in zip(wide(moved), weights))

    for k, slope in enumerate(slopes):
        assert slope.shape == arrays[k].shape, f"gradient {k} has shape {slope.shape} instead of {arrays[k].shape}"
        slope = slope.asnumpy().astype(np.float64)
        for _ in range(2):
            direction = random.standard_normal(arrays[k].shape)
            ahead = [x + step * direction if i == k else x for i, x in enumerate(arrays)]
            behind = [x - step * direction if i == k else x for i, x in enumerate(arrays)]
            want = (total(ahead) - total(behind)) / (2 * step)
            got, size = (slope * direction).sum(), np.abs(slope * direction).sum()
            assert abs(got - want) <= tolerance * (1 + size), f"gradient {k}: {got} along a direction, not {want}"


def refuses(name, error, call, *words):
    """The call raises this error, and its message has these words."""
    global _count
    _count += 1
    try:
        call()
    except error as e:
        missing = [w for w in words if w not in str(e)]
        if not missing:
            return
        print(f"{name}: the message lacks {missing}: {e}")
    except Exception as e:
        print(f"{name}: {type(e).__name__} instead of {error.__name__}: {e}")
    else:
        print(f"{name}: no error")
    _faults.append(name)


def finish(at_least):
    """Ends the program: with status 1 when something differed, or when fewer checks ran than there should be."""
    if _count < at_least:
        sys.exit(f"only {_count} checks ran, not {at_least}")
    if _faults:
        sys.exit(f"{len(_faults)} of {_count} checks failed: {', '.join(_faults)}")
    print(f"{_count} checks passed")
