"""Encoders and decoders of attention and feed-forward layers."""
import copy

from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.nn.attention import MultiheadAttention
from mindspore.nn.basic import Dense, Dropout, get_activation, positive_int
from mindspore.nn.cell import Cell
from mindspore.nn.container import CellList
from mindspore.nn.normalization import LayerNorm


def _activation(activation, cell):
    if isinstance(activation, str):
        if activation not in ("relu", "gelu"):
            raise ValueError(f"{cell}: `activation` must be 'relu', 'gelu' or a function, but it is {activation!r}")
        return get_activation(activation)
    if not callable(activation):
        raise TypeError(f"{cell}: `activation` must be a name or a function, but it is {type(activation).__name__}")
    return activation


class _Layer(Cell):
    """Self-attention and a feed-forward part, each beside a path that skips it."""

    def __init__(self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                 dtype, norms):
        super().__init__()
        name = type(self).__name__
        positive_int("d_model", d_model, name)
        positive_int("dim_feedforward", dim_feedforward, name)
        self.norm_first = norm_first
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        if norms == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self.linear1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.linear2 = Dense(dim_feedforward, d_model, dtype=dtype)
        for k in range(1, norms + 1):
            setattr(self, f"norm{k}", LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype))
            setattr(self, f"dropout{k}", Dropout(p=dropout))
        self.activation = _activation(activation, name)

    def _beside(self, x, part, norm, dropout):
        """x + part(x), normalised before the part or after the sum."""
        if self.norm_first:
            return x + dropout(part(norm(x)))
        return norm(x + dropout(part(x)))

    def _attend_to_self(self, mask, padding):
        return lambda x: self.self_attn(x, x, x, padding, False, mask)[0]

    def _feed_forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Self-attention, then two linear layers."""

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, dtype=mstype.float32):
        super().__init__(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                         dtype, norms=2)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        x = self._beside(src, self._attend_to_self(src_mask, src_key_padding_mask), self.norm1, self.dropout1)
        return self._beside(x, self._feed_forward, self.norm2, self.dropout2)


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to what an encoder made, then two linear layers."""

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, dtype=mstype.float32):
        super().__init__(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                         dtype, norms=3)

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                  memory_key_padding_mask=None):
        def attend_to_memory(x):
            return self.multihead_attn(x, memory, memory, memory_key_padding_mask, False, memory_mask)[0]

        x = self._beside(tgt, self._attend_to_self(tgt_mask, tgt_key_padding_mask), self.norm1, self.dropout1)
        x = self._beside(x, attend_to_memory, self.norm2, self.dropout2)
        return self._beside(x, self._feed_forward, self.norm3, self.dropout3)


class _Stack(Cell):
    """Copies of a layer one after another, and a normalisation at the end if wanted."""

    def __init__(self, layer, num_layers, norm):
        super().__init__()
        if not isinstance(layer, Cell):
            raise TypeError(f"{type(self).__name__}: the layer must be a Cell, but it is {type(layer).__name__}")
        self.num_layers = positive_int("num_layers", num_layers, type(self).__name__)
        self.layers = CellList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.norm = norm

    def _through(self, x, *rest):
        for layer in self.layers:
            x = layer(x, *rest)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """num_layers copies of an encoder layer."""

    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__(encoder_layer, num_layers, norm)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        return self._through(src, src_mask, src_key_padding_mask)


class TransformerDecoder(_Stack):
    """num_layers copies of a decoder layer, each of which attends to the same memory."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                  memory_key_padding_mask=None):
        return self._through(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)


class Transformer(Cell):
    """An encoder, and a decoder that attends to what it makes."""

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048,
                 dropout=0.1, activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, dtype=mstype.float32):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)

        def norm():
            return LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)

        self.encoder = custom_encoder
        if custom_encoder is None:
            self.encoder = TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers, norm())
        self.decoder = custom_decoder
        if custom_decoder is None:
            self.decoder = TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers, norm())
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer("xavier_uniform", parameter.shape, parameter.dtype))
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def construct(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                  tgt_key_padding_mask=None, memory_key_padding_mask=None):
        if src.ndim != tgt.ndim:
            raise ValueError(f"Transformer: `src` and `tgt` must both have a batch or neither, but their shapes are "
                             f"{src.shape} and {tgt.shape}")
        axis = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[axis] != tgt.shape[axis]:
            raise ValueError(f"Transformer: `src` and `tgt` must have the same batch along axis {axis}, but their "
                             f"shapes are {src.shape} and {tgt.shape}")
        for word, x in (("src", src), ("tgt", tgt)):
            if x.shape[-1] != self.d_model:
                raise ValueError(f"Transformer: `{word}` must have {self.d_model} features along its last axis, "
                                 f"but its shape is {x.shape}")
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
