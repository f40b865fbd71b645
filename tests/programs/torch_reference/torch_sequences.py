"""The same as engine_sequences.py by PyTorch; names what differs and ends with status 1."""
import sys

import numpy as np
import torch
from torch import nn

given = np.load(sys.argv[1])
bad = []


def torch_name(name):
    """Normalisation has gamma and beta here, weight and bias there."""
    return name.replace("gamma", "weight").replace("beta", "bias")


def compare(name, net, call=None):
    call = call or net
    net.train()
    own = dict(net.named_parameters())
    here = [k[len(name) + 3:] for k in given if k.startswith(f"{name}/w/")]
    if sorted(map(torch_name, here)) != sorted(own):
        bad.append(f"{name}: the Parameters are {here}")
        return
    with torch.no_grad():
        for k in here:
            own[torch_name(k)].copy_(torch.tensor(given[f"{name}/w/{k}"]))
    inputs = []
    while f"{name}/x{len(inputs)}" in given:
        inputs.append(torch.tensor(given[f"{name}/x{len(inputs)}"], requires_grad=True))
    y = call(*inputs)
    y = y[0] if isinstance(y, tuple) else y
    (y * y).sum().backward()
    wanted = {f"{name}/y": y.detach()} | {f"{name}/gx{i}": x.grad for i, x in enumerate(inputs)}
    wanted |= {f"{name}/g/{k}": own[torch_name(k)].grad for k in here}
    for key, value in wanted.items():
        value = value.numpy()
        if given[key].shape != value.shape or not np.allclose(given[key], value, rtol=1e-3, atol=1e-3):
            bad.append(key)


for kind in ("RNN", "LSTM", "GRU"):
    compare(kind, getattr(nn, kind)(5, 6, num_layers=2, bidirectional=True))
    compare(kind + "_first", getattr(nn, kind)(5, 6, batch_first=True))
compare("MultiheadAttention", nn.MultiheadAttention(8, 2))
compare("TransformerEncoderLayer", nn.TransformerEncoderLayer(8, 2, 16, 0.0))
compare("TransformerDecoderLayer", nn.TransformerDecoderLayer(8, 2, 16, 0.0, norm_first=True))
causal = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
net = nn.Transformer(8, 2, 2, 2, 16, 0.0, batch_first=True)
compare("Transformer", net, lambda s, t: net(s, t, tgt_mask=causal))
if bad:
    sys.exit("differs: " + ", ".join(bad))
