"""mindspore.dataset.vision: functions of images, which are arrays (height, width, channels)."""
import enum

import numpy

from mindspore.dataset.transforms import Compose, OneHot, TypeCast, _Chosen, numpy_type


class Inter(enum.IntEnum):
    NEAREST, ANTIALIAS, LINEAR, CUBIC, AREA, PILCUBIC = 0, 1, 2, 3, 4, 5
    BILINEAR = 2
    BICUBIC = 3


class Border(str, enum.Enum):
    CONSTANT, EDGE, REFLECT, SYMMETRIC = "constant", "edge", "reflect", "symmetric"


def _pair(caller, word, value):
    pair = (value, value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(isinstance(n, int) and n > 0 for n in pair):
        raise ValueError(f"{caller}: `{word}` must be an int above 0 or two of them, but it is {value!r}")
    return tuple(pair)


def _image(caller, data):
    data = numpy.asarray(data)
    if data.ndim not in (2, 3):
        raise RuntimeError(f"{caller}: an image has 2 or 3 axes (height, width, channels), but it has {data.ndim}")
    return data


class Rescale:
    """image · rescale + shift, in float32."""

    def __init__(self, rescale, shift):
        self._rescale, self._shift = numpy.float32(rescale), numpy.float32(shift)

    def __call__(self, data):
        return numpy.asarray(data).astype(numpy.float32) * self._rescale + self._shift


class Normalize:
    """(image - mean) / std by channel, in float32."""

    def __init__(self, mean, std, is_hwc=True):
        if len(mean) != len(std):
            raise ValueError(f"Normalize: there are {len(mean)} means but {len(std)} deviations")
        if min(std) <= 0:
            raise ValueError(f"Normalize: `std` must be above 0, but it is {std}")
        self._mean, self._std = numpy.asarray(mean, numpy.float32), numpy.asarray(std, numpy.float32)
        self._hwc = is_hwc

    def __call__(self, data):
        data = _image("Normalize", data).astype(numpy.float32)
        channels = 1 if data.ndim == 2 else data.shape[-1 if self._hwc else 0]
        if channels != len(self._mean) and len(self._mean) != 1:
            raise RuntimeError(f"Normalize: the image has {channels} channels, but there are {len(self._mean)} means")
        shape = (-1,) if data.ndim == 2 or self._hwc else (-1, 1, 1)
        return (data - self._mean.reshape(shape)) / self._std.reshape(shape)


class HWC2CHW:
    """Channels first."""

    def __call__(self, data):
        data = _image("HWC2CHW", data)
        return numpy.ascontiguousarray(data.transpose(2, 0, 1) if data.ndim == 3 else data)


class ToTensor:
    """Channels first, from 0…255 to 0…1."""

    def __init__(self, output_type=numpy.float32):
        self._type = numpy_type(output_type)

    def __call__(self, data):
        data = _image("ToTensor", data)
        data = data[..., None] if data.ndim == 2 else data
        return numpy.ascontiguousarray((data.transpose(2, 0, 1) / numpy.float32(255)).astype(self._type))


class ToType(TypeCast):
    """The image in another type."""


class ToNumpy:
    def __call__(self, data):
        return numpy.asarray(data)


class Resize:
    """Another size, by the nearest pixel or by bilinear interpolation between pixels' centres."""

    def __init__(self, size, interpolation=Inter.LINEAR):
        if interpolation not in (Inter.NEAREST, Inter.LINEAR):
            raise ValueError(f"Resize: `interpolation` must be Inter.NEAREST or Inter.LINEAR, but it is {interpolation}")
        self._size, self._interpolation = size, interpolation
        self._both = None if isinstance(size, int) else _pair("Resize", "size", size)
        if self._both is None and size < 1:
            raise ValueError(f"Resize: `size` must be above 0, but it is {size}")

    def _target(self, height, width):
        if self._both is not None:
            return self._both
        # One number is for the shorter side.
        if height <= width:
            return self._size, max(1, int(self._size * width / height))
        return max(1, int(self._size * height / width)), self._size

    def __call__(self, data):
        data = _image("Resize", data)
        height, width = data.shape[:2]
        rows, columns = self._target(height, width)
        if self._interpolation == Inter.NEAREST:
            y = (numpy.arange(rows) * (height / rows)).astype(int).clip(0, height - 1)
            x = (numpy.arange(columns) * (width / columns)).astype(int).clip(0, width - 1)
            return data[y][:, x]
        image = data.astype(numpy.float32)
        for axis, (old, new) in enumerate(((height, rows), (width, columns))):
            at = ((numpy.arange(new) + 0.5) * (old / new) - 0.5).clip(0, old - 1)
            low = at.astype(int)
            high = (low + 1).clip(0, old - 1)
            part = (at - low).astype(numpy.float32).reshape((-1,) + (1,) * (image.ndim - axis - 1))
            image = numpy.take(image, low, axis) * (1 - part) + numpy.take(image, high, axis) * part
        return numpy.rint(image).astype(data.dtype) if data.dtype.kind in "iu" else image.astype(data.dtype)


class Pad:
    """A border of so many pixels: one number, (left and right, top and bottom), or left, top, right, bottom."""

    def __init__(self, padding, fill_value=0, padding_mode=Border.CONSTANT):
        sides = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        if len(sides) == 2:
            sides = (sides[0], sides[1], sides[0], sides[1])
        if len(sides) != 4 or min(sides) < 0:
            raise ValueError(f"Pad: `padding` must be one, two or four ints, none below 0, but it is {padding!r}")
        self._sides, self._fill, self._mode = sides, fill_value, Border(padding_mode)

    def __call__(self, data):
        data = _image("Pad", data)
        left, top, right, bottom = self._sides
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (data.ndim - 2)
        if self._mode is Border.CONSTANT:
            return numpy.pad(data, widths, constant_values=self._fill if isinstance(self._fill, (int, float)) else 0)
        return numpy.pad(data, widths, self._mode.value)


class CenterCrop:
    """The middle; an image that is too small is filled up with zeros."""

    def __init__(self, size):
        self._size = _pair("CenterCrop", "size", size)

    def __call__(self, data):
        data = _image("CenterCrop", data)
        more = [max(0, wanted - n) for wanted, n in zip(self._size, data.shape)]
        data = numpy.pad(data, [(m // 2, m - m // 2) for m in more] + [(0, 0)] * (data.ndim - 2))
        y, x = ((n - wanted) // 2 for n, wanted in zip(data.shape, self._size))
        return data[y:y + self._size[0], x:x + self._size[1]]


class Crop:
    """The part that begins at (y, x)."""

    def __init__(self, coordinates, size):
        self._at, self._size = tuple(coordinates), _pair("Crop", "size", size)

    def __call__(self, data):
        data = _image("Crop", data)
        (y, x), (height, width) = self._at, self._size
        if y + height > data.shape[0] or x + width > data.shape[1]:
            raise RuntimeError(f"Crop: {self._size} from {self._at} goes past the image, which is {data.shape[:2]}")
        return data[y:y + height, x:x + width]


class RandomCrop(_Chosen):
    """A part of this size at a random place, of the image with a border."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill_value=0, padding_mode=Border.CONSTANT):
        self._size, self._needed = _pair("RandomCrop", "size", size), pad_if_needed
        self._pad = None if padding is None else Pad(padding, fill_value, padding_mode)

    def __call__(self, data):
        data = _image("RandomCrop", data)
        if self._pad is not None:
            data = self._pad(data)
        more = [max(0, wanted - n) for wanted, n in zip(self._size, data.shape)]
        if any(more):
            if not self._needed:
                raise RuntimeError(f"RandomCrop: the image is {data.shape[:2]}, smaller than {self._size}; "
                                   "pad_if_needed=True fills it up")
            data = numpy.pad(data, [(m, m) for m in more] + [(0, 0)] * (data.ndim - 2))
        y, x = (int(self.chance().integers(n - wanted + 1)) for n, wanted in zip(data.shape, self._size))
        return data[y:y + self._size[0], x:x + self._size[1]]


class RandomHorizontalFlip(_Chosen):
    """Left and right exchanged, with this probability."""

    _axis = 1

    def __init__(self, prob=0.5):
        if not 0 <= prob <= 1:
            raise ValueError(f"{type(self).__name__}: `prob` must be in [0, 1], but it is {prob}")
        self._prob = prob

    def __call__(self, data):
        data = _image(type(self).__name__, data)
        return numpy.ascontiguousarray(numpy.flip(data, self._axis)) if self.chance().random() < self._prob else data


class RandomVerticalFlip(RandomHorizontalFlip):
    """Top and bottom exchanged, with this probability."""

    _axis = 0


class HorizontalFlip:
    def __call__(self, data):
        return numpy.ascontiguousarray(numpy.flip(_image("HorizontalFlip", data), 1))


class VerticalFlip:
    def __call__(self, data):
        return numpy.ascontiguousarray(numpy.flip(_image("VerticalFlip", data), 0))


class Grayscale:
    """One channel, or that one three times."""

    def __init__(self, num_output_channels=1):
        self._channels = num_output_channels

    def __call__(self, data):
        data = _image("Grayscale", data)
        gray = data[..., :3] @ numpy.array([0.299, 0.587, 0.114])
        gray = numpy.rint(gray).astype(data.dtype) if data.dtype.kind in "iu" else gray.astype(data.dtype)
        return gray[..., None] if self._channels == 1 else numpy.repeat(gray[..., None], self._channels, -1)


class Invert:
    """255 minus each value."""

    def __call__(self, data):
        return numpy.asarray(255 - numpy.asarray(data), numpy.asarray(data).dtype)


class Decode:
    """An image file's bytes as an image (height, width, 3); needs the Pillow package."""

    def __init__(self, to_pil=False):
        if to_pil:
            raise ValueError("Decode: `to_pil` is not supported; images are arrays here")

    def __call__(self, data):
        import io

        try:
            from PIL import Image
        except ImportError:
            raise RuntimeError("Decode needs the package Pillow (python3-pil)") from None
        return numpy.asarray(Image.open(io.BytesIO(numpy.asarray(data).tobytes())).convert("RGB"))
