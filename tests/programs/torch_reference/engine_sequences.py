"""Recurrent layers and transformers of the engine: weights, results and gradients into an .npz file."""
import sys

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn

random = np.random.default_rng(5)
out = {}


def draw(*shape):
    return random.standard_normal(shape).astype(np.float32)


def put(name, net, inputs, call=None):
    """Inputs, weights, the first result, and the gradients of the sum of its squares."""
    call = call or net
    for i, x in enumerate(inputs):
        out[f"{name}/x{i}"] = x
    for p in net.trainable_params():
        if p.ndim == 1:
            p.set_data(Tensor(draw(*p.shape) * np.float32(0.3) + np.float32("gamma" in p.name)))
        out[f"{name}/w/{p.name}"] = p.asnumpy()

    def loss(*args):
        y = call(*args)
        y = y[0] if isinstance(y, tuple) else y
        return (y * y).sum(), y

    (_, y), (of_inputs, of_weights) = ms.value_and_grad(loss, tuple(range(len(inputs))), net.trainable_params(), True)(
        *(Tensor(x) for x in inputs))
    out[f"{name}/y"] = y.asnumpy()
    for i, g in enumerate(of_inputs):
        out[f"{name}/gx{i}"] = g.asnumpy()
    for p, g in zip(net.trainable_params(), of_weights):
        out[f"{name}/g/{p.name}"] = g.asnumpy()


for kind in ("RNN", "LSTM", "GRU"):
    put(kind, getattr(nn, kind)(5, 6, num_layers=2, bidirectional=True), [draw(9, 3, 5)])
    put(kind + "_first", getattr(nn, kind)(5, 6, batch_first=True), [draw(3, 9, 5)])
put("MultiheadAttention", nn.MultiheadAttention(8, 2), [draw(5, 3, 8), draw(6, 3, 8), draw(6, 3, 8)])
put("TransformerEncoderLayer", nn.TransformerEncoderLayer(8, 2, 16, 0.0), [draw(5, 3, 8)])
put("TransformerDecoderLayer", nn.TransformerDecoderLayer(8, 2, 16, 0.0, norm_first=True), [draw(5, 3, 8), draw(6, 3, 8)])
causal = np.triu(np.ones((4, 4), bool), 1)
net = nn.Transformer(8, 2, 2, 2, 16, 0.0, batch_first=True)
put("Transformer", net, [draw(3, 6, 8), draw(3, 4, 8)], lambda s, t: net(s, t, tgt_mask=Tensor(causal)))
np.savez(sys.argv[1], **out)
