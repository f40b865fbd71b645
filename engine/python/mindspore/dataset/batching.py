"""Batches: rows stacked, with functions over whole batches and with padding."""
import numpy

from mindspore.dataset.pipeline import BatchInfo, Dataset, as_array, called, names_list
from mindspore.dataset.samplers import _count

_OPTIONS = ("per_batch_map", "input_columns", "output_columns", "pad_info", "python_multiprocessing", "max_rowsize",
            "column_order")


class Batch(Dataset):
    def __init__(self, parent, batch_size, drop_remainder=False, **options):
        super().__init__(parent)
        for word in options:
            if word not in _OPTIONS:
                raise TypeError(f"batch: there is no argument `{word}`")
        if callable(batch_size):
            self._batch_size = batch_size
        else:
            self._batch_size = _count("batch", "batch_size", batch_size)
        if not isinstance(drop_remainder, bool):
            raise TypeError(f"batch: `drop_remainder` must be True or False, but it is {drop_remainder!r}")
        self._drop = drop_remainder
        self._function = options.get("per_batch_map")
        self._pad = options.get("pad_info")
        if self._function is not None and not callable(self._function):
            raise TypeError(f"batch: `per_batch_map` must be a function of columns and a BatchInfo, but it is "
                            f"{type(self._function).__name__}")
        if self._pad is not None:
            _check_padding(self._pad)
            parent._places(list(self._pad), "padded_batch")
        own = parent.names()
        inputs = options.get("input_columns")
        outputs = options.get("output_columns")
        self._inputs = own if inputs is None else names_list(inputs, "batch", "input_columns")
        self._places_in = parent._places(self._inputs, "batch")
        self._outputs = self._inputs if outputs is None else names_list(outputs, "batch", "output_columns")
        if self._function is None or len(self._outputs) == len(self._inputs):
            renamed = dict(zip(self._inputs, self._outputs)) if self._function else {}
            self._names = [renamed.get(name, name) for name in own]
        else:
            self._names = self._outputs + [name for name in own if name not in self._inputs]
        self._epoch = 0

    def names(self):
        return list(self._names)

    def get_batch_size(self):
        return -1 if callable(self._batch_size) else self._batch_size

    def size(self):
        inner = self._parents[0].size()
        if inner is None or callable(self._batch_size):
            return None
        return inner // self._batch_size if self._drop else -(-inner // self._batch_size)

    def rows(self):
        epoch, self._epoch = self._epoch, self._epoch + 1
        number = 0

        def wanted():
            if not callable(self._batch_size):
                return self._batch_size
            size = called(self._batch_size, (BatchInfo(number, epoch),), f"batch_size of batch {number}")
            return _count("batch", "batch_size(batch_info)", size)

        group, size = [], wanted()
        for row in self._parents[0].rows():
            group.append(row)
            if len(group) == size:
                yield self._stacked(group, BatchInfo(number, epoch))
                number += 1
                group, size = [], wanted()
        if group and not self._drop:
            yield self._stacked(group, BatchInfo(number, epoch))

    def _stacked(self, group, info):
        columns = [list(column) for column in zip(*group)]
        if self._function is not None:
            columns = self._mapped(columns, info)
        if self._pad is not None:
            columns = [self._padded(name, column) for name, column in zip(self._names, columns)]
        return tuple(_stack(name, column) for name, column in zip(self._names, columns))

    def _mapped(self, columns, info):
        where = f"per_batch_map of batch {info.get_batch_num()}"
        out = called(self._function, [*(columns[k] for k in self._places_in), info], where)
        if len(self._outputs) == 1 and not isinstance(out, tuple):
            out = (out,)
        if not isinstance(out, (tuple, list)) or len(out) != len(self._outputs):
            raise RuntimeError(f"batch: per_batch_map must give {len(self._outputs)} columns "
                               f"({', '.join(self._outputs)}) in a tuple")
        for name, column in zip(self._outputs, out):
            if not isinstance(column, (list, tuple)) and numpy.ndim(column) == 0:
                raise TypeError(f"batch: {where} must give a list of arrays, one for each row, for column '{name}', but "
                                f"it gives {type(column).__name__}")
        out = [[as_array(v) for v in column] for column in out]
        if len(self._outputs) == len(self._inputs):
            for k, column in zip(self._places_in, out):
                columns[k] = column
            return columns
        return out + [columns[k] for k, name in enumerate(self._parents[0].names()) if name not in self._inputs]

    def _padded(self, name, column):
        if self._pad and name not in self._pad:
            return column
        shape, value = self._pad.get(name, (None, 0)) if self._pad else (None, 0)
        rank = max(a.ndim for a in column)
        shape = [None] * rank if shape is None else list(shape)
        longest = [max(a.shape[k] for a in column) if shape[k] in (None, -1) else shape[k] for k in range(rank)]
        padded = []
        for a in column:
            if a.ndim != rank or len(shape) != rank:
                raise ValueError(f"padded_batch: column '{name}' has {a.ndim} axes, but {len(shape)} are padded")
            a = a[tuple(slice(0, n) for n in longest)]
            filled = numpy.full(longest, value, a.dtype)
            filled[tuple(slice(0, n) for n in a.shape)] = a
            padded.append(filled)
        return padded


def _check_padding(pad):
    if not isinstance(pad, dict):
        raise TypeError(f"padded_batch: `pad_info` must be {{column: (shape or None, value)}}, but it is "
                        f"{type(pad).__name__}")
    for name, how in pad.items():
        if not isinstance(how, (list, tuple)) or len(how) != 2 or not (how[0] is None or hasattr(how[0], "__iter__")):
            raise TypeError(f"padded_batch: `pad_info` of column '{name}' must be (shape or None, value), such as "
                            f"([8], 0), but it is {how!r}")


def _stack(name, column):
    first = column[0]
    for number, value in enumerate(column):
        if value.shape != first.shape:
            raise RuntimeError(f"batch: rows of column '{name}' differ in shape: row 0 of the batch has {first.shape}, "
                               f"row {number} has {value.shape}; pad them with padded_batch, or map them to one shape")
    return numpy.stack(column)
