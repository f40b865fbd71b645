"""Word order matters: an embedding and a running mean tell 'good not bad' from 'bad not good'."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

ms.set_seed(4)
words = {word: k for k, word in enumerate("good bad not very film was the".split())}
sentences = [
    ("the film was good", 1), ("the film was bad", 0), ("the film was not bad", 1), ("the film was not good", 0),
    ("the film was very good", 1), ("the film was very bad", 0), ("very very good", 1), ("very very bad", 0),
]


def encode(text, length=5):
    ids = [words[w] for w in text.split()]
    return ids + [words["the"]] * (length - len(ids))


ids = Tensor(np.array([encode(text) for text, _ in sentences], np.int32))
label = Tensor(np.array([mood for _, mood in sentences], np.int32))


class Reader(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(words), 8)
        self.mix = nn.Dense(5 * 8, 16)
        self.out = nn.Dense(16, 2)

    def construct(self, ids):
        vectors = self.embedding(ids)
        return self.out(ops.tanh(self.mix(vectors.reshape((ids.shape[0], -1)))))


net = Reader()
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.05)
step = ms.value_and_grad(lambda i, y: loss_fn(net(i), y), None, optimizer.parameters)

for epoch in range(150):
    loss, grads = step(ids, label)
    optimizer(grads)
guess = net(ids).asnumpy().argmax(axis=1)
print("all right:", bool((guess == label.asnumpy()).all()), " loss below 0.05:", float(loss) < 0.05)
