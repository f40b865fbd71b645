"""Small random programs: each computes the same op by op, in graph mode and compiled, also when it is called again with
other arguments, and leaves the same in what it changed.

    random_programs.py [FIRST_SEED [COUNT]]
"""
import random
import sys
import warnings

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

warnings.simplefilter("ignore")
SHAPES = [(4,), (3, 4), (1, 4), (3, 1), (2, 3, 4), (), (1,)]
UNARY = ("tanh", "sigmoid", "relu", "exp", "abs", "neg", "square", "sin", "gelu", "softplus", "erf", "floor", "sign",
         "silu", "logsumexp", "ones_like", "softmax_last", "norm", "std")
REDUCTIONS = ("sum()", "mean()", "max()", "min()", "sum(-1, keepdims=True)", "mean(-1)", "std()")


def statement(rng, names, name):
    """A statement over `names`; those that make a value call it `name`."""
    x, y = rng.choice(names), rng.choice(names)
    own = rng.choice([n for n in names if n != "p"])  # a local name
    number = rng.choice(("2.0", "0.5", "-1", "3", "count"))
    kinds = {
        "arithmetic": (6, lambda: f"{name} = {x} {rng.choice('+-*')} {rng.choice((y, number))}"),
        "function": (4, lambda: f"{name} = unary('{rng.choice(UNARY)}', {x} * 0.5)"),
        "reduction": (3, lambda: f"{name} = at_least_1d({x}).{rng.choice(REDUCTIONS)}"),
        "choice": (2, lambda: f"{name} = ops.where({x} > 0, {x}, {y}) + ops.maximum({x}, {y})"),
        "layout": (2, lambda: f"{name} = {rng.choice((f'{x}.reshape(-1)', f'ops.transpose(at_least_1d({x}), tuple(reversed(range(at_least_1d({x}).ndim))))'))}"),
        "cast": (1, lambda: f"{name} = ops.cast(({x} * 3).astype(ms.int32) // 2, ms.float32)"),
        "copy": (1, lambda: f"{name} = {rng.choice((f'{x}.copy()', f'Tensor({x})', f'ops.stop_gradient({x})'))}"),
        "item": (2, lambda: f"{own} = at_least_1d({own}) * 1\n{own}[{rng.choice(('0', '-1', '...', ':'))}] = "
                            f"{rng.choice(('1.5', f'{y}.sum()'))}"),
        "argument": (1, lambda: f"at_least_1d(a)[0] = {rng.choice(('1.5', f'{y}.sum()'))}"),
        "method": (1, lambda: f"{own} = {own} * 1\n{own}.{rng.choice(('add_', 'mul_'))}({number})"),
        "assign_add": (1, lambda: f"ops.assign_add(p, {x}.sum() * 0.01 + p * 0)"),
        "assign": (1, lambda: f"ops.assign(q, q * 0.5 + {x}.mean())"),
        "add_": (1, lambda: "p.add_(0.5)"),
        "state": (1, lambda: f"{name} = {x} * q + p.sum() + p.value().mean()"),
        "branch": (1, lambda: f"{name} = ops.cond({x}.sum() > 0, lambda u: u * 2 + q, lambda u: u - 1, {y})"),
        "loop": (1, lambda: f"{name} = ops.while_loop(lambda u: u.sum() < 3, lambda u: u + 1.5, at_least_1d({x}).mean())"),
        "look": (1, lambda: f"if float({x}.sum()) > 1:\n    {own} = {own} + 1"),
        "host": (1, lambda: f"{name} = {x} * float({y}.asnumpy().sum() * 0.1)"),
        "places": (1, lambda: f"{name} = ops.nonzero(at_least_1d({x})).sum().astype(ms.float32) + {x}"),
        "repeat": (1, lambda: f"for k in range(len(memory)):\n    {own} = {own} + memory[k] * k"),
        "random": (1, lambda: f"{name} = ops.dropout({x}, 0.5) + ops.uniform({x}.shape, Tensor(0.0), Tensor(1.0))"),
        "gradient": (1, lambda: f"{name} = ms.grad(lambda u: (u * u * q).sum())({x}) + {x}"),
        "layer": (1, lambda: f"{name} = layer(at_least_1d({x}).reshape(-1)[:1].reshape(1, 1)) + {x}.sum()"),
    }
    kind = rng.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
    text = kinds[kind][1]()
    return text, text.startswith(name + " =")


def program(rng):
    names, lines = ["a", "b", "p"], []
    for number in range(rng.randint(3, 14)):
        text, makes = statement(rng, names, f"v{number}")
        lines += text.split("\n")
        if makes:
            names.append(f"v{number}")
    results = ", ".join(name + rng.choice(("", " * 1", ".copy()")) for name in rng.sample(names, min(3, len(names))))
    return "def f(a, b):\n    " + "\n    ".join(lines) + f"\n    return ({results},)\n"


def unary(name, x):
    if name == "softmax_last":
        return ops.softmax(at_least_1d(x))
    if name in ("logsumexp", "norm", "std"):
        return getattr(ops, name)(at_least_1d(x), *((0,) if name == "logsumexp" else ()))
    return getattr(ops, name)(x)


def at_least_1d(x):
    return x if x.ndim else x.reshape(1)


def run(source, seed, how, differentiated):
    """Results of some calls, and what they left in tensors that live on; ends with an error's class."""
    rng, arrays = random.Random(seed), np.random.RandomState(seed)
    shape = rng.choice(SHAPES)
    first, second, start = (np.asarray(arrays.randn(*s), np.float32)
                            for s in (shape, rng.choice([shape, shape[-1:], ()]), shape))
    ms.set_context(mode=ms.GRAPH_MODE if how == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(seed)
    names = {"ms": ms, "ops": ops, "Tensor": Tensor, "unary": unary, "at_least_1d": at_least_1d,
             "p": Parameter(Tensor(start), name="p"), "q": Parameter(Tensor(np.float32(1.25)), name="q"),
             "count": 2, "memory": [0.5, 0.25], "layer": nn.Dense(1, 1, weight_init="ones")}
    exec(compile(source, "<program>", "exec"), names)
    f = names["f"]
    if differentiated:
        plain = f

        def f(a, b):
            outputs, gradient = ms.value_and_grad(plain, 0)(a, b)
            return outputs + (gradient,)

    if how == "compiled":
        f = ms.jit(f)
    seen = []
    try:
        for call in range(4):
            if call == 3:
                names["count"] = 3
                names["memory"].append(2.0)
            a, b = Tensor(first * (1 + call)), Tensor(second - call)
            results = f(a, a if call == 2 and first.shape == second.shape else b)
            seen.append([x.asnumpy() for x in (*results, names["p"], names["q"], a, b)])
    except Exception as error:
        seen.append(type(error).__name__)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return seen


def equal(here, there):
    if isinstance(here, str) or isinstance(there, str):
        return isinstance(here, str) and here == there
    return len(here) == len(there) and all(
        x.shape == y.shape and x.dtype == y.dtype and np.allclose(x, y, rtol=1e-4, atol=1e-5, equal_nan=True)
        for x, y in zip(here, there))


seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
count = int(sys.argv[2]) if len(sys.argv) > 2 else 150
faults = calls = 0
for seed in range(seed, seed + count):
    rng = random.Random(seed)
    source, differentiated = program(rng), rng.random() < 0.4
    wanted = run(source, seed, "eager", differentiated)
    calls += sum(not isinstance(one, str) for one in wanted)
    for how in ("graph", "compiled"):
        got = run(source, seed, how, differentiated)
        if len(wanted) == len(got) and all(equal(*pair) for pair in zip(wanted, got)):
            continue
        faults += 1
        if faults <= 3:
            call = next((k for k, pair in enumerate(zip(wanted, got)) if not equal(*pair)), "?")
            print(f"seed {seed}, {how}{', with gradient' if differentiated else ''}, call {call}:\n{source}")
            if call != "?":
                print(f"op by op:\n{wanted[call]}\n{how}:\n{got[call]}")
print(f"{faults} faults in {count} programs, {calls} calls")
raise SystemExit(faults > 0 or calls < 2 * count)
