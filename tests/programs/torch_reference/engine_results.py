"""Layers, losses, activations, reductions and optimizers of the engine: results and gradients into an .npz file."""
import sys

import numpy as np, mindspore as ms
from mindspore import Tensor, nn, ops, Parameter
r = np.random.default_rng(1)
out = {}

def put(k, v):
    out[k] = v.asnumpy() if isinstance(v, Tensor) else np.asarray(v)
x = r.standard_normal((2, 4, 9, 8)).astype(np.float32)
put('x', x)
for n, (cin, co, k, s, pm, pad, dil, g, hb) in dict(a=(4, 6, 3, 1, 'pad', 1, 1, 1, True), b=(4, 8, (3, 2), 2,
    'valid', 0, 1, 2, False), c=(4, 4, 3, 2, 'same', 0, 1, 4, True), d=(4, 6, 3, 1, 'pad', (2, 1, 0, 1), 2, 1,
        True)).items():
    m = nn.Conv2d(cin, co, k, s, pm, pad, dil, g, has_bias=hb)
    put('w' + n, m.weight)
    if hb:
        put('b' + n, m.bias)
    f = lambda t: (m(t) * m(t)).sum()
    ws = m.trainable_params()
    gx, gw = ms.grad(f, 0, ws)(Tensor(x))
    put('y' + n, m(Tensor(x)))
    put('gx' + n, gx)
    put('gw' + n, gw[0])
    if hb:
        put('gb' + n, gw[1])
for n, m in dict(mp=nn.MaxPool2d(3, 2), ap=nn.AvgPool2d(2, 2), mps=nn.MaxPool2d(3, 2, pad_mode='same'),
    aps=nn.AvgPool2d(3, 2, pad_mode='same')).items():
    put('y' + n, m(Tensor(x)))
    put('gx' + n, ms.grad(lambda t: (m(t) ** 2).sum())(Tensor(x)))
bn = nn.BatchNorm2d(4)
bn.set_train()
v = r.standard_normal((2, 4, 9, 8)).astype(np.float32)
put('v', v)
gx, gw = ms.grad(lambda t: (bn(t) * Tensor(v)).sum(), 0, bn.trainable_params())(Tensor(x))
put('gxbn', gx)
put('ggbn', gw[0])
put('gbbn', gw[1])
put('mm', bn.moving_mean)
put('mv', bn.moving_variance)
bn.set_train(False)
put('ybne', bn(Tensor(x)))
put('gxbne', ms.grad(lambda t: (bn(t) * Tensor(v)).sum())(Tensor(x)))
ln = nn.LayerNorm((8,), epsilon=1e-05)
gx, gw = ms.grad(lambda t: (ln(t) * Tensor(v)).sum(), 0, ln.trainable_params())(Tensor(x))
put('gxln', gx)
put('ggln', gw[0])
put('gbln', gw[1])
z = r.standard_normal((5, 7)).astype(np.float32)
y = np.array([1, 0, 6, 3, 2], np.int32)
put('z', z)
put('yy', y)
w = np.abs(r.standard_normal(7)).astype(np.float32)
put('cw', w)
for n, kw in dict(m={}, s=dict(reduction='sum'), ls=dict(label_smoothing=0.1), ii=dict(ignore_index=3),
    w=dict(weight=Tensor(w))).items():
    l = nn.CrossEntropyLoss(**kw)
    lv, g = ms.value_and_grad(lambda t: l(t, Tensor(y)))(Tensor(z))
    put('ce' + n, lv)
    put('gce' + n, g)
l = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')
lv, g = ms.value_and_grad(lambda t: l(t, Tensor(y)))(Tensor(z))
put('sce', lv)
put('gsce', g)
for n, f in dict(softmax=lambda t: ops.softmax(t, -1), logs=lambda t: ops.log_softmax(t, 1),
    gelut=lambda t: ops.gelu(t, approximate='tanh'), gelu=lambda t: ops.gelu(t), silu=ops.silu,
        lse=lambda t: ops.logsumexp(t, 1), std=lambda t: t.std(axis=1, ddof=1), var=lambda t: t.var(axis=0),
            norm=lambda t: ops.norm(t, dim=1), cumsum=lambda t: ops.cumsum(t, 1), amax=lambda t: t.max(axis=1),
                prod=lambda t: ops.prod(t, 1), sort=lambda t: ops.sort(t)[0]).items():
    yv, g = ms.value_and_grad(lambda t: (f(t) ** 2).sum())(Tensor(z))
    put('f' + n, yv)
    put('gf' + n, g)
p0 = r.standard_normal((4, 3)).astype(np.float32)
put('p0', p0)

def run(mk, name):
    p = Parameter(Tensor(p0), name='p')
    o = mk([p])
    for i in range(5):
        g = ms.grad(lambda: (p * p * p).sum() + p.sum(), None, [p])()
        o(g if isinstance(g, tuple) else (g,))
    put('opt' + name, p)
run(lambda p: nn.SGD(p, 0.1), 'sgd')
run(lambda p: nn.SGD(p, 0.1, momentum=0.9, weight_decay=0.01, nesterov=True), 'sgdn')
run(lambda p: nn.SGD(p, 0.1, momentum=0.9, dampening=0.1), 'sgdd')
run(lambda p: nn.Momentum(p, 0.01, 0.9), 'mom')
run(lambda p: nn.Momentum(p, 0.01, 0.9, weight_decay=0.1), 'momw')
run(lambda p: nn.Adam(p, 0.01), 'adam')
run(lambda p: nn.Adam(p, 0.01, weight_decay=0.1), 'adamw')
run(lambda p: nn.Adam(p, 0.01, use_amsgrad=True), 'amsgrad')
run(lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=0.1), 'awd')
np.savez(sys.argv[1], **out)
