"""MultiheadAttention and the transformer layers with all their arguments, against numpy. Run in eager and graph mode."""
import numpy as np

import mindspore as ms
from against_numpy import alike, draw, finish, refuses, same
from mindspore import Tensor, nn, ops


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def additive(mask):
    return np.where(mask, -np.inf, 0.0) if mask.dtype == bool else mask


def attend(q, k, v, p, heads, mask=None, padding=None, zero=False):
    """Batch first, one sample and head at a time. p: names of parameters to values."""
    if "in_proj_weight" in p:
        wq, wk, wv = np.split(p["in_proj_weight"], 3)
    else:
        wq, wk, wv = (p[f"{n}_proj_weight"] for n in "qkv")
    bq, bk, bv = np.split(p["in_proj_bias"], 3) if "in_proj_bias" in p else (0, 0, 0)
    outputs, weights = [], []
    for n in range(q.shape[0]):
        Q, K, V = q[n] @ wq.T + bq, k[n] @ wk.T + bk, v[n] @ wv.T + bv
        if "bias_k" in p:
            K, V = np.vstack([K, p["bias_k"][0]]), np.vstack([V, p["bias_v"][0]])
        if zero:
            K, V = np.vstack([K, np.zeros_like(K[:1])]), np.vstack([V, np.zeros_like(V[:1])])
        d = Q.shape[1] // heads
        parts, each = [], []
        for h in range(heads):
            c = slice(h * d, (h + 1) * d)
            s = Q[:, c] @ K[:, c].T / np.sqrt(d)
            length = k.shape[1]
            if mask is not None:
                s[:, :length] += additive(mask if mask.ndim == 2 else mask[n * heads + h])
            if padding is not None:
                s[:, :length] += additive(padding[n])
            a = softmax(s)
            parts.append(a @ V[:, c])
            each.append(a)
        outputs.append(np.concatenate(parts, -1) @ p["out_proj.weight"].T + p.get("out_proj.bias", 0))
        weights.append(np.stack(each))
    return np.stack(outputs), np.stack(weights)


def named(cell):
    return [p.name for p in cell.trainable_params()]


causal = np.triu(np.ones((5, 5), bool), 1)
L, S, N, E, H = 5, 6, 2, 8, 2
mask = np.random.default_rng(3).random((L, S)) < 0.3
mask[:, 0] = False
padding = np.zeros((N, S), bool)
padding[1, 4:] = True

CASES = {
    "plain": ({}, {}), "no bias": ({"has_bias": False}, {}), "batch first": ({"batch_first": True}, {}),
    "bias of keys": ({"add_bias_kv": True}, {"attn_mask": mask}), "zero": ({"add_zero_attn": True}, {"key_padding_mask": padding}),
    "other widths": ({"kdim": 3, "vdim": 7}, {}), "all widths, batch first": ({"kdim": 3, "vdim": 7, "batch_first": True,
                                                                              "add_bias_kv": True, "add_zero_attn": True}, {}),
    "mask": ({}, {"attn_mask": mask}), "padding": ({}, {"key_padding_mask": padding}),
    "both": ({"batch_first": True}, {"attn_mask": mask, "key_padding_mask": padding}),
    "float masks": ({}, {"attn_mask": draw(L, S), "key_padding_mask": draw(N, S)}),
    "mask of each head": ({}, {"attn_mask": draw(N * H, L, S)}),
    "weights of each head": ({}, {"average_attn_weights": False}), "no weights": ({}, {"need_weights": False}),
}
for name, (options, call) in CASES.items():
    cell = nn.MultiheadAttention(E, H, **options)
    names = named(cell)
    for p in cell.trainable_params():
        if "bias" in p.name:
            p.set_data(Tensor(draw(*p.shape)))
    first = options.get("batch_first", False)
    inputs = [draw(*((N, n) if first else (n, N)), w) for n, w in ((L, E), (S, cell.kdim), (S, cell.vdim))]
    arguments = {k: Tensor(v) if isinstance(v, np.ndarray) else v for k, v in call.items()}

    def reference(q, k, v, *values):
        if not first:
            q, k, v = (x.swapaxes(0, 1) for x in (q, k, v))
        y, w = attend(q, k, v, dict(zip(names, values)), H, call.get("attn_mask"), call.get("key_padding_mask"),
                      options.get("add_zero_attn", False))
        y = y if first else y.swapaxes(0, 1)
        if not call.get("need_weights", True):
            return [y]
        return [y, w if not call.get("average_attn_weights", True) else w.mean(1)]

    alike(f"MultiheadAttention {name}", lambda q, k, v: cell(q, k, v, **arguments), reference, inputs, cell.trainable_params())

# The same tensor for two or all three, and no batch.
cell = nn.MultiheadAttention(E, H)
names = named(cell)
alike("self-attention", lambda x: cell(x, x, x, attn_mask=Tensor(causal))[0],
      lambda x, *w: attend(*[x.swapaxes(0, 1)] * 3, dict(zip(names, w)), H, causal)[0].swapaxes(0, 1), [draw(L, N, E)],
      cell.trainable_params())
alike("key is value", lambda q, k: cell(q, k, k)[0],
      lambda q, k, *w: attend(q.swapaxes(0, 1), *[k.swapaxes(0, 1)] * 2, dict(zip(names, w)), H)[0].swapaxes(0, 1),
      [draw(L, N, E), draw(S, N, E)], cell.trainable_params())
alike("no batch", lambda q, k, v: cell(q, k, v, key_padding_mask=Tensor(padding[1])),
      lambda q, k, v, *w: [y[0] for y in (lambda o: (o[0], o[1].mean(1)))(
          attend(q[None], k[None], v[None], dict(zip(names, w)), H, None, padding[1:]))],
      [draw(L, E), draw(S, E), draw(S, E)], cell.trainable_params())


# Transformer layers ----------------------------------------------------------------------------------------------
def norm(x, gamma, beta, eps=1e-5):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + eps) * gamma + beta


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))


def within(p, prefix):
    return {k[len(prefix):]: v for k, v in p.items() if k.startswith(prefix)}


def layer(x, memory, p, first, act, masks):
    """Batch first; an encoder layer when `memory` is None. masks: of self, of memory, padding of self, of memory."""
    def normed(k, x):
        return norm(x, p[f"norm{k}.gamma"], p[f"norm{k}.beta"])

    def self_attention(x):
        return attend(x, x, x, within(p, "self_attn."), H, masks[0], masks[2])[0]

    def memory_attention(x):
        return attend(x, memory, memory, within(p, "multihead_attn."), H, masks[1], masks[3])[0]

    def feed(x):
        return act(x @ p["linear1.weight"].T + p["linear1.bias"]) @ p["linear2.weight"].T + p["linear2.bias"]

    parts = [self_attention] + ([] if memory is None else [memory_attention]) + [feed]
    for k, part in enumerate(parts, 1):
        x = x + part(normed(k, x)) if first else normed(k, x + part(x))
    return x


def relu(x):
    return np.maximum(x, 0)


ACTIVATIONS = {"relu": ("relu", relu), "gelu": ("gelu", gelu), "function": (ops.tanh, np.tanh), "cell": (nn.Sigmoid(), lambda x: 1 / (1 + np.exp(-x)))}
for name, (given, act) in ACTIVATIONS.items():
    for before in (False, True):
        cell = nn.TransformerEncoderLayer(E, H, 12, 0.0, given, batch_first=before, norm_first=before)
        names = named(cell)

        def reference(x, *w):
            x = x if before else x.swapaxes(0, 1)
            y = layer(x, None, dict(zip(names, w)), before, act, (causal, None, padding[:, -L:], None))
            return y if before else y.swapaxes(0, 1)

        alike(f"encoder layer {name} norm_first={before}", lambda x: cell(x, Tensor(causal), Tensor(padding[:, -L:])), reference,
              [draw(*((N, L) if before else (L, N)), E)], cell.trainable_params())
for before in (False, True):
    cell = nn.TransformerDecoderLayer(E, H, 12, 0.0, batch_first=True, norm_first=before)
    names = named(cell)
    alike(f"decoder layer norm_first={before}", lambda x, m: cell(x, m, Tensor(causal), Tensor(mask), None, Tensor(padding)),
          lambda x, m, *w: layer(x, m, dict(zip(names, w)), before, relu, (causal, mask, None, padding)),
          [draw(N, L, E), draw(N, S, E)], cell.trainable_params())

net = nn.Transformer(E, H, 2, 1, 12, 0.0, batch_first=True)
names = named(net)
assert names[0] == "encoder.layers.0.self_attn.in_proj_weight" and "decoder.norm.gamma" in names, names
assert not np.array_equal(net.encoder.layers[0].linear1.weight.asnumpy(), net.encoder.layers[1].linear1.weight.asnumpy())


def whole(src, tgt, *w):
    p = dict(zip(names, w))
    for k in range(2):
        src = layer(src, None, within(p, f"encoder.layers.{k}."), False, relu, (None, None, padding, None))
    memory = norm(src, p["encoder.norm.gamma"], p["encoder.norm.beta"])
    tgt = layer(tgt, memory, within(p, "decoder.layers.0."), False, relu, (causal, None, None, padding))
    return norm(tgt, p["decoder.norm.gamma"], p["decoder.norm.beta"])


alike("Transformer", lambda s, t: net(s, t, tgt_mask=Tensor(causal), src_key_padding_mask=Tensor(padding),
                                      memory_key_padding_mask=Tensor(padding)), whole, [draw(N, S, E), draw(N, L, E)],
      net.trainable_params(), tolerance=2e-4)
own = nn.TransformerEncoder(nn.TransformerEncoderLayer(E, H, 12, 0.0), 3)
assert len(own.trainable_params()) == 3 * 12 and nn.Transformer(E, H, custom_encoder=own).encoder is own
assert nn.Transformer(E, H, 1, 1, 12)(Tensor(draw(S, E)), Tensor(draw(L, E))).shape == (L, E)

# Dropout acts while training only.
cell = nn.TransformerEncoderLayer(E, H, 12, 0.5)
x = Tensor(draw(L, N, E))
same("evaluation", lambda: cell(x), cell(x).asnumpy())
cell.set_train()
assert not np.array_equal(cell(x).asnumpy(), cell(x).asnumpy())

# A compiled step of training.
net = nn.Transformer(E, H, 1, 1, 16, 0.0, batch_first=True)
optimizer = nn.Adam(net.trainable_params(), 0.01)
src, tgt = Tensor(draw(4, 6, E)), Tensor(draw(4, 6, E))
step = ms.value_and_grad(lambda s, t: ((net(s, t) - s) ** 2).mean(), None, optimizer.parameters)


@ms.jit
def train(s, t):
    value, grads = step(s, t)
    optimizer(grads)
    return value


losses = [float(train(src, tgt)) for _ in range(40)]
assert losses[-1] < 0.6 * losses[0], losses

# Mistakes ---------------------------------------------------------------------------------------------------------
cell = nn.MultiheadAttention(E, H)
q, k = Tensor(draw(L, N, E)), Tensor(draw(S, N, E))
refuses("heads", ValueError, lambda: nn.MultiheadAttention(8, 3), "embed_dim", "8", "3")
refuses("features", ValueError, lambda: cell(Tensor(draw(L, N, 7)), k, k), "query", "8", "(5, 2, 7)")
refuses("lengths", ValueError, lambda: cell(q, k, q), "key", "value", "(6, 2, 8)")
refuses("batches", ValueError, lambda: cell(Tensor(draw(L, 3, E)), k, k), "batch", "(5, 3, 8)")
refuses("mask", ValueError, lambda: cell(q, k, k, attn_mask=Tensor(causal)), "attn_mask", "(5, 6)", "(5, 5)")
refuses("ints as mask", TypeError, lambda: cell(q, k, k, attn_mask=Tensor(mask.astype(np.int32))), "Bool")
refuses("padding", ValueError, lambda: cell(q, k, k, Tensor(padding.T)), "key_padding_mask", "(2, 6)")
refuses("activation", ValueError, lambda: nn.TransformerEncoderLayer(E, H, activation="sin"), "activation", "sin")
refuses("layer", TypeError, lambda: nn.TransformerEncoder(3, 2), "Cell")
refuses("src and tgt", ValueError, lambda: nn.Transformer(E, H, 1, 1, 12)(q, Tensor(draw(L, 3, E))), "batch", "src", "tgt")
finish(39)
