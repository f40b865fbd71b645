"""Samplers: which rows of a source come, and in which order."""
import numpy

from mindspore.dataset import config


def _count(owner, word, value, least=1):
    if isinstance(value, bool) or not isinstance(value, (int, numpy.integer)):
        raise TypeError(f"{owner}: `{word}` must be an int, but it is {type(value).__name__}")
    if value < least:
        raise ValueError(f"{owner}: `{word}` must be at least {least}, but it is {value}")
    return int(value)


class Sampler:
    """Base of a program's own samplers: __iter__ gives the numbers of rows."""

    def __init__(self, num_samples=None):
        self.num_samples = None if num_samples is None else _count(type(self).__name__, "num_samples", num_samples)
        self.child = None

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} has no `__iter__`, which must give the numbers of rows")

    def indices(self, size):
        """The rows of one epoch over a source of `size` rows."""
        self.dataset_size = size
        chosen = self.choose(size)
        return chosen if self.num_samples is None else chosen[:self.num_samples]

    def choose(self, size):
        # numpy's numbers, tuples of one and such are taken as what they say.
        chosen = []
        for i in self:
            try:
                chosen.append(int(i))
            except (TypeError, ValueError):
                raise TypeError(f"{type(self).__name__}: a sampler must give numbers of rows, but it gives {i!r}") from None
            if chosen[-1] != i:
                raise TypeError(f"{type(self).__name__}: a sampler must give whole numbers, but it gives {i!r}")
        for i in chosen:
            if not -size <= i < size:
                raise IndexError(f"{type(self).__name__} asks for row {i}, but the source has {size} rows")
        return chosen

    def add_child(self, sampler):
        """Rows are chosen among those that `sampler` gives."""
        self.child = sampler

    def get_child(self):
        return self.child


class BuiltinSampler(Sampler):
    """Base of the samplers of this module."""


class SequentialSampler(BuiltinSampler):
    """Rows in order, from `start_index`."""

    def __init__(self, start_index=None, num_samples=None):
        super().__init__(num_samples)
        self.start_index = 0 if start_index is None else _count("SequentialSampler", "start_index", start_index, 0)

    def choose(self, size):
        return range(min(self.start_index, size), size)


class RandomSampler(BuiltinSampler):
    """Rows in random order, each once, or drawn each time from all with `replacement`."""

    def __init__(self, replacement=False, num_samples=None):
        super().__init__(num_samples)
        if not isinstance(replacement, bool):
            raise TypeError(f"RandomSampler: `replacement` must be True or False, but it is {replacement!r}")
        self.replacement = replacement
        self.stream = None

    def choose(self, size):
        if self.stream is None:
            self.stream = config.new_stream()
        if self.replacement:
            wanted = size if self.num_samples is None else self.num_samples
            return self.stream.integers(0, max(size, 1), wanted if size else 0)
        return self.stream.permutation(size)


class SubsetSampler(BuiltinSampler):
    """The rows that are listed, in that order."""

    def __init__(self, indices, num_samples=None):
        super().__init__(num_samples)
        self.rows = [int(i) for i in (indices if hasattr(indices, "__iter__") else [indices])]

    def choose(self, size):
        for i in self.rows:
            if not 0 <= i < size:
                raise IndexError(f"{type(self).__name__} asks for row {i}, but the source has {size} rows")
        return list(self.rows)


class SubsetRandomSampler(SubsetSampler):
    """The rows that are listed, in random order."""

    stream = None

    def choose(self, size):
        rows = super().choose(size)
        if self.stream is None:
            self.stream = config.new_stream()
        return [rows[i] for i in self.stream.permutation(len(rows))]


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn by weight; those beyond the weights never."""

    def __init__(self, weights, num_samples=None, replacement=True):
        super().__init__(num_samples)
        self.weights = numpy.asarray(weights, dtype=numpy.float64)
        if self.weights.ndim != 1 or self.weights.size == 0:
            raise ValueError("WeightedRandomSampler: `weights` must be a list of numbers")
        if not numpy.isfinite(self.weights).all() or (self.weights < 0).any() or self.weights.sum() == 0:
            raise ValueError("WeightedRandomSampler: `weights` must not be negative and not all zero")
        self.replacement = replacement
        self.stream = None

    def choose(self, size):
        if self.stream is None:
            self.stream = config.new_stream()
        weights = self.weights[:size]
        wanted = len(weights) if self.num_samples is None else self.num_samples
        if not self.replacement:
            wanted = min(wanted, int((weights > 0).sum()))
        return self.stream.choice(len(weights), wanted, self.replacement, weights / weights.sum()).tolist()


class DistributedSampler(BuiltinSampler):
    """Every `num_shards`-th row, from `shard_id`; the last shards begin again at the first rows to be as long."""

    def __init__(self, num_shards, shard_id, shuffle=True, num_samples=None, offset=-1):
        super().__init__(num_samples)
        self.num_shards = _count("DistributedSampler", "num_shards", num_shards)
        self.shard_id = _count("DistributedSampler", "shard_id", shard_id, 0)
        if self.shard_id >= self.num_shards:
            raise ValueError(f"DistributedSampler: `shard_id` must be below `num_shards` ({num_shards}), "
                             f"but it is {shard_id}")
        self.shuffle, self.offset, self.stream = shuffle, max(offset, 0), None

    def choose(self, size):
        rows = numpy.arange(size)
        if self.shuffle:
            if self.stream is None:
                self.stream = config.new_stream(shared=True)
            rows = self.stream.permutation(size)
        if size == 0:
            return []
        each = -(-size // self.num_shards)
        at = (numpy.arange(each) * self.num_shards + self.shard_id + self.offset) % size
        return rows[at].tolist()


class Listed(Sampler):
    """A program's own iterable of numbers."""

    def __init__(self, rows):
        super().__init__()
        self._rows = rows

    def __iter__(self):
        return iter(self._rows)


def chosen_by(sampler, shuffle, num_shards, shard_id, num_samples, owner):
    """The sampler that a source's arguments describe."""
    if sampler is not None:
        if shuffle is not None or num_shards is not None or shard_id is not None:
            raise RuntimeError(f"{owner}: `sampler` says which rows come, so `shuffle`, `num_shards` and `shard_id` must "
                               "not be given with it")
        if isinstance(sampler, (list, tuple, numpy.ndarray, range)) or not hasattr(sampler, "indices"):
            if not hasattr(sampler, "__iter__") and not hasattr(sampler, "__getitem__"):
                raise TypeError(f"{owner}: `sampler` must be a sampler or give numbers of rows, "
                                f"but it is {type(sampler).__name__}")
            sampler = Listed(sampler)
        if num_samples is not None and sampler.num_samples is None:
            sampler.num_samples = _count(owner, "num_samples", num_samples)
        return sampler
    if (num_shards is None) != (shard_id is None):
        raise RuntimeError(f"{owner}: `num_shards` and `shard_id` go together")
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, shuffle is not False, num_samples)
    return RandomSampler(num_samples=num_samples) if shuffle else SequentialSampler(num_samples=num_samples)


def rows_of(sampler, size):
    """The rows of one epoch, through the sampler's child if it has one."""
    child = getattr(sampler, "child", None)
    if child is None:
        return sampler.indices(size)
    among = rows_of(child, size)
    return [among[i] for i in sampler.indices(len(among))]
