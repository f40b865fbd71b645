"""Layers that change the resolution of pictures."""
from mindspore import ops
from mindspore.nn.cell import Cell
from mindspore.ops.interpolation import _resize_bilinear


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
    """(N, C, …) with other extents after the first two."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x):
        return ops.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners,
                               self.recompute_scale_factor)


class ResizeBilinear(Cell):
    """(N, C, H, W) with other rows and columns, between neighbours in straight lines."""

    def __init__(self, half_pixel_centers=False):
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(self, x, size=None, scale_factor=None, align_corners=False):
        if (size is None) == (scale_factor is None):
            raise ValueError("ResizeBilinear: either `size` or `scale_factor` is wanted")
        if x.ndim != 4:
            raise ValueError(f"ResizeBilinear: the input must be (batch, channels, height, width), "
                             f"but its shape is {x.shape}")
        if size is None:
            size = tuple(int(n * scale_factor) for n in x.shape[2:])
        return _resize_bilinear(x, tuple(size), align_corners, self.half_pixel_centers)
