"""Products of several tensors."""
import _fusescope

_F = _fusescope.functions


def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    """beta · input + alpha · (batch1 @ batch2)."""
    return input * beta + _F["matmul"](batch1, batch2) * alpha


def tensor_dot(x1, x2, axes):
    """Sum of products over axes of the one and axes of the other."""
    if isinstance(axes, int):
        axes = (tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes)))
    left, right = ((a,) if isinstance(a, int) else tuple(a) for a in axes)
    left, right = tuple(a % x1.ndim for a in left), tuple(a % x2.ndim for a in right)
    if [x1.shape[a] for a in left] != [x2.shape[a] for a in right]:
        raise ValueError(f"tensor_dot: axes {left} of shape {x1.shape} and axes {right} of shape {x2.shape} "
                         "have different extents")
    keep1 = tuple(a for a in range(x1.ndim) if a not in left)
    keep2 = tuple(a for a in range(x2.ndim) if a not in right)
    count = 1
    for a in left:
        count *= x1.shape[a]
    a = _F["transpose"](x1, keep1 + left).reshape((-1, count))
    b = _F["transpose"](x2, right + keep2).reshape((count, -1))
    shape = tuple(x1.shape[k] for k in keep1) + tuple(x2.shape[k] for k in keep2)
    return _F["matmul"](a, b).reshape(shape)


def einsum(equation, *operands):
    """Einstein's sum: letters name axes, letters that are not in the result are summed over."""
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    equation = equation.replace(" ", "")
    inputs, arrow, output = equation.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands):
        raise ValueError(f"einsum: {equation!r} is about {len(terms)} tensors, but {len(operands)} were given")
    if "." in equation:
        raise ValueError(f"einsum: {equation!r} has an ellipsis; name all axes by letters")
    for term, x in zip(terms, operands):
        if len(term) != x.ndim:
            raise ValueError(f"einsum: {term!r} names {len(term)} axes of a tensor of shape {x.shape}")
    if not arrow:
        output = "".join(sorted(c for c in set(inputs) - {","} if inputs.count(c) == 1))
    unknown = [c for c in output if c not in inputs]
    if unknown:
        raise ValueError(f"einsum: the result's letter {unknown[0]!r} is in no operand of {equation!r}")
    letters, total = _without_repeats(terms[0], operands[0])
    for k in range(1, len(operands)):
        other, x = _without_repeats(terms[k], operands[k])
        wanted = set(output).union(*terms[k + 1:])
        letters, total = _contract(letters, total, other, x, wanted)
    return _arranged(letters, total, output)


def _without_repeats(term, x):
    """Letters that stand twice take the diagonal."""
    for c in dict.fromkeys(term):
        while term.count(c) > 1:
            first = term.index(c)
            second = term.index(c, first + 1)
            x = _F["diagonal"](x, 0, first, second)
            term = term[:first] + term[first + 1:second] + term[second + 1:] + c
    return term, x


def _arranged(letters, x, output):
    summed = tuple(k for k, c in enumerate(letters) if c not in output)
    if summed:
        x = _F["sum"](x, summed, False)
        letters = "".join(c for c in letters if c in output)
    order = tuple(letters.index(c) for c in output)
    return x if order == tuple(range(len(order))) else _F["transpose"](x, order)


def _contract(a_letters, a, b_letters, b, wanted):
    """One product of matrices: letters in both that are wanted are its batch, those that are not are summed over."""
    a_letters, a = _drop(a_letters, a, set(b_letters) | wanted)
    b_letters, b = _drop(b_letters, b, set(a_letters) | wanted)
    batch = [c for c in a_letters if c in b_letters and c in wanted]
    inner = [c for c in a_letters if c in b_letters and c not in wanted]
    rows = [c for c in a_letters if c not in b_letters]
    columns = [c for c in b_letters if c not in a_letters]
    extents = dict(zip(a_letters, a.shape)) | dict(zip(b_letters, b.shape))
    for c in batch + inner:
        if a.shape[a_letters.index(c)] != b.shape[b_letters.index(c)]:
            raise ValueError(f"einsum: axis {c!r} has extent {a.shape[a_letters.index(c)]} in one operand and "
                             f"{b.shape[b_letters.index(c)]} in another")

    def matrices(letters, x, first, second):
        x = _F["transpose"](x, tuple(letters.index(c) for c in batch + first + second))
        return x.reshape(tuple(extents[c] for c in batch) + (_product(extents, first), _product(extents, second)))

    product = _F["matmul"](matrices(a_letters, a, rows, inner), matrices(b_letters, b, inner, columns))
    letters = "".join(batch + rows + columns)
    return letters, product.reshape(tuple(extents[c] for c in letters))


def _drop(letters, x, keep):
    summed = tuple(k for k, c in enumerate(letters) if c not in keep)
    return ("".join(c for c in letters if c in keep), _F["sum"](x, summed, False)) if summed else (letters, x)


def _product(extents, letters):
    n = 1
    for c in letters:
        n *= extents[c]
    return n


def inner(input, other):
    """Sums of the products along the last axes of both."""
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 1,)))


def ger(input, vec2):
    """Every product of an element of one vector with one of the other."""
    return input.reshape((-1, 1)) * vec2.reshape((1, -1))


def mv(mat, vec):
    """Matrix times vector."""
    if mat.ndim != 2 or vec.ndim != 1:
        raise ValueError(f"mv: a matrix and a vector are wanted, but the shapes are {mat.shape} and {vec.shape}")
    return _F["matmul"](mat, vec.reshape((-1, 1))).reshape((-1,))


def addmv(input, mat, vec, *, beta=1, alpha=1):
    """beta · input + alpha · (mat @ vec)."""
    return input * beta + mv(mat, vec) * alpha


def addr(x, vec1, vec2, *, beta=1, alpha=1):
    """beta · x + alpha · (every product of the two vectors)."""
    return x * beta + ger(vec1, vec2) * alpha


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta · input + alpha · (the sum of the products of two batches of matrices)."""
    return input * beta + _F["sum"](_F["matmul"](batch1, batch2), 0, False) * alpha


def vecdot(x, y, *, axis=-1):
    """Sums of the products along an axis."""
    return _F["sum"](x * y, axis, False)


def kron(input, other):
    """Every element of the one times the whole of the other."""
    rank = max(input.ndim, other.ndim)
    a = input.reshape((1,) * (rank - input.ndim) + input.shape)
    b = other.reshape((1,) * (rank - other.ndim) + other.shape)
    left = tuple(n for extent in a.shape for n in (extent, 1))
    right = tuple(n for extent in b.shape for n in (1, extent))
    return (a.reshape(left) * b.reshape(right)).reshape(tuple(m * n for m, n in zip(a.shape, b.shape)))


def cross(input, other, dim=None):
    """Products at right angles of vectors of three elements along an axis; the first such axis unless it is told."""
    if dim is None:
        dims = [k for k, n in enumerate(input.shape) if n == 3]
        if not dims:
            raise ValueError(f"cross: no axis has extent 3 in the shape {input.shape}")
        dim = dims[0]
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise ValueError(f"cross: axis {dim} must have extent 3, but the shapes are {input.shape} and {other.shape}")

    def turned(x, places):
        parts = _F["split"](x, 1, dim)
        return _F["concat"]([parts[p] for p in places], dim)

    return turned(input, (1, 2, 0)) * turned(other, (2, 0, 1)) - turned(input, (2, 0, 1)) * turned(other, (1, 2, 0))


def cdist(x1, x2, p=2.0):
    """The p-norms of the differences of each row of the one and each row of the other."""
    d = _F["expand_dims"](x1, -2) - _F["expand_dims"](x2, -3)
    if p == float("inf"):
        return _F["amax"](_F["abs"](d), -1, False)
    if p == 0:
        return _F["sum"]((d != 0).astype(d.dtype), -1, False)
    if p == 1:
        return _F["sum"](_F["abs"](d), -1, False)
    total = _F["sum"](d * d if p == 2 else _F["pow"](_F["abs"](d), float(p)), -1, False)
    # Where rows are the same the distance is 0 and has no slope.
    same = total == 0
    safe = _F["where"](same, 1.0, total)
    return _F["where"](same, 0.0, _F["sqrt"](safe) if p == 2 else _F["pow"](safe, 1.0 / p))


def dist(input, other, p=2):
    """The p-norm of the difference."""
    return cdist((input - other).reshape((1, -1)), ((input - other) * 0.0).reshape((1, -1)), float(p)).reshape(())


def trace(input):
    """Sum of a matrix's diagonal."""
    if input.ndim != 2:
        raise ValueError(f"trace: a matrix is wanted, but the shape is {input.shape}")
    return _F["sum"](_F["diagonal"](input, 0, 0, 1), 0, False)
