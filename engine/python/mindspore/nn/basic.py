"""Dense, Dropout, Flatten, Embedding and their neighbours."""
import math

import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.initializer import HeUniform, Uniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.nn.cell import Cell

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def positive_int(name, value, cell):
    """An int above zero, or an error that names the argument."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{cell}: `{name}` must be an int, but it is {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{cell}: `{name}` must be above 0, but it is {value}")
    return value


class Dense(Cell):
    """y = activation(x · weightᵀ + bias); weight is [out_channels, in_channels]."""

    def __init__(self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True, activation=None,
                 dtype=mstype.float32):
        super().__init__()
        self.in_channels = positive_int("in_channels", in_channels, "Dense")
        self.out_channels = positive_int("out_channels", out_channels, "Dense")
        if not isinstance(has_bias, bool):
            raise TypeError(f"Dense: `has_bias` must be True or False, but it is {has_bias!r}")
        self.has_bias = has_bias
        shape = (out_channels, in_channels)
        if isinstance(weight_init, Tensor) and tuple(weight_init.shape) != shape:
            _fusescope.refuse_shape("Parameter", f"Dense: `weight_init` must have shape {shape} (out_channels, "
                                    f"in_channels), but it has shape {weight_init.shape}", "wanted", shape,
                                    "weight_init", weight_init)
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)) if weight_init is None else weight_init, shape,
                                            dtype), name="weight")
        self.bias = None
        if has_bias:
            if isinstance(bias_init, Tensor) and tuple(bias_init.shape) != (out_channels,):
                _fusescope.refuse_shape("Parameter", f"Dense: `bias_init` must have shape ({out_channels},), "
                                        f"but it has shape {bias_init.shape}", "wanted", (out_channels,), "bias_init",
                                        bias_init)
            bound = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
            self.bias = Parameter(initializer(bound, (out_channels,), dtype), name="bias")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if self.activation is not None and not callable(self.activation):
            raise TypeError(f"Dense: `activation` must be a name or a Cell, but it is {type(activation).__name__}")
        self.activation_flag = self.activation is not None

    def construct(self, x):
        shape = x.shape
        flat = len(shape) != 2
        if flat:
            x = x.reshape((-1, shape[-1]))
        x = _F["matmul"](x, self.weight, transpose_b=True)
        if self.has_bias:
            x = _F["bias_add"](x, self.bias)
        if flat:
            x = x.reshape(shape[:-1] + (self.out_channels,))
        return self.activation(x) if self.activation_flag else x

    def extend_repr(self):
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        if self.has_bias:
            text += f", has_bias={self.has_bias}"
        if self.activation_flag:
            text += f", activation={self.activation}"
        return text


class Linear(Dense):
    """The newer name, with PyTorch's argument names."""

    def __init__(self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None):
        super().__init__(in_features, out_features, weight_init, bias_init, bias, None, dtype or mstype.float32)


class Dropout(Cell):
    """Zeroes elements with probability p while training."""

    def __init__(self, keep_prob=0.5, p=None, dtype=mstype.float32):
        super().__init__()
        if p is None:
            if not 0 < keep_prob <= 1:
                raise ValueError(f"Dropout: `keep_prob` must be in (0, 1], but it is {keep_prob}")
            p = 1.0 - keep_prob
        elif not 0 <= p < 1:
            raise ValueError(f"Dropout: `p` must be in [0, 1), but it is {p}")
        self.p = p
        self.keep_prob = 1.0 - p

    def construct(self, x):
        return ops.dropout(x, self.p) if self.training and self.p else x

    def extend_repr(self):
        return f"p={self.p}"


class _DropoutOfChannels(Cell):
    """Zeroes whole channels with probability p while training."""

    function = ""

    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"{type(self).__name__}: `p` must be in [0, 1], but it is {p}")
        self.p = p

    def construct(self, x):
        return getattr(ops, self.function)(x, self.p, self.training)

    def extend_repr(self):
        return f"p={self.p}"


class Dropout1d(_DropoutOfChannels):
    """Zeroes whole channels of ([N,] C, L) with probability p while training."""

    function = "dropout1d"


class Dropout2d(_DropoutOfChannels):
    """Zeroes whole channels of (N, C, H, W) with probability p while training."""

    function = "dropout2d"


class Dropout3d(_DropoutOfChannels):
    """Zeroes whole channels of (N, C, D, H, W) with probability p while training."""

    function = "dropout3d"


class Flatten(Cell):
    """All axes from start_dim to end_dim as one."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x):
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Identity(Cell):
    """Gives back what it gets."""

    def construct(self, x):
        return x


class Embedding(Cell):
    """Rows of a table by number."""

    def __init__(self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=mstype.float32,
                 padding_idx=None):
        super().__init__()
        self.vocab_size = positive_int("vocab_size", vocab_size, "Embedding")
        self.embedding_size = positive_int("embedding_size", embedding_size, "Embedding")
        self.use_one_hot = use_one_hot
        self.dtype = dtype
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            if not 0 <= padding_idx < vocab_size:
                raise ValueError(f"Embedding: `padding_idx` must be in [0, {vocab_size}), but it is {padding_idx}")
            table = table._snapshot()
            table[padding_idx] = 0
        self.padding_idx = padding_idx
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids):
        if self.use_one_hot:
            rows = ops.one_hot(ids.reshape(-1), self.vocab_size, self.dtype)
            return ops.matmul(rows, self.embedding_table).reshape(ids.shape + (self.embedding_size,))
        rows = _F["gather"](self.embedding_table, ids.reshape(-1), 0)
        return rows.reshape(ids.shape + (self.embedding_size,))

    def extend_repr(self):
        return (f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
                f"dtype={self.dtype}, padding_idx={self.padding_idx}")


class BiDense(Cell):
    """y = x1 · weight · x2 + bias; weight is [out_channels, in1_channels, in2_channels]."""

    def __init__(self, in1_channels, in2_channels, out_channels, weight_init=None, bias_init=None, has_bias=True,
                 dtype=mstype.float32):
        super().__init__()
        self.in1_channels = positive_int("in1_channels", in1_channels, "BiDense")
        self.in2_channels = positive_int("in2_channels", in2_channels, "BiDense")
        self.out_channels = positive_int("out_channels", out_channels, "BiDense")
        self.has_bias = has_bias
        bound = Uniform(1 / math.sqrt(in1_channels))
        shape = (out_channels, in1_channels, in2_channels)
        self.weight = Parameter(initializer(bound if weight_init is None else weight_init, shape, dtype), name="weight")
        self.bias = None
        if has_bias:
            self.bias = Parameter(initializer(bound if bias_init is None else bias_init, (out_channels,), dtype),
                                  name="bias")

    def construct(self, input1, input2):
        for word, x, width in (("input1", input1, self.in1_channels), ("input2", input2, self.in2_channels)):
            if x.shape[-1] != width:
                raise ValueError(f"BiDense: `{word}` must have {width} features along its last axis, "
                                 f"but its shape is {x.shape}")
        if input1.shape[:-1] != input2.shape[:-1]:
            raise ValueError(f"BiDense: the inputs must agree in all axes but the last, but their shapes are "
                             f"{input1.shape} and {input2.shape}")
        left, right = input1.reshape((-1, self.in1_channels)), input2.reshape((-1, 1, self.in2_channels))
        # (batch, out, in2), then the sum over the second input's features.
        flat = _F["transpose"](self.weight, (1, 0, 2)).reshape((self.in1_channels, -1))
        mixed = _F["matmul"](left, flat).reshape((-1, self.out_channels, self.in2_channels))
        y = _F["sum"](mixed * right, -1, False)
        if self.has_bias:
            y = y + self.bias
        return y.reshape(input1.shape[:-1] + (self.out_channels,))

    def extend_repr(self):
        return (f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
                f"out_channels={self.out_channels}, has_bias={self.has_bias}")


class Unflatten(Cell):
    """One axis as several."""

    def __init__(self, axis, unflattened_size):
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise TypeError(f"Unflatten: `axis` must be an int, but it is {type(axis).__name__}")
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(f"Unflatten: `unflattened_size` must be a tuple, but it is "
                            f"{type(unflattened_size).__name__}")
        self.axis, self.unflattened_size = axis, tuple(unflattened_size)

    def construct(self, input):
        axis = self.axis % input.ndim
        return input.reshape(input.shape[:axis] + self.unflattened_size + input.shape[axis + 1:])


class Tril(Cell):
    """The lower triangle of matrices, zero above diagonal k."""

    def construct(self, x, k=0):
        return ops.tril(x, k)


class Triu(Cell):
    """The upper triangle of matrices, zero below diagonal k."""

    def construct(self, x, k=0):
        return ops.triu(x, k)


class ChannelShuffle(Cell):
    """Channels in groups, dealt out like cards."""

    def __init__(self, groups):
        super().__init__()
        self.groups = positive_int("groups", groups, "ChannelShuffle")

    def construct(self, x):
        return ops.channel_shuffle(x, self.groups)


class ClipByNorm(Cell):
    def __init__(self, axis=None):
        super().__init__()

    def construct(self, x, clip_norm):
        return ops.clip_by_norm(x, clip_norm)


class OneHot(Cell):
    def __init__(self, axis=-1, depth=1, on_value=1.0, off_value=0.0, dtype=mstype.float32):
        super().__init__()
        self.axis, self.depth, self.on_value, self.off_value, self.dtype = axis, depth, on_value, off_value, dtype

    def construct(self, indices):
        return ops.one_hot(indices, self.depth, Tensor(self.on_value, self.dtype), Tensor(self.off_value, self.dtype),
                           self.axis)


def get_activation(name, prim_name=None):
    """The activation Cell of a name."""
    from mindspore.nn import activation

    names = {"relu": activation.ReLU, "relu6": activation.ReLU6, "rrelu": activation.RReLU, "gelu": activation.GELU,
             "fast_gelu": activation.FastGelu, "silu": activation.SiLU, "sigmoid": activation.Sigmoid,
             "logsigmoid": activation.LogSigmoid, "tanh": activation.Tanh, "hardtanh": activation.Hardtanh,
             "tanhshrink": activation.Tanhshrink, "softmax": activation.Softmax, "softmax2d": activation.Softmax2d,
             "softmin": activation.Softmin, "logsoftmax": activation.LogSoftmax, "elu": activation.ELU,
             "celu": activation.CELU, "selu": activation.SeLU, "leakyrelu": activation.LeakyReLU,
             "prelu": activation.PReLU, "hswish": activation.HSwish, "hsigmoid": activation.HSigmoid,
             "mish": activation.Mish, "softplus": activation.Softplus, "softsign": activation.Softsign,
             "softshrink": activation.SoftShrink, "hshrink": activation.HShrink, "glu": activation.GLU}
    if name is None:
        return None
    if name not in names:
        raise KeyError(f"there is no activation {name!r}; the names are {', '.join(sorted(names))}")
    return names[name]()
