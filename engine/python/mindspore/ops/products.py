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
