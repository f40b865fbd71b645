"""mindspore.dataset.transforms: functions of numpy arrays for Dataset.map."""
import enum

import numpy

from mindspore.dataset import config


def numpy_type(kind):
    """numpy's type for a dtype of mindspore, for its name or for one of numpy's own."""
    from mindspore.common import dtype as mstype

    if isinstance(kind, type(mstype.float32)):
        return numpy.dtype(mstype.dtype_to_nptype(kind))
    return numpy.dtype(kind)


class TypeCast:
    """The array in another type."""

    def __init__(self, output_type):
        try:
            self._type = numpy_type(output_type)
        except TypeError:
            raise TypeError(f"TypeCast: `output_type` must be a dtype, but it is {output_type!r}") from None

    def __call__(self, data):
        return numpy.asarray(data).astype(self._type)


class OneHot:
    """One at the place of the class, zero elsewhere; smoothed if wanted."""

    def __init__(self, num_classes, smoothing_rate=0.0):
        if isinstance(num_classes, bool) or not isinstance(num_classes, int) or num_classes < 1:
            raise ValueError(f"OneHot: `num_classes` must be an int above 0, but it is {num_classes!r}")
        if not 0 <= smoothing_rate <= 1:
            raise ValueError(f"OneHot: `smoothing_rate` must be in [0, 1], but it is {smoothing_rate}")
        self._classes, self._smoothing = num_classes, smoothing_rate

    def __call__(self, label):
        label = numpy.asarray(label)
        if label.dtype.kind not in "iu":
            raise RuntimeError(f"OneHot: labels must be whole numbers, but they are {label.dtype}")
        if label.size and not (0 <= label.min() and label.max() < self._classes):
            raise RuntimeError(f"OneHot: a label is {label.max() if label.max() >= self._classes else label.min()}, but "
                               f"there are {self._classes} classes")
        hot = numpy.eye(self._classes, dtype=numpy.int32 if self._smoothing == 0 else numpy.float32)[label.reshape(-1)]
        hot = hot.reshape(*(label.shape if label.shape != (1,) else ()), self._classes)
        if self._smoothing:
            hot = hot * (1 - self._smoothing) + numpy.float32(self._smoothing / self._classes)
        return hot


class Compose:
    """One function after the other."""

    def __init__(self, transforms):
        if not isinstance(transforms, (list, tuple)) or not transforms or not all(map(callable, transforms)):
            raise TypeError("Compose: `transforms` must be a list of functions")
        self.transforms = list(transforms)

    def __call__(self, *data):
        for transform in self.transforms:
            data = transform(*data)
            data = data if isinstance(data, tuple) else (data,)
        return data if len(data) > 1 else data[0]


class _Chosen:
    """Transforms that use chance share one kind of stream."""

    _stream = None

    def chance(self):
        if self._stream is None:
            self._stream = config.new_stream()
        return self._stream


class RandomApply(_Chosen):
    """All of the functions, or none."""

    def __init__(self, transforms, prob=0.5):
        self._all, self._prob = Compose(transforms), prob

    def __call__(self, *data):
        if self.chance().random() < self._prob:
            return self._all(*data)
        return data if len(data) > 1 else data[0]


class RandomChoice(_Chosen):
    """One of the functions."""

    def __init__(self, transforms):
        self.transforms = Compose(transforms).transforms

    def __call__(self, *data):
        return self.transforms[int(self.chance().integers(len(self.transforms)))](*data)


class RandomOrder(_Chosen):
    """All of the functions, in random order."""

    def __init__(self, transforms):
        self.transforms = Compose(transforms).transforms

    def __call__(self, *data):
        order = self.chance().permutation(len(self.transforms))
        return Compose([self.transforms[k] for k in order])(*data)


class Concatenate:
    """Joins arrays of a row, with something before and after."""

    def __init__(self, axis=0, prepend=None, append=None):
        self._axis, self._prepend, self._append = axis, prepend, append

    def __call__(self, *data):
        parts = [p for p in (self._prepend, *data, self._append) if p is not None]
        return numpy.concatenate([numpy.atleast_1d(p) for p in parts], self._axis)


class Duplicate:
    """The column twice."""

    def __call__(self, data):
        return data, data.copy()


class Fill:
    """An array of the same shape, filled with one value."""

    def __init__(self, fill_value):
        self._value = fill_value

    def __call__(self, data):
        return numpy.full_like(data, self._value)


class Relational(enum.Enum):
    EQ, NE, GT, GE, LT, LE = range(6)


_COMPARE = {Relational.EQ: numpy.equal, Relational.NE: numpy.not_equal, Relational.GT: numpy.greater,
            Relational.GE: numpy.greater_equal, Relational.LT: numpy.less, Relational.LE: numpy.less_equal}


class Mask:
    """Where a comparison with a constant holds."""

    def __init__(self, operator, constant, dtype=None):
        self._compare, self._constant = _COMPARE[operator], constant
        self._type = numpy.dtype(bool) if dtype is None else numpy_type(dtype)

    def __call__(self, data):
        return self._compare(data, self._constant).astype(self._type)


class PadEnd:
    """Fills up to a shape at the end of each axis, and cuts what is longer."""

    def __init__(self, pad_shape, pad_value=0):
        self._shape, self._value = list(pad_shape), 0 if pad_value is None else pad_value

    def __call__(self, data):
        if data.ndim != len(self._shape):
            raise RuntimeError(f"PadEnd: the array has {data.ndim} axes, but `pad_shape` has {len(self._shape)}")
        shape = [n if wanted is None else wanted for n, wanted in zip(data.shape, self._shape)]
        cut = data[tuple(slice(0, n) for n in shape)]
        out = numpy.full(shape, self._value, data.dtype)
        out[tuple(slice(0, n) for n in cut.shape)] = cut
        return out


class Slice:
    """Parts of an array, by one slice, int, list, Ellipsis or None for each axis."""

    def __init__(self, *slices):
        self._parts = tuple(slice(None) if s is None else s for s in slices)

    def __call__(self, data):
        for axis, part in enumerate(self._parts):
            if part is Ellipsis:
                break
            chosen = [part] if isinstance(part, int) else part
            data = data[(slice(None),) * axis + (chosen,)]
        return data


class Unique:
    """The values that occur, the place of each element's value among them, and their counts."""

    def __call__(self, data):
        values, places, counts = numpy.unique(data, return_inverse=True, return_counts=True)
        return values, places.astype(numpy.int32).reshape(-1), counts.astype(numpy.int32)
