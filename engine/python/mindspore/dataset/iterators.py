"""Iterators: rows of a dataset as Tensors or numpy arrays, epoch by epoch."""
import _fusescope
import numpy

from mindspore.dataset.pipeline import names_list

Tensor = _fusescope.Tensor


def _tensor(array):
    if array.dtype.kind in "USO":
        return array  # text has no Tensor here
    if array.dtype.kind == "u" and array.dtype.itemsize > 1:
        if array.dtype.itemsize == 8 and array.size and int(array.max()) > numpy.iinfo(numpy.int64).max:
            raise OverflowError(f"iterating: a column of uint64 holds {array.max()}, which is too large for a Tensor "
                                "of Int64; convert it with map, or iterate with output_numpy=True")
        wider = numpy.int32 if array.dtype.itemsize == 2 else numpy.int64
        return Tensor(array.astype(wider))
    return Tensor(array)


class _Iterator:
    def __init__(self, dataset, columns, num_epochs, output_numpy):
        if isinstance(num_epochs, bool) or not isinstance(num_epochs, int) or num_epochs == 0 or num_epochs < -1:
            raise ValueError(f"{type(self)._made_by}: `num_epochs` must be -1 (no limit) or above 0, but it is {num_epochs!r}")
        self._dataset = dataset
        self._left = num_epochs
        self._rows = None
        self._wrap = (lambda array: array) if output_numpy else _tensor
        self._columns = dataset.names()
        self._places = None
        if columns is not None:
            self._columns = names_list(columns, "create_tuple_iterator", "columns")
            self._places = dataset._places(self._columns, "create_tuple_iterator")

    def __iter__(self):
        return self

    def __next__(self):
        if self._rows is None:
            if self._left == 0:
                raise StopIteration
            self._left -= self._left > 0
            self._rows = self._dataset.rows()
        try:
            row = next(self._rows)
        except BaseException:
            self._rows = None  # the next `for` begins an epoch
            raise
        if self._places is not None:
            row = [row[k] for k in self._places]
        return self._given([self._wrap(column) for column in row])

    def get_dataset_size(self):
        return self._dataset.get_dataset_size()


class TupleIterator(_Iterator):
    _made_by = "create_tuple_iterator"

    def _given(self, values):
        return values


class DictIterator(_Iterator):
    _made_by = "create_dict_iterator"

    def _given(self, values):
        return dict(zip(self._columns, values))
