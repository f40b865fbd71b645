"""How a debugger shows a stopped program's values. Called by the debugger on the program's thread while it is stopped;
what it evaluates is neither recorded nor traced (the caller sees to that)."""
import ast
import collections
import itertools
import math
import os
import reprlib
import sys
import types

import _fusescope

_PACKAGE = os.path.dirname(__file__) + os.sep
_LONGEST = 160  # characters of a value in one line
_LONGEST_COPY = 4_000_000  # and on the clipboard
_FIRST = 6  # elements of a tensor in one line
_late = False  # a value took so long that it was interrupted: the others of this answer are shown without asking them
_MOST = 10_000  # parts in one answer to a client that does not page
_SETS = (set, frozenset)
_PLAIN = (int, float, complex, str, bytes, type(None), type, types.FunctionType, types.BuiltinFunctionType,
          types.MethodType)


class Inspector:
    """References to what was shown since the last stop; a debugger asks for the parts of a value by number."""

    def __init__(self):
        self.clear()

    def clear(self):
        """The program has gone on: what was shown is not there any more."""
        self._values = []
        self._frames = []
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()  # what the program wrote before it stopped
            except Exception:
                pass

    # ---- the stack -------------------------------------------------------------------------------------------

    def stack(self, error=None):
        """[(id, name, path, line)], innermost first; of `error`'s traceback when the program has ended by it."""
        self._frames = []
        if error is not None and error.__traceback__ is not None:
            at, frames = error.__traceback__, []
            while at is not None:
                frames.append((at.tb_frame, at.tb_lineno))
                at = at.tb_next
            frames.reverse()
        else:
            frame, frames = sys._getframe(0), []
            while frame is not None:
                frames.append((frame, frame.f_lineno))
                frame = frame.f_back
        for frame, line in frames:
            path = frame.f_code.co_filename
            if path.startswith(_PACKAGE) or path.startswith("<frozen "):
                continue
            self._frames.append((frame, line or frame.f_code.co_firstlineno))
        return [(i + 1, frame.f_code.co_qualname, frame.f_code.co_filename, line)
                for i, (frame, line) in enumerate(self._frames)]

    def _frame(self, number):
        if not 1 <= number <= len(self._frames):
            raise LookupError("there is no such frame any more")
        return self._frames[number - 1][0]

    def scopes(self, number):
        """[(name, reference, expensive)]"""
        frame = self._frame(number)
        local = ("locals", frame)
        if frame.f_locals is frame.f_globals:
            return [("Globals", self._refer(local), False)]
        return [("Locals", self._refer(local), False), ("Globals", self._refer(("globals", frame)), True)]

    # ---- values ----------------------------------------------------------------------------------------------

    def _refer(self, thing):
        self._values.append(thing)
        return len(self._values)

    def describe(self, name, value, expression=""):
        """(name, text, type, evaluate name, reference, named parts, indexed parts)"""
        name = name if type(name) is str else one_line(name)
        named, indexed = _guarded(_parts_count, value) or (0, 0)
        reference = self._refer(("value", value, expression)) if named or indexed else 0
        return (name, one_line(value), _type_name(value), expression, reference, named, indexed)

    def parts(self, reference, which, start, count):
        """The parts of a referred value, as describe() gives each."""
        global _late
        _late = False
        if not 1 <= reference <= len(self._values):
            raise LookupError("the program has gone on since this value was shown")
        kind, thing, *rest = self._values[reference - 1]
        if kind in ("locals", "globals"):
            names = thing.f_locals if kind == "locals" else thing.f_globals
            shown = ((k, v) for k, v in sorted(_named(names), key=_name_order)
                     if not _hidden(k) and not (kind == "globals" and _is(v, types.ModuleType)))
            return list(self._some(shown, start, count, lambda k, v: self.describe(k, v, k if k.isidentifier() else "")))
        if kind == "listed":
            say = lambda k, v: self.describe(k, v) if not isinstance(v, str) else (k, v, "", "", 0, 0, 0)
            return list(self._some(iter(thing), start, count, say))
        return list(self._parts_of(thing, rest[0], which, start, count))

    def _some(self, pairs, start, count, describe):
        """Described pairs of a page, or as many as a client that does not page can show, and how many more there are."""
        pairs = itertools.islice(pairs, start, None)
        for name, part in itertools.islice(pairs, count or _MOST):
            yield describe(name, part)
        more = 0 if count else sum(1 for _ in pairs)
        if more:
            yield ("…", "%d more" % more, "", "", 0, 0, 0)

    def _parts_of(self, value, expression, which, start, count):
        at = lambda i: "%s[%r]" % (expression, i) if expression else ""
        if _is_tensor(value) and which != "indexed":
            yield from self._facts(value)
        elements = _elements(value)
        if elements is not None:
            if which != "named":
                size, get = elements
                brackets = "{%d}" if _is(value, _SETS) else "[%d]"
                for i in range(start, min(size, start + (count or _MOST))):
                    yield self.describe(brackets % i, get(i), "" if _is(value, _SETS) else at(i))
                if count == 0 and size - start > _MOST:
                    yield ("…", "%d more; ask for them by slice" % (size - start - _MOST), "", "", 0, 0, 0)
            return
        pairs = _pairs(value)
        if which == "indexed":
            return
        if pairs is not None:
            say = lambda k, v: self.describe(k, v, at(k) if _plain_key(k) else "")
            yield from self._some(iter(pairs), start, count, say)
            return
        yield from self._some(_attributes(value), start, count, lambda name, part: self.describe(
            name, part, "%s.%s" % (expression, name) if expression and name.isidentifier() else ""))

    def _facts(self, tensor):
        for name, fact in _FACTS.items():
            yield (name, fact(tensor), "", "", 0, 0, 0)

    def store(self, reference, path):
        """Writes the elements of a referred tensor into a file; (dtype, shape)."""
        if not 1 <= reference <= len(self._values):
            raise LookupError("the program has gone on since this value was shown")
        kind, thing, *_ = self._values[reference - 1]
        if kind != "value" or not _is_tensor(thing):
            raise TypeError("this is no tensor")
        if not _fusescope.store_elements(thing, path):
            raise RuntimeError("the value waits in a graph that has not run")
        return (str(thing.dtype), str(tuple(thing.shape)))

    def listed(self, pairs):
        """A reference to named values that are in no Python frame: an op's operands, attributes and results."""
        return self._refer(("listed", pairs))

    def fill(self, reference, pairs):
        """What a reference from listed() stands for, when that is known only later."""
        self._values[reference - 1] = ("listed", pairs)

    # ---- expressions -----------------------------------------------------------------------------------------

    def evaluate(self, expression, number, context, listed=None):
        frame = self._frame(number) if number else None
        expression = expression.strip()
        try:
            code = compile(expression, "<debugger>", "eval")
        except SyntaxError:
            if context != "repl":
                raise
            _run(compile(expression, "<debugger>", "exec"), frame)
            if frame:
                _fusescope.keep_locals(frame)
            return ("", "", "", "", 0, 0, 0)
        if listed is not None:  # an op of the past: its operands and results are the names
            value = eval(code, (frame.f_globals if frame else sys.modules["__main__"].__dict__) | dict(listed))
        else:
            value = _run(code, frame)
        if context == "repl" and value is None:
            return ("", "", "", "", 0, 0, 0)
        if context == "clipboard":
            return ("", _whole(value), _type_name(value), "", 0, 0, 0)
        return self.describe("", value, _closed(expression))

    def assign(self, reference, name, text):
        if not 1 <= reference <= len(self._values):
            raise LookupError("the program has gone on since this value was shown")
        kind, thing, *rest = self._values[reference - 1]
        frame = thing if kind in ("locals", "globals") else (self._frames[0][0] if self._frames else None)
        value = _run(compile(text.strip(), "<debugger>", "eval"), frame)
        if kind == "locals":
            thing.f_locals[name] = value
            _fusescope.keep_locals(thing)
        elif kind == "globals":
            thing.f_globals[name] = value
        elif kind == "listed":
            raise TypeError("operands and results of an op cannot be set")
        elif _elements(thing) is not None:
            if not name.startswith("["):
                raise TypeError("the %s of a %s cannot be set" % (name.strip("{}"), _type_name(thing))
                                if not _is(thing, _SETS) else "a set has no places to put a value")
            if _is(thing, (tuple, range)):
                raise TypeError("a %s cannot be changed: give its variable a new one" % _type_name(thing))
            i = int(name.strip("[]"))
            thing[i] = value
            value = _elements(thing)[1](i)  # as it was stored
        elif _pairs(thing) is not None:
            key = next((k for k in thing if k == name or repr(k) == name), name)
            thing[key] = value
        else:
            setattr(thing, name, value)
            value = getattr(thing, name)
        return self.describe(name, value)


def _closed(expression):
    """An expression that a subscript or an attribute can follow."""
    node = ast.parse(expression, mode="eval").body
    return expression if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else "(%s)" % expression


def _run(code, frame):
    """Runs code with the names of a frame, or those of the script. What has a scope of its own (a comprehension, a
    lambda) sees globals only, so the frame's variables are put among those."""
    if frame is None or frame.f_locals is frame.f_globals:
        return eval(code, frame.f_globals if frame else sys.modules["__main__"].__dict__)
    if not any(_is(c, types.CodeType) for c in code.co_consts):
        return eval(code, frame.f_globals, frame.f_locals)
    both = frame.f_globals | frame.f_locals
    before = dict(both)
    value = eval(code, both, frame.f_locals)
    both.update(frame.f_locals)  # a function may call itself
    before.update(frame.f_locals)
    for name, new in both.items():  # a function's `global`
        if name not in before or before[name] is not new:
            frame.f_globals[name] = new
    return value


def _hidden(name):
    return name.startswith("__") and name.endswith("__") or name.startswith(".")


def _name_order(pair):
    return (pair[0].startswith("_"), pair[0])


def _type_name(value):
    """Of a class whose own class may do anything when it is asked."""
    return type.__getattribute__(type(value), "__name__")[:_LONGEST]


def _plain_key(key):
    """Whether a key's repr gives it again, and is nobody's own."""
    return type(key) in (str, int, bytes, float, bool, type(None)) or type(key) is tuple and all(map(_plain_key, key))


def _is(value, kinds):
    """isinstance() that asks nothing of the value, whose __class__ may be a property."""
    return issubclass(type(value), kinds)


def _is_tensor(value):
    return _is(value, _fusescope.Tensor)


def _guarded(function, *arguments):
    """What a program's own methods say, or None when they raise, or end the program."""
    try:
        return function(*arguments)
    except _fusescope.Interrupted:
        raise
    except BaseException:
        return None


def _named(names):
    """The names of a namespace; a program may put anything into one."""
    return [(k, v) for k, v in list(names.items()) if isinstance(k, str)]


def _elements(value):
    """(how many, function from position to element) of a sequence, or None. The methods of the built-in types are
    asked: those of the program's own classes may do anything."""
    if _is_tensor(value):
        shape = value.shape
        return (shape[0] if shape else 0,
                (lambda i: value[i]) if len(shape) > 1 else (lambda i: _number(value, i)))
    for kind in (list, tuple, collections.deque, range):
        if _is(value, kind):
            return kind.__len__(value), lambda i: kind.__getitem__(value, i)
    if _is(value, _SETS):
        kept = []  # a set has no order of its own to page by

        def get(i):
            if not kept:
                kind = set if _is(value, set) else frozenset
                kept.extend(kind.__iter__(value))
            return kept[i]

        return (set if _is(value, set) else frozenset).__len__(value), get
    if _is_array(value):
        return (len(value) if value.ndim else 0), lambda i: value[i]
    return None


def _pairs(value):
    """The items of a dict, or None."""
    if _is(value, dict):
        return dict.items(value)
    if _is(value, types.MappingProxyType):
        return value.items()
    return None


def _is_array(value):
    numpy = sys.modules.get("numpy")
    return numpy is not None and _is(value, numpy.ndarray)


def _parts_count(value):
    """(named parts, indexed parts), each 0 when it has none."""
    elements = _elements(value)
    if elements is not None:
        return (len(_FACTS) if _is_tensor(value) else 0), elements[0]
    if _is(value, _PLAIN):
        return 0, 0
    if _pairs(value) is not None:
        return (dict.__len__(value) if _is(value, dict) else len(value)), 0
    return (1 if any(True for _ in _attributes(value)) else 0), 0


def _attributes(value):
    """Attributes worth showing: of a Cell its children and Parameters first."""
    seen = set()
    own = _guarded(getattr, value, "__dict__") or {}
    for group in ("_cells", "_params"):
        table = own.get(group)
        if isinstance(table, dict):
            for name, part in table.items():
                seen.add(name)
                yield name, part
    names = list(own)
    for kind in type.__getattribute__(type(value), "__mro__"):
        slots = type.__getattribute__(kind, "__dict__").get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    names = [n for n in names if isinstance(n, str)]
    if _is(value, types.ModuleType):
        names = [n for n in names if not _hidden(n)]
    for name in names:
        if name in seen or _hidden(name) or name in ("_cells", "_params"):
            continue
        try:
            part = getattr(value, name)
        except _fusescope.Interrupted:
            raise
        except BaseException:  # a property may do anything
            continue
        yield name, part


def _number(tensor, i):
    return tensor[i].asnumpy().item()


def health(tensor):
    facts = _fusescope.tensor_stats(tensor)
    if facts is None:
        return "waits in a graph that has not run"
    count, nan, inf = facts["count"], facts["nan"], facts["inf"]
    if not nan and not inf:
        return "%d elements, all finite" % count
    return "%d elements, %d NaN, %d Inf, first at %s" % (count, nan, inf, _index(facts["first_bad"], tensor.shape))


def statistics(tensor):
    facts = _fusescope.tensor_stats(tensor)
    if facts is None:
        return "waits in a graph that has not run"
    return "min %.6g, max %.6g, mean %.6g, std %.6g, %d zero" % (
        facts["min"], facts["max"], facts["mean"], facts["std"], facts["zero"])


_FACTS = {
    "dtype": lambda tensor: str(tensor.dtype),
    "shape": lambda tensor: str(tuple(tensor.shape)),
    "health": health,
    "statistics": statistics,
}


def _index(flat, shape):
    index = []
    for extent in reversed(tuple(shape)):
        index.append(flat % extent)
        flat //= extent
    return tuple(reversed(index))


def one_line(value):
    """A value in one line, cut to a length that fits a tool tip."""
    global _late
    if _late and type.__getattribute__(type(value), "__module__") != "builtins":
        return "<not asked: another value took too long>"
    try:
        if _is_tensor(value):
            return _tensor_line(value)
        if _is(value, (list, tuple, set, frozenset, dict)) and len(value) > 20:
            return "%s of %d" % (_type_name(value), len(value))
        if type(value) in (str, bytes, bytearray) and len(value) > _LONGEST:
            return repr(value[:_LONGEST])[:_LONGEST - 1] + "…"  # all of it may be gigabytes
        if type(value) is int and value.bit_length() > 8 * _LONGEST:
            return "int of %d bits" % value.bit_length()
        if type(value) in (list, tuple, set, frozenset, dict, collections.deque):
            return _cut(_SHORT.repr(value))
        if _is_array(value) and value.ndim:
            text = "array %s %s " % (value.dtype, value.shape) + repr(value.ravel()[:_FIRST].tolist())
        else:
            text = repr(value)
    except _fusescope.Interrupted as why:
        _late = True
        return "<repr: %s>" % why
    except BaseException as error:  # a repr of the program's own may do anything
        return _cut("<repr raised %s: %s>" % (_type_name(error), " ".join(str(_guarded(str, error)).split())))
    return _cut(" ".join(text.split()))


def _cut(text):
    return text if len(text) <= _LONGEST else text[:_LONGEST - 1] + "…"


class _Short(reprlib.Repr):
    """A repr of nested containers that looks at no more than it shows: any of them may hold a million others."""

    def __init__(self):
        super().__init__()
        self.maxlevel, self.maxother = 8, _LONGEST
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxfrozenset = self.maxdeque = 20
        self.maxstring = self.maxlong = _LONGEST
        self._open = []  # those that the value is in

    def repr1(self, x, level):
        if type(x) not in (list, tuple, dict, set, frozenset, collections.deque):
            return one_line(x)
        if any(x is o for o in self._open):
            return "{...}" if type(x) is dict else "[...]"
        self._open.append(x)
        try:
            return super().repr1(x, level)
        finally:
            self._open.pop()

    def repr_dict(self, x, level):
        """In the order of the dict, not sorted."""
        if level <= 0 and x:
            return "{...}"
        pieces = ["%s: %s" % (self.repr1(k, level - 1), self.repr1(v, level - 1)) for k, v in itertools.islice(x.items(), 20)]
        return "{%s}" % ", ".join(pieces + ["..."] * (len(x) > 20))


_SHORT = _Short()


def _whole(value):
    """A value for the clipboard."""
    try:
        text = value if type(value) is str else repr(value)
    except _fusescope.Interrupted:
        raise
    except BaseException as error:
        return "<repr raised %s: %s>" % (_type_name(error), _guarded(str, error))
    return text if len(text) <= _LONGEST_COPY else text[:_LONGEST_COPY - 1] + "…"


def _tensor_line(tensor):
    head = "%s%s" % (tensor.dtype, list(tensor.shape))
    first = _fusescope.first_elements(tensor, _FIRST)
    if first is None:
        return head + " (waits in a graph that has not run)"
    count = 1
    for extent in tensor.shape:
        count *= extent
    values = ", ".join(_short(v) for v in first)
    if count > len(first):
        values += ", …"
    facts = _fusescope.tensor_stats(tensor)
    bad = ""
    if facts["nan"] or facts["inf"]:
        bad = " NaN×%d" % facts["nan"] if facts["nan"] else ""
        bad += " Inf×%d" % facts["inf"] if facts["inf"] else ""
    return "%s [%s]%s" % (head, values, bad)


def _short(value):
    if isinstance(value, float) and math.isfinite(value):
        return "%.6g" % value
    return str(value)
