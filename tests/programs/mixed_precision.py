"""amp: which Cells compute in which dtype, gradients of Parameters that stay float32, and scaling of losses."""
import numpy as np

import mindspore as ms
from mindspore import Model, Parameter, Tensor, amp, nn, ops
import mindspore.dataset as ds


def refused(fn, *words):
    try:
        fn()
    except (ValueError, TypeError) as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError(f"nothing was raised, but {words} was expected")


ms.set_seed(2)
seen = {}


class Look(nn.Cell):
    """Notes the dtype of what passes."""

    def __init__(self, name):
        super().__init__()
        self.name = name

    def construct(self, x):
        seen[self.name] = x.dtype
        return x


def fresh():
    ms.set_seed(2)
    return nn.SequentialCell(Look("in"), nn.Dense(6, 8), Look("dense"), nn.BatchNorm1d(8), Look("norm"), nn.ReLU(),
                             nn.Dense(8, 3), Look("out"))


x = Tensor(np.random.default_rng(0).normal(size=(10, 6)).astype(np.float32))
labels = Tensor(np.arange(10) % 3, ms.int32)
exact = fresh()(x)
f16, f32, b16 = ms.float16, ms.float32, ms.bfloat16
for level, dtype, expected in (("O0", f16, (f32, f32, f32, f32)), ("O1", f16, (f32, f32, f32, f32)),
                               ("auto", b16, (f32, f32, f32, f32)), ("O2", f16, (f16, f16, f16, f16)),
                               ("O2", b16, (b16, b16, b16, b16)), ("O3", f16, (f16, f16, f16, f16))):
    net = amp.auto_mixed_precision(fresh(), level, dtype)
    out = net(x)
    assert tuple(seen[n] for n in ("in", "dense", "norm", "out")) == expected, (level, seen)
    assert out.dtype == (f16 if level == "O3" else f32), (level, out.dtype)
    worst = np.abs(out.asnumpy().astype(np.float32) - exact.asnumpy()).max()
    assert (worst == 0) == (level == "O0") and worst < (0.05 if dtype == f16 else 0.2), (level, worst)
    # What is computed in few bits differs; Parameters and their gradients do not.
    weights = net.trainable_params()
    loss = nn.CrossEntropyLoss()
    value, grads = ms.value_and_grad(lambda a, b: loss(net(a), b), None, weights)(x, labels)
    for parameter, gradient in zip(weights, grads):
        assert parameter.dtype == gradient.dtype == f32, (level, parameter.name, gradient.dtype)
        assert np.isfinite(gradient.asnumpy()).all()
        # What is added before a normalisation has no effect.
        assert np.abs(gradient.asnumpy()).max() > 0 or parameter.name == "1.bias", (level, parameter.name)
    before = net[1].weight.asnumpy()
    nn.SGD(weights, 0.1)(grads)
    assert net[1].weight.dtype == f32 and np.abs(net[1].weight.asnumpy() - before).max() > 0

# A custom choice, and older spellings.
net = amp.custom_mixed_precision(fresh(), white_list=amp.get_white_list()[:2] + [nn.Dense])
assert net(x).dtype == f32 and np.abs((net(x) - exact).asnumpy()).max() > 0
net = amp.custom_mixed_precision(fresh(), black_list=[nn.Dense, nn.BatchNorm1d])
np.testing.assert_array_equal(net[1](x).asnumpy(), fresh()[1](x).asnumpy())
lowered = fresh().to_float(f16)
assert lowered(x).dtype == f16
assert nn.Dense in amp.get_white_list() and nn.BatchNorm2d in amp.get_black_list()
refused(lambda: amp.auto_mixed_precision(fresh(), "O4"), "O4", "auto")
refused(lambda: amp.auto_mixed_precision(3), "int")
refused(lambda: amp.custom_mixed_precision(fresh()), "white_list")
refused(lambda: amp.auto_mixed_precision(fresh(), "O1", ms.float64), "Float64")

# Finite or not.
assert bool(amp.all_finite((x, Tensor([1, 2])))) and not bool(amp.all_finite([x, Tensor([1.0, np.nan])]))
assert not bool(amp.is_finite(Tensor([np.inf]))) and not bool(amp.all_finite((x, Tensor([-np.inf], f16))))

# Scalers: what they scale they unscale, and they adjust.
for scaler in (amp.StaticLossScaler(2.0**8), amp.DynamicLossScaler(2.0**8, 2, 3)):
    np.testing.assert_array_equal(scaler.scale(x).asnumpy(), x.asnumpy() * 256)
    back = scaler.unscale(scaler.scale((x, (x,))))
    np.testing.assert_array_equal(back[0].asnumpy(), x.asnumpy())
    assert not isinstance(back[1], Tensor)
scales = []
for finite in (True, True, True, False, True, True, False, False, True, True, True):
    scaler.adjust(Tensor(finite))
    scales.append(float(scaler.scale_value.asnumpy()))
assert scales == [256, 256, 512, 256, 256, 256, 128, 64, 64, 64, 128], scales
refused(lambda: amp.DynamicLossScaler(0, 2, 3), "above 0")


# A step whose gradients overflow leaves the Parameters alone and lowers the scale.
class Root(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0], f32), name="w")

    def construct(self, factor):
        return (self.w * factor).sum()


for update in (nn.DynamicLossScaleUpdateCell(2.0**10, 2, 2), nn.FixedLossScaleUpdateCell(2.0**10)):
    root = Root()
    step = nn.TrainOneStepWithLossScaleCell(root, nn.SGD(root.trainable_params(), 0.5), update)
    told = []
    for factor in (1.0, 1e37, 1.0, 1.0):
        loss, overflow, scale = step(Tensor([factor], f32))
        told.append((bool(overflow), float(scale.asnumpy()), float(root.w.asnumpy()[0])))
    if isinstance(update, nn.DynamicLossScaleUpdateCell):
        assert told == [(False, 1024, 0.5), (True, 1024, 0.5), (False, 512, 0.0), (False, 512, -0.5)], told
        assert float(step.scale_sense.asnumpy()) == 1024
    else:
        assert told == [(False, 1024, 0.5), (True, 1024, 0.5), (False, 1024, 0.0), (False, 1024, -0.5)], told

# `sens` scales the gradients and not the loss that is given.
root = Root()
step = nn.TrainOneStepCell(root, nn.SGD(root.trainable_params(), 0.5), 4.0)
assert float(step(Tensor([1.0], f32)).asnumpy()) == 1.0 and root.w.asnumpy()[0] == -1.0

# Training with it gets as far as without.
rng = np.random.default_rng(1)
data = rng.normal(size=(200, 6)).astype(np.float32)
classes = (data @ rng.normal(size=(6, 3))).argmax(1).astype(np.int32)
batches = ds.NumpySlicesDataset((data, classes)).batch(20)
for level, options in (("O0", {}), ("O1", {"loss_scale_manager": amp.DynamicLossScaleManager(2**12, 2, 20)}),
                       ("O2", {"loss_scale_manager": amp.FixedLossScaleManager(128.0)}),
                       ("O3", {"loss_scale_manager": amp.FixedLossScaleManager(64.0, False)})):
    net = fresh()
    model = Model(net, nn.CrossEntropyLoss(), nn.Adam(net.trainable_params(), 0.02, loss_scale=64.0 if level == "O3" else 1.0),
                  metrics={"accuracy"}, amp_level=level, **options)
    model.train(6, batches)
    reached = model.eval(batches)["accuracy"]
    assert reached > 0.9, (level, reached)

# Parameters that a Cell holds in a tuple are taken in the lower dtype as well, as those of recurrent layers are.
class Tuple(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weights = ms.ParameterTuple([Parameter(Tensor(np.eye(3, dtype=np.float32) * k), name=f"w{k}") for k in (1, 2)])

    def construct(self, x):
        for weight in self.weights:
            x = ops.matmul(x, weight)
        return x


ones = Tensor(np.ones((4, 2, 3), np.float32))
for dtype in (ms.float16, ms.bfloat16):
    cell = Tuple().to_float(dtype)
    out, grads = ms.value_and_grad(lambda x: cell(x).sum(), None, cell.trainable_params())(ones)
    assert out.dtype == dtype and float(out) == 48 and [g.dtype for g in grads] == [ms.float32] * 2
    assert isinstance(cell.weights, ms.ParameterTuple) and all(w.dtype == ms.float32 for w in cell.weights)
    for layer in (nn.LSTM(3, 4, num_layers=2, bidirectional=True), nn.GRU(3, 4), nn.RNN(3, 4)):
        wide = layer(ones)[0].asnumpy()
        low = layer.to_float(dtype)(ones)[0]
        assert low.dtype == dtype, layer
        np.testing.assert_allclose(low.asnumpy().astype(np.float32), wide, atol=2e-2)


# What construct gives a Parameter it reads in the same call.
class Adds(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(1.0, ms.float32), name="w")

    def construct(self, x):
        self.w = self.w + 1
        return x * self.w


adds = Adds().to_float(ms.float16)
assert float(adds(Tensor(3.0))) == 6 and float(adds(Tensor(3.0))) == 9 and float(adds.w) == 3 and adds.w.dtype == ms.float32

# A scaler's whole life under jit, with an overflow in its fourth step, against the same by hand.
stepped = nn.Dense(3, 1, weight_init="ones", has_bias=False)
sgd, scaler = nn.SGD(stepped.trainable_params(), 0.01), amp.DynamicLossScaler(2**10, 2, 2)
slope = ms.value_and_grad(lambda a: scaler.scale(stepped(a).sum()), None, sgd.parameters)


@ms.jit
def scaled_step(a):
    loss, grads = scaler.unscale(slope(a))
    finite = amp.all_finite(grads)
    scaler.adjust(finite)
    if finite:
        sgd(grads)
    return loss, finite


scales, weight = [], 1.0
for number in range(6):
    loss, finite = scaled_step(Tensor(np.full((1, 3), np.inf if number == 3 else 1, np.float32)))
    np.testing.assert_allclose(float(loss), np.inf if number == 3 else 3 * weight, rtol=1e-5)
    weight -= 0 if number == 3 else 0.01
    scales.append(float(scaler.scale_value))
assert scales == [1024, 2048, 2048, 1024, 1024, 2048], scales
np.testing.assert_allclose(stepped.weight.asnumpy(), weight, rtol=1e-5)

for wrong in (ms.int32, "float16", None):
    refused(lambda: nn.Dense(3, 2).to_float(wrong), "Dense.to_float", "dst_type", str(wrong))
for make in (amp.StaticLossScaler, lambda scale: amp.DynamicLossScaler(scale, 2, 3)):
    for wrong in (-1, 0, float("inf"), float("nan"), "a", None, True):
        refused(lambda: make(wrong), "scale_value")
    for wrong in (3.0, None, (Tensor(1.0), None)):
        refused(lambda: make(2.0).scale(wrong), "inputs", "float" if wrong == 3.0 else "NoneType")
refused(lambda: amp.DynamicLossScaler(8, 1, 3), "scale_factor", "above 1")
refused(lambda: amp.DynamicLossScaler(8, 2, 0.5), "scale_window", "0.5")
refused(lambda: amp.all_finite(None), "all_finite", "NoneType")
print("mixed precision is right")
