"""Tensor indexing: what t[index] and t[index] = value mean, in terms of ops."""
import _fusescope

Tensor = _fusescope.Tensor
_F = _fusescope.functions
_P = _fusescope.primitives


def _fail(message, shape):
    raise IndexError(f"{message} (the tensor has shape {tuple(shape)})")


def _is_array(o):
    return isinstance(o, (Tensor, list)) or (hasattr(o, "dtype") and hasattr(o, "shape") and not isinstance(o, int))


class _Plan:
    """An index, split: first a strided slice with new axes, then at most one gathering by tensors."""

    __slots__ = ("begin", "end", "strides", "shape", "final", "advanced", "tensors")


def _normal(index, shape):
    """The index as a list with Ellipsis expanded; Bool tensors become their positions."""
    items = list(index) if isinstance(index, tuple) else [index]
    used = 0
    ellipsis = 0
    expanded = []
    for item in items:
        if item is Ellipsis:
            ellipsis += 1
        elif item is not None and item is not True and item is not False:
            if _is_array(item) and not isinstance(item, Tensor):
                item = Tensor(item) if not (isinstance(item, list) and not item) else Tensor([], _fusescope.Int64)
            if isinstance(item, Tensor) and item.dtype == _fusescope.Bool:
                if item.ndim == 0:
                    item = bool(item)
                else:
                    used += item.ndim
            else:
                used += 1
        expanded.append(item)
    if ellipsis > 1:
        _fail("an index may have one Ellipsis only", shape)
    if used > len(shape):
        _fail(f"too many indices: {used} for a tensor of rank {len(shape)}", shape)
    result = []
    for item in expanded:
        if item is Ellipsis:
            result.extend([slice(None)] * (len(shape) - used))
        else:
            result.append(item)
    if not ellipsis:
        result.extend([slice(None)] * (len(shape) - used))
    return result


def _make(index, shape):
    plan = _Plan()
    begin, end, strides, sliced, final, tensors = [], [], [], [], [], []
    axis = 0
    for item in _normal(index, shape):
        if item is None or item is True or item is False:
            final.append(("new", 1 if item is not False else 0))
            continue
        extent = shape[axis]
        if isinstance(item, slice):
            start, stop, step = item.start, item.stop, item.step
            bounds = slice(*(int(b) if isinstance(b, Tensor) else b for b in (start, stop, step)))
            if bounds.step is not None and int(bounds.step) == 0:
                raise ValueError("a slice step must not be 0")
            start, stop, step = bounds.indices(extent)
            count = len(range(start, stop, step))
            if count < 2:
                # A step that is never taken may be larger than what an op can be told, and a start may lie outside.
                start, step = start if count else 0, 1
                stop = start + count
            begin.append(start)
            # Before the first element, not counted from the end.
            end.append(stop if stop >= 0 else -extent - 1)
            strides.append(step)
            sliced.append(count)
            final.append(("keep", count))
            axis += 1
        elif isinstance(item, Tensor) and item.dtype == _fusescope.Bool:
            if tuple(shape[axis:axis + item.ndim]) != tuple(item.shape):
                _fail(f"a Bool index of shape {item.shape} does not fit the axes from {axis} on", shape)
            positions = item.asnumpy().nonzero()
            for k, array in enumerate(positions):
                begin.append(0)
                end.append(shape[axis])
                strides.append(1)
                sliced.append(shape[axis])
                final.append(("tensor", len(tensors)))
                tensors.append(Tensor(array))
                axis += 1
        elif isinstance(item, Tensor):
            if item.dtype.is_floating_point:
                _fail(f"an index tensor must hold ints or Bool, but it is {item.dtype}", shape)
            begin.append(0)
            end.append(extent)
            strides.append(1)
            sliced.append(extent)
            final.append(("tensor", len(tensors)))
            tensors.append(item)
            axis += 1
        elif hasattr(item, "__index__"):
            at = item.__index__()
            if not -extent <= at < extent:
                _fail(f"index {at} is out of range for axis {axis} with extent {extent}", shape)
            at = at + extent if at < 0 else at
            begin.append(at)
            end.append(at + 1)
            strides.append(1)
            sliced.append(1)
            final.append(("drop", 1))
            axis += 1
        else:
            raise IndexError(f"an index must be made of ints, slices, None, Ellipsis, lists and tensors, "
                             f"but {item!r} is {type(item).__name__}")
    plan.begin, plan.end, plan.strides, plan.shape = tuple(begin), tuple(end), tuple(strides), tuple(sliced)
    plan.final, plan.tensors = final, tensors
    return plan


def _whole(plan, shape):
    return plan.shape == tuple(shape) and all(s == 1 for s in plan.strides)


def _selects_nothing(plan):
    """False as an index is an axis without elements."""
    return ("new", 0) in plan.final


def get_item(self, index):
    shape = self.shape
    if type(index) is int and shape:
        # t[i] in a loop over rows.
        extent = shape[0]
        if not -extent <= index < extent:
            _fail(f"index {index} is out of range for axis 0 with extent {extent}", shape)
        at = index + extent if index < 0 else index
        return _P["StridedSlice"](self, (at,), (at + 1,), (1,)).reshape(shape[1:])
    plan = _make(index, shape)
    if _selects_nothing(plan):
        return _F["full"](_result_shape(plan), 0, self.dtype)
    value = self if _whole(plan, shape) else _P["StridedSlice"](self, plan.begin, plan.end, plan.strides)
    if not plan.tensors:
        target = tuple(n for kind, n in plan.final if kind != "drop")
        if value is self and target == shape:
            return value._snapshot() if type(value) is not Tensor else value
        return value if target == value.shape else value.reshape(target)
    return _gather(value, plan)


def _gather(value, plan):
    """Drops and adds axes, moves the indexed axes to the front, gathers by one flat index, puts the result in place."""
    kinds = [(kind, n) for kind, n in plan.final if kind != "drop"]
    shape = tuple(1 if kind == "new" else n if kind == "keep" else None for kind, n in kinds)
    source = iter([extent for (kind, _), extent in zip([f for f in plan.final if f[0] != "new"], plan.shape)
                   if kind != "drop"])
    extents = tuple(1 if kind == "new" else next(source) for kind, _ in kinds)
    value = value if value.shape == extents else value.reshape(extents)
    places = [i for i, (kind, _) in enumerate(kinds) if kind == "tensor"]
    others = [i for i in range(len(kinds)) if i not in places]
    tensors = [plan.tensors[kinds[i][1]] for i in places]
    # numpy's rule: indices in a row stay in their place, separated ones come first. An int counts as an index there.
    rows = [i for i, (kind, _) in enumerate(plan.final) if kind in ("tensor", "drop")]
    adjacent = rows == list(range(rows[0], rows[-1] + 1))
    target = () if not tensors else _broadcast(tensors)
    # Each index is checked against its own axis: put together to one number, a wrong one could name another element.
    order = tuple(places + others)
    if order != tuple(range(len(order))):
        value = _F["transpose"](value, order)
    tensors = [_whole_numbers(t) for t in tensors]
    if len(tensors) == 1:
        taken = _F["gather"](value, tensors[0].reshape(-1), 0)
    else:
        flat = [(t if t.shape == target else t.broadcast_to(target)).reshape(-1) for t in tensors]
        taken = _F["gather_nd"](value, _F["stack"](flat, -1))
    rest = tuple(extents[i] for i in others)
    taken = taken.reshape(target + rest)
    before = len([i for i in others if i < places[0]]) if adjacent else 0
    if before:
        rank = len(target)
        order = tuple(range(rank, rank + before)) + tuple(range(rank)) + tuple(range(rank + before, rank + len(rest)))
        taken = _F["transpose"](taken, order)
    return taken


def _broadcast(tensors):
    rank = max(t.ndim for t in tensors)
    result = [1] * rank
    for t in tensors:
        for k, extent in enumerate(t.shape, rank - t.ndim):
            if extent != 1 and result[k] not in (1, extent):
                raise IndexError("index tensors of shapes " + ", ".join(str(x.shape) for x in tensors) +
                                 " do not broadcast to one shape")
            if extent != 1:
                result[k] = extent
    return tuple(result)


def _whole_numbers(tensor):
    return tensor if tensor.dtype in (_fusescope.Int32, _fusescope.Int64) else tensor.astype(_fusescope.Int64)


def set_item(self, index, value):
    shape = self.shape
    plan = _make(index, shape)
    if not isinstance(value, Tensor):
        value = Tensor(value, self.dtype)
    elif value.dtype != self.dtype:
        value = value.astype(self.dtype)
    target = _result_shape(plan)
    if value.shape != target:
        value = _fit(value, target, shape)
    if _selects_nothing(plan):
        return
    if not plan.tensors and _whole(plan, shape):
        new = value.reshape(shape)
    elif not plan.tensors:
        new = _P["SliceUpdate"](self, value.reshape(plan.shape), plan.begin, plan.end, plan.strides)
    else:
        new = _scatter(self, index, value, target)
    if type(self) is Tensor:
        self._assign(new)
    else:
        from mindspore.common.parameter import _store

        _store(self, new)


def _result_shape(plan):
    if not plan.tensors:
        return tuple(n for kind, n in plan.final if kind != "drop")
    target = _broadcast([t for t in plan.tensors])
    kinds = [f for f in plan.final if f[0] != "drop"]
    rows = [i for i, (kind, _) in enumerate(plan.final) if kind in ("tensor", "drop")]
    adjacent = rows == list(range(rows[0], rows[-1] + 1))
    others = [n for kind, n in kinds if kind != "tensor"]
    first = next(i for i, (kind, _) in enumerate(kinds) if kind == "tensor")
    before = len([1 for kind, _ in kinds[:first] if kind != "tensor"]) if adjacent else 0
    return tuple(others[:before]) + target + tuple(others[before:])


def _fit(value, target, shape):
    extents = value.shape
    while len(extents) > len(target) and extents[0] == 1:
        extents = extents[1:]
    fits = len(extents) <= len(target) and all(
        a in (1, b) for a, b in zip(reversed(extents), reversed(target)))
    if not fits:
        raise ValueError(f"a value of shape {value.shape} cannot be stored where shape {target} is selected "
                         f"in a tensor of shape {tuple(shape)}")
    return value.reshape(extents).broadcast_to(target)


def _scatter(self, index, value, target):
    """The tensor with `value` at the selected elements: positions are found by indexing a tensor of flat indices."""
    count = self.size
    flat = Tensor(range_tensor(count)).reshape(self.shape)
    positions = get_item(flat, index).reshape(-1)
    # For each element of the result: which element of `value` it takes, or none.
    picks = _last_writer(positions, count)
    if picks is None:
        return self
    source = _F["concat"]([self.reshape(-1), value.reshape(-1)], 0)
    return _F["gather"](source, picks, 0).reshape(self.shape)


def range_tensor(count):
    return list(range(count)) if count < 64 else _arange(count)


def _arange(count):
    import numpy

    return numpy.arange(count)


def _last_writer(positions, count):
    import numpy

    where = positions.asnumpy()
    if where.size == 0:
        return None
    picks = numpy.arange(count)
    picks[where] = count + numpy.arange(where.size)
    return Tensor(picks)
