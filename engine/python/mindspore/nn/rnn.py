"""RNN, LSTM and GRU over whole sequences.

The inputs of all steps are multiplied by W_ih in one product before the loop; the loop over time is unrolled, so that a
graph sees each step and gradients come by themselves.
"""
import math

import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Uniform, initializer
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.nn.basic import positive_int
from mindspore.nn.cell import Cell
from mindspore.nn.rnn_cells import check_flag, check_nonlinearity, gru_step, lstm_step, rnn_step

Tensor = _fusescope.Tensor
_F = _fusescope.functions


class _Recurrent(Cell):
    """Layers of a recurrence, each forward or in both directions."""

    gates = 1    # blocks of hidden_size rows in the weights
    states = 1   # tensors in the state

    def __init__(self, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, dtype=mstype.float32):
        super().__init__()
        name = type(self).__name__
        self.input_size = positive_int("input_size", input_size, name)
        self.hidden_size = positive_int("hidden_size", hidden_size, name)
        self.num_layers = positive_int("num_layers", num_layers, name)
        self.has_bias = check_flag("has_bias", has_bias, name)
        self.batch_first = check_flag("batch_first", batch_first, name)
        self.bidirectional = check_flag("bidirectional", bidirectional, name)
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)):
            raise TypeError(f"{name}: `dropout` must be a number, but it is {type(dropout).__name__}")
        if not 0 <= dropout < 1:
            raise ValueError(f"{name}: `dropout` must be in [0, 1), but it is {dropout}")
        self.dropout = float(dropout)
        self.num_directions = 2 if bidirectional else 1
        bound, rows = Uniform(1 / math.sqrt(hidden_size)), self.gates * hidden_size
        made = {kind: [] for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
        for layer in range(num_layers):
            width = input_size if layer == 0 else hidden_size * self.num_directions
            for suffix in ("", "_reverse")[:self.num_directions]:
                shapes = [("weight_ih", (rows, width)), ("weight_hh", (rows, hidden_size))]
                if has_bias:
                    shapes += [("bias_ih", (rows,)), ("bias_hh", (rows,))]
                for kind, shape in shapes:
                    made[kind].append(Parameter(initializer(bound, shape, dtype), name=f"{kind}_l{layer}{suffix}"))
        self.w_ih_list = ParameterTuple(made["weight_ih"])
        self.w_hh_list = ParameterTuple(made["weight_hh"])
        self.b_ih_list = ParameterTuple(made["bias_ih"])
        self.b_hh_list = ParameterTuple(made["bias_hh"])

    def _function(self):
        """The step, as in rnn_cells."""
        raise RuntimeError(f"{type(self).__name__} does not say what one step is")

    def construct(self, x, hx=None, seq_length=None):
        name = type(self).__name__
        if not isinstance(x, Tensor) or x.ndim != 3 or x.shape[2] != self.input_size:
            axes = "batch, sequence" if self.batch_first else "sequence, batch"
            raise ValueError(f"{name}: `x` must have shape ({axes}, {self.input_size}), "
                             f"but it is {f'of shape {x.shape}' if isinstance(x, Tensor) else type(x).__name__}")
        if self.batch_first:
            x = _F["transpose"](x, (1, 0, 2))
        steps, batch = x.shape[:2]
        state = self._first_state(x, hx)
        lengths = None if seq_length is None else _Lengths(seq_length, steps, batch, name)
        finals = []
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                x = ops.dropout(x, self.dropout)
            outputs = []
            for direction in range(self.num_directions):
                place = layer * self.num_directions + direction
                y, final = self._along(x, tuple(s[place] for s in state), place, direction == 1, lengths)
                outputs.append(y)
                finals.append(final)
            x = outputs[0] if len(outputs) == 1 else _F["concat"](outputs, -1)
        last = tuple(_F["stack"]([f[k] for f in finals], 0) for k in range(self.states))
        if self.batch_first:
            x = _F["transpose"](x, (1, 0, 2))
        return x, last if self.states > 1 else last[0]

    def _first_state(self, x, hx):
        name = type(self).__name__
        wanted = (self.num_layers * self.num_directions, x.shape[1], self.hidden_size)
        if hx is None:
            zeros = _F["full"](wanted, 0.0, x.dtype)
            return tuple(_F["unstack"](zeros, 0) for _ in range(self.states))
        if self.states > 1:
            if not isinstance(hx, (tuple, list)) or len(hx) != self.states:
                raise TypeError(f"{name}: `hx` must be a pair (h, c), but it is {type(hx).__name__}")
        else:
            hx = (hx,)
        for h in hx:
            if not isinstance(h, Tensor):
                raise TypeError(f"{name}: `hx` must be a tensor, but it is {type(h).__name__}")
            if h.shape != wanted:
                raise ValueError(f"{name}: `hx` must have shape {wanted} (layers · directions, batch, hidden_size), "
                                 f"but its shape is {h.shape}")
        return tuple(_F["unstack"](h, 0) for h in hx)

    def _along(self, x, state, place, backward, lengths):
        """One layer in one direction: its outputs at all steps and its last state."""
        steps, batch, width = x.shape
        w_hh = self.w_hh_list[place]
        b_hh = self.b_hh_list[place] if self.has_bias else None
        if backward:
            x = lengths.reversed(x) if lengths else _F["flip"](x, (0,))
        rows = _F["matmul"](x.reshape((steps * batch, width)), self.w_ih_list[place], transpose_b=True)
        if self.has_bias:
            rows = rows + self.b_ih_list[place]
        from_input = _F["unstack"](rows.reshape((steps, batch, -1)), 0)
        step, outputs = self._function(), []
        for t in range(steps):
            after = step(from_input[t], state, w_hh, b_hh)
            if lengths:
                inside = lengths.inside[t]
                outputs.append(_F["where"](inside, after[0], 0.0))
                after = tuple(_F["where"](inside, new, old) for new, old in zip(after, state))
            else:
                outputs.append(after[0])
            state = after
        y = _F["stack"](outputs, 0)
        if backward:
            y = lengths.reversed(y) if lengths else _F["flip"](y, (0,))
        return y, state

    def extend_repr(self):
        return (f"input_size={self.input_size}, hidden_size={self.hidden_size}, num_layers={self.num_layers}, "
                f"has_bias={self.has_bias}, batch_first={self.batch_first}, dropout={self.dropout}, "
                f"bidirectional={self.bidirectional}")


class _Lengths:
    """How many steps of each sequence of a batch count: states stand still after them, outputs are zero."""

    def __init__(self, lengths, steps, batch, name):
        if not isinstance(lengths, Tensor):
            lengths = Tensor(lengths)
        if lengths.dtype not in (mstype.int32, mstype.int64):
            raise TypeError(f"{name}: `seq_length` must hold whole numbers, but its dtype is {lengths.dtype}")
        if lengths.shape != (batch,):
            raise ValueError(f"{name}: `seq_length` must have shape ({batch},), one for each sequence, "
                             f"but its shape is {lengths.shape}")
        lengths = lengths.astype(mstype.int32).reshape((1, batch))
        times = ops.arange(steps).astype(mstype.int32).reshape((steps, 1))
        counted = times < lengths
        self.inside = _F["unstack"](counted.reshape((steps, batch, 1)), 0)
        # Where the element of each place is in the reversed sequence; what is beyond the length stays where it is.
        source = _F["where"](counted, lengths - 1 - times, times)
        self._rows = (source * batch + ops.arange(batch).astype(mstype.int32)).reshape(-1)

    def reversed(self, x):
        """Each sequence turned round within its length."""
        steps, batch, width = x.shape
        return _F["gather"](x.reshape((steps * batch, width)), self._rows, 0).reshape(x.shape)


class RNN(_Recurrent):
    """h(t) = tanh(W_ih·x(t) + b_ih + W_hh·h(t-1) + b_hh), or relu of it; gives (outputs, last states)."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", has_bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, dtype=mstype.float32):
        super().__init__(input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype)
        self.nonlinearity = check_nonlinearity(nonlinearity, "RNN")

    def _function(self):
        return rnn_step(self.nonlinearity)


class LSTM(_Recurrent):
    """Long short-term memory; gives (outputs, (last h, last c))."""

    gates, states = 4, 2

    def _function(self):
        return lstm_step


class GRU(_Recurrent):
    """Gated recurrent units; gives (outputs, last states)."""

    gates = 3

    def _function(self):
        return gru_step
