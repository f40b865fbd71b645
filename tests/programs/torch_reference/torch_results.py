"""The same as engine_results.py by PyTorch; names what differs and ends with status 1."""
import sys

import numpy as np, torch, torch.nn.functional as F
d = np.load(sys.argv[1])
T = lambda k: torch.tensor(d[k])
bad = 0

def cmp(k, v, tol=0.0002):
    global bad
    v = v.detach().numpy() if hasattr(v, 'detach') else np.asarray(v)
    g = d[k]
    if g.shape != v.shape or not np.allclose(g, v, rtol=tol, atol=tol):
        bad += 1
        print('BAD', k, g.shape, v.shape, abs(g - v).max() if g.shape == v.shape else '')

def pads(x, k, s, dil, mode):
    if mode != 'same':
        return x
    p = []
    for n, kk, ss, dd in zip(x.shape[:1:-1], k[::-1], s[::-1], dil[::-1]):
        t = max(0, (-(-n // ss) - 1) * ss + (kk - 1) * dd + 1 - n)
        p += [t // 2, t - t // 2]
    return F.pad(x, p)
for n, (cin, co, k, s, pm, pad, dil, g, hb) in dict(a=(4, 6, 3, 1, 'pad', 1, 1, 1, True), b=(4, 8, (3, 2), 2,
    'valid', 0, 1, 2, False), c=(4, 4, 3, 2, 'same', 0, 1, 4, True), d=(4, 6, 3, 1, 'pad', (2, 1, 0, 1), 2, 1,
        True)).items():
    x = T('x').requires_grad_()
    w = T('w' + n).requires_grad_()
    b = T('b' + n).requires_grad_() if hb else None
    kk = (k, k) if isinstance(k, int) else k
    xx = pads(x, kk, (s, s), (dil, dil), pm)
    if pm == 'pad':
        t = (pad,) * 4 if isinstance(pad, int) else pad
        xx = F.pad(x, (t[2], t[3], t[0], t[1]))
    y = F.conv2d(xx, w, b, s, 0, dil, g)
    (y * y).sum().backward()
    cmp('y' + n, y)
    cmp('gx' + n, x.grad, 0.001)
    cmp('gw' + n, w.grad, 0.001)
    hb and cmp('gb' + n, b.grad, 0.001)
for n, f in dict(mp=lambda x: F.max_pool2d(x, 3, 2), ap=lambda x: F.avg_pool2d(x, 2, 2)).items():
    x = T('x').requires_grad_()
    y = f(x)
    (y ** 2).sum().backward()
    cmp('y' + n, y)
    cmp('gx' + n, x.grad)
x = T('x').requires_grad_()
y = F.max_pool2d(F.pad(x, (0, 1, 1, 1), value=-1e+30), 3, 2)
(y ** 2).sum().backward()
cmp('ymps', y)
cmp('gxmps', x.grad)
x = T('x').requires_grad_()
num = F.avg_pool2d(F.pad(x, (0, 1, 1, 1)), 3, 2) * 9
den = F.avg_pool2d(F.pad(torch.ones_like(x), (0, 1, 1, 1)), 3, 2) * 9
y = num / den
(y ** 2).sum().backward()
cmp('yaps', y)
cmp('gxaps', x.grad)
x = T('x').requires_grad_()
m = torch.nn.BatchNorm2d(4, momentum=0.1)
m.train()
(m(x) * T('v')).sum().backward()
cmp('gxbn', x.grad, 0.001)
cmp('ggbn', m.weight.grad, 0.001)
cmp('gbbn', m.bias.grad, 0.001)
cmp('mm', m.running_mean)
m.running_mean = T('mm')
m.running_var = T('mv')
m.eval()
x = T('x').requires_grad_()
y = m(x)
(y * T('v')).sum().backward()
cmp('ybne', y)
cmp('gxbne', x.grad)
x = T('x').requires_grad_()
m = torch.nn.LayerNorm(8)
(m(x) * T('v')).sum().backward()
cmp('gxln', x.grad, 0.001)
cmp('ggln', m.weight.grad, 0.001)
cmp('gbln', m.bias.grad, 0.001)
y = T('yy').long()
for n, kw in dict(m={}, s=dict(reduction='sum'), ls=dict(label_smoothing=0.1), ii=dict(ignore_index=3),
    w=dict(weight=T('cw'))).items():
    z = T('z').requires_grad_()
    l = F.cross_entropy(z, y, **kw)
    l.backward()
    cmp('ce' + n, l)
    cmp('gce' + n, z.grad)
z = T('z').requires_grad_()
l = F.cross_entropy(z, y)
l.backward()
cmp('sce', l)
cmp('gsce', z.grad)
for n, f in dict(softmax=lambda t: torch.softmax(t, -1), logs=lambda t: torch.log_softmax(t, 1), gelu=F.gelu,
    silu=F.silu, lse=lambda t: torch.logsumexp(t, 1), std=lambda t: t.std(1, unbiased=True), var=lambda t: t.var(0,
        unbiased=False), norm=lambda t: t.norm(dim=1), cumsum=lambda t: t.cumsum(1), amax=lambda t: t.amax(1),
            prod=lambda t: t.prod(1), sort=lambda t: t.sort()[0]).items():
    z = T('z').requires_grad_()
    l = (f(z) ** 2).sum()
    l.backward()
    cmp('f' + n, l)
    cmp('gf' + n, z.grad)
import math
z = T('z').requires_grad_()
l = ((0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z ** 3)))) ** 2).sum()
l.backward()
cmp('fgelut', l)
cmp('gfgelut', z.grad)

def run(mk, n):
    p = T('p0').requires_grad_()
    o = mk([p])
    for i in range(5):
        o.zero_grad()
        ((p ** 3).sum() + p.sum()).backward()
        o.step()
    cmp('opt' + n, p)
O = torch.optim
run(lambda p: O.SGD(p, 0.1), 'sgd')
run(lambda p: O.SGD(p, 0.1, momentum=0.9, weight_decay=0.01, nesterov=True), 'sgdn')
run(lambda p: O.SGD(p, 0.1, momentum=0.9, dampening=0.1), 'sgdd')
run(lambda p: O.SGD(p, 0.01, momentum=0.9), 'mom')
run(lambda p: O.SGD(p, 0.01, momentum=0.9, weight_decay=0.1), 'momw')
run(lambda p: O.Adam(p, 0.01), 'adam')
run(lambda p: O.Adam(p, 0.01, weight_decay=0.1), 'adamw')
run(lambda p: O.Adam(p, 0.01, amsgrad=True), 'amsgrad')
sys.exit(1 if bad else 0)
