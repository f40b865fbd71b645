"""How losses are scaled so that gradients in float16 do not become zero."""


class LossScaleManager:
    """Base: says the scale, and hears of overflows."""

    def get_loss_scale(self):
        raise NotImplementedError

    def update_loss_scale(self, overflow):
        raise NotImplementedError

    def get_update_cell(self):
        raise NotImplementedError


def _positive(owner, word, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 1:
        raise ValueError(f"{owner}: `{word}` must be a number of at least 1, but it is {value!r}")
    return value


class FixedLossScaleManager(LossScaleManager):
    """One scale; steps with an overflow are left out if wanted."""

    def __init__(self, loss_scale=128.0, drop_overflow_update=True):
        self._scale = _positive("FixedLossScaleManager", "loss_scale", loss_scale)
        self._drop = drop_overflow_update

    def get_loss_scale(self):
        return self._scale

    def get_drop_overflow_update(self):
        return self._drop

    def update_loss_scale(self, overflow):
        """It stays as it is."""

    def get_update_cell(self):
        from mindspore import nn

        return nn.FixedLossScaleUpdateCell(self._scale) if self._drop else None


class DynamicLossScaleManager(LossScaleManager):
    """Divided at each overflow, multiplied after a number of steps without."""

    def __init__(self, init_loss_scale=2**24, scale_factor=2, scale_window=2000):
        owner = "DynamicLossScaleManager"
        self.loss_scale = _positive(owner, "init_loss_scale", init_loss_scale)
        self.scale_factor = _positive(owner, "scale_factor", scale_factor)
        self.scale_window = int(_positive(owner, "scale_window", scale_window))
        self._good_steps = 0

    def get_loss_scale(self):
        return self.loss_scale

    def get_drop_overflow_update(self):
        return True

    def update_loss_scale(self, overflow):
        if overflow:
            self.loss_scale = max(self.loss_scale / self.scale_factor, 1)
            self._good_steps = 0
        else:
            self._good_steps += 1
            if self._good_steps % self.scale_window == 0:
                self.loss_scale *= self.scale_factor

    def get_update_cell(self):
        from mindspore import nn

        return nn.DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
