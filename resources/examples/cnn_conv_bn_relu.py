"""A small convolutional network with Conv + BatchNorm + ReLU blocks that tells bars from crosses."""
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

ms.set_seed(3)
random = np.random.default_rng(3)


def pictures(count):
    """Noisy 16x16 pictures; class 0 has a horizontal bar, 1 a vertical bar, 2 a cross."""
    label = random.integers(0, 3, count)
    image = random.normal(0, 0.3, (count, 1, 16, 16)).astype(np.float32)
    for k in range(count):
        row, column = random.integers(3, 13, 2)
        if label[k] in (0, 2):
            image[k, 0, row, :] += 1
        if label[k] in (1, 2):
            image[k, 0, :, column] += 1
    return Tensor(image), Tensor(label.astype(np.int32))


class Block(nn.Cell):
    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, 3, pad_mode="same")
        self.bn = nn.BatchNorm2d(channels_out)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.bn(self.conv(x)))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.SequentialCell(Block(1, 8), nn.MaxPool2d(2, 2), Block(8, 16), nn.MaxPool2d(2, 2))
        self.flatten = nn.Flatten()
        self.head = nn.Dense(16 * 4 * 4, 3)

    def construct(self, x):
        return self.head(self.flatten(self.blocks(x)))


net = Net()
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.02, momentum=0.9)
gradients = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)


@ms.jit
def train_step(x, y):
    loss, grads = gradients(x, y)
    optimizer(grads)
    return loss


@ms.jit
def predict(x):
    return ops.argmax(net(x), 1)


net.set_train(True)
for step in range(40):
    x, y = pictures(32)
    loss = train_step(x, y)
    if step % 10 == 0:
        print(f"step {step:2d}  loss {float(loss):.3f}")

# In inference the batch norms are folded into the convolutions before them.
net.set_train(False)
x, y = pictures(200)
accuracy = float((predict(x).asnumpy() == y.asnumpy()).mean())
print("accuracy above 0.9:", accuracy > 0.9)
