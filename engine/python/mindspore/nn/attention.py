"""Attention with several heads."""
import math

import _fusescope
from mindspore import ops
from mindspore.common import dtype as mstype
from mindspore.common.initializer import HeUniform, Uniform, XavierNormal, XavierUniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.nn.basic import Dense, positive_int
from mindspore.nn.cell import Cell

Tensor = _fusescope.Tensor
_F = _fusescope.functions


class MultiheadAttention(Cell):
    """softmax(Q·Kᵀ/√d)·V for each head, where Q, K and V are linear in query, key and value; then a linear layer."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, has_bias=True, add_bias_kv=False, add_zero_attn=False,
                 kdim=None, vdim=None, batch_first=False, dtype=mstype.float32):
        super().__init__()
        name = type(self).__name__
        self.embed_dim = positive_int("embed_dim", embed_dim, name)
        self.num_heads = positive_int("num_heads", num_heads, name)
        if embed_dim % num_heads:
            raise ValueError(f"{name}: `embed_dim` {embed_dim} must be divisible by `num_heads` {num_heads}")
        if not 0 <= dropout < 1:
            raise ValueError(f"{name}: `dropout` must be in [0, 1), but it is {dropout}")
        dtype = dtype or mstype.float32
        self.head_dim = embed_dim // num_heads
        self.kdim = embed_dim if kdim is None else positive_int("kdim", kdim, name)
        self.vdim = embed_dim if vdim is None else positive_int("vdim", vdim, name)
        self.dropout, self.has_bias, self.batch_first = float(dropout), has_bias, batch_first
        self.add_bias_kv, self.add_zero_attn = add_bias_kv, add_zero_attn
        self._together = self.kdim == embed_dim and self.vdim == embed_dim
        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        if self._together:
            self.in_proj_weight = Parameter(initializer(XavierUniform(), (3 * embed_dim, embed_dim), dtype),
                                            name="in_proj_weight")
        else:
            for part, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                weight = initializer(XavierUniform(), (embed_dim, width), dtype)
                setattr(self, f"{part}_proj_weight", Parameter(weight, name=f"{part}_proj_weight"))
        self.in_proj_bias = None
        if has_bias:
            self.in_proj_bias = Parameter(initializer("zeros", (3 * embed_dim,), dtype), name="in_proj_bias")
        self.out_proj = Dense(embed_dim, embed_dim, weight_init=HeUniform(math.sqrt(5)),
                              bias_init=Uniform(1 / math.sqrt(embed_dim)), has_bias=has_bias, dtype=dtype)
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            self.bias_k = Parameter(initializer(XavierNormal(), (1, 1, embed_dim), dtype), name="bias_k")
            self.bias_v = Parameter(initializer(XavierNormal(), (1, 1, embed_dim), dtype), name="bias_v")

    def construct(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                  average_attn_weights=True):
        single = self._check(query, key, value)
        q, k, v = self._projected(query, key, value, single)
        length, batch, source = q.shape[0], q.shape[1], k.shape[0]
        mask = self._mask(attn_mask, key_padding_mask, length, source, batch, q.dtype)
        if self.add_bias_kv:
            k = _F["concat"]([k, _F["broadcast_to"](self.bias_k, (1, batch, self.embed_dim))], 0)
            v = _F["concat"]([v, _F["broadcast_to"](self.bias_v, (1, batch, self.embed_dim))], 0)
        if self.add_zero_attn:
            zeros = _F["full"]((1, batch, self.embed_dim), 0.0, k.dtype)
            k, v = _F["concat"]([k, zeros], 0), _F["concat"]([v, zeros], 0)
        q, k, v = (self._heads(x) for x in (q, k, v))
        scores = _F["matmul"](q * (1.0 / math.sqrt(self.head_dim)), k, transpose_b=True)
        if mask is not None:
            # What add_bias_kv and add_zero_attn put at the end may always be attended to.
            more = scores.shape[-1] - source
            if more:
                free = _F["full"](mask.shape[:-1] + (more,), 0.0, mask.dtype)
                mask = _F["concat"]([mask, free], -1)
            scores = scores + mask
        weights = _F["softmax"](scores, -1)
        used = ops.dropout(weights, self.dropout) if self.training and self.dropout else weights
        mixed = _F["matmul"](used, v)
        mixed = _F["transpose"](mixed, (1, 0, 2)).reshape((length, batch, self.embed_dim))
        output = self.out_proj(mixed)
        if single:
            output = output.reshape((length, self.embed_dim))
        elif self.batch_first:
            output = _F["transpose"](output, (1, 0, 2))
        if not need_weights:
            return (output,)
        weights = weights.reshape((batch, self.num_heads) + weights.shape[1:])
        if average_attn_weights:
            weights = _F["mean"](weights, 1)
        return output, weights.reshape(weights.shape[1:]) if single else weights

    def _check(self, query, key, value):
        """Whether there is no batch axis; raises for shapes that do not belong together."""
        name = type(self).__name__
        for word, x, width in (("query", query, self.embed_dim), ("key", key, self.kdim), ("value", value, self.vdim)):
            if not isinstance(x, Tensor):
                raise TypeError(f"{name}: `{word}` must be a tensor, but it is {type(x).__name__}")
            if x.ndim not in (2, 3) or x.ndim != query.ndim or x.shape[-1] != width:
                raise ValueError(f"{name}: `{word}` must have {width} features along its last of "
                                 f"{query.ndim if query.ndim in (2, 3) else '2 or 3'} axes, but its shape is {x.shape}")
        single = query.ndim == 2
        if key.shape[:-1] != value.shape[:-1]:
            raise ValueError(f"{name}: `key` and `value` must agree in length and batch, but their shapes are "
                             f"{key.shape} and {value.shape}")
        axis = 0 if self.batch_first else 1
        if not single and query.shape[axis] != key.shape[axis]:
            raise ValueError(f"{name}: `query` and `key` must have the same batch along axis {axis}, but their shapes "
                             f"are {query.shape} and {key.shape}")
        return single

    def _projected(self, query, key, value, single):
        """Q, K and V as (length, batch, embed_dim); one product for what is the same tensor."""
        def arranged(x):
            if single:
                return x.reshape((x.shape[0], 1, x.shape[1]))
            return _F["transpose"](x, (1, 0, 2)) if self.batch_first else x

        e = self.embed_dim
        biases = (None,) * 3 if self.in_proj_bias is None else None
        if self._together and query is key and key is value:
            rows = _linear(arranged(query), self.in_proj_weight, self.in_proj_bias)
            return tuple(_F["split"](rows, e, -1))
        if biases is None:
            biases = _F["split"](self.in_proj_bias, e, 0)
        if not self._together:
            weights = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        elif key is value:
            of_query, of_both = _F["split"](self.in_proj_weight, [e, 2 * e], 0)
            both = None if self.in_proj_bias is None else _F["concat"]([biases[1], biases[2]], 0)
            k, v = _F["split"](_linear(arranged(key), of_both, both), e, -1)
            return _linear(arranged(query), of_query, biases[0]), k, v
        else:
            weights = _F["split"](self.in_proj_weight, e, 0)
        return tuple(_linear(arranged(x), w, b) for x, w, b in zip((query, key, value), weights, biases))

    def _heads(self, x):
        """(length, batch, embed_dim) as (batch · heads, length, head_dim)."""
        length, batch, _ = x.shape
        return _F["transpose"](x.reshape((length, batch * self.num_heads, self.head_dim)), (1, 0, 2))

    def _mask(self, attn_mask, padding, length, source, batch, dtype):
        """Both masks as one that is added to the scores, or None."""
        name, total = type(self).__name__, None
        if attn_mask is not None:
            allowed = ((length, source), (1, length, source), (batch * self.num_heads, length, source))
            if attn_mask.shape not in allowed:
                raise ValueError(f"{name}: `attn_mask` must have shape {allowed[0]} or {allowed[2]} "
                                 f"([batch · heads,] query length, key length), but its shape is {attn_mask.shape}")
            total = _additive(attn_mask, "attn_mask", dtype)
            if total.ndim == 2:
                total = total.reshape((1, length, source))
        if padding is not None:
            if padding.ndim == 1:
                padding = padding.reshape((1, -1))
            if padding.shape != (batch, source):
                raise ValueError(f"{name}: `key_padding_mask` must have shape {(batch, source)} (batch, key length), "
                                 f"but its shape is {padding.shape}")
            padding = _additive(padding, "key_padding_mask", dtype).reshape((batch, 1, 1, source))
            padding = _F["broadcast_to"](padding, (batch, self.num_heads, 1, source))
            padding = padding.reshape((batch * self.num_heads, 1, source))
            total = padding if total is None else total + padding
        return total

    def extend_repr(self):
        return f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, batch_first={self.batch_first}"


def _linear(x, weight, bias):
    flat = _F["matmul"](x.reshape((-1, x.shape[-1])), weight, transpose_b=True)
    if bias is not None:
        flat = flat + bias
    return flat.reshape(x.shape[:-1] + (weight.shape[0],))


def _additive(mask, word, dtype):
    """True becomes -inf, which no softmax lets through; floats are added as they are."""
    if mask.dtype == mstype.bool_:
        return _F["where"](mask, Tensor(-math.inf, dtype), Tensor(0.0, dtype))
    if not mask.dtype.is_floating_point:
        raise TypeError(f"MultiheadAttention: `{word}` must hold Bools or floats, but its dtype is {mask.dtype}")
    return mask.astype(dtype)
