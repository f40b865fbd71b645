"""Functions of mindspore.ops and methods of Tensor that are compositions, against numpy. Run in eager and graph mode."""
import itertools
import math

import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Parameter, Tensor, nn, ops

X, Y, M = draw(3, 4), draw(3, 4), draw(4, 4)
I = np.array([3, 1, 1, 0, 5, 3], np.int32)

# Elementwise -----------------------------------------------------------------------------------------------------
for name, f, x in (("deg2rad", np.deg2rad, X), ("rad2deg", np.rad2deg, X), ("frac", lambda x: x - np.trunc(x), X * 3),
                   ("sinc", np.sinc, X), ("logit", lambda x: np.log(x / (1 - x)), 1 / (1 + np.exp(-X))),
                   ("lgamma", np.vectorize(math.lgamma), np.concatenate([np.abs(X) * 4 + np.float32(0.1), -np.abs(X) - np.float32(0.05)])),
                   ("erfinv", None, np.tanh(X))):
    if name == "erfinv":
        same("erfinv", lambda: ops.erf(ops.erfinv(Tensor(x))), x, 1e-5)
        y = ops.erfinv(Tensor(x)).asnumpy().astype(float)
        same("gradient of erfinv", lambda: ms.grad(lambda t: ops.erfinv(t).sum())(Tensor(x)), math.sqrt(math.pi) / 2 * np.exp(y * y), 2e-4)
        same("erfinv of the ends", lambda: ops.erfinv(Tensor([1.0, -1.0, 0.0, 0.999999])),
             np.array([math.inf, -math.inf, 0, 3.458911]), 2e-2)
        continue
    alike(f"ops.{name}", getattr(ops, name), f, [x], tolerance=3e-4)
    same(f"Tensor.{name}", lambda: getattr(Tensor(x), name)(), f(x.astype(float)), 3e-4)
x = np.concatenate([np.abs(X) * 4 + np.float32(0.1), -np.abs(X) - np.float32(0.05)]).reshape(-1)
h = 1e-5
slopes = np.array([(math.lgamma(v + h) - math.lgamma(v - h)) / (2 * h) for v in x.astype(float)])
same("digamma", lambda: ops.digamma(Tensor(x)), slopes, 2e-3)
same("gradient of lgamma", lambda: ms.grad(lambda t: ops.lgamma(t).sum())(Tensor(x)), slopes, 2e-3)
same("sinc of zero", lambda: ops.sinc(Tensor([0.0, 1.0])), [1, 0])
same("heaviside", lambda: ops.heaviside(Tensor([-1.0, 0.0, 2.0]), Tensor([0.5, 0.5, 0.5])), np.heaviside([-1, 0, 2], 0.5))
same("logit with eps", lambda: ops.logit(Tensor([0.0, 0.5]), 0.1), [np.log(1 / 9), 0], 1e-5)
same("float_power", lambda: ops.float_power(Tensor(np.abs(X)), 2.5), np.abs(X.astype(float)) ** 2.5, 1e-12)
assert ops.float_power(Tensor(X), 2).dtype == ms.float64
same("gcd", lambda: ops.gcd(Tensor(I), Tensor(np.int32(12))), np.gcd(I, 12))
same("lcm", lambda: ops.lcm(Tensor(I), Tensor(I[::-1].copy())), np.lcm(I, I[::-1]))
assert ops.numel(Tensor(X)) == 12 and ops.is_floating_point(Tensor(X)) and not ops.is_floating_point(Tensor(I)) and not ops.is_complex(Tensor(X))

# Scans, counts, places -------------------------------------------------------------------------------------------
S = np.array([[1, 3, 3, 2, 5, 4, 5], [2, 1, 0, 2, 2, -1, 3]], np.float32)
for axis in (0, 1, -1):
    for name, f in (("cummax", np.maximum), ("cummin", np.minimum)):
        want = f.accumulate(S, axis)
        values, places = getattr(ops, name)(Tensor(S), axis)
        same(f"{name} {axis}", lambda: values, want)
        same(f"{name} {axis} places", lambda: ops.gather_elements(Tensor(S), axis, places), want)
        alike(f"{name} {axis} slopes", lambda x: getattr(ops, name)(x, axis)[0], lambda x: f.accumulate(x, axis), [draw(3, 5)])
    alike(f"logcumsumexp {axis}", lambda x: ops.logcumsumexp(x, axis), lambda x: np.logaddexp.accumulate(x, axis), [draw(3, 7)])
same("cummax takes the last of equal ones", lambda: ops.cummax(Tensor(S[0]), 0)[1], [0, 1, 2, 2, 4, 4, 6])
same("logcumsumexp of large numbers", lambda: ops.logcumsumexp(Tensor([1000.0, 1000.0]), 0), [1000, 1000 + math.log(2)], 1e-6)
edges = np.array([-1, 0, 0.5, 0.5, 2], np.float32)
for right in (False, True):
    side = "right" if right else "left"
    same(f"searchsorted {side}", lambda: ops.searchsorted(Tensor(edges), Tensor(S), right=right), np.searchsorted(edges, S, side))
    same(f"bucketize {side}", lambda: ops.bucketize(Tensor(X), [-1, 0, 0.5, 0.5, 2], right=right), np.searchsorted(edges, X, side))
rows = np.sort(S, -1)
same("searchsorted in rows", lambda: ops.searchsorted(Tensor(rows), Tensor(S[:, :3])), [np.searchsorted(a, b) for a, b in zip(rows, S[:, :3])])
same("bincount", lambda: ops.bincount(Tensor(I), minlength=8), np.bincount(I, minlength=8))
alike("bincount with weights", lambda w: ops.bincount(Tensor(I), w), lambda w: np.bincount(I, w), [draw(6)])
same("histc", lambda: ops.histc(Tensor(X), 5, -1.0, 1.0), np.histogram(X, 5, (-1, 1))[0])
same("histc of the whole range", lambda: ops.histc(Tensor(X), 4), np.histogram(X, 4)[0])
N = X.copy()
N[0, 1] = N[2, 2] = np.nan
for arguments in ((), (0,), (1, True)):
    keep = dict(keepdims=True) if len(arguments) > 1 else {}
    same(f"nansum {arguments}", lambda: ops.nansum(Tensor(N), *arguments), np.nansum(N, *arguments[:1], **keep))
    same(f"nanmean {arguments}", lambda: ops.nanmean(Tensor(N), *arguments), np.nanmean(N, *arguments[:1], **keep))
alike("std_mean", lambda x: ops.std_mean(x, 1), lambda x: [x.std(1), x.mean(1)], [X])
same("aminmax", lambda: ops.aminmax(Tensor(X), axis=1), [X.min(1), X.max(1)])
alike("trapz", lambda y: ops.trapz(y, dx=0.5), lambda y: 0.5 * (y[:, 1:] + y[:, :-1]).sum(-1) / 2, [X])
alike("trapz of places", lambda y, x: ops.trapz(y, x, dim=0), lambda y, x: ((y[1:] + y[:-1]) / 2 * np.diff(x)[:, None]).sum(0), [X, draw(3)])
alike("quantile", lambda x: ops.quantile(x, 0.3, 1), lambda x: np.quantile(x, 0.3, 1), [draw(3, 8)])
same("quantiles of all", lambda: ops.quantile(Tensor(X), [0.0, 0.5, 1.0]), np.quantile(X, [0, 0.5, 1]))
same("unique_consecutive", lambda: ops.unique_consecutive(Tensor([1, 1, 2, 2, 2, 1]), True, True), [[1, 2, 1], [0, 0, 1, 1, 1, 2], [2, 3, 1]])
same("unique_consecutive rows", lambda: ops.unique_consecutive(Tensor([[1, 2], [1, 2], [3, 4]]), axis=0), [[1, 2], [3, 4]])
same("sequence_mask", lambda: ops.sequence_mask(Tensor([1, 3, 0]), 4), np.arange(4) < np.array([[1], [3], [0]]))

# Pieces ----------------------------------------------------------------------------------------------------------
T = draw(4, 6, 4)
for name, f in (("tensor_split", np.array_split), ("vsplit", np.array_split)):
    for parts in (3, [1, 3], [2, 9]):
        same(f"{name} {parts}", lambda: getattr(ops, name)(Tensor(T), parts), f(T, parts))
same("hsplit", lambda: ops.hsplit(Tensor(T), 3), np.hsplit(T, 3))
same("dsplit", lambda: Tensor(T).dsplit([1, 2]), np.dsplit(T, [1, 2]))
for name in ("hstack", "vstack", "dstack", "column_stack"):
    alike(name, lambda a, b: getattr(ops, name)((a, b)), lambda a, b: getattr(np, name)((a, b)), [X, Y])
    same(f"{name} of vectors", lambda: getattr(ops, name)((Tensor(X[0]), Tensor(Y[0]))), getattr(np, name)((X[0], Y[0])))
for name in ("fliplr", "flipud", "atleast_1d", "atleast_2d", "atleast_3d"):
    alike(name, getattr(ops, name), getattr(np, name), [X])
same("atleast of many", lambda: ops.atleast_2d(Tensor(1.0), Tensor(X[0])), np.atleast_2d(np.float32(1), X[0]))
for k in range(-1, 5):
    same(f"rot90 {k}", lambda: ops.rot90(Tensor(T), k, (1, 2)), np.rot90(T, k, (1, 2)))
same("block_diag", lambda: ops.block_diag(Tensor(X), Tensor(M)), np.block([[X, np.zeros((3, 4))], [np.zeros((4, 4)), M]]))
for offset in (-1, 0, 2):
    alike(f"diag_embed {offset}", lambda x: ops.diag_embed(x, offset), lambda x: np.stack([np.diag(r, offset) for r in x]), [X])
same("diag_embed of other axes", lambda: ops.diag_embed(Tensor(X), 0, 0, 1), np.moveaxis(np.stack([np.diag(r) for r in X]), 0, -1))
same("cartesian_prod", lambda: ops.cartesian_prod(Tensor([1, 2]), Tensor([3, 4, 5])), list(itertools.product([1, 2], [3, 4, 5])))
for again in (False, True):
    f = itertools.combinations_with_replacement if again else itertools.combinations
    same(f"combinations {again}", lambda: ops.combinations(Tensor(X[0]), 2, again), list(f(X[0], 2)))
for k in (-1, 0, 1):
    same(f"tril_indices {k}", lambda: ops.tril_indices(3, 4, k), np.tril_indices(3, k, 4))
    same(f"triu_indices {k}", lambda: ops.triu_indices(3, 4, k), np.triu_indices(3, k, 4))
same("vander", lambda: ops.vander(Tensor([1.0, 2.0, 3.0]), 4), np.vander([1, 2, 3], 4))
same("logspace", lambda: ops.logspace(0, 3, 4), [1, 10, 100, 1000], 1e-4)
alike("moveaxis", lambda x: ops.moveaxis(x, 0, 2), lambda x: np.moveaxis(x, 0, 2), [T])

# Products --------------------------------------------------------------------------------------------------------
alike("inner", ops.inner, np.inner, [X, Y])
alike("ger", ops.ger, np.outer, [X[0], Y[1]])
alike("mv", ops.mv, lambda a, b: a @ b, [X, draw(4)])
alike("addmv", lambda a, b, c: ops.addmv(a, b, c, beta=0.5, alpha=2), lambda a, b, c: 0.5 * a + 2 * (b @ c), [draw(3), X, draw(4)])
alike("addr", lambda a, b, c: ops.addr(a, b, c, beta=0.5, alpha=2), lambda a, b, c: 0.5 * a + 2 * np.outer(b, c), [X, draw(3), draw(4)])
alike("addbmm", ops.addbmm, lambda a, b, c: a + (b @ c).sum(0), [draw(3, 2), draw(5, 3, 4), draw(5, 4, 2)])
alike("vecdot", ops.vecdot, lambda a, b: (a * b).sum(-1), [X, Y])
alike("kron", ops.kron, np.kron, [X, draw(2, 3)])
alike("kron of other ranks", ops.kron, np.kron, [draw(2), draw(2, 3)])
alike("cross", ops.cross, lambda a, b: np.cross(a, b, axis=0), [X, Y])
alike("cross of the last axis", lambda a, b: ops.cross(a, b, -1), np.cross, [draw(3, 3), draw(3, 3)])
alike("trace", ops.trace, np.trace, [M])
for p in (1.0, 2.0, 3.0, math.inf):
    alike(f"cdist {p}", lambda a, b: ops.cdist(a, b, p), lambda a, b: np.linalg.norm(a[:, None] - b[None], p, -1), [X, draw(5, 4)])
same("slope of cdist of the same", lambda: ms.grad(lambda a: ops.cdist(a, a * 1.0).sum())(Tensor(X)).shape, (3, 4))
assert np.isfinite(ms.grad(lambda a: ops.cdist(a, Tensor(X)).sum())(Tensor(X)).asnumpy()).all()
alike("dist", ops.dist, lambda a, b: np.linalg.norm(a - b), [X, Y])


# Scattering ------------------------------------------------------------------------------------------------------
def changed(x, f):
    x = x.copy()
    f(x)
    return x


def at(f, index):
    return lambda x, u: changed(x, lambda y: f(y, index, u))


def fill(x):
    x[:, [0, 2, 3]] = 7.0


alike("index_fill", lambda x: ops.index_fill(x, 1, [0, 2, -1], 7.0), lambda x: changed(x, fill), [X])
mask = X > 0.2
alike("masked_scatter", lambda x, s: ops.masked_scatter(x, Tensor(mask), s), lambda x, s: changed(x, lambda y: np.place(y, mask, s.reshape(-1))), [X, Y])
places = np.array([[0, 2, 1, 0]], np.int64)
alike("scatter", lambda x, s: ops.scatter(x, 0, Tensor(places), s), lambda x, s: changed(x, lambda y: np.put_along_axis(y, places, s, 0)), [X, draw(1, 4)])
alike("select_scatter", lambda x, s: ops.select_scatter(x, s, 1, 2), lambda x, s: changed(x, lambda y: y.__setitem__((slice(None), 2), s)), [X, draw(3)])
alike("slice_scatter", lambda x, s: ops.slice_scatter(x, s, 1, 1, 4, 2), lambda x, s: changed(x, lambda y: y.__setitem__((slice(None), slice(1, 4, 2)), s)), [X, draw(3, 2)])
rows, cells = np.array([[0], [2], [0]], np.int32), np.array([[0, 1], [2, 3], [0, 1]], np.int32)
for name, f in (("sub", np.subtract), ("max", np.maximum), ("min", np.minimum), ("mul", np.multiply), ("div", np.divide)):
    u, v = np.abs(draw(3, 4)) + np.float32(0.5), np.abs(draw(3)) + np.float32(0.5)
    alike(f"tensor_scatter_{name} of rows", lambda x, u: getattr(ops, f"tensor_scatter_{name}")(x, Tensor(rows), u), at(f.at, rows[:, 0]), [X, u], tolerance=3e-4)
    alike(f"tensor_scatter_{name} of cells", lambda x, v: getattr(Tensor, f"tensor_scatter_{name}")(x, Tensor(cells), v), at(f.at, tuple(cells.T)), [X, v],
          tolerance=3e-4)
for name, f in (("add", np.add), ("sub", np.subtract), ("max", np.maximum), ("min", np.minimum), ("mul", np.multiply), ("div", np.divide)):
    p, u = Parameter(Tensor(X), name="p"), np.abs(draw(2, 4)) + np.float32(0.5)
    same(f"scatter_{name}", lambda: (getattr(ops, f"scatter_{name}")(p, Tensor([0, 2]), Tensor(u)), p)[1], at(f.at, [0, 2])(X, u), 1e-5)
p = Parameter(Tensor(X), name="p")
ops.scatter_update(p, Tensor([1]), Tensor(Y[:1]))
same("scatter_update", lambda: p, np.stack([X[0], Y[0], X[2]]))


# Segments, sequences and variables -------------------------------------------------------------------------------
ids, rows = np.array([2, 0, 2, 1, 2], np.int32), draw(5, 3)
for name, f, start in (("sum", np.add, 0.0), ("max", np.maximum, -np.inf), ("min", np.minimum, np.inf), ("prod", np.multiply, 1.0)):
    alike(f"unsorted_segment_{name}", lambda x: getattr(ops, f"unsorted_segment_{name}")(x, Tensor(ids), 3),
          lambda x: at(f.at, ids)(np.full((3, 3), start), x), [rows])
same("an empty segment", lambda: ops.unsorted_segment_sum(Tensor(rows), Tensor(ids), 4)[3], np.zeros(3))
same("sums of two axes", lambda: ops.unsorted_segment_sum(Tensor(T), Tensor(np.arange(24, dtype=np.int32).reshape(4, 6) % 2), 2),
     np.stack([T.reshape(24, 4)[k::2].sum(0) for k in (0, 1)]), 1e-5)


def turned(x, lengths):
    x = x.copy()
    for b, n in enumerate(lengths):
        x[:, b, :n] = x[:, b, :n][:, ::-1]
    return x


alike("reverse_sequence", lambda x: ops.reverse_sequence(x, Tensor([1, 3, 4, 0, 2, 4]), 2, 1), lambda x: turned(x, [1, 3, 4, 0, 2, 4]), [T])
alike("cov", ops.cov, np.cov, [X])
alike("cov without correction", lambda x: ops.cov(x, correction=0), lambda x: np.cov(x, ddof=0), [X])
same("cov with weights", lambda: ops.cov(Tensor(X), fweights=Tensor([1, 2, 1, 3]), aweights=Tensor([0.5, 1.0, 2.0, 1.0])),
     np.cov(X, fweights=[1, 2, 1, 3], aweights=[0.5, 1, 2, 1]), 1e-4)
alike("corrcoef", ops.corrcoef, np.corrcoef, [X])


def grouped(x, w, b):
    y = x.reshape(4, 2, -1)
    y = (y - y.mean(-1, keepdims=True)) / np.sqrt(y.var(-1, keepdims=True) + 1e-5)
    return y.reshape(x.shape) * w[:, None] + b[:, None]


alike("group_norm", lambda x, w, b: ops.group_norm(x, 2, w, b), grouped, [T, draw(6), draw(6)], tolerance=3e-4)
alike("rms_norm", lambda x, g: ops.rms_norm(x, g)[0], lambda x, g: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g, [X, draw(4)])
assert ops.rand_like(Tensor(X)).shape == ops.randn_like(Tensor(X)).shape == (3, 4)
assert ops.randint_like(Tensor(I), 2, 5).dtype == ms.int32 and set(ops.randint_like(Tensor(I), 2, 5).tolist()) <= {2, 3, 4}


# Other resolutions -----------------------------------------------------------------------------------------------
def resampled(x, size, kernel, align, corner=False):
    """Each new element as a sum over neighbours, axis by axis; neighbours beyond the edge are the edge."""
    for axis, m in zip(range(2, x.ndim), size):
        n, out = x.shape[axis], []
        for i in range(m):
            at = i * (n - 1) / max(m - 1, 1) if align else i * n / m if corner else (i + 0.5) * n / m - 0.5
            at = at if kernel is cubic else max(at, 0)
            low = math.floor(at)
            out.append(sum(kernel(at - j) * np.take(x, min(max(j, 0), n - 1), axis) for j in range(low - 1, low + 3)))
        x = np.stack(out, axis)
    return x


def linear(d):
    return max(0.0, 1 - abs(d))


def cubic(d, a=-0.75):
    d = abs(d)
    return (a + 2) * d**3 - (a + 3) * d**2 + 1 if d <= 1 else a * (d**3 - 5 * d**2 + 8 * d - 4) if d < 2 else 0.0


for mode, kernel, shape, size in (("linear", linear, (2, 3, 5), (8,)), ("bilinear", linear, (1, 2, 4, 5), (7, 3)), ("bicubic", cubic, (1, 2, 4, 5), (7, 3)),
                                  ("trilinear", linear, (1, 2, 3, 4, 2), (5, 2, 3))):
    for align in (False, True):
        alike(f"interpolate {mode} align={align}", lambda x: ops.interpolate(x, size, None, mode, align), lambda x: resampled(x, size, kernel, align), [draw(*shape)])
P = draw(1, 2, 4, 6)
for m, n in ((8, 12), (2, 3), (5, 9)):
    nearest = np.ix_([0], [0, 1], [i * 4 // m for i in range(m)], [i * 6 // n for i in range(n)])
    alike(f"interpolate nearest {m, n}", lambda x: ops.interpolate(x, (m, n)), lambda x: x[nearest], [P])
same("interpolate by a factor", lambda: ops.interpolate(Tensor(P), scale_factor=2.0), P.repeat(2, 2).repeat(2, 3))
same("interpolate area", lambda: ops.interpolate(Tensor(P), (2, 3), mode="area"), P.reshape(1, 2, 2, 2, 3, 2).mean((3, 5)))
same("Upsample", lambda: nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)(Tensor(P)), resampled(P.astype(float), (8, 12), linear, True))
for half, align in ((True, False), (False, True), (False, False)):
    alike(f"ResizeBilinear {half, align}", lambda x: nn.ResizeBilinear(half)(x, (7, 4), align_corners=align),
          lambda x: resampled(x, (7, 4), linear, align, not half), [P])


def sampled(x, grid, mode, padding, align):
    n, c, h, w = x.shape
    y = np.zeros((n, c) + grid.shape[1:3])
    for b, i, j in itertools.product(range(n), *map(range, grid.shape[1:3])):
        place = []
        for v, m in zip(grid[b, i, j], (w, h)):
            v = (v + 1) * (m - 1) / 2 if align else ((v + 1) * m - 1) / 2
            if padding == "reflection":
                low, high = (0, m - 1) if align else (-0.5, m - 0.5)
                while not low <= v <= high:
                    v = 2 * low - v if v < low else 2 * high - v
            place.append(v if padding == "zeros" else min(max(v, 0), m - 1))
        for r, q in itertools.product(range(h), range(w)):
            if mode == "nearest":
                weight = float(np.round(place[0]) == q and np.round(place[1]) == r)
            else:
                weight = linear(place[0] - q) * linear(place[1] - r)
            y[b, :, i, j] += weight * x[b, :, r, q]
    return y


for mode, padding, align in itertools.product(("bilinear", "nearest"), ("zeros", "border", "reflection"), (False, True)):
    alike(f"grid_sample {mode} {padding} {align}", lambda x, g: ops.grid_sample(x, g, mode, padding, align),
          lambda x, g: sampled(x, g, mode, padding, align), [draw(2, 2, 3, 4), draw(2, 3, 2, 2)], tolerance=1e-3)
turn = np.array([[[1, 0, 0], [0, 1, 0]]], np.float32)
for align in (False, True):
    same(f"affine_grid of the identity {align}", lambda: ops.grid_sample(Tensor(P), ops.affine_grid(Tensor(turn), (1, 2, 4, 6), align), "bilinear", "zeros", align), P, 1e-5)

# A compiled call -------------------------------------------------------------------------------------------------
f = ms.jit(lambda x: ops.kron(ops.cummax(x, 1)[0], ops.interpolate(x.reshape(1, 1, 3, 4), (2, 2), mode="bilinear")[0, 0]))
same("compiled", lambda: f(Tensor(X)), np.kron(np.maximum.accumulate(X, 1), resampled(X.reshape(1, 1, 3, 4).astype(float), (2, 2), linear, False)[0, 0]), 1e-4)
same("compiled again", lambda: f(Tensor(Y)), np.kron(np.maximum.accumulate(Y, 1), resampled(Y.reshape(1, 1, 3, 4).astype(float), (2, 2), linear, False)[0, 0]), 1e-4)

# Mistakes --------------------------------------------------------------------------------------------------------
refuses("cross", ValueError, lambda: ops.cross(Tensor(M), Tensor(M)), "cross", "3")
refuses("mv", ValueError, lambda: ops.mv(Tensor(M), Tensor(M)), "vector")
refuses("trace", ValueError, lambda: ops.trace(Tensor(T)), "matrix", "(4, 6, 4)")
refuses("bincount", ValueError, lambda: ops.bincount(Tensor(X)), "whole numbers")
refuses("bins", ValueError, lambda: ops.histc(Tensor(X), 0), "bins")
refuses("quantile", ValueError, lambda: ops.quantile(Tensor(X), 1.5), "[0, 1]")
refuses("searchsorted", ValueError, lambda: ops.searchsorted(Tensor(X), Tensor(M)), "(3, 4)", "(4, 4)")
refuses("parts", ValueError, lambda: ops.tensor_split(Tensor(X), 0), "parts")
refuses("mode", ValueError, lambda: ops.interpolate(Tensor(P), (2, 2), mode="linear"), "linear", "3 axes")
refuses("size", ValueError, lambda: ops.interpolate(Tensor(P)), "size", "scale_factor")
refuses("grid", ValueError, lambda: ops.grid_sample(Tensor(P), Tensor(X)), "grid_sample", "(3, 4)")
refuses("gcd", TypeError, lambda: ops.gcd(Tensor(X), Tensor(I)), "whole numbers")
refuses("rot90", ValueError, lambda: ops.rot90(Tensor(X), 1, (1, 1)), "dims")
finish(213)
