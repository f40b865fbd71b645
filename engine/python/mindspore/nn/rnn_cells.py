"""RNNCell, LSTMCell and GRUCell: one step of a recurrence. The layers over whole sequences are in rnn.py."""
import math

import _fusescope
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Uniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.nn.basic import positive_int
from mindspore.nn.cell import Cell

Tensor = _fusescope.Tensor
_F = _fusescope.functions


def check_flag(name, value, cell):
    """True or False, or an error that names the argument."""
    if not isinstance(value, bool):
        raise TypeError(f"{cell}: `{name}` must be True or False, but it is {value!r}")
    return value


def check_nonlinearity(value, cell):
    if value not in ("tanh", "relu"):
        raise ValueError(f"{cell}: `nonlinearity` must be 'tanh' or 'relu', but it is {value!r}")
    return value


# The steps. `from_input` is what the input gives to all gates (its bias included), `h` the state before; each gives the
# state after, of which the first element is the output.

def rnn_step(activation):
    function = _F[activation]

    def step(from_input, state, w_hh, b_hh):
        return (function(from_input + _linear(state[0], w_hh, b_hh)),)

    return step


def lstm_step(from_input, state, w_hh, b_hh):
    """Gates stand in the order input, forget, candidate, output."""
    i, f, g, o = _F["split"](from_input + _linear(state[0], w_hh, b_hh), w_hh.shape[1], -1)
    sigmoid = _F["sigmoid"]
    c = sigmoid(f) * state[1] + sigmoid(i) * _F["tanh"](g)
    return sigmoid(o) * _F["tanh"](c), c


def gru_step(from_input, state, w_hh, b_hh):
    """Gates stand in the order reset, update, candidate; the reset gate acts on the product, after its bias."""
    h, hidden = state[0], w_hh.shape[1]
    in_r, in_z, in_n = _F["split"](from_input, hidden, -1)
    hid_r, hid_z, hid_n = _F["split"](_linear(h, w_hh, b_hh), hidden, -1)
    r = _F["sigmoid"](in_r + hid_r)
    z = _F["sigmoid"](in_z + hid_z)
    n = _F["tanh"](in_n + r * hid_n)
    return (n + z * (h - n),)


def _linear(x, weight, bias):
    y = _F["matmul"](x, weight, transpose_b=True)
    return y if bias is None else y + bias


class _RNNCell(Cell):
    """What the three have in common; `gates` is how many blocks of hidden_size rows the weights have."""

    gates = 1

    def __init__(self, input_size, hidden_size, has_bias=True, dtype=mstype.float32):
        super().__init__()
        name = type(self).__name__
        self.input_size = positive_int("input_size", input_size, name)
        self.hidden_size = positive_int("hidden_size", hidden_size, name)
        self.has_bias = check_flag("has_bias", has_bias, name)
        bound, rows = Uniform(1 / math.sqrt(hidden_size)), self.gates * hidden_size
        self.weight_ih = Parameter(initializer(bound, (rows, input_size), dtype), name="weight_ih")
        self.weight_hh = Parameter(initializer(bound, (rows, hidden_size), dtype), name="weight_hh")
        self.bias_ih = self.bias_hh = None
        if has_bias:
            self.bias_ih = Parameter(initializer(bound, (rows,), dtype), name="bias_ih")
            self.bias_hh = Parameter(initializer(bound, (rows,), dtype), name="bias_hh")

    def _check(self, x, state):
        name = type(self).__name__
        if not isinstance(x, Tensor) or x.ndim != 2 or x.shape[1] != self.input_size:
            raise ValueError(f"{name}: `x` must have shape (batch, {self.input_size}), "
                             f"but it is {f'of shape {x.shape}' if isinstance(x, Tensor) else type(x).__name__}")
        for h in state:
            if not isinstance(h, Tensor):
                raise TypeError(f"{name}: `hx` must be a tensor, but it is {type(h).__name__}")
            if h.shape != (x.shape[0], self.hidden_size):
                raise ValueError(f"{name}: `hx` must have shape {(x.shape[0], self.hidden_size)} (batch, hidden_size), "
                                 f"but its shape is {h.shape}")

    def _step(self, step, x, state):
        self._check(x, state)
        return step(_linear(x, self.weight_ih, self.bias_ih), state, self.weight_hh, self.bias_hh)

    def extend_repr(self):
        return f"input_size={self.input_size}, hidden_size={self.hidden_size}, has_bias={self.has_bias}"


class RNNCell(_RNNCell):
    """h' = tanh(W_ih·x + b_ih + W_hh·h + b_hh), or relu of it."""

    def __init__(self, input_size, hidden_size, has_bias=True, nonlinearity="tanh", dtype=mstype.float32):
        super().__init__(input_size, hidden_size, has_bias, dtype)
        self.nonlinearity = check_nonlinearity(nonlinearity, "RNNCell")

    def construct(self, x, hx):
        return self._step(rnn_step(self.nonlinearity), x, (hx,))[0]


class LSTMCell(_RNNCell):
    """One step of a long short-term memory: gives the pair (h', c')."""

    gates = 4

    def construct(self, x, hx):
        if not isinstance(hx, (tuple, list)) or len(hx) != 2:
            raise TypeError(f"LSTMCell: `hx` must be a pair (h, c), but it is {type(hx).__name__}")
        return self._step(lstm_step, x, tuple(hx))


class GRUCell(_RNNCell):
    """One step of a gated recurrent unit."""

    gates = 3

    def construct(self, x, hx):
        return self._step(gru_step, x, (hx,))[0]
