"""Model with its callbacks, metrics and checkpoints; a CNN and a transformer that learn."""
import os
import tempfile

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Model, Tensor, nn, ops, train
from mindspore.train import (
    Accuracy, Callback, CheckpointConfig, EarlyStopping, History, LambdaCallback, LearningRateScheduler, LossMonitor,
    ModelCheckpoint, ReduceLROnPlateau, TimeMonitor)


def refused(fn, *words):
    try:
        fn()
    except (ValueError, RuntimeError, TypeError, KeyError) as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError(f"nothing was raised, but {words} was expected")


ms.set_seed(7)
rng = np.random.default_rng(7)
x = rng.normal(size=(120, 5)).astype(np.float32)
y = (x @ rng.normal(size=(5, 3))).argmax(1).astype(np.int32)
data = ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(40)


def fresh(rate=0.05, metrics=None):
    net = nn.SequentialCell(nn.Dense(5, 16), nn.Tanh(), nn.Dense(16, 3))
    return Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), rate), metrics=metrics)


# What Model does is what the same steps by hand do, bit for bit.
ms.set_seed(3)
model = fresh()
ms.set_seed(3)
net = nn.SequentialCell(nn.Dense(5, 16), nn.Tanh(), nn.Dense(16, 3))
optimizer, loss_fn = nn.Adam(net.trainable_params(), 0.05), nn.CrossEntropyLoss()
gradient = ops.value_and_grad(lambda a, b: loss_fn(net(a), b), None, optimizer.parameters)
model.train(2, data)
for _ in range(2):
    for a, b in data:
        optimizer(gradient(a, b)[1])
for mine, theirs in zip(net.get_parameters(), model.predict_network.get_parameters()):
    np.testing.assert_array_equal(mine.asnumpy(), theirs.asnumpy())

# Callbacks are called in order, know where the run is, and may end it.
calls = []


class Watcher(Callback):
    def begin(self, context):
        calls.append("begin")

    def epoch_begin(self, context):
        calls.append(f"epoch {context.original_args().cur_epoch_num}")

    def step_end(self, context):
        state = context.original_args()
        calls.append((state.cur_step_num, state.batch_num))
        if state.cur_step_num == 5:
            context.request_stop()

    def end(self, context):
        calls.append("end")


seen = []
fresh().train(4, data, callbacks=[Watcher(), LambdaCallback(
    on_train_step_end=lambda c: seen.append(float(c.original_args().net_outputs.asnumpy())))])
assert calls == ["begin", "epoch 1", (1, 3), (2, 3), (3, 3), "epoch 2", (4, 3), (5, 3), "end"], calls
assert len(seen) == 5 and all(np.isfinite(seen))

# Evaluation and fit.
metrics = {"accuracy", "loss", "top_5_accuracy"}
model = fresh(metrics=metrics - {"top_5_accuracy"})
history = History()
model.fit(12, data, data, callbacks=[history], valid_frequency=2)
assert len(history.history["eval_accuracy"]) == 6 and len(history.history["net_output"]) == 12
results = model.eval(data)
predicted = model.predict(Tensor(x)).asnumpy()
assert abs(results["accuracy"] - (predicted.argmax(1) == y).mean()) < 1e-12 and results["accuracy"] > 0.9, results
losses = [float(nn.CrossEntropyLoss()(model.predict(a), b).asnumpy()) for a, b in data]
assert abs(results["loss"] - np.mean(losses)) < 1e-6
stopper = LambdaCallback(on_eval_step_end=lambda context: context.request_stop())
assert 0 <= model.eval(data, callbacks=stopper)["accuracy"] <= 1

# Metrics against their definitions.
p = rng.normal(size=(50, 4)).astype(np.float32)
labels = rng.integers(0, 4, 50)
one_hot = np.eye(4)[labels]


def measured(metric, *batches):
    metric.clear()
    for batch in batches:
        metric.update(*(Tensor(v) for v in batch))
    return metric.eval()


halves = (p[:20], labels[:20].astype(np.int32)), (p[20:], labels[20:].astype(np.int32))
right = p.argmax(1) == labels
assert measured(Accuracy(), *halves) == right.mean() == measured(Accuracy(), (p, one_hot))
precision = [right[p.argmax(1) == c].mean() for c in range(4)]
recall = [right[labels == c].mean() for c in range(4)]
np.testing.assert_allclose(measured(train.Precision(), *halves), precision)
np.testing.assert_allclose(measured(train.Recall(), *halves), recall)
np.testing.assert_allclose(measured(train.F1(), *halves), [2 * a * b / (a + b) for a, b in zip(precision, recall)])
top = np.argsort(-p, 1)[:, :2]
assert measured(train.TopKCategoricalAccuracy(2), *halves) == (top == labels[:, None]).any(1).mean()
np.testing.assert_allclose(measured(train.MSE(), (p, one_hot.astype(np.float32))), ((p - one_hot) ** 2).sum() / 50, rtol=1e-6)
np.testing.assert_allclose(measured(train.MAE(), (p, one_hot.astype(np.float32))), abs(p - one_hot).sum() / 50, rtol=1e-6)
share = np.exp(p) / np.exp(p).sum(1, keepdims=True)
np.testing.assert_allclose(measured(train.Perplexity(), (share, labels.astype(np.int32))),
                           np.exp(-np.log(share[np.arange(50), labels]).mean()), rtol=1e-5)
matrix = np.zeros((4, 4))
np.add.at(matrix, (labels, p.argmax(1)), 1)
np.testing.assert_array_equal(measured(train.ConfusionMatrix(4), *halves), matrix)
refused(lambda: Accuracy().eval(), "nothing")
refused(lambda: measured(Accuracy(), (p, labels[:10])), "(50, 4)", "(10,)")
refused(lambda: Model(net, metrics={"accurate"}), "accurate", "top_1_accuracy")

# Checkpoints: when, how many, under which names; and going on from one.
folder = tempfile.mkdtemp()
config = CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=2, append_info=["epoch_num", {"note": "x"}])
model = fresh()
keeper = ModelCheckpoint("net", folder, config)
model.train(3, data, callbacks=[keeper])
assert sorted(os.listdir(folder)) == ["net-3_2.ckpt", "net-3_3.ckpt"], os.listdir(folder)
loaded = ms.load_checkpoint(keeper.latest_ckpt_file_name)
assert int(loaded.pop("epoch_num")) == 3 and loaded.pop("note") == "x"
other = fresh()
ms.load_param_into_net(other.predict_network, loaded)
np.testing.assert_array_equal(other.predict(Tensor(x)).asnumpy(), model.predict(Tensor(x)).asnumpy())


class Trouble(Callback):
    def step_end(self, context):
        if context.original_args().cur_step_num == 2:
            raise OSError("trouble")


try:
    fresh().train(1, data, [ModelCheckpoint("late", folder, CheckpointConfig(100, exception_save=True)), Trouble()])
except OSError:
    assert "late-1_2_breakpoint.ckpt" in os.listdir(folder), os.listdir(folder)
else:
    raise AssertionError("the exception was lost")

# Learning rates that callbacks change.
model = fresh()
model.train(1, data, LearningRateScheduler(lambda rate, step: 0.5 / step))
assert abs(float(model._optimizer.learning_rate.asnumpy()) - 0.5 / 3) < 1e-6
model = fresh(0.0, metrics={"loss"})
ended = History()
model.fit(9, data, data, callbacks=[EarlyStopping("eval_loss", patience=2), ended])
assert len(ended.history["net_output"]) == 3, ended.history
model = fresh(1e-9, metrics={"loss"})
model.fit(5, data, data, callbacks=ReduceLROnPlateau("eval_loss", 0.5, patience=2))
assert float(model._optimizer.learning_rate.asnumpy()) < 1e-9

# Printing, and mistakes.
LossMonitor(0)
fresh().train(1, data, [LossMonitor(2), TimeMonitor()])
refused(lambda: fresh().train(0, data), "epoch")
refused(lambda: fresh().train(1, 5), "int")
refused(lambda: fresh().train(1, ds.NumpySlicesDataset(([1],)).batch(2, drop_remainder=True)), "no batch")
refused(lambda: fresh().train(1, ds.NumpySlicesDataset(x).batch(2)), "1 columns")
refused(lambda: fresh().eval(data), "metrics")
refused(lambda: fresh().train(1, data, callbacks=[print]), "Callback")
diverging = fresh(1e38)
refused(lambda: diverging.train(3, data, LossMonitor()), "The loss is")


# A small LeNet learns bars: their direction and place, 8 classes, from noisy images.
def bars(count):
    images = rng.normal(scale=0.5, size=(count, 1, 16, 16)).astype(np.float32)
    classes = rng.integers(0, 8, count).astype(np.int32)
    for image, c in zip(images, classes):
        at = 2 + 3 * (c // 2)
        if c % 2:
            image[0, at:at + 2] += 1.5
        else:
            image[0, :, at:at + 2] += 1.5
    return images, classes


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(6, 16, 3), nn.ReLU(),
                                          nn.MaxPool2d(2, 2), nn.Flatten())
        self.head = nn.SequentialCell(nn.Dense(256, 32), nn.ReLU(), nn.Dense(32, 8))

    def construct(self, images):
        return self.head(self.features(images))


net = LeNet()
model = Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.02, 0.9), metrics={"accuracy"})
model.train(3, ds.NumpySlicesDataset(bars(600)).batch(30))
accuracy = model.eval(ds.NumpySlicesDataset(bars(200)).batch(50))["accuracy"]
assert accuracy > 0.95, accuracy


# A small transformer learns to say a sequence backwards.
class Reverser(nn.Cell):
    def __init__(self, letters, length, width=32):
        super().__init__()
        self.embedding = nn.Embedding(letters, width)
        self.places = ms.Parameter(Tensor(rng.normal(scale=0.3, size=(length, width)).astype(np.float32)), "places")
        self.query, self.key, self.value = nn.Dense(width, width), nn.Dense(width, width), nn.Dense(width, width)
        self.first, self.second = nn.Dense(width, 2 * width), nn.Dense(2 * width, width)
        self.norms = nn.CellList([nn.LayerNorm((width,)), nn.LayerNorm((width,))])
        self.head = nn.Dense(width, letters)

    def construct(self, text):
        x = self.embedding(text) + self.places
        q, k, v = self.query(x), self.key(x), self.value(x)
        attention = ops.softmax(ops.matmul(q, k.swapaxes(1, 2)) * q.shape[-1] ** -0.5, -1)
        x = self.norms[0](x + ops.matmul(attention, v))
        x = self.norms[1](x + self.second(ops.gelu(self.first(x))))
        return self.head(x)


def texts(count):
    text = rng.integers(0, 10, (count, 6)).astype(np.int32)
    return text, text[:, ::-1].copy()


def flat_loss(logits, labels):
    return ops.cross_entropy(logits.reshape(-1, 10), labels.reshape(-1))


net = Reverser(10, 6)
model = Model(net, flat_loss, nn.Adam(net.trainable_params(), 5e-3))
model.train(12, ds.NumpySlicesDataset(texts(512)).batch(32))
text, wanted = texts(200)
share = (model.predict(Tensor(text)).asnumpy().argmax(-1) == wanted).mean()
assert share > 0.95, share

# A program's callbacks hear of the evaluations of fit, between an enter and an exit; what it prints it prints once.
calls.clear()


class Listener(Callback):
    def __enter__(self):
        calls.append("enter")
        return self

    def __exit__(self, *error):
        calls.append("exit")

    def on_train_epoch_end(self, context):
        calls.append("train epoch")

    def on_eval_begin(self, context):
        assert context.original_args().mode == "eval"
        calls.append("eval")

    def on_eval_step_end(self, context):
        calls.append("eval step")

    def on_eval_end(self, context):
        assert set(context.original_args().eval_results) == {"acc"}


history = History()
fresh(metrics={"acc"}).fit(2, data, data, callbacks=[Listener(), history])
assert calls == ["enter"] + ["eval"] + ["eval step"] * 3 + ["train epoch"] + ["eval"] + ["eval step"] * 3 + ["train epoch",
                                                                                                          "exit"], calls
assert len(history.history["net_output"]) == len(history.history["eval_acc"]) == 2

# A callback that evaluates or predicts does not leave the rest of the training without dropout and batches' statistics.
modes = []
noted = nn.SequentialCell(nn.Dense(5, 3), nn.BatchNorm1d(3), nn.Dropout(p=0.5))
noted_model = Model(noted, nn.CrossEntropyLoss(), nn.SGD(noted.trainable_params(), 0.1), metrics={"acc"})
noted_model.train(2, data, [
    LambdaCallback(on_train_epoch_begin=lambda run: noted_model.predict(Tensor(x)),
                   on_train_step_end=lambda run: noted_model.eval(data)),
    LambdaCallback(on_train_step_begin=lambda run: modes.append([cell.training for _, cell in noted.cells_and_names()]))])
assert np.all(modes) and len(modes) == 6

# Endless datasets end where an epoch does; batches may be lists of arrays.
endless = ds.NumpySlicesDataset((x, y), ["x", "y"]).repeat().batch(40)
assert set(fresh(metrics={"acc"}).eval(endless)) == {"acc"}
fresh(metrics={"acc"}).fit(2, endless, endless)
fresh().train(1, [(x, y), (x, y)])

# Metrics: what is ignored may be the number of no class; a label of no class is told.
scores = np.array([[0.5, 0.5], [0.9, 0.1]], np.float32)
perplexity = train.Perplexity(ignore_label=-100)
perplexity.update(scores, np.array([0, -100]))
np.testing.assert_allclose(perplexity.eval(), 2)
for metric in (train.Precision(), train.Recall(), train.F1(), train.ConfusionMatrix(2), train.Perplexity()):
    for wrong in (7, -1):
        refused(lambda: metric.update(scores, np.array([0, wrong])), type(metric).__name__, str(wrong), "2 classes")

# Classes where objects belong, and other things that are no cells, datasets or functions.
scheduled = nn.SequentialCell(nn.Dense(5, 3))
for rate in (nn.CosineDecayLR(0.0, 0.1, 10), [0.1] * 10):
    model = Model(scheduled, nn.CrossEntropyLoss(), nn.Adam(scheduled.trainable_params(), rate), metrics={"acc"})
    refused(lambda: model.train(1, data, LearningRateScheduler(lambda rate, step: rate)), "Adam", "schedule")
    refused(lambda: model.fit(2, data, data, callbacks=ReduceLROnPlateau("eval_acc", patience=0, min_delta=9.0)), "schedule")
good, network = fresh(metrics={"acc"}), nn.Dense(5, 3)
optimizer = nn.SGD(network.trainable_params(), 0.1)
refused(lambda: Model(network, nn.CrossEntropyLoss(), nn.Adam), "optimizer", "Adam(...)")
refused(lambda: Model(network, nn.CrossEntropyLoss(), "adam"), "optimizer", "str")
refused(lambda: Model(network, nn.CrossEntropyLoss, optimizer), "loss_fn", "CrossEntropyLoss(...)")
refused(lambda: Model(network, metrics={"acc": Accuracy}), "'acc'", "Accuracy(...)")
refused(lambda: good.train(1, data, LossMonitor), "LossMonitor(...)")
refused(lambda: good.train(1, data, [print]), "Callback", "builtin_function")
refused(lambda: good.train(1, (row for row in [])), "generator", "how many batches")
refused(lambda: good.train(1, data, sink_size=0), "sink_size", "0")
refused(lambda: good.fit(1, data, data, valid_frequency=0), "valid_frequency", "0")
refused(lambda: good.fit(1, data, data, valid_frequency=[1, "2"]), "valid_frequency", "str")
refused(lambda: good.fit(1, data, 5), "Model.fit", "int")
refused(lambda: good.eval(data.project(["x"])), "Model.eval", "1 columns")
refused(lambda: LearningRateScheduler(0.1), "learning_rate_function", "float")
refused(lambda: LambdaCallback(on_train_begin=5), "on_train_begin", "int")
refused(lambda: nn.TrainOneStepCell(network, nn.SGD), "optimizer", "SGD(...)")
refused(lambda: nn.TrainOneStepCell(network, network), "optimizer", "Dense")
refused(lambda: nn.TrainOneStepCell("net", optimizer), "network", "str")
refused(lambda: nn.TrainOneStepWithLossScaleCell(network, "sgd", Tensor(1.0)), "optimizer", "str")
refused(lambda: nn.WithLossCell(nn.Dense, nn.CrossEntropyLoss()), "backbone", "Dense(...)")
refused(lambda: nn.WithEvalCell("net", nn.CrossEntropyLoss()), "network", "str")
print("training is right")
