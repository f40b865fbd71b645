"""mindspore.dataset: sources, samplers, operations, iterators, transforms and files, against what numpy computes."""
import gzip
import os
import struct
import tempfile

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
import mindspore.dataset.transforms as transforms
import mindspore.dataset.vision as vision
from mindspore import Tensor
from mindspore.dataset.vision import Inter


def values(dataset, column=0):
    return [row[column].tolist() for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def refused(fn, *words):
    try:
        fn()
    except (ValueError, RuntimeError, TypeError, IndexError) as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError(f"nothing was raised, but {words} was expected")


class Squares:
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return np.float32(i * i), i


def counting():
    for i in range(7):
        yield i, [float(i), -float(i)]


# Sources: in order, shuffled, sampled, and each epoch anew.
data = ds.GeneratorDataset(Squares(), ["square", "root"], shuffle=False)
assert values(data) == [i * i for i in range(10)] and values(data, 1) == list(range(10))
assert len(data) == data.get_dataset_size() == 10 and data.get_col_names() == ["square", "root"]
assert data.output_shapes() == [[], []] and data.output_types() == [np.float32, np.int64]
first = next(data.create_dict_iterator())
assert isinstance(first["square"], Tensor) and first["square"].dtype == ms.float32 and first["root"].dtype == ms.int64
data = ds.GeneratorDataset(Squares(), ["square", "root"])
one, two = values(data, 1), values(data, 1)
assert sorted(one) == sorted(two) == list(range(10)) and one != two, (one, two)
running = ds.GeneratorDataset(counting, ["n", "pair"])
assert values(running) == list(range(7)) and values(running) == list(range(7)) and running.get_dataset_size() == 7
assert running.output_shapes() == [[], [2]]
once = ds.GeneratorDataset(counting(), ["n", "pair"])
assert values(once) == values(once) == list(range(7))
assert values(ds.GeneratorDataset(counting, ["n", "pair"], num_samples=3)) == [0, 1, 2]
typed = ds.GeneratorDataset(counting, ["n", "pair"], column_types=[ms.float16, np.int32])
assert typed.output_types() == [np.float16, np.int32]
assert values(ds.GeneratorDataset(Squares(), ["s", "r"], sampler=[3, 1, 4]), 1) == [3, 1, 4]
assert values(ds.GeneratorDataset(Squares(), ["s", "r"], sampler=ds.SequentialSampler(7)), 1) == [7, 8, 9]
assert values(ds.GeneratorDataset(Squares(), ["s", "r"], sampler=ds.SubsetSampler([9, 0], 1)), 1) == [9]
some = ds.GeneratorDataset(Squares(), ["s", "r"], sampler=ds.SubsetRandomSampler([1, 3, 5]))
assert sorted(values(some, 1)) == [1, 3, 5] and len(some) == 3
drawn = values(ds.GeneratorDataset(Squares(), ["s", "r"], sampler=ds.WeightedRandomSampler([0, 1, 0, 1], 50)), 1)
assert set(drawn) == {1, 3} and len(drawn) == 50
parts = [values(ds.GeneratorDataset(Squares(), ["s", "r"], num_shards=3, shard_id=k), 1) for k in range(3)]
assert len({len(p) for p in parts}) == 1 and set(sum(parts, [])) == set(range(10)), parts
many = ds.GeneratorDataset(Squares(), ["s", "r"], sampler=ds.RandomSampler(True, 25))
assert len(values(many)) == len(many) == 25

arrays = np.arange(12, dtype=np.float32).reshape(6, 2), np.arange(6, dtype=np.int32)
slices = ds.NumpySlicesDataset(arrays, ["x", "y"], shuffle=False)
np.testing.assert_array_equal(np.stack(values(slices)), arrays[0])
assert ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}).get_col_names() == ["a", "b"]
assert ds.NumpySlicesDataset([1, 2, 3]).get_col_names() == ["data"]
assert ds.NumpySlicesDataset(([1], [2])).get_col_names() == ["column_0", "column_1"]

# The same seed gives the same order, whichever way it is set.
def order(seed):
    seed()
    shuffled = ds.NumpySlicesDataset(list(range(20)))
    return values(shuffled), values(shuffled), values(shuffled.shuffle(4))


for seed in (lambda: ms.set_seed(5), lambda: ds.config.set_seed(5)):
    one = order(seed)
    assert order(seed) == one and one[0] != one[1]
assert order(lambda: ds.config.set_seed(5)) != order(lambda: ds.config.set_seed(6))

# Operations.
numbers = ds.NumpySlicesDataset(list(range(10)), ["n"], shuffle=False)
assert values(numbers.batch(4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]] and len(numbers.batch(4)) == 3
assert values(numbers.batch(4, drop_remainder=True))[-1] == [4, 5, 6, 7] and len(numbers.batch(4, True)) == 2
assert numbers.batch(4).get_batch_size() == 4
assert values(numbers.batch(lambda info: info.get_batch_num() + 1)) == [[0], [1, 2], [3, 4, 5], [6, 7, 8, 9]]
assert values(numbers.repeat(2).batch(15))[1] == [5, 6, 7, 8, 9] and len(numbers.repeat(2)) == 20
assert values(numbers.batch(6).repeat(2)) == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]] * 2
assert values(numbers.skip(7)) == [7, 8, 9] and values(numbers.take(2)) == [0, 1] and len(numbers.skip(7).take(5)) == 3
assert values(numbers.take(2) + numbers.skip(8)) == [0, 1, 8, 9]
assert values(numbers.filter(lambda n: n % 3 == 0)) == [0, 3, 6, 9]
assert len(numbers.filter(lambda n: n % 3 == 0, ["n"])) == 4
mixed = values(numbers.shuffle(3))
assert sorted(mixed) == list(range(10)) and mixed[0] < 3
doubled = numbers.map(lambda n: n * 2, ["n"])
assert values(doubled) == list(range(0, 20, 2))
pair = numbers.map([lambda n: n + 1, lambda n: (n, n * n)], ["n"], ["m", "square"])
assert pair.get_col_names() == ["m", "square"] and values(pair, 1)[2] == 9
zipped = ds.zip((numbers.rename("n", "a"), doubled.rename("n", "b")))
assert zipped.get_col_names() == ["a", "b"] and values(zipped.project(["b", "a"]))[3] == 6
summed = zipped.map(lambda a, b: a + b, ["a", "b"], ["c"])
assert summed.get_col_names() == ["c"] and values(summed)[4] == 12
kept = ds.zip((zipped, numbers)).map(lambda a, b: a + b, ["a", "b"], ["c"])
assert kept.get_col_names() == ["c", "n"] and values(kept, 1)[4] == 4
assert values(numbers.flat_map(lambda n: ds.NumpySlicesDataset([n, n], shuffle=False)))[:4] == [0, 0, 1, 1]
assert values(numbers.apply(lambda d: d.take(1))) == [0]
train, test = numbers.split([0.7, 0.3])
assert len(train) == 7 and len(test) == 3 and sorted(values(train) + values(test)) == list(range(10))
again = ds.NumpySlicesDataset(list(range(10))).split([6, 4], randomize=False)
assert values(again[0]) + values(again[1]) == list(range(10))
ragged = ds.GeneratorDataset(lambda: ((np.arange(k),) for k in (1, 3)), ["n"])
assert values(ragged.padded_batch(2, pad_info={"n": ([4], -1)})) == [[[0, -1, -1, -1], [0, 1, 2, -1]]]
assert values(ragged.padded_batch(2)) == [[[0, 0, 0], [0, 1, 2]]]
per_batch = numbers.batch(5, per_batch_map=lambda n, info: ([x + 100 * info.get_batch_num() for x in n],))
assert values(per_batch)[1] == [105, 106, 107, 108, 109]

# Iterators: each `for` is an epoch, as often as was said.
iterator = numbers.create_tuple_iterator(num_epochs=2)
assert [len(list(iterator)) for _ in range(3)] == [10, 10, 0]
iterator = numbers.create_dict_iterator(output_numpy=True)
assert [sum(int(row["n"]) for row in iterator) for _ in range(3)] == [45, 45, 45]
for row in numbers.take(1):
    assert isinstance(row[0], Tensor)
assert [c[0].tolist() for c in zipped.create_tuple_iterator(["b"])][:2] == [0, 2]

# Transforms and images.
assert transforms.OneHot(3)(np.array(1)).tolist() == [0, 1, 0]
np.testing.assert_allclose(transforms.OneHot(4, 0.2)(np.array(0)), [0.85, 0.05, 0.05, 0.05], rtol=1e-6)
assert transforms.TypeCast(ms.int32)(np.array([1.7])).dtype == np.int32
assert transforms.Compose([lambda x: x + 1, lambda x: x * 2])(np.array(3)) == 8
assert transforms.PadEnd([3, 2], 9)(np.array([[1, 2, 3], [4, 5, 6]])).tolist() == [[1, 2], [4, 5], [9, 9]]
assert transforms.Slice(slice(1, 3))(np.arange(5)).tolist() == [1, 2]
assert transforms.Mask(transforms.Relational.GE, 2)(np.arange(4)).tolist() == [False, False, True, True]
assert transforms.Concatenate(0, [9], [8])(np.array([1, 2])).tolist() == [9, 1, 2, 8]
image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
np.testing.assert_allclose(vision.Rescale(1 / 255, -1)(image), image.astype(np.float32) / 255 - 1, atol=1e-6)
np.testing.assert_allclose(vision.Normalize([1, 2, 3], [2, 2, 4])(image), (image - [1., 2, 3]) / [2, 2, 4], rtol=1e-6)
np.testing.assert_array_equal(vision.HWC2CHW()(image), image.transpose(2, 0, 1))
np.testing.assert_allclose(vision.ToTensor()(image), image.transpose(2, 0, 1) / 255, rtol=1e-6)
assert vision.Resize((8, 3))(image).shape == (8, 3, 3) and vision.Resize(2)(image).shape == (2, 3, 3)
np.testing.assert_array_equal(vision.Resize((8, 12), Inter.NEAREST)(image), image.repeat(2, 0).repeat(2, 1))
import torch

wide = np.random.default_rng(0).normal(size=(5, 7, 2)).astype(np.float32)
expected = torch.nn.functional.interpolate(torch.tensor(wide.transpose(2, 0, 1))[None], (11, 4), mode="bilinear")[0]
np.testing.assert_allclose(vision.Resize((11, 4))(wide), expected.numpy().transpose(1, 2, 0), rtol=1e-5, atol=1e-6)
np.testing.assert_array_equal(vision.CenterCrop((2, 2))(image), image[1:3, 2:4])
assert vision.CenterCrop(8)(image).shape == (8, 8, 3) and vision.Pad(2)(image).shape == (8, 10, 3)
assert vision.RandomCrop(4, 2)(image).shape == (4, 4, 3)
np.testing.assert_array_equal(vision.RandomHorizontalFlip(1.0)(image), image[:, ::-1])
np.testing.assert_array_equal(vision.RandomVerticalFlip(1.0)(image), image[::-1])
assert vision.Grayscale()(image).shape == (4, 6, 1)

# MNIST's and CIFAR's files.
folder = tempfile.mkdtemp()
pictures = np.random.default_rng(0).integers(0, 256, (5, 28, 28), np.uint8)
labels = np.array([3, 1, 4, 1, 5], np.uint8)
for name, array in (("train-images-idx3-ubyte", pictures), ("train-labels-idx1-ubyte", labels)):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(struct.pack(">I", n) for n in array.shape)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(head + array.tobytes())
    with gzip.open(os.path.join(folder, name.replace("train", "t10k") + ".gz"), "wb") as file:
        file.write(head + array.tobytes())
mnist = ds.MnistDataset(folder, "train", shuffle=False)
np.testing.assert_array_equal(np.stack(values(mnist)), pictures[..., None])
assert values(mnist, 1) == labels.tolist() and mnist.num_classes() == 6 and len(ds.MnistDataset(folder)) == 10
ready = mnist.map([vision.Rescale(1 / 255, 0), vision.HWC2CHW()], "image").map(transforms.TypeCast(ms.int32), "label")
batch = next(iter(ready.batch(5)))
assert batch[0].shape == (5, 1, 28, 28) and batch[0].dtype == ms.float32 and batch[1].dtype == ms.int32
with open(os.path.join(folder, "test_batch.bin"), "wb") as file:
    file.write(b"".join(bytes([k]) + bytes([k * 10] * 3072) for k in range(4)))
cifar = ds.Cifar10Dataset(folder, "test", shuffle=False)
assert values(cifar, 1) == [0, 1, 2, 3] and cifar.output_shapes()[0] == [32, 32, 3]

# Mistakes say what is wrong.
refused(lambda: ds.GeneratorDataset(3, ["a"]), "int", "__getitem__")
refused(lambda: ds.GeneratorDataset(counting, ["a"], shuffle=True), ".shuffle(")
refused(lambda: values(ds.GeneratorDataset(counting, ["a"])), "2 columns", "a")
refused(lambda: ds.NumpySlicesDataset(([1, 2], [1])), "column_1", "1 rows")
refused(lambda: numbers.batch(0), "batch_size")
refused(lambda: numbers.batch(2, drop=True), "drop")
refused(lambda: numbers.map(lambda x: x, ["q"]), "'q'", "n")
refused(lambda: values(ragged.batch(2)), "(1,)", "(3,)", "padded_batch")
refused(lambda: numbers.split([5, 6]), "11", "10 rows")
refused(lambda: numbers.zip(numbers), "rename")
refused(lambda: numbers.create_tuple_iterator(num_epochs=0), "num_epochs")
refused(lambda: values(ds.NumpySlicesDataset([1], sampler=[4])), "row 4", "1 rows")
refused(lambda: transforms.OneHot(3)(np.array(5)), "5", "3 classes")
try:
    values(numbers.map(lambda n: 1 // (n - 4) if n != 4 else {}["x"], ["n"]))
except KeyError as error:
    assert "row 4" in error.__notes__[0] and "column n" in error.__notes__[0], error.__notes__
else:
    raise AssertionError("a mistake in a map was lost")

# What a program iterates over begins an epoch as it says in __iter__, and only there.
class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        self.left = iter(range(self.n, 0, -1))
        return self

    def __next__(self):
        return next(self.left)


again = ds.GeneratorDataset(Countdown(3), ["n"])
assert values(again) == values(again) == [3, 2, 1] and values(again.repeat(2)) == [3, 2, 1] * 2 and len(again) == 3


class Counter:
    at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at > 3:
            raise StopIteration
        return self.at


spent = ds.GeneratorDataset(Counter(), ["n"])
assert values(spent) == [1, 2, 3]
refused(lambda: values(spent), "Counter", "__iter__", "begin again")
assert values(ds.GeneratorDataset(iter([4, 5]), ["n"]).repeat(2)) == [4, 5, 4, 5]

# Rows are the dataset's own: a program may fill one array again and again, and change what a map is given.
def one_buffer():
    buffer = np.zeros(2, np.int32)
    for k in range(4):
        buffer[:] = k
        yield (buffer,)


def in_place(x):
    x *= 2
    return x


class Rows:
    data = np.ones((3, 2), np.float32)

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.data[i]


assert values(ds.GeneratorDataset(one_buffer, ["n"]).batch(4)) == [[[k, k] for k in range(4)]]
assert sorted(values(ds.GeneratorDataset(one_buffer, ["n"]).shuffle(4))) == [[k, k] for k in range(4)]
own = np.ones((3, 2), np.float32)
for source in (ds.NumpySlicesDataset(own, ["x"]), ds.GeneratorDataset(Rows(), ["x"]), ds.GeneratorDataset(list(own), ["x"]),
               ds.GeneratorDataset(lambda: iter(own), ["x"])):
    for _ in range(2):
        assert values(source.map(in_place, "x")) == [[2, 2]] * 3
    for row in source.create_tuple_iterator(num_epochs=1, output_numpy=True):
        row[0][...] = 7
assert own.max() == Rows.data.max() == 1
twice = numbers.map(lambda n: (n, n), "n", ["a", "b"]).map(in_place, "a")
assert values(twice, 1) == list(range(10)) and values(twice) == list(range(0, 20, 2))
np.testing.assert_array_equal(values(mnist.map(in_place, "image")), pictures[..., None] * 2)  # of files, too

# A repeat without an end counts as one epoch, wherever it stands, and is not run to be counted.
endless = numbers.repeat()
assert len(endless) == 10 and len(endless.batch(4)) == 3 and len(endless.map(lambda n: n, "n").shuffle(2)) == 10
assert len(again.repeat().batch(2)) == 2 and len(again.batch(2).repeat()) == 2 and len(endless.take(25)) == 25
assert len(values(endless.take(25))) == 25 and len(ds.zip((endless.rename("n", "m"), again))) == 3
refused(lambda: len(endless.filter(lambda n: n > 3)), "Filter", "repeat()", "count")

# Rows in order, and in random order, need no list of them all.
assert next(iter(ds.GeneratorDataset(range(10**10), ["n"], shuffle=False)))[0] == 0

# Exceptions of a program's functions say where they happened, in all operations.
def fails(*args):
    raise KeyError("mine")


class Broken(Squares):
    __getitem__ = fails


for dataset, where in ((numbers.map(fails), "map over column n, row 0"), (numbers.filter(fails), "filter over column n, row 0"),
                       (numbers.flat_map(fails), "flat_map, row 0"), (numbers.batch(fails), "batch_size of batch 0"),
                       (numbers.batch(2, per_batch_map=fails), "per_batch_map of batch 0"),
                       (ds.GeneratorDataset(Broken(), ["n"], sampler=[4]), "GeneratorDataset, row 4"),
                       (ds.GeneratorDataset(Broken(), ["n"], batch_sampler=[[4]]), "GeneratorDataset, row 4"),
                       (ds.GeneratorDataset(Squares(), ["n"], batch_sampler=[[4]], collate_fn=fails), "collate_fn"),
                       (ds.GeneratorDataset(fails, ["n"]), "start of an epoch")):
    try:
        values(dataset)
    except KeyError as error:
        assert any(where in note for note in error.__notes__), (where, error.__notes__)
    else:
        raise AssertionError(f"a mistake was lost: {where}")

refused(lambda: ds.GeneratorDataset(Squares, ["a"]), "class Squares", "Squares(...)")
refused(lambda: values(ds.GeneratorDataset(lambda: 5, ["a"])), "iterable", "int")
refused(lambda: values(ds.GeneratorDataset(Squares(), ["a"], batch_sampler=[[0, 1]])), "2 columns", "a")
refused(lambda: ds.GeneratorDataset(Squares(), ["a"], batch_sampler=[[0]], shuffle=True), "batch_sampler", "shuffle")
refused(lambda: values(ds.GeneratorDataset(Squares(), ["a", "b"], sampler=[0.5])), "whole numbers", "0.5")
refused(lambda: values(numbers.batch(2).filter(lambda n: n > 1)), "True or False", "(2,)", ".all()")
refused(lambda: numbers.map(vision.HWC2CHW), "class", "HWC2CHW(...)")
refused(lambda: values(numbers.batch(2, per_batch_map=lambda n, info: (3,))), "per_batch_map", "'n'", "int")
refused(lambda: numbers.batch(2, per_batch_map=3), "per_batch_map", "int")
refused(lambda: numbers.padded_batch(2, pad_info={"n": 3}), "pad_info", "'n'", "3")
refused(lambda: numbers.padded_batch(2, pad_info=[3]), "pad_info", "list")
refused(lambda: ds.zip(numbers), "zip", "tuple")
for classic in (ds.MnistDataset, ds.FashionMnistDataset, ds.Cifar10Dataset):
    refused(lambda: classic(5), classic.__name__, "dataset_dir", "int")
    refused(lambda: classic("/no/such"), classic.__name__, "no folder '/no/such'")
    refused(lambda: classic(tempfile.gettempdir() + os.sep, "test"), "no file")
refused(lambda: numbers.zip(5), "zip", "int")
refused(lambda: numbers.concat(5), "concat", "int")
refused(lambda: numbers.flat_map(5), "func", "int")
refused(lambda: numbers.apply(5), "apply_func", "int")
refused(lambda: numbers.create_dict_iterator(num_epochs="1"), "create_dict_iterator", "num_epochs")
try:
    list(ds.NumpySlicesDataset(np.array([2**63 + 5], np.uint64)))
except OverflowError as error:
    assert str(2**63 + 5) in str(error) and "Int64" in str(error), error
else:
    raise AssertionError("a number that no Tensor holds became another one")
print("datasets are right")
