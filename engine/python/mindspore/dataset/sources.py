"""Datasets over what a program has: generators, sequences and arrays."""
import copy
import inspect

import numpy

from mindspore.dataset import config, samplers
from mindspore.dataset.pipeline import Dataset, as_row, called, names_list
from mindspore.dataset.samplers import _count


class Source(Dataset):
    """A dataset whose rows have numbers; a sampler chooses among them."""

    def __init__(self, columns, sampler):
        super().__init__()
        self._names, self._sampler = columns, sampler

    def names(self):
        return list(self._names)

    def length(self):
        """Rows before the sampler chooses."""
        raise NotImplementedError

    def row(self, index):
        raise NotImplementedError

    def size(self):
        n = self.length()
        sampler = self._sampler
        if type(sampler) is samplers.SequentialSampler and sampler.child is None:
            n = max(0, n - sampler.start_index)
        elif type(sampler) is not samplers.RandomSampler or sampler.child is not None:
            return None
        elif sampler.replacement:
            return n if sampler.num_samples is None else sampler.num_samples * (n > 0)
        return n if sampler.num_samples is None else min(n, sampler.num_samples)

    def get_dataset_size(self):
        if self._size is None:
            known = self.size()
            self._size = len(samplers.rows_of(self._sampler, self.length())) if known is None else known
        return self._size

    def rows(self):
        for index in samplers.rows_of(self._sampler, self.length()):
            yield self.row(int(index))

    def add_sampler(self, new_sampler):
        """Rows go through this sampler after the one that is there."""
        new_sampler.add_child(self._sampler)
        self.use_sampler(new_sampler)

    def use_sampler(self, new_sampler):
        """Replaces the sampler."""
        self._sampler, self._size = new_sampler, None

    def numbered(self):
        return self


class _Indexed(Source):
    """Rows of an object with __getitem__ and __len__."""

    def __init__(self, source, columns, sampler, caller):
        super().__init__(columns, sampler)
        self._source, self._caller = source, caller

    def length(self):
        return len(self._source)

    def row(self, index):
        value = called(self._source.__getitem__, (index,), self._caller, index)
        row = as_row(value, f"{self._caller}, row {index}")
        if len(row) != len(self._names):
            raise RuntimeError(f"{self._caller}: row {index} has {len(row)} columns, but `column_names` has "
                               f"{len(self._names)}: {', '.join(self._names)}")
        return row


class _Running(Dataset):
    """Rows of a generator function or an iterable, in its own order."""

    def __init__(self, source, columns, most, caller):
        super().__init__()
        self._source, self._names, self._most, self._caller = source, columns, most, caller
        # What can be gone through is gone through, also if it can be called, as a Cell or a class's object may be.
        self._calls = callable(source) and (isinstance(source, type) or not hasattr(source, "__iter__"))
        self._gave = False

    def names(self):
        return list(self._names)

    def size(self):
        try:
            n = len(self._source)
        except TypeError:
            return None
        return n if self._most is None else min(n, self._most)

    def rows(self):
        begun = called(self._source, (), f"{self._caller}, at the start of an epoch") if self._calls else self._source
        if not hasattr(begun, "__iter__") and not hasattr(begun, "__getitem__"):
            raise TypeError(f"{self._caller}: the function must give an iterable of rows, such as by `yield`, but it gives "
                            f"{type(begun).__name__}")
        running = called(iter, (begun,), f"{self._caller}, at the start of an epoch")
        number = 0
        while self._most is None or number < self._most:
            try:
                value = next(running)
            except StopIteration:
                if number == 0 and self._gave and running is begun:
                    raise RuntimeError(f"{self._caller}: `source` gave rows before, but none now: the `__iter__` of "
                                       f"{type(begun).__name__} must begin again at the first row") from None
                return
            except Exception as error:
                error.add_note(f"in {self._caller}, row {number}")
                raise
            self._gave = True
            row = as_row(value, f"{self._caller}, row {number}")
            if len(row) != len(self._names):
                raise RuntimeError(f"{self._caller}: row {number} has {len(row)} columns, but `column_names` has "
                                   f"{len(self._names)}: {', '.join(self._names)}")
            yield row
            number += 1


class _Converted(Dataset):
    """Columns in the types that `column_types` names."""

    def __init__(self, parent, types):
        super().__init__(parent)
        from mindspore.dataset.transforms import TypeCast

        if len(types) != len(parent.names()):
            raise ValueError(f"GeneratorDataset: there are {len(types)} `column_types` for {len(parent.names())} columns")
        self._casts = [TypeCast(t) for t in types]

    def size(self):
        return self._parents[0].size()

    def rows(self):
        for row in self._parents[0].rows():
            yield tuple(cast(column) for cast, column in zip(self._casts, row))


def _is_one_pass(source):
    """Whether iter() does not begin again: so it is with generators and iterators that Python makes, while a class of the
    program says in its __iter__ what an epoch begins with."""
    if isinstance(source, type) or not hasattr(source, "__next__") or hasattr(source, "__getitem__"):
        return False
    return inspect.isgenerator(source) or not inspect.isfunction(getattr(type(source), "__iter__", None))


class GeneratorDataset(Dataset):
    """Rows that a program gives: by a generator function, by an iterable, or by number (__getitem__ and __len__), and
    only then may they be shuffled or sampled."""

    def __init__(self, source, column_names=None, column_types=None, schema=None, num_samples=None,
                 num_parallel_workers=1, shuffle=None, sampler=None, num_shards=None, shard_id=None,
                 python_multiprocessing=True, max_rowsize=None, batch_sampler=None, collate_fn=None):
        caller = "GeneratorDataset"
        if schema is not None:
            raise ValueError(f"{caller}: `schema` is not supported; give `column_names` and `column_types`")
        if column_names is None:
            raise ValueError(f"{caller}: `column_names` is missing, such as ['data', 'label']")
        columns = names_list(column_names, caller, "column_names")
        if isinstance(source, type) and hasattr(source, "__getitem__") and hasattr(source, "__len__"):
            raise TypeError(f"{caller}: `source` is the class {source.__name__}; give an object of it: "
                            f"{source.__name__}(...)")
        indexed = hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if _is_one_pass(source):
            # It can be gone through once; what it gave is kept for further epochs.
            source, indexed = _Kept(source), False
        if not indexed and not callable(source) and not hasattr(source, "__iter__"):
            raise TypeError(f"{caller}: `source` must be a generator function, an iterable or have __getitem__ and "
                            f"__len__, but it is {type(source).__name__}")
        most = None if num_samples is None else _count(caller, "num_samples", num_samples)
        if batch_sampler is not None:
            if sampler is not None or shuffle is not None or num_samples is not None or num_shards is not None:
                raise ValueError(f"{caller}: `batch_sampler` says which rows come, so `sampler`, `shuffle`, `num_samples` "
                                 "and `num_shards` must not be given with it")
            if not indexed:
                raise ValueError(f"{caller}: `batch_sampler` needs a source with __getitem__ and __len__")
            made = _Batched(source, columns, batch_sampler, collate_fn)
        elif indexed:
            if sampler is None and shuffle is None and num_shards is None:
                shuffle = True
            chosen = samplers.chosen_by(sampler, shuffle, num_shards, shard_id, most, caller)
            made = _Indexed(source, columns, chosen, caller)
        else:
            if sampler is not None or shuffle:
                raise RuntimeError(f"{caller}: only a source with __getitem__ and __len__ can be shuffled or sampled; "
                                   "use .shuffle(buffer_size) on the dataset")
            made = _Running(source, columns, most, caller)
            if num_shards is not None:
                made = _Shard(made, num_shards, shard_id)
        self._source = made
        if column_types is not None:
            made = _Converted(made, column_types if isinstance(column_types, (list, tuple)) else [column_types])
        super().__init__(made)

    def size(self):
        return self._parents[0].size()

    def get_dataset_size(self):
        return self._parents[0].get_dataset_size()

    def rows(self):
        return self._parents[0].rows()

    def numbered(self):
        """The source whose rows have numbers, or None."""
        return self._source if isinstance(self._source, Source) and self._parents[0] is self._source else None

    def _sampled(self):
        if not isinstance(self._source, Source):
            raise RuntimeError("GeneratorDataset: only a source with __getitem__ and __len__ can be sampled")
        return self._source

    def add_sampler(self, new_sampler):
        self._sampled().add_sampler(new_sampler)

    def use_sampler(self, new_sampler):
        self._sampled().use_sampler(new_sampler)


class _Kept:
    """What an iterator gave, for going through it again."""

    def __init__(self, running):
        self._running, self._kept = running, []

    def __iter__(self):
        number = 0
        while True:
            if number == len(self._kept):
                try:
                    self._kept.append(next(self._running))
                except StopIteration:
                    return
            yield self._kept[number]
            number += 1


class _Shard(Dataset):
    def __init__(self, parent, shards, shard):
        super().__init__(parent)
        self._sampler = samplers.DistributedSampler(shards, shard, False)

    def rows(self):
        for number, row in enumerate(self._parents[0].rows()):
            if number % self._sampler.num_shards == self._sampler.shard_id:
                yield row


class _Batched(Dataset):
    """Batches whose rows a program's sampler lists."""

    def __init__(self, source, columns, batches, collate):
        super().__init__()
        self._source, self._names, self._batches = source, columns, batches
        self._collate = collate if collate is not None else _collate

    def names(self):
        return list(self._names)

    def size(self):
        try:
            return len(self._batches)
        except TypeError:
            return None

    def rows(self):
        for batch in self._batches:
            rows = [called(self._source.__getitem__, (int(i),), "GeneratorDataset", int(i)) for i in batch]
            row = as_row(called(self._collate, (rows,), "collate_fn of GeneratorDataset"), "GeneratorDataset")
            if len(row) != len(self._names):
                raise RuntimeError(f"GeneratorDataset: a batch has {len(row)} columns, but `column_names` has "
                                   f"{len(self._names)}: {', '.join(self._names)}")
            yield row


def _collate(rows):
    if isinstance(rows[0], (tuple, list)):
        return tuple(numpy.stack([numpy.asarray(v) for v in column]) for column in zip(*rows))
    return numpy.stack([numpy.asarray(row) for row in rows])


class NumpySlicesDataset(Source):
    """Rows of arrays, lists, a tuple of them or a dict of columns, along the first axis."""

    def __init__(self, data, column_names=None, num_samples=None, num_parallel_workers=1, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None):
        caller = "NumpySlicesDataset"
        if isinstance(data, dict):
            names, columns = [str(n) for n in data], list(data.values())
        elif isinstance(data, tuple):
            names, columns = None, list(data)
        else:
            names, columns = None, [data]
        if not columns:
            raise ValueError(f"{caller}: `data` is empty")
        if names is None:
            names = ["data"] if len(columns) == 1 else [f"column_{k}" for k in range(len(columns))]
        if column_names is not None:
            names = names_list(column_names, caller, "column_names")
            if len(names) != len(columns):
                raise ValueError(f"{caller}: there are {len(names)} `column_names` for {len(columns)} columns")
        self._columns = [c.asnumpy() if hasattr(c, "asnumpy") else numpy.asarray(c) for c in columns]
        for name, column in zip(names, self._columns):
            if column.ndim == 0:
                raise ValueError(f"{caller}: column '{name}' is one number, which has no rows")
            if column.dtype == object:
                raise TypeError(f"{caller}: column '{name}' must be an array or nested lists of the same lengths")
            if len(column) != len(self._columns[0]):
                raise ValueError(f"{caller}: column '{name}' has {len(column)} rows, but '{names[0]}' has "
                                 f"{len(self._columns[0])}")
        if sampler is None and shuffle is None and num_shards is None:
            shuffle = True
        super().__init__(names, samplers.chosen_by(sampler, shuffle, num_shards, shard_id, num_samples, caller))

    def length(self):
        return len(self._columns[0])

    def row(self, index):
        # Of its own, for functions of a map may change it in place.
        return tuple(numpy.array(column[index, ...]) for column in self._columns)


class _Part(Dataset):
    """Some rows of another dataset whose rows have no numbers of their own."""

    def __init__(self, parent, numbers):
        super().__init__(parent)
        self._numbers = numbers

    def size(self):
        return len(self._numbers)

    def rows(self):
        wanted = {int(number): place for place, number in enumerate(self._numbers)}
        found = [None] * len(wanted)
        for number, row in enumerate(self._parents[0].rows()):
            if number in wanted:
                found[wanted[number]] = row
        yield from found


def _part(dataset, source, numbers):
    if source is None:
        return _Part(dataset, numbers)
    part = copy.copy(source)
    part.use_sampler(samplers.SubsetSampler(numbers))
    return part


def _rows_in_order(source):
    """Parts must not share rows, so what is shuffled anew each epoch is taken in order."""
    sampler = source._sampler
    if isinstance(sampler, samplers.RandomSampler):
        sampler = samplers.SequentialSampler(num_samples=sampler.num_samples)
    return samplers.rows_of(sampler, source.length())


def split(dataset, sizes, randomize):
    """Parts of a dataset: so many rows each, or such shares of all."""
    if not isinstance(sizes, (list, tuple)) or not sizes:
        raise TypeError(f"split: `sizes` must be a list of ints or of shares, but it is {sizes!r}")
    source = dataset.numbered() if hasattr(dataset, "numbered") else None
    rows = numpy.arange(dataset.get_dataset_size()) if source is None else numpy.asarray(_rows_in_order(source), int)
    total = len(rows)
    if all(isinstance(n, float) for n in sizes):
        if not 0.999999 < sum(sizes) < 1.000001 or min(sizes) < 0:
            raise ValueError(f"split: shares must sum to 1, but they are {list(sizes)}")
        counts = [round(n * total) for n in sizes]
        counts[-1] += total - sum(counts)
    else:
        counts = [_count("split", "sizes", n) for n in sizes]
        if sum(counts) != total:
            raise ValueError(f"split: the sizes {counts} sum to {sum(counts)}, but there are {total} rows")
    if min(counts) <= 0:
        raise ValueError(f"split: a part would be empty: {counts} of {total} rows")
    if randomize:
        rows = config.new_stream().permutation(rows)
    ends = numpy.cumsum(counts)
    return tuple(_part(dataset, source, rows[end - count:end]) for end, count in zip(ends, counts))
