"""RNN, LSTM and GRU, their cells and all their arguments, against numpy. Run by fusescope in eager and graph mode."""
import copy

import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Tensor, nn, ops


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def rnn(x, s, wi, wh, bi, bh, f=np.tanh):
    return (f(x @ wi.T + bi + s[0] @ wh.T + bh),)


def relu_rnn(*args):
    return rnn(*args, f=lambda x: np.maximum(x, 0))


def lstm(x, s, wi, wh, bi, bh):
    g = np.split(x @ wi.T + bi + s[0] @ wh.T + bh, 4, -1)
    c = sigmoid(g[1]) * s[1] + sigmoid(g[0]) * np.tanh(g[2])
    return sigmoid(g[3]) * np.tanh(c), c


def gru(x, s, wi, wh, bi, bh):
    a, b = np.split(x @ wi.T + bi, 3, -1), np.split(s[0] @ wh.T + bh, 3, -1)
    r, z = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
    n = np.tanh(a[2] + r * b[2])
    return ((1 - z) * n + z * s[0],)


def sequence(step, x, state, weights, lengths, reverse):
    """One sample at a time, one step at a time: (T, B, I) to (T, B, H)."""
    outputs = np.zeros(x.shape[:2] + state[0].shape[-1:])
    finals = [np.array(s) for s in state]
    for b in range(x.shape[1]):
        s = tuple(h[b:b + 1] for h in state)
        order = range(lengths[b])
        for t in reversed(order) if reverse else order:
            s = step(x[t, b:b + 1], s, *weights)
            outputs[t, b] = s[0]
        for f, h in zip(finals, s):
            f[b] = h
    return outputs, finals


def layers(step, states, layer, with_state, lengths=None):
    """A reference of the layer's signature: x, [states], parameters in their order."""
    d, n = 2 if layer.bidirectional else 1, layer.num_layers

    def run(x, *rest):
        x = x.swapaxes(0, 1) if layer.batch_first else x
        held, parameters = (rest[:states], rest[states:]) if with_state else (None, rest)
        if held is None:
            held = [np.zeros((n * d, x.shape[1], layer.hidden_size))] * states
        blocks = [parameters[k * n * d:(k + 1) * n * d] for k in range(4 if layer.has_bias else 2)]
        rows = blocks[0][0].shape[0]
        if not layer.has_bias:
            blocks += [[np.zeros(rows)] * (n * d)] * 2
        many = [x.shape[0]] * x.shape[1] if lengths is None else lengths
        finals = []
        for k in range(n):
            parts = []
            for j in range(d):
                p = k * d + j
                y, final = sequence(step, x, [h[p] for h in held], [b[p] for b in blocks], many, j == 1)
                parts.append(y)
                finals.append(final)
            x = np.concatenate(parts, -1)
        last = [np.stack([f[k] for f in finals]) for k in range(states)]
        return [x.swapaxes(0, 1) if layer.batch_first else x] + last

    return run


CASES = {"plain": {}, "two layers": {"num_layers": 2}, "both ways": {"bidirectional": True},
         "no bias": {"has_bias": False}, "batch first": {"batch_first": True},
         "all": {"num_layers": 2, "bidirectional": True, "batch_first": True}}
KINDS = {"RNN": (nn.RNN, rnn, 1), "LSTM": (nn.LSTM, lstm, 2), "GRU": (nn.GRU, gru, 1)}
for kind, (make, step, states) in KINDS.items():
    for name, options in CASES.items():
        layer = make(3, 4, **options)
        d = (2 if layer.bidirectional else 1) * layer.num_layers
        x = draw(2, 5, 3) if layer.batch_first else draw(5, 2, 3)
        alike(f"{kind} {name}", layer, layers(step, states, layer, False), [x], layer.trainable_params())
        held = [draw(d, 2, 4) for _ in range(states)]
        alike(f"{kind} {name} with a state", (lambda x, *h: layer(x, h if states > 1 else h[0])),
              layers(step, states, layer, True), [x, *held], layer.trainable_params())
        lengths = np.array([3, 5], np.int32)
        alike(f"{kind} {name} with lengths", (lambda x, *h: layer(x, h if states > 1 else h[0], Tensor(lengths))),
              layers(step, states, layer, True, lengths), [x, *held], layer.trainable_params())
layer = nn.RNN(3, 4, nonlinearity="relu")
alike("RNN of relu", layer, layers(relu_rnn, 1, layer, False), [draw(5, 2, 3)], layer.trainable_params())

# Cells ------------------------------------------------------------------------------------------------------------
for bias in (True, False):
    for kind, cell, step, states in (("RNNCell", nn.RNNCell(3, 4, bias), rnn, 1), ("LSTMCell", nn.LSTMCell(3, 4, bias), lstm, 2),
                                     ("GRUCell", nn.GRUCell(3, 4, bias), gru, 1),
                                     ("RNNCell relu", nn.RNNCell(3, 4, bias, "relu"), relu_rnn, 1)):

        def reference(x, *rest):
            w = list(rest[states:])
            w += [] if bias else [0.0, 0.0]
            return list(step(x, rest[:states], *w))

        alike(f"{kind} bias={bias}", (lambda x, *h: cell(x, h if states > 1 else h[0])), reference,
              [draw(2, 3)] + [draw(2, 4) for _ in range(states)], cell.trainable_params())

# What is said of them ---------------------------------------------------------------------------------------------
net = nn.LSTM(3, 4, 2, bidirectional=True)
assert [p.name for p in net.trainable_params()[:4]] == ["weight_ih_l0", "weight_ih_l0_reverse", "weight_ih_l1",
                                                        "weight_ih_l1_reverse"]
assert all(abs(p.asnumpy()).max() <= 0.5 for p in net.trainable_params())
shapes = {p.name: p.shape for p in net.trainable_params()}
assert shapes["weight_ih_l1_reverse"] == (16, 8) and shapes["bias_hh_l0"] == (16,)

# A copy has Parameters of its own, and computes with them.
twin = copy.deepcopy(net)
x = Tensor(draw(5, 2, 3))
before = net(x)[0].asnumpy()
for p in twin.trainable_params():
    p.set_data(ops.zeros_like(p))
same("a copy's own Parameters", lambda: twin(x)[0], np.zeros((5, 2, 8)))
same("the first one's", lambda: net(x)[0], before)

# Dropout between layers acts while training, never after the last one.
net = nn.GRU(3, 4, 2, dropout=0.5).set_train()
a, b = net(x)[0].asnumpy(), net(x)[0].asnumpy()
assert not np.array_equal(a, b)
net.set_train(False)
same("dropout when not training", lambda: net(x)[0], net(x)[0].asnumpy())
one = nn.GRU(3, 4, 1, dropout=0.5).set_train()
same("dropout of one layer", lambda: one(x)[0], one(x)[0].asnumpy())

# A compiled call, and training that gets somewhere.
net = nn.LSTM(3, 8, batch_first=True)
head = nn.Dense(8, 1)
optimizer = nn.Adam(net.trainable_params() + head.trainable_params(), 0.02)
data = draw(16, 7, 3)
goal = data.sum(axis=(1, 2))[:, None] * np.float32(0.1)


def loss(x, y):
    return ((head(net(x)[1][0][0]) - y) ** 2).mean()


both = ms.value_and_grad(loss, None, optimizer.parameters)


@ms.jit
def train(x, y):
    value, grads = both(x, y)
    optimizer(grads)
    return value


losses = [float(train(Tensor(data), Tensor(goal))) for _ in range(40)]
assert losses[-1] < losses[0] * 0.2, losses

# Mistakes ---------------------------------------------------------------------------------------------------------
refuses("input_size", ValueError, lambda: nn.LSTM(0, 4), "LSTM", "input_size")
refuses("hidden_size", TypeError, lambda: nn.GRU(3, 4.0), "GRU", "hidden_size")
refuses("dropout", ValueError, lambda: nn.RNN(3, 4, dropout=1.5), "dropout", "1.5")
refuses("nonlinearity", ValueError, lambda: nn.RNN(3, 4, nonlinearity="sin"), "nonlinearity", "sin")
refuses("rank", ValueError, lambda: nn.LSTM(3, 4)(Tensor(draw(5, 3))), "(sequence, batch, 3)", "(5, 3)")
refuses("state", ValueError, lambda: nn.GRU(3, 4)(Tensor(draw(5, 2, 3)), Tensor(draw(1, 3, 4))), "(1, 2, 4)", "(1, 3, 4)")
refuses("pair", TypeError, lambda: nn.LSTM(3, 4)(Tensor(draw(5, 2, 3)), Tensor(draw(1, 2, 4))), "pair (h, c)")
refuses("lengths", ValueError, lambda: nn.GRU(3, 4)(Tensor(draw(5, 2, 3)), None, Tensor([1, 2, 3])), "seq_length", "(2,)")
refuses("lengths of floats", TypeError, lambda: nn.GRU(3, 4)(Tensor(draw(5, 2, 3)), None, Tensor([1.0, 2.0])), "whole")
refuses("cell", ValueError, lambda: nn.GRUCell(3, 4)(Tensor(draw(2, 5)), Tensor(draw(2, 4))), "(batch, 3)", "(2, 5)")
refuses("cell's state", ValueError, lambda: nn.RNNCell(3, 4)(Tensor(draw(2, 3)), Tensor(draw(2, 5))), "(2, 4)")
refuses("cell's pair", TypeError, lambda: nn.LSTMCell(3, 4)(Tensor(draw(2, 3)), Tensor(draw(2, 4))), "pair (h, c)")
finish(79)
