"""mindspore.dataset: pipelines that feed training. Rows are computed one after the other, in the calling thread."""
import sys as _sys

from mindspore.dataset import config, samplers, transforms, vision
from mindspore.dataset.pipeline import BatchInfo, Dataset, zip
from mindspore.dataset.samplers import (
    BuiltinSampler, DistributedSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, SubsetSampler,
    WeightedRandomSampler)
from mindspore.dataset.sources import GeneratorDataset, NumpySlicesDataset
from mindspore.dataset.files import Cifar10Dataset, FashionMnistDataset, MnistDataset

# The same modules under the names that older programs import.
for _old in ("transforms.c_transforms", "transforms.py_transforms", "transforms.transforms"):
    _sys.modules[f"{__name__}.{_old}"] = transforms
for _old in ("vision.c_transforms", "vision.py_transforms", "vision.transforms", "vision.utils"):
    _sys.modules[f"{__name__}.{_old}"] = vision
_sys.modules[f"{__name__}.engine"] = _sys.modules[__name__]
transforms.c_transforms = transforms.py_transforms = transforms.transforms = transforms
vision.c_transforms = vision.py_transforms = vision.transforms = vision.utils = vision
