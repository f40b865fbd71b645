"""Compiled functions see what changes in the Python around them, wherever it is kept; and those that depend on nothing
else are compiled whole."""
import array
import collections
import dataclasses
import functools
import math
import sys
import types
import weakref

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops

faults = 0
Space = types.SimpleNamespace


def tensor(value):
    return Tensor(np.array(value, np.float32))


def outcome(f):
    try:
        result = f(tensor(2.0))
        return [x.asnumpy().tolist() for x in (result if isinstance(result, tuple) else (result,))]
    except Exception as error:
        return repr(error)


def check(make, *changes):
    """`make` gives a function and its surroundings; each change of these shows in the compiled function too."""
    global faults
    (plain, here), (function, there) = make(), make()
    compiled = ms.jit(function)
    for number, change in enumerate((None, None, *changes, None)):
        if change:
            change(here)
            change(there)
        wanted, got = outcome(plain), outcome(compiled)
        if wanted != got:
            faults += 1
            print(f"{make.__name__}, after change {number - 1}: {got} instead of {wanted}")


def attribute():
    s = Space(k=3.0, deep={"a": {"b": [1.0, 2.0]}}, array=np.array([1, 2], np.float32), tensor=tensor(3))
    return lambda x: (x * s.k, x * s.deep["a"]["b"][1], x * float(s.array[1]), x * Tensor(s.array).sum(), x * s.tensor), s


check(attribute, lambda s: setattr(s, "k", 5.0), lambda s: s.deep["a"]["b"].__setitem__(1, 7.0),
      lambda s: s.deep.__setitem__("a", {"b": [0, 9.0]}), lambda s: s.array.__setitem__(1, 5),
      lambda s: setattr(s, "tensor", tensor(5)), lambda s: s.tensor.set_data(tensor(6)),
      lambda s: s.tensor.__setitem__(..., 7.0))


def called():
    def inner(x, k=2.0, *, j=1.0):
        return x * k + j

    s = Space(inner=inner, f=lambda x: x + 1, partial=functools.partial(lambda values, x: x * values[0], [2.0]))
    return lambda x: (inner(x), s.f(x), s.partial(x)), s


check(called, lambda s: setattr(s.inner, "__defaults__", (9.0,)), lambda s: s.inner.__kwdefaults__.update(j=4.0),
      lambda s: setattr(s, "f", lambda x: x + 2), lambda s: s.partial.args[0].__setitem__(0, 5.0))


def classes():
    class Base:
        scale = 2.0

        def __call__(self, x):
            return x * self.scale * self.held

        @property
        def held(self):
            return self._held

        @staticmethod
        def more(x):
            return x + 1

    class Derived(Base):
        def __call__(self, x):
            return super().__call__(x) + self.more(x)

    one = Derived()
    one._held = 3.0
    return lambda x: one(x), Space(Base=Base, one=one)


check(classes, lambda s: setattr(s.Base, "scale", 4.0), lambda s: setattr(s.one, "_held", 5.0),
      lambda s: setattr(s.Base, "more", staticmethod(lambda x: x + 100)),
      lambda s: setattr(s.Base, "__call__", lambda self, x: x - 1))


class Slots:
    __slots__ = ("k",)

    def __init__(self):
        self.k = 2.0


class Odd:
    def __init__(self):
        self.values = {"k": 2.0}

    def __getattr__(self, name):
        return self.__dict__["values"][name]


@dataclasses.dataclass
class Record:
    k: float = 2.0


def objects():
    s = Space(slots=Slots(), odd=Odd(), record=Record(), named=collections.namedtuple("Named", "k")(2.0))
    return lambda x: (x * s.slots.k, x * s.record.k, x * s.named.k), s


def odd():
    s = Odd()
    return lambda x: x * s.k, s


check(objects, lambda s: setattr(s.slots, "k", 5.0), lambda s: setattr(s.record, "k", 6.0),
      lambda s: setattr(s, "named", type(s.named)(7.0)))
check(odd, lambda s: s.values.update(k=5.0))


def by_name():
    s = Space(name="k", held=Space(k=2.0, j=3.0))
    return lambda x: (x * getattr(s.held, s.name), x * vars(s.held)["j"], x * s.held.__dict__["j"]), s


check(by_name, lambda s: setattr(s.held, "k", 9.0), lambda s: setattr(s, "name", "j"),
      lambda s: setattr(s.held, "j", 11.0))


def imported():
    """What a function imports, or finds in a module without naming it."""
    name = f"held_by_test_{len(sys.modules)}"
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = "/somewhere/module.py"
    module.k, module.values = 2.0, [3.0]
    code = {}
    exec(compile(f"def whole(x):\n    import {name}\n    return x * {name}.k\n"
                 f"def part(x):\n    from {name} import k, values\n    return x * k * values[0]\n", "inside.py", "exec"),
         code)
    return code, module


for way in (lambda code: code["whole"], lambda code: code["part"]):
    def imported_inside():
        code, module = imported()
        return way(code), module

    check(imported_inside, lambda m: setattr(m, "k", 5.0), lambda m: m.values.__setitem__(0, 7.0),
          lambda m: setattr(m, "values", [1.0]))
for way in (lambda m, x: x * getattr(m, "k"), lambda m, x: x * m.__dict__["k"], lambda m, x: x * sys.modules[m.__name__].k,
            lambda m, x: x * list(map(getattr, [m], ["k"]))[0], lambda m, x: x * len(dir(m))):
    def found_in_module():
        _, module = imported()
        return lambda x: way(module, x), module

    check(found_in_module, lambda m: setattr(m, "k", 5.0), lambda m: setattr(m, "another", 7.0))


def of_functions():
    def helper(x):
        return x * helper.k

    def decorated(f):
        @functools.wraps(f)
        def around(x):
            return f(x) * decorated.k
        return around

    helper.k = decorated.k = 2.0
    run = decorated(lambda x: x + 1)
    return lambda x: (helper(x), run(x)), Space(helper=helper, decorated=decorated)


check(of_functions, lambda s: setattr(s.helper, "k", 5.0), lambda s: setattr(s.decorated, "k", 7.0))


def hidden():
    """Names that a derived class or an instance may come to hide, operators, and variables of operators."""
    scale = 2.0

    class Base:
        k = 2.0

        @classmethod
        def of_class(cls, x):
            return x * cls.k

        def __getitem__(self, i):
            return scale

        def __len__(self):
            return 3

    class Derived(Base):
        pass

    def rescale(value):
        nonlocal scale
        scale = value

    one = Derived()
    return (lambda x: (Derived.of_class(x), x * one.k, x * one[0], x * len(one)),
            Space(Base=Base, Derived=Derived, one=one, rescale=rescale))


check(hidden, lambda s: setattr(s.Derived, "k", 3.0), lambda s: setattr(s.one, "k", 4.0), lambda s: s.rescale(5.0),
      lambda s: setattr(s.Base, "__getitem__", lambda self, i: 6.0),
      lambda s: setattr(s.Derived, "__len__", lambda self: 7))


class Value:
    k = 2.0


def weakly():
    keep = Value()
    held = weakref.WeakValueDictionary(a=keep)
    return lambda x: x * held["a"].k, keep


check(weakly, lambda s: setattr(s, "k", 5.0))

# State of Python's own modules and of the package.
for way, change in (
        (lambda x: x * len(sys.argv), lambda _: sys.argv.append("3")),
        (lambda x: x * math.constant_of_test, lambda _: setattr(math, "constant_of_test", math.constant_of_test + 1)),
        (lambda x: x * globals()["global_of_test"], lambda _: globals().update(global_of_test=5.0)),
        (lambda x: x * (2 + ms.get_context("mode")), lambda _: ms.set_context(mode=1 - ms.get_context("mode"))),
        (lambda x: ops.square(x), lambda _: setattr(ops, "square", lambda x: x * 100))):
    math.constant_of_test = global_of_test = 2.0
    mode, square = ms.get_context("mode"), ops.square

    before = outcome(way)
    compiled = ms.jit(way)
    outcome(compiled), outcome(compiled), change(None)
    if outcome(compiled) != outcome(way) or outcome(way) == before:
        faults += 1
        print(f"{way.__code__.co_names}: {outcome(compiled)} instead of {outcome(way)}")
    ms.set_context(mode=mode)
    ops.square = square


def constructed():
    class Numbered:
        count = 0

        def __init__(self):
            Numbered.count += 1
            self.number = Numbered.count

    return lambda x: x * Numbered().number, Numbered


check(constructed, lambda c: setattr(c, "count", 10))


class List(list):
    pass


def containers():
    s = Space(set={1, 2}, deque=collections.deque([1.0, 2.0]), default=collections.defaultdict(float, a=2.0),
              counter=collections.Counter(a=2), own=List([1.0]), bytes=bytearray(b"\1\2"))
    s.own.k = 2.0
    return lambda x: (x * (2 if 2 in s.set else 3), x * s.deque[0], x * s.default["a"], x * s.counter["a"],
                      x * s.own[0] + s.own.k, x * s.bytes[1]), s


check(containers, lambda s: s.set.discard(2), lambda s: s.deque.appendleft(5.0), lambda s: s.default.update(a=5.0),
      lambda s: s.counter.update(a=3), lambda s: s.own.__setitem__(0, 4.0), lambda s: setattr(s.own, "k", 5.0),
      lambda s: s.bytes.__setitem__(1, 9))


def unknown():
    s = Space(array=array.array("d", [1.0, 2.0]), view=memoryview(bytearray(b"\1\2")))
    return lambda x: (x * s.array[1], x * s.view[1]), s


check(unknown, lambda s: s.array.__setitem__(1, 9.0), lambda s: s.view.__setitem__(1, 9))


def counting():
    s = Space(n=0, log=[], steps=iter(range(100)), generated=(k for k in range(100)))

    def f(x):
        s.n += 1
        s.log.append(s.n)
        for k in s.generated:
            break
        return x * s.n + len(s.log) + next(s.steps) + k

    return f, s


check(counting)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 2.0
        self.norm = nn.BatchNorm1d(1)
        self.rest = nn.CellList([nn.ReLU()])

    def construct(self, x):
        y = self.norm(x.reshape(1, 1)) * self.k
        for cell in self.rest:
            y = cell(y)
        return y * 10 if self.training else y


def cell():
    net = Net()
    return lambda x: net(x), net


check(cell, lambda net: setattr(net, "k", 4.0), lambda net: net.set_train(), lambda net: net.set_train(False),
      lambda net: net.rest.append(nn.Sigmoid()), lambda net: setattr(net.norm, "eps", 1.0))


# Compiled whole.
def lists(x):
    parts = []
    for k in range(3):
        parts.append(x * k)
    return ops.stack(parts)


def branch(x):
    return ops.cond(x > 1, lambda u: u * 2, lambda u: u - 1, x * 1)


def loop(x):
    y, _ = ops.while_loop(lambda y, before: (y - before).abs() > 1e-3, lambda y, before: ((y + x / y) * 0.5, y),
                          (x, x * 0.0))
    return y


for f in (lists, branch, loop):
    compiled = ms.jit(f)
    for value in (2.0, 3.0):
        if not np.array_equal(compiled(tensor(value)).asnumpy(), f(tensor(value)).asnumpy()):
            faults += 1
            print(f"{f.__name__}({value}) differs when it is compiled")
    if not any(compiled._entries.values()):
        faults += 1
        print(f"{f.__name__} is not compiled whole")

# What it reads changes at each call: it is not compiled for ever.
ever_new = Space(k=2.0, calls=0)


@ms.jit
def restless(x):
    return x * getattr(ever_new, "k")


for call in range(60):
    ever_new.calls += 1
    if float(restless(tensor(call))) != call * 2:
        faults += 1
        print(f"restless, call {call}, is wrong")
if any(restless._entries.values()):
    faults += 1
    print("a function whose surroundings never rest is compiled again and again")

raise SystemExit(faults > 0)
