"""Layers that change the resolution of pictures."""
from mindspore import ops
from mindspore.nn.cell import Cell


class PixelShuffle(Cell):
    """(…, C·r², H, W) as (…, C, H·r, W·r)."""

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input):
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """(…, C, H·r, W·r) as (…, C·r², H, W)."""

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input):
        return ops.pixel_unshuffle(input, self.downscale_factor)


class Upsample(Cell):
    """Repeats rows and columns (mode 'nearest')."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        if mode != "nearest":
            raise ValueError(f"Upsample: `mode` must be 'nearest', but it is {mode!r}")
        self.scale = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor, scale_factor)

    def construct(self, x):
        return ops.repeat_elements(ops.repeat_elements(x, int(self.scale[0]), 2), int(self.scale[1]), 3)
