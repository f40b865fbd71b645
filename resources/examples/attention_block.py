"""One transformer encoder block: attention, layer norm, GELU; eagerly and as a graph, with equal results."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

ms.set_seed(5)


class Attention(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width)
        self.value = nn.Dense(width, width)
        self.out = nn.Dense(width, width)
        self.scale = (width // heads) ** -0.5

    def split_heads(self, x):
        batch, tokens, width = x.shape
        return x.reshape((batch, tokens, self.heads, width // self.heads)).transpose((0, 2, 1, 3))

    def construct(self, x):
        batch, tokens, width = x.shape
        q, k, v = (self.split_heads(layer(x)) for layer in (self.query, self.key, self.value))
        scores = ops.matmul(q, k.transpose((0, 1, 3, 2))) * self.scale
        mixed = ops.matmul(ops.softmax(scores, axis=-1), v)
        return self.out(mixed.transpose((0, 2, 1, 3)).reshape((batch, tokens, width)))


class Block(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,))
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm((width,))
        self.up = nn.Dense(width, 4 * width)
        self.act = nn.GELU()
        self.down = nn.Dense(4 * width, width)

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(self.act(self.up(self.norm2(x))))


block = Block(64, 4)
block.set_train(False)
tokens = Tensor(np.random.default_rng(0).normal(size=(4, 32, 64)).astype(np.float32))

eager = block(tokens)
compiled = ms.jit(block)
graph = compiled(tokens)
difference = float(ops.abs(eager - graph).max())
print("output", graph.shape, graph.dtype)
print("eager and graph agree:", difference < 1e-4)
