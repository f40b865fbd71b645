"""Calls of the mindspore API in the forms that scripts use, against numpy. Run by fusescope in eager and graph mode.

Names every call that raises or whose result has another shape or value, and ends with status 1 when there is one.
"""
import sys
from math import erf

import numpy as np

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, ops

random = np.random.default_rng(0)
a = random.standard_normal((3, 4)).astype(np.float32)
b = random.standard_normal((3, 4)).astype(np.float32)
p = np.abs(a) + np.float32(0.1)
c = random.standard_normal((2, 3, 4)).astype(np.float32)
d = random.standard_normal((2, 4, 5)).astype(np.float32)
i = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
A, B, P, C, D, I = (Tensor(x) for x in (a, b, p, c, d, i))
faults = []


def array_of(x):
    return x.asnumpy() if isinstance(x, Tensor) else np.asarray(x)


def same(got, want, tolerance):
    got, want = array_of(got), np.asarray(want)
    assert got.shape == want.shape, f"shape {got.shape} instead of {want.shape}"
    assert (got.dtype == bool) == (want.dtype == bool), f"dtype {got.dtype} instead of {want.dtype}"
    if want.dtype != bool:
        got, want = got.astype(np.float64), want.astype(np.float64)
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def check(name, call, want, tolerance=1e-5):
    try:
        got = call()
        if isinstance(want, (tuple, list)) and isinstance(got, (tuple, list)):
            assert len(got) == len(want), f"{len(got)} results instead of {len(want)}"
            for one, other in zip(got, want):
                same(one, other, tolerance)
        else:
            same(got, want, tolerance)
    except Exception as e:
        faults.append(name)
        print(f"{name}: {type(e).__name__}: {e}")


for name, f in {"neg": np.negative, "abs": np.abs, "sign": np.sign, "exp": np.exp, "expm1": np.expm1, "sin": np.sin,
                "cos": np.cos, "tanh": np.tanh, "square": np.square, "floor": np.floor, "ceil": np.ceil,
                "round": np.round, "relu": lambda x: np.maximum(x, 0)}.items():
    check(f"ops.{name}", lambda: getattr(ops, name)(A), f(a))
    check(f"Tensor.{name}", lambda: getattr(A, name)(), f(a))
for name, f in {"log": np.log, "log1p": np.log1p, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x),
                "reciprocal": lambda x: 1 / x}.items():
    check(f"ops.{name}", lambda: getattr(ops, name)(P), f(p))
    check(f"Tensor.{name}", lambda: getattr(P, name)(), f(p))
for name, f in {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "maximum": np.maximum,
                "minimum": np.minimum, "floor_divide": np.floor_divide, "mod": np.mod, "floor_div": np.floor_divide,
                "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "greater": np.greater,
                "ne": np.not_equal, "less_equal": np.less_equal, "greater_equal": np.greater_equal, "lt": np.less, "gt": np.greater,
                "le": np.less_equal, "ge": np.greater_equal}.items():
    check(f"ops.{name} of tensors", lambda: getattr(ops, name)(A, B), f(a, b))
    check(f"ops.{name} of a number", lambda: getattr(ops, name)(A, 2.0), f(a, 2.0))
check("ops.pow", lambda: ops.pow(P, B), p ** b)
check("**", lambda: P ** 2, p ** 2)
check("number ** tensor", lambda: 2 ** A, 2 ** a)
for arguments in ((), (0,), ((0, 1),), (-1, True)):
    for name in ("sum", "mean", "prod"):
        check(f"ops.{name}{arguments}", lambda: getattr(ops, name)(A, *arguments),
              getattr(a, name)(*arguments[:1], keepdims=len(arguments) > 1))
for name in ("max", "min"):
    check(f"Tensor.{name}", lambda: getattr(A, name)(axis=1), getattr(a, name)(1))
    check(f"ops.a{name}", lambda: getattr(ops, "a" + name)(A, 1), getattr(a, name)(1))

# Indexing and item assignment -------------------------------------------------------------------------------------
INDICES = {"int": 0, "negative": -1, "slice": slice(1, 3), "backward": slice(None, None, -1),
           "backward part": slice(2, 0, -1), "beyond the end": slice(1, 99), "column": (slice(None), 1),
           "row and slice": (0, slice(1, 3)), "None": (None, 0), "Ellipsis": (..., 0), "Ellipsis and None": (..., None),
           "steps": (slice(None, None, 2), slice(0, 4, 3)), "list": [0, 2], "nothing": ()}
for name, index in INDICES.items():
    check(f"t[{name}]", lambda: A[index], a[index])


def stored(index, value):
    x = Tensor(a)
    x[index] = value
    return x


def expected(index, value):
    x = a.copy()
    x[index] = value
    return x


for name in ("int", "negative", "slice", "column", "row and slice", "steps", "list", "backward"):
    check(f"t[{name}] = number", lambda: stored(INDICES[name], 7.0), expected(INDICES[name], 7.0))
check("t[mask] = number", lambda: stored(A > 0, 0.0), expected(a > 0, 0))
check("t[list] = rows", lambda: stored([0, 2], Tensor(b[:2])), expected([0, 2], b[:2]))
check("t[int] = row", lambda: stored(1, Tensor(b[0])), expected(1, b[0]))

# Single calls -----------------------------------------------------------------------------------------------------
check('erf', lambda: ops.erf(A), np.vectorize(erf)(a))
check('gelu none', lambda: ops.gelu(A, approximate='none'), a * 0.5 * (1 + np.vectorize(erf)(a / np.sqrt(2))))
check('silu', lambda: ops.silu(A), a / (1 + np.exp(-a)))
check('sigmoid', lambda: ops.sigmoid(A), 1 / (1 + np.exp(-a)))
check('clip', lambda: ops.clip(A, -0.5, 0.5), a.clip(-0.5, 0.5))
check('clamp', lambda: ops.clamp(A, min=-0.5), a.clip(-0.5, None))
check('clip_by_value', lambda: ops.clip_by_value(A, Tensor(-0.5), Tensor(0.5)), a.clip(-0.5, 0.5))
check('T.clip', lambda: A.clip(-0.5, 0.5), a.clip(-0.5, 0.5))
check('T.clamp', lambda: A.clamp(-0.5, 0.5), a.clip(-0.5, 0.5))
check('where', lambda: ops.where(A > 0, A, B), np.where(a > 0, a, b))
check('select', lambda: ops.select(A > 0, A, B), np.where(a > 0, a, b))
check('where s', lambda: ops.where(A > 0, A, 0.0), np.where(a > 0, a, 0))
check('masked_fill', lambda: A.masked_fill(A > 0, -1.0), np.where(a > 0, -1, a))
check('logical_and', lambda: ops.logical_and(A > 0, B > 0), (a > 0) & (b > 0))
check('and', lambda: (A > 0) & (B > 0), (a > 0) & (b > 0))
check('or', lambda: (A > 0) | (B > 0), (a > 0) | (b > 0))
check('not', lambda: ~(A > 0), ~(a > 0))
check('logical_not', lambda: ops.logical_not(A > 0), ~(a > 0))
check('xor', lambda: ops.logical_xor(A > 0, B > 0), (a > 0) ^ (b > 0))
check('cast', lambda: ops.cast(A, ms.int32), a.astype(np.int32))
check('astype', lambda: A.astype(ms.float16), a.astype(np.float16))
check('astype str', lambda: A.astype('int64'), a.astype(np.int64))
check('to', lambda: A.to(ms.float16), a.astype(np.float16))
check('int()', lambda: A.int(), a.astype(np.int32))
check('float()', lambda: I.float(), i.astype(np.float32))
check('half', lambda: A.half(), a.astype(np.float16))
check('bool', lambda: I.bool(), i.astype(bool))
check('long', lambda: A.long(), a.astype(np.int64))
check('reshape', lambda: ops.reshape(A, (4, 3)), a.reshape(4, 3))
check('T.reshape', lambda: A.reshape(2, -1), a.reshape(2, -1))
check('view', lambda: A.view(12), a.reshape(12))
check('transpose', lambda: ops.transpose(A, (1, 0)), a.T)
check('T.transpose', lambda: A.transpose(1, 0), a.T)
check('.T', lambda: A.T, a.T)
check('permute', lambda: A.permute(1, 0), a.T)
check('swapaxes', lambda: A.swapaxes(0, 1), a.T)
check('squeeze', lambda: ops.squeeze(A.reshape(3, 1, 4), 1), a)
check('expand_dims', lambda: ops.expand_dims(A, 0), a[None])
check('unsqueeze', lambda: ops.unsqueeze(A, -1), a[..., None])
check('T.unsqueeze', lambda: A.unsqueeze(0), a[None])
check('broadcast_to', lambda: ops.broadcast_to(A, (2, 3, 4)), np.broadcast_to(a, (2, 3, 4)))
check('expand', lambda: A.reshape(3, 1, 4).expand((3, 2, 4)) if hasattr(A, 'expand') else A.broadcast_to((3, 4)),
      np.broadcast_to(a[:, None], (3, 2, 4)))
check('broadcast -1', lambda: ops.broadcast_to(A, (2, -1, -1)), np.broadcast_to(a, (2, 3, 4)))
check('concat', lambda: ops.concat((A, B), axis=1), np.concatenate((a, b), 1))
check('cat', lambda: ops.cat([A, B]), np.concatenate((a, b)))
check('stack', lambda: ops.stack((A, B), axis=1), np.stack((a, b), 1))
check('split', lambda: ops.split(A, 2, axis=1), np.split(a, 2, 1))
check('split list', lambda: ops.split(A, (1, 3), 1), np.split(a, [1], 1))
check('T.split', lambda: A.split(2, 1), np.split(a, 2, 1))
check('chunk', lambda: ops.chunk(A, 2, 1), np.split(a, 2, 1))
check('unstack', lambda: ops.unstack(A), list(a))
check('unbind', lambda: ops.unbind(A, 0), list(a))
check('tile', lambda: ops.tile(A, (2, 1)), np.tile(a, (2, 1)))
check('repeat_interleave', lambda: ops.repeat_interleave(A, 2, 0), a.repeat(2, 0))
check('flip', lambda: ops.flip(A, (0,)), a[::-1])
check('roll', lambda: ops.roll(A, 1, 0), np.roll(a, 1, 0))
check('flatten', lambda: ops.flatten(A), a)
check('T.flatten', lambda: A.flatten(), a.ravel())
check('ravel', lambda: A.ravel(), a.ravel())
check('movedim', lambda: ops.movedim(A, 0, 1), a.T)
check('tril', lambda: ops.tril(A), np.tril(a))
check('triu', lambda: ops.triu(A, 1), np.triu(a, 1))
check('pad', lambda: ops.pad(A, (1, 2)), np.pad(a, ((0, 0), (1, 2))))
check('pad2', lambda: ops.pad(A, (1, 2, 0, 1), value=3.0), np.pad(a, ((0, 1), (1, 2)), constant_values=3))
check('meshgrid', lambda: ops.meshgrid(Tensor([1, 2, 3]), Tensor([4, 5]), indexing='ij'),
      np.meshgrid([1, 2, 3], [4, 5], indexing='ij'))
check('narrow', lambda: ops.narrow(A, 1, 1, 2), a[:, 1:3])
check('ops.max', lambda: ops.max(A, axis=1), (a.max(1), a.argmax(1)))
check('ops.min', lambda: ops.min(A, axis=1), (a.min(1), a.argmin(1)))
check('max()', lambda: A.max(), a.max())
check('ops.max none', lambda: ops.max(A)[0], a.max())
check('argmax', lambda: ops.argmax(A, 1), a.argmax(1))
check('argmax()', lambda: A.argmax(), a.argmax())
check('argmin', lambda: A.argmin(axis=0), a.argmin(0))
check('var', lambda: A.var(), a.var())
check('std', lambda: A.std(axis=1), a.std(1))
check('ops.std', lambda: ops.std(A, axis=1, ddof=1), a.std(1, ddof=1))
check('ops.var', lambda: ops.var(A, axis=0), a.var(0))
check('all', lambda: (A > -10).all(), True)
check('any', lambda: (A > 0).any(axis=1), (a > 0).any(1))
check('ops.all', lambda: ops.all(A > 0, axis=0), (a > 0).all(0))
check('cumsum', lambda: ops.cumsum(A, 1), a.cumsum(1))
check('T.cumsum', lambda: A.cumsum(0), a.cumsum(0))
check('cumprod', lambda: ops.cumprod(A, 1), a.cumprod(1))
check('logsumexp', lambda: ops.logsumexp(A, 1), np.log(np.exp(a).sum(1)))
check('norm', lambda: ops.norm(A), np.linalg.norm(a))
check('count_nonzero', lambda: ops.count_nonzero(A), 12)
check('sort', lambda: ops.sort(A), (np.sort(a), np.argsort(a)))
check('argsort', lambda: ops.argsort(A), np.argsort(a))
check('topk', lambda: ops.topk(A, 2)[0], -np.sort(-a)[:, :2])
check('median', lambda: ops.median(A, axis=1)[0], np.sort(a)[:, 1])
check('unique', lambda: ops.unique(Tensor([1, 2, 2, 3]))[0], [1, 2, 3])
check('nonzero', lambda: ops.nonzero(A > 0), np.argwhere(a > 0))
check('ptp', lambda: A.ptp() if hasattr(A, 'ptp') else A.max() - A.min(), np.ptp(a))
check('matmul', lambda: ops.matmul(C, D), c @ d)
check('@', lambda: C @ D, c @ d)
check('bmm', lambda: ops.bmm(C, D), c @ d)
check('BatchMatMul', lambda: ops.BatchMatMul(transpose_b=True)(C, D.swapaxes(1, 2)), c @ d)
check('MatMul', lambda: ops.MatMul(transpose_a=True)(A, B), a.T @ b)
check('mv', lambda: ops.matmul(A, Tensor(a[0])), a @ a[0])
check('mm', lambda: ops.mm(A, B.T), a @ b.T)
check('dot', lambda: ops.matmul(Tensor(a[0]), Tensor(b[0])), a[0] @ b[0])
check('outer', lambda: ops.outer(Tensor(a[0]), Tensor(b[0])), np.outer(a[0], b[0]))
check('einsum', lambda: ops.einsum('ij,kj->ik', A, B), a @ b.T)
check('tensordot', lambda: ops.tensor_dot(A, B, ((1,), (1,))), np.tensordot(a, b, ((1,), (1,))))
check('addmm', lambda: ops.addmm(Tensor(np.zeros((3, 3), np.float32)), A, B.T), a @ b.T)
check('baddbmm', lambda: ops.baddbmm(Tensor(np.zeros((2, 3, 5), np.float32)), C, D), c @ d)
check('gather', lambda: ops.gather(A, Tensor([2, 0]), 0), a[[2, 0]])
check('gather_d', lambda: ops.gather_elements(A, 1, Tensor(np.array([[0], [1], [2]]))),
      np.take_along_axis(a, np.array([[0], [1], [2]]), 1))
check('gather_nd', lambda: ops.gather_nd(A, Tensor(np.array([[0, 1], [2, 3]]))), a[[0, 2], [1, 3]])
check('index_select', lambda: ops.index_select(A, 1, Tensor([3, 0])), a[:, [3, 0]])
check('take', lambda: A.take(Tensor([1, 2]), axis=1) if hasattr(A, 'take') else A, a[:, [1, 2]])
check('one_hot', lambda: ops.one_hot(Tensor([0, 2]), 3), np.eye(3)[[0, 2]])
check('one_hot old', lambda: ops.one_hot(Tensor([0, 2], ms.int32), 3, Tensor(1.0), Tensor(0.0)), np.eye(3)[[0, 2]])
check('OneHot', lambda: ops.OneHot()(Tensor([0, 2], ms.int32), 3, Tensor(1.0), Tensor(0.0)), np.eye(3)[[0, 2]])
check('scatter_nd',
      lambda: ops.scatter_nd(Tensor(np.array([[1], [3]])), Tensor(np.array([5.0, 6.0], np.float32)), (5,)),
      [0, 5, 0, 6, 0])
check('tensor_scatter_update',
      lambda: ops.tensor_scatter_update(A, Tensor(np.array([[0, 0]])), Tensor(np.array([9.0], np.float32))),
      np.array([[9] + list(a[0, 1:])] + [list(r) for r in a[1:]]))
check('idx tensor', lambda: A[Tensor([0, 2])], a[[0, 2]])
check('idx bool', lambda: A[A > 0], a[a > 0])
check('idx t,t', lambda: A[Tensor([0, 1]), Tensor([2, 3])], a[[0, 1], [2, 3]])
check('idx s,t', lambda: A[:, Tensor([0, 1])], a[:, [0, 1]])
check('idx np', lambda: A[np.array([1, 0])], a[[1, 0]])
check('idx boolrow', lambda: A[Tensor([True, False, True])], a[[True, False, True]])
check('idx True', lambda: A[True], a[None])
check('idx ()', lambda: A[()], a)
check('softmax', lambda: ops.softmax(A, 1), np.exp(a) / np.exp(a).sum(1, keepdims=True))
check('log_softmax', lambda: ops.log_softmax(A, -1), a - np.log(np.exp(a).sum(1, keepdims=True)))
check('Softmax', lambda: ops.Softmax(axis=1)(A), np.exp(a) / np.exp(a).sum(1, keepdims=True))
check('bias_add', lambda: ops.bias_add(A, Tensor(b[0])), a + b[0])
check('zeros', lambda: ops.zeros((2, 3)), np.zeros((2, 3)))
check('ones', lambda: ops.ones((2, 3), ms.int32), np.ones((2, 3)))
check('full', lambda: ops.full((2,), 3.0), [3, 3])
check('arange', lambda: ops.arange(5), np.arange(5))
check('arange2', lambda: ops.arange(1, 2, 0.25), np.arange(1, 2, 0.25))
check('eye', lambda: ops.eye(2, 3), np.eye(2, 3))
check('eye1', lambda: ops.eye(3, 3, ms.float32), np.eye(3))
check('linspace', lambda: ops.linspace(0.0, 1.0, 5), np.linspace(0, 1, 5))
check('zeros_like', lambda: ops.zeros_like(A), np.zeros_like(a))
check('ones_like', lambda: ops.ones_like(A), np.ones_like(a))
check('full_like', lambda: ops.full_like(A, 2.0), np.full_like(a, 2))
check('ZerosLike', lambda: ops.ZerosLike()(A), np.zeros_like(a))
check('rand', lambda: ops.rand(2, 3).shape, (2, 3))
check('randn', lambda: ops.randn(2, 3).shape, (2, 3))
check('randint', lambda: ops.randint(0, 10, (3,)).shape, (3,))
check('randperm', lambda: np.sort(ops.randperm(5).asnumpy()), np.arange(5))
check('ms.ops.normal', lambda: ops.normal((2, 2), 0.0, 1.0).shape, (2, 2))
check('standard_normal', lambda: ops.standard_normal((2, 2)).shape, (2, 2))
check('uniform', lambda: ops.uniform((2, 2), Tensor(0.0), Tensor(1.0)).shape, (2, 2))
check('StandardNormal', lambda: ops.StandardNormal()((2, 2)).shape, (2, 2))
check('multinomial', lambda: ops.multinomial(Tensor([0.5, 0.5]), 3).shape, (3,))
check('bernoulli', lambda: ops.bernoulli(A, 0.5).shape, (3, 4))
check('dropout', lambda: ops.dropout(A, 0.0), a)

for name in """zeros ones array arange linspace eye full sum mean exp sin dot matmul concatenate stack where maximum abs
               sqrt reshape transpose randn rand randint max min argmax tanh log square power clip expand_dims squeeze
               tile cumsum zeros_like ones_like full_like var std add subtract multiply divide""".split():
    if not hasattr(mnp, name):
        faults.append(name)
        print(f"mindspore.numpy has no {name}")

print(f"{len(faults)} faults in mode {ms.get_context('mode')}")
sys.exit(1 if faults else 0)
