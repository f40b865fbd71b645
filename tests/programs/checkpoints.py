"""Checkpoints: MindSpore's format, read and written by protobuf's own library; safetensors; what is damaged."""
import json
import os
import random
import struct
import tempfile

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import mindspore as ms
from mindspore import Parameter, Tensor, nn


def checkpoint_message():
    """The message of MindSpore's checkpoint files."""
    file = descriptor_pb2.FileDescriptorProto(name="checkpoint.proto", package="test", syntax="proto2")
    Field = descriptor_pb2.FieldDescriptorProto

    def message(name, *fields):
        m = file.message_type.add(name=name)
        for number, (field, kind, label, of) in enumerate(fields, 1):
            m.field.add(name=field, number=number, type=kind, label=label, type_name=of)

    message("TensorProto", ("dims", Field.TYPE_INT64, Field.LABEL_REPEATED, None),
            ("tensor_type", Field.TYPE_STRING, Field.LABEL_REQUIRED, None),
            ("tensor_content", Field.TYPE_BYTES, Field.LABEL_REQUIRED, None))
    message("Value", ("tag", Field.TYPE_STRING, Field.LABEL_REQUIRED, None),
            ("tensor", Field.TYPE_MESSAGE, Field.LABEL_OPTIONAL, ".test.TensorProto"))
    message("Checkpoint", ("value", Field.TYPE_MESSAGE, Field.LABEL_REPEATED, ".test.Value"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName("test.Checkpoint"))


Checkpoint = checkpoint_message()


def refused(fn, *words):
    try:
        fn()
    except (ValueError, RuntimeError, TypeError) as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError(f"nothing was raised, but {words} was expected")


def same(a, b):
    assert a.dtype == b.dtype and a.shape == b.shape, (a, b)
    np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, has_bias=True)
        self.norm = nn.BatchNorm2d(4)
        self.dense = nn.Dense(4, 2)

    def construct(self, x):
        return self.dense(self.norm(self.conv(x)).mean((2, 3)))


folder = tempfile.mkdtemp(prefix="Prüf punkt ")
path = os.path.join(folder, "net.ckpt")
net = Net()

# Protobuf's library reads what is written: names, dims, types and bytes.
ms.save_checkpoint(net, path, append_dict={"epoch": 3, "rate": 0.5, "name": "été", "done": True})
message = Checkpoint()
message.ParseFromString(open(path, "rb").read())
held = {v.tag: v.tensor for v in message.value}
assert list(held) == [*net.parameters_dict(), "epoch", "rate", "name", "done"], list(held)
for name, parameter in net.parameters_dict().items():
    tensor = held[name]
    assert tuple(tensor.dims) == parameter.shape and tensor.tensor_type == "Float32", name
    assert tensor.tensor_content == parameter.asnumpy().tobytes(), name
assert list(held["epoch"].dims) == [0] and held["epoch"].tensor_type == "Int64"
assert held["name"].tensor_content.decode() == "été" and held["name"].tensor_type == "str"

# And what it writes is read.
loaded = ms.load_checkpoint(path)
assert loaded["name"] == "été" and loaded["epoch"].shape == () and int(loaded["epoch"]) == 3 and bool(loaded["done"])
other = Net()
assert ms.load_param_into_net(other, {n: p for n, p in loaded.items() if isinstance(p, Parameter)})[0] == []
for a, b in zip(net.get_parameters(), other.get_parameters()):
    same(a, b)
values = {"f16": np.array([[1.5, -2]], np.float16), "f64": np.arange(6.0).reshape(1, 2, 3), "i8": np.array([-3], np.int8),
          "u8": np.array([200], np.uint8), "flag": np.array([True, False]), "empty": np.zeros((0, 3), np.float32),
          "wide": np.array([2**40, -1]), "u32": np.array([2**32 - 1], np.uint32)}
kinds = {"f16": "Float16", "f64": "Float64", "i8": "Int8", "u8": "UInt8", "flag": "Bool", "empty": "Float32",
         "wide": "Int64", "u32": "UInt32"}
foreign = Checkpoint()
for name, value in values.items():
    v = foreign.value.add(tag=name)
    v.tensor.dims.extend(value.shape)
    v.tensor.tensor_type, v.tensor.tensor_content = kinds[name], value.tobytes()
for piece in np.array_split(np.arange(10, dtype=np.float32), 3):  # a large tensor comes in pieces
    v = foreign.value.add(tag="pieces")
    v.tensor.dims.extend([2, 5])
    v.tensor.tensor_type, v.tensor.tensor_content = "Float32", piece.tobytes()
v = foreign.value.add(tag="half")
v.tensor.dims.extend([2])
v.tensor.tensor_type, v.tensor.tensor_content = "BFloat16", struct.pack("<2H", 0x3fc0, 0xc000)
open(path, "wb").write(foreign.SerializeToString())
loaded = ms.load_checkpoint(path)
for name, value in values.items():
    assert loaded[name].shape == value.shape and loaded[name].name == name
    np.testing.assert_array_equal(loaded[name].asnumpy(), value)
np.testing.assert_array_equal(loaded["pieces"].asnumpy(), np.arange(10).reshape(2, 5))
assert loaded["half"].dtype == ms.bfloat16 and loaded["half"].asnumpy().tolist() == [1.5, -2.0]

# Every dtype and shape comes back bit for bit, in both formats.
random.seed(1)
for form in ("ckpt", "safetensors"):
    path = os.path.join(folder, "all." + form)
    kept = {}
    for dtype in (ms.float16, ms.bfloat16, ms.float32, ms.float64, ms.int8, ms.int16, ms.int32, ms.int64, ms.uint8,
                  ms.bool_):
        for shape in ((), (1,), (0,), (3,), (2, 0, 4), (2, 3, 1, 5)):
            data = np.random.default_rng(len(kept)).normal(size=shape) * 3
            kept[f"{dtype}{shape}"] = Parameter(Tensor(data, ms.float64).astype(dtype), f"{dtype}{shape}")
    kept["inf"] = Tensor([np.nan, -np.inf, -0.0], ms.float32)
    ms.save_checkpoint(kept, path, format=form)
    back = ms.load_checkpoint(path, format=form)
    assert list(back) == list(kept)
    for name, value in kept.items():
        same(back[name], value)
head = int.from_bytes(open(path, "rb").read(8), "little")
entry = json.loads(open(path, "rb").read()[8:8 + head])["BFloat16(2, 3, 1, 5)"]
assert entry["dtype"] == "BF16" and entry["shape"] == [2, 3, 1, 5], entry

# Choosing, and what does not fit.
path = os.path.join(folder, "net")
ms.save_checkpoint(net, path, choice_func=lambda name: not name.startswith("conv"), crc_check=True)
path += ".ckpt"
assert not any(n.startswith("conv") for n in ms.load_checkpoint(path))
assert all(n.startswith("dense") for n in ms.load_checkpoint(path, specify_prefix="dense"))
assert not any(n.startswith("norm") for n in ms.load_checkpoint(path, filter_prefix=["norm", "x"]))
missing, extra = ms.load_param_into_net(Net(), ms.load_checkpoint(path))
assert missing == ["conv.weight", "conv.bias"] and extra == [], (missing, extra)
refused(lambda: ms.load_checkpoint(path, filter_prefix=["norm", "dense"]), "prefixes")
refused(lambda: ms.load_param_into_net(nn.Dense(3, 2), {"weight": Parameter(Tensor(np.ones((2, 4), np.float32)))}),
        "weight", "(2, 3)", "(2, 4)")
refused(lambda: ms.load_checkpoint(os.path.join(folder, "none.ckpt")), "there is no file")
refused(lambda: ms.save_checkpoint(net, path, enc_key=b"0" * 16), "encrypted")
refused(lambda: ms.save_checkpoint(3, path), "int")

# A file that was changed or cut is refused with a reason, or gives whole tensors; never another error.
good = open(path, "rb").read()
refused(lambda: (open(path, "wb").write(good[:40] + b"?" + good[41:]), ms.load_checkpoint(path)), "checksum")
safe = os.path.join(folder, "all.safetensors")
for name, data in ((path, good[:-17]), (safe, open(safe, "rb").read())):
    for turn in range(300):
        changed = bytearray(data)
        if turn % 3 == 0:
            del changed[random.randrange(len(changed)):]
        for _ in range(random.randrange(4)):
            if changed:
                changed[random.randrange(min(len(changed), 400))] = random.randrange(256)
        with open(name, "wb") as file:
            file.write(changed)
        try:
            ms.load_checkpoint(name)
        except ValueError as error:
            assert "damaged" in str(error) or "holds no Parameter" in str(error), error
for junk in (b"", b"\0", b"PK\3\4", b"\x0a" * 50, b"\xff" * 50, os.urandom(500)):
    with open(path, "wb") as file:
        file.write(junk)
    refused(lambda: ms.load_checkpoint(path), "damaged")

# A disk that does not take it leaves the old file as it was, and nothing beside it.
ms.save_checkpoint(net, path)
before = open(path, "rb").read()
refused(lambda: ms.save_checkpoint({"a": Tensor([1.0]), "b": object()}, path), "`b`")
assert open(path, "rb").read() == before and not [n for n in os.listdir(folder) if n.endswith(".part")]

# Training goes on from a file as if it had not stopped: the network's and the optimizer's, in a folder of any name.
folder = os.path.join(tempfile.mkdtemp(), "Größe 模型")
os.makedirs(folder)
inputs, targets = Tensor(np.random.default_rng(0).random((6, 4), np.float32)), Tensor(np.array([0, 1] * 3, np.int32))


def training():
    ms.set_seed(3)
    net = nn.SequentialCell(nn.Dense(4, 4), nn.BatchNorm1d(4), nn.Dense(4, 2)).set_train()
    adam = nn.Adam(net.trainable_params(), nn.cosine_decay_lr(0.0, 0.1, 10, 5, 2))
    gradient = ms.value_and_grad(lambda a, b: nn.CrossEntropyLoss()(net(a), b), None, adam.parameters)

    def step():
        loss, grads = gradient(inputs, targets)
        adam(grads)
        return float(loss)

    return net, adam, step


net, adam, step = training()
for _ in range(3):
    step()
ms.save_checkpoint(net, os.path.join(folder, "net.ckpt"))
ms.save_checkpoint(adam, os.path.join(folder, "adam.ckpt"), append_dict={"epoch": 3, "note": "é"})
wanted = [step() for _ in range(3)]
net, adam, step = training()
assert ms.load_param_into_net(net, ms.load_checkpoint(os.path.join(folder, "net.ckpt"))) == ([], [])
state = ms.load_checkpoint(os.path.join(folder, "adam.ckpt"))
assert int(state["epoch"]) == 3 and state["note"] == "é"
assert ms.load_param_into_net(adam, state) == ([], ["epoch", "note"])
assert [step() for _ in range(3)] == wanted

# What is wrong with a name or an argument is said before anything is written or read.
os.makedirs(os.path.join(folder, "taken.ckpt"))
before = sorted(os.listdir(folder))
for act, kind, words in (
        (lambda: ms.save_checkpoint(net, os.path.join(folder, "no", "x.ckpt")), FileNotFoundError, ("no folder", "x.ckpt")),
        (lambda: ms.save_checkpoint(net, os.path.join(folder, "taken.ckpt")), IsADirectoryError, ("taken.ckpt", "folder")),
        (lambda: ms.save_checkpoint(net, os.path.join(folder, "x.ckpt"), append_dict=[1]), TypeError, ("append_dict", "list")),
        (lambda: ms.save_checkpoint(net, os.path.join(folder, "x.ckpt"), choice_func="0."), TypeError, ("choice_func", "str")),
        (lambda: ms.save_checkpoint([{"name": "a", "data": inputs}] * 2, os.path.join(folder, "x.ckpt")), ValueError,
         ("two items", "`a`")),
        (lambda: ms.load_checkpoint(folder), ValueError, ("is a folder",)),
        (lambda: ms.load_checkpoint(os.path.join(folder, "net")), ValueError, ("no file", "net.ckpt")),
        (lambda: ms.load_checkpoint(os.path.join(folder, "net.ckpt"), choice_func="0."), TypeError, ("choice_func", "str")),
        (lambda: ms.load_checkpoint(os.path.join(folder, "net.ckpt"), "net"), TypeError, ("load_checkpoint: `net`", "str"))):
    try:
        act()
    except kind as error:
        for word in words:
            assert word in str(error), (word, str(error))
    else:
        raise AssertionError(f"nothing was raised, but {words} was expected")
assert sorted(os.listdir(folder)) == before
print("checkpoints are right")
