"""The layout of repr(tensor), after MindSpore's own."""


def _cell(kind, value, width):
    if kind == "f32":
        return "%15.8e" % value
    if kind == "f16":
        return "%11.4e" % value
    if kind == "bool":
        return "%5s" % value
    return "%*d" % (width, value)


def _scalar(kind, value):
    if kind == "bool" or kind == "int":
        return str(value)
    return "%g" % value


def _row(items, one_axis, per_line, indent):
    if not one_axis:
        if len(items) > 6:
            return "[" + ", ".join(items[:3]) + " ... " + ", ".join(items[-3:]) + "]"
        return "[" + ", ".join(items) + "]"
    if len(items) > 1000:
        items, cut = items[:3] + items[-3:], True
    else:
        cut = False
    if cut:
        return "[" + ", ".join(items[:3]) + " ... " + ", ".join(items[3:]) + "]"
    lines = [", ".join(items[i:i + per_line]) for i in range(0, len(items), per_line)]
    return "[" + (",\n" + " " * indent).join(lines) + "]"


def _kept(n):
    return range(n) if n <= 6 else [0, 1, 2, n - 3, n - 2, n - 1]


def _nested(value, shape, axis, kind, width):
    if axis == len(shape) - 1:
        items = [_cell(kind, v, width) for v in value]
        return _row(items, len(shape) == 1, 24 if kind == "int" else 12, axis + 1)
    rows = [_nested(value[i], shape, axis + 1, kind, width) for i in _kept(len(value))]
    gap = ",\n" + " " * (axis + 1)
    if len(value) > 6:
        between = "\n" + " " * (axis + 1) + "...\n" + " " * (axis + 1)
        return "[" + gap.join(rows[:3]) + between + gap.join(rows[3:]) + "]"
    return "[" + gap.join(rows) + "]"


def _shown(value, depth):
    """The numbers that will be seen, for the width of ints."""
    if depth == 0:
        yield value
        return
    cut = len(value) > 6
    for i in _kept(len(value)) if cut else range(len(value)):
        yield from _shown(value[i], depth - 1)


def tensor_repr(tensor, value):
    """`value` is the tensor's value as nested lists."""
    name = str(tensor.dtype)
    kind = {"Float16": "f16", "BFloat16": "f16", "Float32": "f32", "Float64": "f32", "Bool": "bool"}.get(name, "int")
    shape = tensor.shape
    head = f"Tensor(shape={list(shape)}, dtype={name}, value="
    if not shape:
        return f"{head} {_scalar(kind, value)})"
    if tensor.size == 0:
        return f"{head} " + "[" * len(shape) + "]" * len(shape) + ")"
    width = 0
    if kind == "int":
        width = max(len(str(v)) for v in (value if len(shape) == 1 else _shown(value, len(shape))))
    text = _nested(value, shape, 0, kind, width)
    return head + ("\n" if len(shape) > 1 else " ") + text + ")"
