"""Cells that hold Cells in order: SequentialCell, CellList, CellDict."""
from mindspore.nn.cell import Cell


def _rename(cells):
    """Children again under 0, 1, 2 …"""
    items = list(cells.values())
    cells.clear()
    for i, cell in enumerate(items):
        cells[str(i)] = cell


class _Ordered(Cell):
    def _put(self, name, cell):
        if not isinstance(cell, Cell):
            raise TypeError(f"{type(self).__name__}: every item must be a Cell, but one is {type(cell).__name__}")
        self._adopt(name, cell)

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells.values())

    def _at(self, index):
        n = len(self._cells)
        if not isinstance(index, int):
            raise TypeError(f"{type(self).__name__}: an index must be an int or a slice, not {type(index).__name__}")
        if not -n <= index < n:
            raise IndexError(f"{type(self).__name__}: index {index} is out of range for {n} Cells")
        return list(self._cells)[index]

    def __setitem__(self, index, cell):
        self._put(self._at(index), cell)

    def __delitem__(self, index):
        name = self._at(index)
        del self._cells[name]
        self.__dict__.pop(name, None)
        _rename(self._cells)

    def append(self, cell):
        """Adds a Cell at the end."""
        self._put(str(len(self._cells)), cell)
        return self

    def extend(self, cells):
        for cell in cells:
            self.append(cell)
        return self

    def insert(self, index, cell):
        items = list(self._cells.values())
        items.insert(index, cell)
        self._cells.clear()
        for i, item in enumerate(items):
            self._put(str(i), item)


class SequentialCell(_Ordered):
    """Calls its Cells one after another."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = args[0]
        if len(args) == 1 and isinstance(args[0], dict):
            for name, cell in args[0].items():
                self._put(name, cell)
            return
        for i, cell in enumerate(args):
            self._put(str(i), cell)

    def __getitem__(self, index):
        if isinstance(index, slice):
            part = SequentialCell()
            for name in list(self._cells)[index]:
                part._cells[name] = self._cells[name]
            return part
        return self._cells[self._at(index)]

    def construct(self, input_data):
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Ordered):
    """A list of Cells that their owner calls."""

    def __init__(self, *args, auto_prefix=True, **kwargs):
        super().__init__(auto_prefix)
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            args = args[0]
        self.extend(args)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return CellList([self._cells[n] for n in list(self._cells)[index]], auto_prefix=False)
        return self._cells[self._at(index)]

    def construct(self, *inputs):
        raise RuntimeError("CellList: a list of Cells cannot be called; call its items")


class CellDict(Cell):
    """Cells by name that their owner calls."""

    def __init__(self, *args):
        super().__init__()
        for item in args[:1]:
            self.update(item)

    def update(self, cells):
        for name, cell in cells.items() if hasattr(cells, "items") else cells:
            self[name] = cell

    def __setitem__(self, name, cell):
        self._adopt(name, cell)

    def __getitem__(self, name):
        return self._cells[name]

    def __delitem__(self, name):
        del self._cells[name]
        self.__dict__.pop(name, None)

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, name):
        return name in self._cells

    def keys(self):
        return self._cells.keys()

    def values(self):
        return self._cells.values()

    def items(self):
        return self._cells.items()

    def construct(self, *inputs):
        raise RuntimeError("CellDict: a dict of Cells cannot be called; call its items")
