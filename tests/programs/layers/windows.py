"""Convolutions, transposed convolutions, pooling and windows over one to three axes, against numpy written as loops."""
import itertools

import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Tensor, nn, ops


def listed(v, axes):
    return (v,) * axes if isinstance(v, int) else tuple(v)


def padding_of(n, k, s, d, mode, pad):
    """(before, after) along one axis."""
    if mode == "same":
        total = max(0, (-(-n // s) - 1) * s + (k - 1) * d + 1 - n)
        return total // 2, total - total // 2
    return pad if mode == "pad" else (0, 0)


def pairs(padding, axes):
    if not isinstance(padding, int) and len(padding) == 2 * axes:
        return [tuple(padding[2 * i:2 * i + 2]) for i in range(axes)]
    return [(p, p) for p in listed(padding, axes)]


def conv(x, w, b, stride=1, mode="valid", padding=0, dilation=1, groups=1):
    axes = x.ndim - 2
    k, s, d = w.shape[2:], listed(stride, axes), listed(dilation, axes)
    pads = [padding_of(*a) for a in zip(x.shape[2:], k, s, d, [mode] * axes, pairs(padding, axes))]
    x = np.pad(x, [(0, 0), (0, 0)] + pads)
    out = [(n - (kk - 1) * dd - 1) // ss + 1 for n, kk, ss, dd in zip(x.shape[2:], k, s, d)]
    y = np.zeros((x.shape[0], w.shape[0], *out))
    per = w.shape[0] // groups
    for o in range(w.shape[0]):
        g = o // per
        part = x[:, g * w.shape[1]:(g + 1) * w.shape[1]]
        for at in itertools.product(*map(range, out)):
            window = part[(slice(None), slice(None)) + tuple(
                slice(i * ss, i * ss + (kk - 1) * dd + 1, dd) for i, ss, kk, dd in zip(at, s, k, d))]
            y[(slice(None), o) + at] = (window * w[o]).reshape(len(x), -1).sum(-1)
    return y if b is None else y + b.reshape((1, -1) + (1,) * axes)


def transposed(x, w, b, stride=1, mode="pad", padding=0, more=0, dilation=1, groups=1):
    """Every input element adds its multiple of the kernel; then the padding is cut off."""
    axes = x.ndim - 2
    k, s, d, m = w.shape[2:], listed(stride, axes), listed(dilation, axes), listed(more, axes)
    reach = [(kk - 1) * dd + 1 for kk, dd in zip(k, d)]
    full = [(n - 1) * ss + r + mm for n, ss, r, mm in zip(x.shape[2:], s, reach, m)]
    full = [max(f, n * ss) for f, n, ss in zip(full, x.shape[2:], s)] if mode != "pad" else full
    y = np.zeros((x.shape[0], w.shape[1] * groups, *full))
    per = x.shape[1] // groups
    for c in range(x.shape[1]):
        g = c // per
        for at in itertools.product(*map(range, x.shape[2:])):
            places = tuple(slice(i * ss, i * ss + r, dd) for i, ss, r, dd in zip(at, s, reach, d))
            outer = x[(slice(None), c) + at].reshape((-1, 1) + (1,) * axes) * w[c]
            y[(slice(None), slice(g * w.shape[1], (g + 1) * w.shape[1])) + places] += outer
    if mode == "same":
        wanted = [n * ss for n, ss in zip(x.shape[2:], s)]
        cut = [(max(0, r - ss) // 2, n) for r, ss, n in zip(reach, s, wanted)]
        y = y[(...,) + tuple(slice(a, a + n) for a, n in cut)]
    elif mode == "pad":
        y = y[(...,) + tuple(slice(a, n - z) for (a, z), n in zip(pairs(padding, axes), y.shape[2:]))]
    return y if b is None else y + b.reshape((1, -1) + (1,) * axes)


def one_row(f):
    """Conv1d's weight has an axis of extent 1 more."""
    return lambda x, w, b, *rest, **more: f(x, w[:, :, 0], b, *rest, **more)


# Convolution layers ----------------------------------------------------------------------------------------------
EXTENTS = {1: (9,), 2: (7, 6), 3: (5, 6, 4)}
LAYERS = {1: (nn.Conv1d, nn.Conv1dTranspose), 2: (nn.Conv2d, nn.Conv2dTranspose), 3: (nn.Conv3d, nn.Conv3dTranspose)}
CASES = [dict(), dict(stride=2), dict(pad_mode="valid", stride=2, has_bias=True), dict(pad_mode="pad", padding=2, has_bias=True),
         dict(dilation=2), dict(group=2, has_bias=True), dict(pad_mode="pad", padding=1, stride=2, dilation=2, group=2)]
for axes, (layer, back) in LAYERS.items():
    own = [dict(kernel_size=(3, 2, 2)[:axes], stride=(2, 1, 3)[:axes])] if axes > 1 else []
    own += [dict(pad_mode="pad", padding=(2, 1, 0, 1, 1, 0)[:2 * axes])] if axes > 1 else []
    for case in CASES + own:
        options = dict(kernel_size=3) | case
        net = layer(4, 6, **options)
        f = one_row(conv) if axes == 1 else conv
        arguments = (options.get("stride", 1), options.get("pad_mode", "same"), options.get("padding", 0),
                     options.get("dilation", 1), options.get("group", 1))
        alike(f"{layer.__name__} {case}", net, lambda x, w, b=None: f(x, w, b, *arguments), [draw(2, 4, *EXTENTS[axes])],
              net.trainable_params())
        net = back(4, 6, **options)
        f = one_row(transposed) if axes == 1 else transposed
        alike(f"{back.__name__} {case}", net,
              lambda x, w, b=None: f(x, w, b, *arguments[:3], 0, *arguments[3:]),
              [draw(2, 4, *EXTENTS[axes])], net.trainable_params())
    if axes > 1:
        net = back(4, 6, 3, stride=2, pad_mode="pad", padding=1, output_padding=1, has_bias=True)
        alike(f"{back.__name__} output_padding", net, lambda x, w, b: transposed(x, w, b, 2, "pad", 1, 1), [draw(2, 4, *EXTENTS[axes])],
              net.trainable_params())
        small = back(2, 2, 1, stride=3, pad_mode="valid")
        alike(f"{back.__name__} of a kernel below the stride", small, lambda x, w: transposed(x, w, None, 3, "valid"),
              [draw(1, 2, *EXTENTS[axes])], small.trainable_params())
    w, b = draw(6, 2, *(3, 2, 2)[:axes]), draw(6)
    alike(f"ops.conv{axes}d", lambda x, w, b: getattr(ops, f"conv{axes}d")(x, w, b, 2, "pad", 1, 1, 2),
          lambda x, w, b: conv(x, w, b, 2, "pad", 1, 1, 2), [draw(2, 4, *EXTENTS[axes]), w, b])
    w = draw(4, 3, *(3, 2, 2)[:axes])
    alike(f"ops.conv_transpose{axes}d", lambda x, w, b: getattr(ops, f"conv_transpose{axes}d")(x, w, b, 2, 1, 1, 2, 1),
          lambda x, w, b: transposed(x, w, b, 2, "pad", 1, 1, 1, 2), [draw(2, 4, *EXTENTS[axes]), w, b])
for dtype, tolerance in ((ms.float64, 1e-6), (ms.float16, 2e-2)):
    x, w = Tensor(draw(1, 2, 4, 4, 4), dtype), Tensor(draw(3, 2, 2, 2, 2), dtype)
    same(f"conv3d of {dtype}", lambda: ops.conv3d(x, w).astype(ms.float64), conv(*(t.astype(ms.float64).asnumpy() for t in (x, w)), None),
         tolerance)
    f = lambda: sum(g.astype(ms.float64).sum() for g in ms.grad(lambda x, w: ops.conv3d(x, w).sum(), (0, 1))(x, w))
    xs, ws = (t.astype(ms.float64).asnumpy() for t in (x, w))
    same(f"gradients of conv3d of {dtype}", f,
         conv(np.ones((1, 3, 3, 3, 3)), np.ones((1, 3, 1, 1, 1)), None).sum() * 0 + 27 * ws.sum() +
         3 * sum(xs[:, :, i:i + 3, j:j + 3, k:k + 3].sum() for i in (0, 1) for j in (0, 1) for k in (0, 1)), tolerance)
# A gradient of the gradient goes through the other two products.
second = lambda x, w: ms.grad(lambda a, b: (ops.conv3d(a, b) ** 2).sum(), (0, 1))(x, w)
x, w, h = draw(1, 1, 3, 3, 3), draw(1, 1, 2, 2, 2), 1e-6


def slopes(x, w):
    dy = 2 * conv(x, w, None)
    dw = np.stack([(x[..., i:i + 2, j:j + 2, k:k + 2] * dy).sum() for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    return [transposed(dy, w, None), dw.reshape(w.shape)]


alike("gradients of conv3d", lambda x, w: second(x, w), slopes, [x, w], tolerance=1e-3)


# Pooling ---------------------------------------------------------------------------------------------------------
def windows(x, kernel, stride, pads, dilation, ceil):
    """Yields the place of each window and the places of its elements within the input."""
    axes = x.ndim - 2
    counts, spans = [], []
    for n, k, s, (a, z), d in zip(x.shape[2:], kernel, stride, pads, dilation):
        room = n + a + z - (k - 1) * d - 1
        count = (-(-room // s) if ceil else room // s) + 1
        count -= ceil and (count - 1) * s >= n + a
        counts.append(count)
        spans.append([[p for p in range(i * s - a, i * s - a + k * d, d)] for i in range(count)])
    return counts, itertools.product(*[enumerate(s) for s in spans])


def pool(x, kind, kernel, stride, mode="valid", padding=0, dilation=1, ceil=False, include=True, divisor=None):
    axes = x.ndim - 2
    kernel, stride, dilation = (listed(v, axes) for v in (kernel, stride, dilation))
    pads = [padding_of(*a) for a in zip(x.shape[2:], kernel, stride, dilation, [mode] * axes, pairs(padding, axes))]
    counts, places = windows(x, kernel, stride, pads, dilation, ceil)
    y, where = np.zeros(x.shape[:2] + tuple(counts)), np.zeros(x.shape[:2] + tuple(counts), np.int64)
    for place in places:
        at = tuple(i for i, _ in place)
        inside = [[p for p in span if 0 <= p < n] for (_, span), n in zip(place, x.shape[2:])]
        padded = [[p for p in span if -a <= p < n + z] for (_, span), n, (a, z) in zip(place, x.shape[2:], pads)]
        part = x[np.ix_(range(x.shape[0]), range(x.shape[1]), *inside)].reshape(*x.shape[:2], -1)
        index = (slice(None), slice(None)) + at
        if kind == "max":
            y[index] = part.max(-1)
            flat = np.ravel_multi_index(np.ix_(*inside), x.shape[2:]).reshape(-1)
            where[index] = flat[part.argmax(-1)]
        else:
            held = padded if include and mode != "same" else inside
            y[index] = part.sum(-1) / (divisor or np.prod([len(h) for h in held]))
    return y, where


POOLS = [dict(), dict(stride=2), dict(stride=2, pad_mode="same"), dict(stride=1, pad_mode="pad", padding=1),
         dict(stride=3, pad_mode="pad", padding=1, ceil_mode=True), dict(stride=2, ceil_mode=True)]
for axes in (1, 2, 3):
    x = draw(2, 3, *EXTENTS[axes])
    for case in POOLS + [dict(dilation=2), dict(dilation=2, stride=2, pad_mode="pad", padding=1)]:
        o = dict(kernel_size=(3, 2, 2)[:axes] if axes > 1 else 3, stride=1) | case
        given = (o["kernel_size"], o["stride"], o.get("pad_mode", "valid"), o.get("padding", 0), o.get("dilation", 1), o.get("ceil_mode", False))
        net = getattr(nn, f"MaxPool{axes}d")(**o)
        alike(f"MaxPool{axes}d {case}", net, lambda x: pool(x, "max", *given)[0], [x])
        both = getattr(nn, f"MaxPool{axes}d")(**o, return_indices=True)
        same(f"MaxPool{axes}d {case} with indices", lambda: both(Tensor(x)), pool(x, "max", *given))
        alike(f"MaxPool{axes}d {case} beside indices", lambda x: both(x)[0], lambda x: pool(x, "max", *given)[0], [x])
        if "dilation" in case:
            continue
        for more in ({}, dict(count_include_pad=False), dict(divisor_override=5))[:3 if axes > 1 else 2]:
            net = getattr(nn, f"AvgPool{axes}d")(**o, **more)
            alike(f"AvgPool{axes}d {case | more}", net, lambda x: pool(x, "avg", *given, more.get("count_include_pad", True),
                                                                       more.get("divisor_override"))[0], [x])
    same(f"MaxPool{axes}d without a batch", lambda: getattr(nn, f"MaxPool{axes}d")(2)(Tensor(x[0])), pool(x[:1], "max", 2, 1)[0][0])
    same(f"AvgPool{axes}d without a batch", lambda: getattr(nn, f"AvgPool{axes}d")(2)(Tensor(x[0])), pool(x[:1], "avg", 2, 1)[0][0])
    same(f"ops.max_pool{axes}d", lambda: getattr(ops, f"max_pool{axes}d")(Tensor(x), 2), pool(x, "max", 2, 2)[0])
    same(f"ops.avg_pool{axes}d", lambda: getattr(ops, f"avg_pool{axes}d")(Tensor(x), 2, 2, 1, True, False),
         pool(x, "avg", 2, 2, "pad", 1, 1, True, False)[0])


def adaptive(x, sizes, reduce):
    y = np.zeros(x.shape[:2] + sizes)
    for at in itertools.product(*map(range, sizes)):
        part = tuple(slice(i * n // s, -(-(i + 1) * n // s)) for i, n, s in zip(at, x.shape[2:], sizes))
        y[(slice(None), slice(None)) + at] = reduce(x[(slice(None), slice(None)) + part].reshape(*x.shape[:2], -1), -1)
    return y


for axes, sizes in ((1, (4,)), (1, (3,)), (2, (3, 4)), (2, (7, 2)), (2, (1, 1)), (3, (2, 3, 4)), (3, (5, 4, 3))):
    given, x = sizes[0] if axes == 1 else sizes, draw(2, 3, *EXTENTS[axes])
    alike(f"AdaptiveAvgPool{axes}d {sizes}", getattr(nn, f"AdaptiveAvgPool{axes}d")(given), lambda x: adaptive(x, sizes, np.mean), [x])
    alike(f"AdaptiveMaxPool{axes}d {sizes}", getattr(nn, f"AdaptiveMaxPool{axes}d")(given), lambda x: adaptive(x, sizes, np.max), [x])
    values, places = getattr(nn, f"AdaptiveMaxPool{axes}d")(given, True)(Tensor(x))
    same(f"places of AdaptiveMaxPool{axes}d {sizes}",
         lambda: ops.gather_elements(Tensor(x.reshape(2, 3, -1)), 2, places.reshape(2, 3, -1)), values.asnumpy().reshape(2, 3, -1))
alike("AdaptiveAvgPool2d None", nn.AdaptiveAvgPool2d((None, 2)), lambda x: adaptive(x, (7, 2), np.mean), [draw(2, 3, 7, 6)])
alike("ops.adaptive_avg_pool2d", lambda x: ops.adaptive_avg_pool2d(x, 3), lambda x: adaptive(x[None], (3, 3), np.mean)[0], [draw(3, 7, 6)])


# Norms of windows, and maxima put back ---------------------------------------------------------------------------
for axes in (1, 2):
    x = np.abs(draw(2, 3, *EXTENTS[axes])) + np.float32(0.1)
    for p in (1, 2, 3):
        alike(f"LPPool{axes}d {p}", getattr(nn, f"LPPool{axes}d")(p, 2, 2), lambda x: (pool(x**p, "avg", 2, 2)[0] * 2**axes) ** (1 / p), [x])
    same(f"lp_pool{axes}d with partial windows", lambda: getattr(ops, f"lp_pool{axes}d")(Tensor(x), 2, 3, 2, True),
         np.sqrt(pool(x**2, "avg", 3, 2, ceil=True, divisor=1)[0]), 1e-4)
for axes in (1, 2, 3):
    x = draw(2, 3, *EXTENTS[axes])
    values, places = pool(x, "max", 2, 2)
    want = np.zeros_like(x).reshape(2, 3, -1)
    np.put_along_axis(want, places.reshape(2, 3, -1), values.reshape(2, 3, -1).astype(np.float32), 2)
    net = getattr(nn, f"MaxUnpool{axes}d")(2, 2)
    same(f"MaxUnpool{axes}d", lambda: net(Tensor(values.astype(np.float32)), Tensor(places), x.shape), want.reshape(x.shape))
    assert net(Tensor(values.astype(np.float32)), Tensor(places)).shape == (2, 3) + tuple(n // 2 * 2 for n in EXTENTS[axes])
    same(f"slopes of MaxUnpool{axes}d", lambda: ms.grad(lambda v: (net(v, Tensor(places), x.shape) * Tensor(x)).sum())(Tensor(values.astype(np.float32))), values)

# Windows as columns, and pixels ----------------------------------------------------------------------------------
def columns(x, k, d, p, s):
    x = np.pad(x, [(0, 0), (0, 0), (p, p), (p, p)])
    rows, across = ((n - (k - 1) * d - 1) // s + 1 for n in x.shape[2:])
    return np.stack([x[:, :, i * s:i * s + (k - 1) * d + 1:d, j * s:j * s + (k - 1) * d + 1:d].reshape(len(x), -1)
                     for i in range(rows) for j in range(across)], -1)


for k, d, p, s in ((2, 1, 0, 1), (3, 1, 1, 2), (2, 2, 1, 2)):
    x = draw(2, 3, 6, 6)
    alike(f"unfold {k, d, p, s}", lambda x: ops.unfold(x, k, d, p, s), lambda x: columns(x, k, d, p, s), [x])
    c = columns(x, k, d, p, s)
    # fold is unfold's transpose: the sum of the products is the same on both sides.
    y = Tensor(draw(*c.shape))
    same(f"fold {k, d, p, s}", lambda: (ops.fold(y, (6, 6), k, d, p, s) * Tensor(x)).sum(), (y.asnumpy().astype(float) * c).sum(), 1e-4)
    same(f"gradient of fold {k, d, p, s}", lambda: ms.grad(lambda y: (ops.fold(y, (6, 6), k, d, p, s) * Tensor(x)).sum())(y), c)


def shuffled(x, r):
    n, c, h, w = x.shape
    y = np.zeros((n, c // r**2, h * r, w * r))
    for k in range(c):
        y[:, k // r**2, k % r**2 // r::r, k % r::r] = x[:, k]
    return y


alike("PixelShuffle", nn.PixelShuffle(2), lambda x: shuffled(x, 2), [draw(2, 8, 3, 4)])
x = draw(2, 3, 6, 9)
same("PixelUnshuffle", lambda: nn.PixelShuffle(3)(nn.PixelUnshuffle(3)(Tensor(x))), x)
assert ops.pixel_unshuffle(Tensor(x[0]), 3).shape == (27, 2, 3)

# A compiled call keeps its windows.
net = nn.SequentialCell(nn.Conv1d(3, 4, 3), nn.ReLU(), nn.MaxPool1d(2, 2), nn.AdaptiveAvgPool1d(3))
f = ms.jit(lambda x: net(x))
x = Tensor(draw(2, 3, 10))
same("compiled", lambda: f(x), net(x).asnumpy())
same("compiled again", lambda: f(x), net(x).asnumpy())

# Mistakes --------------------------------------------------------------------------------------------------------
refuses("stride", ValueError, lambda: nn.Conv1d(3, 4, 3, stride=0), "Conv1d", "stride", "0")
refuses("kernel", TypeError, lambda: nn.Conv3d(3, 4, (3, 3)), "kernel_size", "3")
refuses("padding", ValueError, lambda: nn.Conv1d(3, 4, 3, padding=1), "pad_mode='pad'")
refuses("output_padding", ValueError, lambda: nn.Conv2dTranspose(3, 4, 3, output_padding=1), "output_padding", "pad")
refuses("too much output_padding", ValueError, lambda: ops.conv_transpose1d(Tensor(draw(1, 2, 3)), Tensor(draw(2, 2, 3)), output_padding=1),
        "output_padding", "stride")
refuses("group", ValueError, lambda: nn.Conv3d(3, 4, 3, group=2), "in_channels", "group")
refuses("rank", ValueError, lambda: nn.Conv1d(3, 4, 3)(Tensor(draw(3, 9))), "length", "(3, 9)")
refuses("rank of conv3d", ValueError, lambda: nn.Conv3d(3, 4, 3)(Tensor(draw(3, 9, 9, 9))), "Conv3D", "batch axis")
refuses("channels", ValueError, lambda: nn.Conv3d(3, 4, 3)(Tensor(draw(1, 5, 5, 5, 3))), "channels", "last")
refuses("channels of transposed", ValueError, lambda: nn.Conv2dTranspose(3, 4, 3)(Tensor(draw(1, 4, 5, 5))), "channels")
refuses("a gradient's shape", ValueError, lambda: ops.Conv3DBackpropInput(input_size=(1, 2, 5, 5, 5))(
    Tensor(draw(1, 3, 3, 3, 3)), Tensor(draw(3, 2, 2, 2, 2))), "out_backprop")
refuses("pool", ValueError, lambda: nn.MaxPool1d(9)(Tensor(draw(1, 2, 4))), "window", "9")
refuses("pool's rank", ValueError, lambda: nn.AvgPool3d(2)(Tensor(draw(2, 4))), "depth, height, width")
refuses("adaptive", ValueError, lambda: nn.AdaptiveAvgPool2d(0)(Tensor(draw(1, 2, 4, 4))), "output_size")
refuses("shuffle", ValueError, lambda: nn.PixelShuffle(2)(Tensor(draw(1, 3, 4, 4))), "channels", "4")
refuses("fold", ValueError, lambda: ops.fold(Tensor(draw(1, 4, 3)), (4, 4), 2), "fold", "(1, 4, 3)")
finish(255)
