"""Batch and layer normalisation."""
import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.nn.basic import positive_int
from mindspore.nn.cell import Cell

_F = _fusescope.functions


class _BatchNorm(Cell):
    ranks = (4,)

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, data_format="NCHW",
                 dtype=mstype.float32):
        super().__init__()
        name = type(self).__name__
        self.num_features = positive_int("num_features", num_features, name)
        if not 0 <= momentum <= 1:
            raise ValueError(f"{name}: `momentum` must be in [0, 1], but it is {momentum}")
        if eps <= 0:
            raise ValueError(f"{name}: `eps` must be above 0, but it is {eps}")
        self.eps, self.momentum, self.affine = eps, momentum, affine
        self.use_batch_statistics = use_batch_statistics
        shape = (num_features,)
        # As a child `bn` these are bn.moving_mean and bn.moving_variance; alone they are mean and variance.
        self.moving_mean = Parameter(initializer(moving_mean_init, shape, dtype), "mean", requires_grad=False)
        self.moving_variance = Parameter(initializer(moving_var_init, shape, dtype), "variance", requires_grad=False)
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), "gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape, dtype), "beta", requires_grad=affine)

    def _prefix_names(self, prefix):
        if self._param_prefix == "":
            self.moving_mean.name = "moving_mean"
            self.moving_variance.name = "moving_variance"
        super()._prefix_names(prefix)

    def construct(self, x):
        if x.ndim not in self.ranks:
            wanted = " or ".join(str(r) for r in self.ranks)
            raise ValueError(f"{type(self).__name__}: the input must have {wanted} axes, but its shape is {x.shape}")
        training = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        y, mean, variance = _F["batch_norm"](x, self.gamma, self.beta, self.moving_mean, self.moving_variance, training,
                                             self.eps)
        if not training:
            return y
        keep = float(self.momentum)
        ops.assign(self.moving_mean, self.moving_mean * keep + ops.stop_gradient(mean) * (1.0 - keep))
        ops.assign(self.moving_variance, self.moving_variance * keep + ops.stop_gradient(variance) * (1.0 - keep))
        return y

    def extend_repr(self):
        return (f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
                f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}")


class BatchNorm1d(_BatchNorm):
    """Normalises each feature over the batch, and over the length when there is one."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalises each channel over batch, rows and columns."""

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalises each channel over batch, depth, rows and columns."""

    ranks = (5,)

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, dtype=mstype.float32):
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                         use_batch_statistics, dtype=dtype)


class SyncBatchNorm(_BatchNorm):
    """BatchNorm over all devices; there is one here, so it is that of any number of axes."""

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, process_groups=None,
                 dtype=mstype.float32):
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                         use_batch_statistics, dtype=dtype)


class _InstanceNorm(Cell):
    """Normalises each channel of each sample by its own statistics, while training and afterwards."""

    axes = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, gamma_init="ones", beta_init="zeros",
                 dtype=mstype.float32):
        super().__init__()
        name = type(self).__name__
        self.num_features = positive_int("num_features", num_features, name)
        if eps <= 0:
            raise ValueError(f"{name}: `eps` must be above 0, but it is {eps}")
        if not 0 <= momentum <= 1:
            raise ValueError(f"{name}: `momentum` must be in [0, 1], but it is {momentum}")
        if not isinstance(affine, bool):
            raise TypeError(f"{name}: `affine` must be True or False, but it is {affine!r}")
        self.eps, self.momentum, self.affine = eps, momentum, affine
        self.gamma = Parameter(initializer(gamma_init, (num_features,), dtype), "gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_features,), dtype), "beta", requires_grad=affine)

    def construct(self, x):
        if x.ndim != self.axes + 2 or x.shape[1] != self.num_features:
            raise ValueError(f"{type(self).__name__}: the input must have {self.axes + 2} axes, the second of extent "
                             f"{self.num_features}, but its shape is {x.shape}")
        over, channels = tuple(range(2, x.ndim)), (1, -1) + (1,) * self.axes
        d = x - _F["mean"](x, over, True)
        y = d * ops.rsqrt(_F["mean"](d * d, over, True) + self.eps)
        return y * self.gamma.reshape(channels) + self.beta.reshape(channels)

    def extend_repr(self):
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}"


class InstanceNorm1d(_InstanceNorm):
    """Over the length of (N, C, L)."""

    axes = 1


class InstanceNorm2d(_InstanceNorm):
    """Over rows and columns of (N, C, H, W)."""

    axes = 2


class InstanceNorm3d(_InstanceNorm):
    """Over depth, rows and columns of (N, C, D, H, W)."""

    axes = 3


class LayerNorm(Cell):
    """Normalises over the last axes."""

    def __init__(self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init="ones",
                 beta_init="zeros", epsilon=1e-7, dtype=mstype.float32):
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(f"LayerNorm: `normalized_shape` must be a tuple or a list, "
                            f"but it is {type(normalized_shape).__name__}")
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis, self.epsilon = begin_norm_axis, begin_params_axis, epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape, dtype), name="beta")

    def construct(self, x):
        first = self.begin_norm_axis % x.ndim
        if self.begin_norm_axis == -1 and len(self.normalized_shape) > 1:
            first = x.ndim - len(self.normalized_shape)
        return _F["layer_norm"](x, self.gamma, self.beta, first, self.epsilon)[0]

    def extend_repr(self):
        return (f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
                f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma}, beta={self.beta}")


class GroupNorm(Cell):
    """Normalises groups of channels of each sample."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, gamma_init="ones", beta_init="zeros",
                 dtype=mstype.float32):
        super().__init__()
        self.num_groups = positive_int("num_groups", num_groups, "GroupNorm")
        self.num_channels = positive_int("num_channels", num_channels, "GroupNorm")
        if num_channels % num_groups:
            raise ValueError(f"GroupNorm: `num_channels` {num_channels} must be divisible by `num_groups` {num_groups}")
        self.eps = eps
        self.gamma = Parameter(initializer(gamma_init, (num_channels,), dtype), "gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,), dtype), "beta", requires_grad=affine)

    def construct(self, x):
        shape = x.shape
        if shape[1] != self.num_channels:
            wanted = shape[:1] + (self.num_channels,) + shape[2:]
            _fusescope.refuse_shape("GroupNorm", f"GroupNorm: axis 1 of the input must have extent {self.num_channels}, "
                                    f"but the input's shape is {shape}", "wanted", wanted, "input", x)
        grouped = x.reshape((shape[0], self.num_groups, -1))
        d = grouped - _F["mean"](grouped, -1, True)
        y = (d * ops.rsqrt(_F["mean"](d * d, -1, True) + self.eps)).reshape(shape)
        per_channel = (1, -1) + (1,) * (len(shape) - 2)
        return y * self.gamma.reshape(per_channel) + self.beta.reshape(per_channel)


class RMSNorm(Cell):
    """x / rms(x) · gamma over the last axis."""

    def __init__(self, dim, epsilon=1e-6):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = Parameter(initializer("ones", (dim,)), name="gamma")

    def construct(self, x):
        return x * ops.rsqrt(_F["mean"](x * x, -1, True) + self.epsilon) * self.gamma


class LRN(Cell):
    """Each element over a power of the squares of its neighbours in 2·depth_radius + 1 channels."""

    def __init__(self, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
        super().__init__()
        if norm_region != "ACROSS_CHANNELS":
            raise ValueError(f"LRN: `norm_region` must be 'ACROSS_CHANNELS', but it is {norm_region!r}")
        self.depth_radius, self.bias, self.alpha, self.beta = depth_radius, bias, alpha, beta

    def construct(self, x):
        n, c, h, w = x.shape
        width = 2 * self.depth_radius + 1
        squares = _F["square"](x).reshape((n, 1, c, h * w))
        pads = (self.depth_radius, self.depth_radius, 0, 0)
        means = _F["avg_pool2d"](squares, (width, 1), (1, 1), "pad", pads).reshape(x.shape)
        return x / ops.pow(self.bias + means * (self.alpha * width), self.beta)
