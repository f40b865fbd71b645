"""A dataset and what is done with its rows: each operation is a dataset over another one.

A row is a tuple of numpy arrays, one for each column. `rows()` begins an epoch; nothing is computed before it is asked
for, and nothing is kept.
"""
import builtins

import numpy

from mindspore.dataset import config
from mindspore.dataset.samplers import _count


def as_array(value):
    """What a program gives for one column of one row, as an array of the dataset's own: the program may fill its array
    anew for the next row, and functions of a map may change theirs in place."""
    array = numpy.array(value.asnumpy() if hasattr(value, "asnumpy") else value)
    if array.dtype == object:
        raise TypeError(f"a column must be a number, a string, an array or nested lists of the same lengths, "
                        f"but it is {type(value).__name__}")
    return array


def as_row(value, caller):
    try:
        if isinstance(value, (tuple, list)):
            return tuple(as_array(v) for v in value)
        return (as_array(value),)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{caller}: {error}") from None


def called(function, values, where, row=None):
    """function(*values), with a note in an exception about where, and for which row, it was called."""
    try:
        return function(*values)
    except Exception as error:
        error.add_note(f"in {where}" if row is None else f"in {where}, row {row}")
        raise


def _over(operation, columns):
    return f"{operation} over column{'s' * (len(columns) > 1)} {', '.join(columns)}"


def names_list(value, caller, word):
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple)) or not all(isinstance(n, str) and n for n in value):
        raise TypeError(f"{caller}: `{word}` must be names of columns, but it is {value!r}")
    if len(set(value)) != len(value):
        raise ValueError(f"{caller}: `{word}` names a column twice: {list(value)}")
    return list(value)


class Dataset:
    """Rows with named columns. Its methods give new datasets; iterating over it gives one epoch of tuples of Tensors."""

    def __init__(self, *parents):
        self._parents = parents
        self._size = None

    # What each kind of dataset says --------------------------------------------------------------------------------

    def rows(self):
        """One epoch: a generator of rows."""
        raise NotImplementedError

    def names(self):
        return self._parents[0].names()

    def size(self):
        """Rows of an epoch without computing them, or None."""
        return None

    def endless(self):
        """Whether an epoch never ends, because of a repeat without a count."""
        return any(parent.endless() for parent in self._parents)

    def _places(self, names, caller):
        """Where columns are; with names that exist."""
        own = self.names()
        for name in names:
            if name not in own:
                raise ValueError(f"{caller}: there is no column '{name}'; the columns are {', '.join(own)}")
        return [own.index(name) for name in names]

    # Operations -----------------------------------------------------------------------------------------------------

    def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, **kwargs):
        """Rows of `batch_size` rows stacked. `per_batch_map(column, …, batch_info)` works on lists of arrays."""
        from mindspore.dataset.batching import Batch

        return Batch(self, batch_size, drop_remainder, **kwargs)

    def padded_batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, pad_info=None):
        """As batch, with what is too small filled up: {column: (shape or None, value)}."""
        from mindspore.dataset.batching import Batch

        return Batch(self, batch_size, drop_remainder, pad_info={} if pad_info is None else pad_info)

    def shuffle(self, buffer_size):
        """Mixes rows within a buffer of this size."""
        return Shuffle(self, _count("shuffle", "buffer_size", buffer_size, 2))

    def map(self, operations, input_columns=None, output_columns=None, num_parallel_workers=None, **kwargs):
        """Puts columns through functions of numpy arrays, one after the other."""
        known = ("python_multiprocessing", "cache", "callbacks", "max_rowsize", "offload", "column_order")
        for word in kwargs:
            if word not in known:
                raise TypeError(f"map: there is no argument `{word}`")
        return Map(self, operations, input_columns, output_columns)

    def filter(self, predicate, input_columns=None, num_parallel_workers=None):
        """Keeps the rows for which predicate(*columns) is true."""
        return Filter(self, predicate, input_columns)

    def flat_map(self, func):
        """The rows of the datasets that func(*columns) gives."""
        return FlatMap(self, func)

    def repeat(self, count=None):
        """Its epochs one after the other as one; without `count`, forever."""
        if count is None or count == -1:
            return Repeat(self, None)
        return Repeat(self, _count("repeat", "count", count))

    def take(self, count=-1):
        return self if count == -1 else Slice(self, 0, _count("take", "count", count))

    def skip(self, count):
        return Slice(self, _count("skip", "count", count, 0), None)

    def zip(self, datasets):
        """Its columns and those of others, row by row."""
        return Zip((self, *_several("zip", datasets)))

    def concat(self, datasets):
        """Its rows, then those of others."""
        return Concat((self, *_several("concat", datasets)))

    def __add__(self, other):
        return self.concat(other)

    def rename(self, input_columns, output_columns):
        return Rename(self, names_list(input_columns, "rename", "input_columns"),
                      names_list(output_columns, "rename", "output_columns"))

    def project(self, columns):
        """Only these columns, in this order."""
        return Project(self, names_list(columns, "project", "columns"))

    def apply(self, apply_func):
        """What apply_func(self) gives."""
        if not callable(apply_func):
            raise TypeError(f"apply: `apply_func` must be a function of a dataset, but it is {type(apply_func).__name__}")
        changed = apply_func(self)
        if not isinstance(changed, Dataset):
            raise TypeError(f"apply: the function must give a dataset, but it gives {type(changed).__name__}")
        return changed

    def split(self, sizes, randomize=True):
        """Datasets of so many rows each, or of such shares; the last takes what rounding leaves."""
        from mindspore.dataset.sources import split

        return split(self, sizes, randomize)

    # Iterating ------------------------------------------------------------------------------------------------------

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=True):
        """Rows as {column: Tensor}; each `for` over it is an epoch."""
        from mindspore.dataset.iterators import DictIterator

        return DictIterator(self, None, num_epochs, output_numpy)

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=True):
        """Rows as lists of Tensors; each `for` over it is an epoch."""
        from mindspore.dataset.iterators import TupleIterator

        return TupleIterator(self, columns, num_epochs, output_numpy)

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    # Looking --------------------------------------------------------------------------------------------------------

    def get_dataset_size(self):
        """Rows of an epoch: batches, when they are batched. Counted by running when nothing else tells."""
        if self._size is None:
            known = self.size()
            if known is None and self.endless():
                raise RuntimeError(f"{type(self).__name__}: the rows cannot be counted, since a repeat() without `count` "
                                   "comes before; give it a count, or put it last")
            self._size = sum(1 for _ in self.rows()) if known is None else known
        return self._size

    def __len__(self):
        return self.get_dataset_size()

    def get_col_names(self):
        return list(self.names())

    def _first_row(self):
        for row in self.rows():
            return row
        raise RuntimeError(f"{type(self).__name__}: the dataset is empty, so its rows have no shapes and types")

    def output_shapes(self, estimate=False):
        """The shape of each column, from the first row."""
        return [list(column.shape) for column in self._first_row()]

    def output_types(self):
        """The numpy type of each column, from the first row."""
        return [column.dtype for column in self._first_row()]

    def get_batch_size(self):
        return self._parents[0].get_batch_size() if self._parents else 1

    def get_repeat_count(self):
        return self._parents[0].get_repeat_count() if self._parents else 1

    def num_classes(self):
        return None

    def get_class_indexing(self):
        return {}

    def reset(self):
        """Epochs begin at the first row by themselves."""

    def set_dynamic_columns(self, columns=None):
        """Accepted so that programs run: shapes may change from row to row."""

    def close_pool(self):
        """Accepted so that programs run: there are no processes to end."""


class Shuffle(Dataset):
    def __init__(self, parent, buffer):
        super().__init__(parent)
        self._buffer, self._stream = buffer, None

    def size(self):
        return self._parents[0].size()

    def rows(self):
        if self._stream is None:
            self._stream = config.new_stream()
        waiting = []
        for row in self._parents[0].rows():
            if len(waiting) < self._buffer:
                waiting.append(row)
                continue
            at = int(self._stream.integers(len(waiting)))
            given, waiting[at] = waiting[at], row
            yield given
        for at in self._stream.permutation(len(waiting)):
            yield waiting[at]


class Map(Dataset):
    def __init__(self, parent, operations, inputs, outputs):
        super().__init__(parent)
        operations = list(operations) if isinstance(operations, (list, tuple)) else [operations]
        for operation in operations:
            if isinstance(operation, type) and operation.__module__.startswith("mindspore."):
                raise TypeError(f"map: {operation.__name__} is a class; make a function of it: {operation.__name__}(...)")
            if not callable(operation):
                raise TypeError(f"map: an operation must be a function of arrays, but one is {type(operation).__name__}")
        if not operations:
            raise ValueError("map: `operations` is empty")
        self._operations = operations
        self._inputs = parent.names()[:1] if inputs is None else names_list(inputs, "map", "input_columns")
        self._outputs = self._inputs if outputs is None else names_list(outputs, "map", "output_columns")
        self._places_in = parent._places(self._inputs, "map")
        own = parent.names()
        if len(self._outputs) == len(self._inputs):
            renamed = dict(builtins.zip(self._inputs, self._outputs))
            self._names = [renamed.get(name, name) for name in own]
            self._rest = None
        else:
            # Where their number changes, what comes out stands first.
            self._rest = [k for k, name in enumerate(own) if name not in self._inputs]
            self._names = self._outputs + [own[k] for k in self._rest]
        if len(set(self._names)) != len(self._names):
            raise ValueError(f"map: `output_columns` give two columns one name: {self._names}")

    def names(self):
        return list(self._names)

    def size(self):
        return self._parents[0].size()

    def rows(self):
        where = _over("map", self._inputs)
        for number, row in enumerate(self._parents[0].rows()):
            values = [row[k] for k in self._places_in]
            for operation in self._operations:
                values = called(operation, values, where, number)
                values = list(values) if isinstance(values, (tuple, list)) else [values]
            out = as_row(values, "map")
            if len(out) != len(self._outputs):
                raise RuntimeError(f"map: the operations give {len(out)} columns, but `output_columns` has "
                                   f"{len(self._outputs)}: {', '.join(self._outputs)}")
            if self._rest is not None:
                yield out + tuple(row[k] for k in self._rest)
                continue
            changed = list(row)
            for k, value in builtins.zip(self._places_in, out):
                changed[k] = value
            yield tuple(changed)


class Filter(Dataset):
    def __init__(self, parent, predicate, inputs):
        super().__init__(parent)
        if not callable(predicate):
            raise TypeError(f"filter: `predicate` must be a function, but it is {type(predicate).__name__}")
        self._predicate = predicate
        self._inputs = parent.names() if inputs is None else names_list(inputs, "filter", "input_columns")
        self._places_in = parent._places(self._inputs, "filter")

    def rows(self):
        where = _over("filter", self._inputs)
        for number, row in enumerate(self._parents[0].rows()):
            kept = called(self._predicate, (row[k] for k in self._places_in), where, number)
            kept = kept.asnumpy() if hasattr(kept, "asnumpy") else kept
            if numpy.size(kept) != 1:
                raise ValueError(f"filter: `predicate` must give True or False for a row, but for row {number} it gives "
                                 f"an array of shape {numpy.shape(kept)}; use .all() or .any() on it")
            if kept:
                yield row


class FlatMap(Dataset):
    def __init__(self, parent, function):
        super().__init__(parent)
        if not callable(function):
            raise TypeError(f"flat_map: `func` must be a function of a row, but it is {type(function).__name__}")
        self._function = function

    def rows(self):
        for number, row in enumerate(self._parents[0].rows()):
            inner = called(self._function, row, "flat_map", number)
            if not isinstance(inner, Dataset):
                raise TypeError(f"flat_map: the function must give a dataset, but it gives {type(inner).__name__}")
            yield from inner.rows()


class Repeat(Dataset):
    def __init__(self, parent, count):
        super().__init__(parent)
        self._count = count

    def size(self):
        # Without an end it counts as one epoch, which what follows (a batch, say) must not find by running it.
        if self._count is None:
            return self._parents[0].get_dataset_size()
        inner = self._parents[0].size()
        return None if inner is None else inner * self._count

    def get_dataset_size(self):
        return self._parents[0].get_dataset_size() * (self._count or 1)

    def endless(self):
        return self._count is None or super().endless()

    def get_repeat_count(self):
        return self._parents[0].get_repeat_count() * (self._count or 1)

    def rows(self):
        turn = 0
        while self._count is None or turn < self._count:
            some = False
            for row in self._parents[0].rows():
                some = True
                yield row
            if not some:
                return
            turn += 1


class Slice(Dataset):
    def __init__(self, parent, start, count):
        super().__init__(parent)
        self._start, self._count = start, count

    def size(self):
        inner = self._parents[0].size()
        if inner is None:
            return None
        if self._count is not None and inner > 0 and self._parents[0].endless():
            return self._count
        left = max(0, inner - self._start)
        return left if self._count is None else min(left, self._count)

    def endless(self):
        return self._count is None and super().endless()

    def rows(self):
        if self._count is None:
            for number, row in enumerate(self._parents[0].rows()):
                if number >= self._start:
                    yield row
            return
        left = self._count
        for row in self._parents[0].rows():
            yield row
            left -= 1
            if left == 0:
                return


class Zip(Dataset):
    def __init__(self, parents):
        for parent in parents:
            if not isinstance(parent, Dataset):
                raise TypeError(f"zip: every item must be a dataset, but one is {type(parent).__name__}")
        super().__init__(*parents)
        names = self.names()
        if len(set(names)) != len(names):
            raise ValueError(f"zip: two datasets have a column of the same name: {names}; rename one")

    def names(self):
        return [name for parent in self._parents for name in parent.names()]

    def size(self):
        ending = [parent for parent in self._parents if not parent.endless()]
        sizes = [parent.size() for parent in ending or self._parents]
        return None if None in sizes else min(sizes)

    def endless(self):
        return all(parent.endless() for parent in self._parents)

    def rows(self):
        for parts in builtins.zip(*(parent.rows() for parent in self._parents)):
            yield tuple(column for part in parts for column in part)


class Concat(Dataset):
    def __init__(self, parents):
        super().__init__(*parents)
        for parent in parents:
            if not isinstance(parent, Dataset):
                raise TypeError(f"concat: every item must be a dataset, but one is {type(parent).__name__}")
            if parent.names() != parents[0].names():
                raise ValueError(f"concat: the columns differ: {parents[0].names()} and {parent.names()}")

    def size(self):
        sizes = [parent.size() for parent in self._parents]
        return None if None in sizes else sum(sizes)

    def rows(self):
        for parent in self._parents:
            yield from parent.rows()


class Rename(Dataset):
    def __init__(self, parent, old, new):
        super().__init__(parent)
        if len(old) != len(new):
            raise ValueError(f"rename: there are {len(old)} `input_columns` but {len(new)} `output_columns`")
        parent._places(old, "rename")
        renamed = dict(builtins.zip(old, new))
        self._names = [renamed.get(name, name) for name in parent.names()]
        if len(set(self._names)) != len(self._names):
            raise ValueError(f"rename: two columns would have one name: {self._names}")

    def names(self):
        return list(self._names)

    def size(self):
        return self._parents[0].size()

    def rows(self):
        return self._parents[0].rows()


class Project(Dataset):
    def __init__(self, parent, columns):
        super().__init__(parent)
        self._names, self._kept = columns, parent._places(columns, "project")

    def names(self):
        return list(self._names)

    def size(self):
        return self._parents[0].size()

    def rows(self):
        for row in self._parents[0].rows():
            yield tuple(row[k] for k in self._kept)


class BatchInfo:
    """What functions of batches are told: the number of the batch in its epoch, and of the epoch."""

    def __init__(self, batch, epoch):
        self._batch, self._epoch = batch, epoch

    def get_batch_num(self):
        return self._batch

    def get_epoch_num(self):
        return self._epoch


def _several(caller, datasets):
    if isinstance(datasets, Dataset):
        return (datasets,)
    if not isinstance(datasets, (list, tuple)):
        raise TypeError(f"{caller}: a dataset or a tuple of them is wanted, but it is {type(datasets).__name__}")
    return tuple(datasets)


def zip(datasets):
    """The columns of several datasets, row by row."""
    if isinstance(datasets, Dataset) or len(_several("zip", datasets)) < 2:
        raise ValueError("zip: a tuple of two datasets or more is wanted, such as zip((images, labels)), but it is "
                         f"{'one dataset' if isinstance(datasets, Dataset) or datasets else 'empty'}")
    return Zip(tuple(datasets))
