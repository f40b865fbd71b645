"""Datasets of the files that the classic sets come in."""
import os

import numpy

from mindspore.dataset import samplers
from mindspore.dataset.sources import Source

_FILES = {"train": [("train-images-idx3-ubyte", "train-labels-idx1-ubyte")],
          "test": [("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")]}


def _bytes(path):
    """A file's bytes; one that is packed has the ending .gz."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            return file.read()
    if os.path.exists(path + ".gz"):
        import gzip

        with gzip.open(path + ".gz") as file:
            return file.read()
    raise RuntimeError(f"there is no file '{path}'")


def _folder(caller, dataset_dir):
    try:
        folder = os.fsdecode(dataset_dir)
    except TypeError:
        raise TypeError(f"{caller}: `dataset_dir` must be a folder's name, but it is {type(dataset_dir).__name__}") from None
    if not os.path.isdir(folder):
        raise RuntimeError(f"{caller}: there is no folder '{folder}'; `dataset_dir` must be where the set's files are")
    return folder


def _idx(path):
    """The array of a file in the IDX format: two zeros, the type, the rank, the extents, the elements."""
    data = _bytes(path)
    rank = data[3] if len(data) > 3 else 0
    if len(data) < 4 + 4 * rank or data[:3] != b"\0\0\x08":
        raise RuntimeError(f"'{path}' is no IDX file of bytes")
    shape = [int.from_bytes(data[4 + 4 * k:8 + 4 * k], "big") for k in range(rank)]
    size = 1
    for n in shape:
        size *= n
    if size != len(data) - 4 - 4 * rank:
        raise RuntimeError(f"'{path}' is damaged: {len(data) - 4 - 4 * rank} bytes do not fill the shape {tuple(shape)}")
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * rank).reshape(shape)


class _Images(Source):
    """Images (height, width, channels) and their labels."""

    def __init__(self, images, labels, num_samples, shuffle, sampler, num_shards, shard_id, names=("image", "label")):
        caller = type(self).__name__
        if len(images) != len(labels):
            raise RuntimeError(f"{caller}: there are {len(images)} images but {len(labels)} labels")
        self._images, self._labels = images, labels
        if sampler is None and shuffle is None and num_shards is None:
            shuffle = True
        super().__init__(list(names), samplers.chosen_by(sampler, shuffle, num_shards, shard_id, num_samples, caller))

    def length(self):
        return len(self._images)

    def row(self, index):
        return self._images[index].copy(), self._labels[index:index + 1].reshape(()).copy()

    def num_classes(self):
        return int(self._labels.max()) + 1 if len(self._labels) else 0


def _usages(caller, usage, known):
    if usage in (None, "all"):
        return list(known)
    if usage not in known:
        raise ValueError(f"{caller}: `usage` must be {', '.join(map(repr, known))} or 'all', but it is {usage!r}")
    return [usage]


class MnistDataset(_Images):
    """MNIST: columns image (28, 28, 1) and label, from the four files of the set."""

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        dataset_dir = _folder(type(self).__name__, dataset_dir)
        images, labels = [], []
        for part in _usages(type(self).__name__, usage, _FILES):
            for image_file, label_file in _FILES[part]:
                images.append(_idx(os.path.join(dataset_dir, image_file)))
                labels.append(_idx(os.path.join(dataset_dir, label_file)))
        super().__init__(numpy.concatenate(images)[..., None], numpy.concatenate(labels).astype(numpy.uint32),
                         num_samples, shuffle, sampler, num_shards, shard_id)


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, which comes in the same files."""


class Cifar10Dataset(_Images):
    """CIFAR-10: columns image (32, 32, 3) and label, from the binary version of the set."""

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        known = {"train": [f"data_batch_{k}.bin" for k in range(1, 6)], "test": ["test_batch.bin"]}
        dataset_dir = _folder("Cifar10Dataset", dataset_dir)
        records = []
        for part in _usages("Cifar10Dataset", usage, known):
            for name in known[part]:
                path = os.path.join(dataset_dir, name)
                data = numpy.frombuffer(_bytes(path), numpy.uint8)
                if data.size % 3073:
                    raise RuntimeError(f"'{path}' is damaged: {data.size} bytes are no whole number of records")
                records.append(data.reshape(-1, 3073))
        all_of_them = numpy.concatenate(records)
        images = numpy.ascontiguousarray(all_of_them[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        super().__init__(images, all_of_them[:, 0].astype(numpy.uint32), num_samples, shuffle, sampler, num_shards,
                         shard_id)
