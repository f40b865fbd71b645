"""How a debugger shows a stopped program's values. Called by the debugger on the program's thread while it is stopped;
what it evaluates is neither recorded nor traced (the caller sees to that)."""
import math
import os
import sys
import types

import _fusescope

_PACKAGE = os.path.dirname(__file__) + os.sep
_LONGEST = 160  # characters of a value in one line
_FIRST = 6  # elements of a tensor in one line


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
        text = one_line(value)
        kind = type(value).__name__
        if _is_tensor(value):
            # Its facts by name, its elements by index along the first axis.
            shape = value.shape
            return (name, text, kind, expression, self._refer(("value", value, expression)), 4,
                    shape[0] if shape else 0)
        if isinstance(value, (list, tuple, set, frozenset)):
            return (name, text, kind, expression, self._refer(("value", value, expression)) if value else 0, 0,
                    len(value))
        if isinstance(value, dict):
            return (name, text, kind, expression, self._refer(("value", value, expression)) if value else 0,
                    len(value), 0)
        if _has_parts(value):
            return (name, text, kind, expression, self._refer(("value", value, expression)), 1, 0)
        return (name, text, kind, expression, 0, 0, 0)

    def parts(self, reference, which, start, count):
        """The parts of a referred value, as describe() gives each."""
        if not 1 <= reference <= len(self._values):
            raise LookupError("the program has gone on since this value was shown")
        kind, thing, *rest = self._values[reference - 1]
        if kind == "locals":
            return [self.describe(k, v, k) for k, v in sorted(thing.f_locals.items(), key=_name_order)
                    if not _hidden(k)]
        if kind == "globals":
            return [self.describe(k, v, k) for k, v in sorted(thing.f_globals.items(), key=_name_order)
                    if not _hidden(k) and not isinstance(v, types.ModuleType)]
        if kind == "listed":
            return [self.describe(k, v) if not isinstance(v, str) else (k, v, "", "", 0, 0, 0) for k, v in thing]
        return list(self._parts_of(thing, rest[0], which, start, count))

    def _parts_of(self, value, expression, which, start, count):
        at = lambda i: "%s[%r]" % (expression, i) if expression else ""
        if _is_tensor(value):
            if which != "indexed":
                yield from self._facts(value)
            if which != "named" and value.shape:
                end = value.shape[0] if count == 0 else min(value.shape[0], start + count)
                for i in range(start, end):
                    yield self.describe("[%d]" % i, value[i] if value.ndim > 1 else _number(value, i), at(i))
        elif isinstance(value, (list, tuple)):
            end = len(value) if count == 0 else min(len(value), start + count)
            for i in range(start, end):
                yield self.describe("[%d]" % i, value[i], at(i))
        elif isinstance(value, (set, frozenset)):
            for i, each in enumerate(list(value)[start:start + count if count else None]):
                yield self.describe("{%d}" % (start + i), each)
        elif isinstance(value, dict):
            for k, v in list(value.items()):
                yield self.describe(k if isinstance(k, str) else repr(k), v, at(k))
        else:
            for name, part in _attributes(value):
                yield self.describe(name, part, "%s.%s" % (expression, name) if expression else "")

    def _facts(self, tensor):
        yield ("dtype", str(tensor.dtype), "", "", 0, 0, 0)
        yield ("shape", str(tuple(tensor.shape)), "", "", 0, 0, 0)
        yield ("health", health(tensor), "", "", 0, 0, 0)
        yield ("statistics", statistics(tensor), "", "", 0, 0, 0)

    def listed(self, pairs):
        """A reference to named values that are in no Python frame: an op's operands, attributes and results."""
        return self._refer(("listed", pairs))

    # ---- expressions -----------------------------------------------------------------------------------------

    def evaluate(self, expression, number, context, listed=None):
        frame = self._frame(number) if number else None
        names = (frame.f_globals, frame.f_locals) if frame else (sys.modules["__main__"].__dict__,) * 2
        if listed is not None:  # an op of the past: its operands and results are the names
            names = (names[0], dict(listed))
        try:
            code = compile(expression, "<debugger>", "eval")
        except SyntaxError:
            if context != "repl":
                raise
            exec(compile(expression, "<debugger>", "exec"), *names)
            if frame:
                _fusescope.keep_locals(frame)
            return ("", "", "", "", 0, 0, 0)
        value = eval(code, *names)
        if context == "repl" and value is None:
            return ("", "", "", "", 0, 0, 0)
        return self.describe("", value, expression)

    def assign(self, reference, name, text):
        if not 1 <= reference <= len(self._values):
            raise LookupError("the program has gone on since this value was shown")
        kind, thing, *rest = self._values[reference - 1]
        frame = thing if kind in ("locals", "globals") else (self._frames[0][0] if self._frames else None)
        names = (frame.f_globals, frame.f_locals) if frame else (sys.modules["__main__"].__dict__,) * 2
        value = eval(text, *names)
        if kind == "locals":
            thing.f_locals[name] = value
            _fusescope.keep_locals(thing)
        elif kind == "globals":
            thing.f_globals[name] = value
        elif kind == "listed":
            raise TypeError("operands and results of an op cannot be set")
        elif _is_tensor(thing) or isinstance(thing, list):
            thing[int(name.strip("[]"))] = value
        elif isinstance(thing, dict):
            key = next((k for k in thing if k == name or repr(k) == name), name)
            thing[key] = value
        else:
            setattr(thing, name, value)
        return self.describe(name, value)


def _hidden(name):
    return name.startswith("__") and name.endswith("__") or name.startswith(".")


def _name_order(pair):
    return (pair[0].startswith("_"), pair[0])


def _is_tensor(value):
    return isinstance(value, _fusescope.Tensor)


def _has_parts(value):
    if isinstance(value, (int, float, complex, str, bytes, bool, type(None), type, types.FunctionType,
                          types.BuiltinFunctionType, types.MethodType)):
        return False
    return any(True for _ in _attributes(value))


def _attributes(value):
    """Attributes worth showing: of a Cell its children and Parameters first."""
    seen = set()
    own = getattr(value, "__dict__", None) or {}
    for group in ("_cells", "_params"):
        table = own.get(group)
        if isinstance(table, dict):
            for name, part in table.items():
                seen.add(name)
                yield name, part
    names = list(own)
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    if isinstance(value, types.ModuleType):
        names = [n for n in names if not _hidden(n)]
    for name in names:
        if name in seen or _hidden(name) or name in ("_cells", "_params"):
            continue
        try:
            yield name, getattr(value, name)
        except Exception:
            continue


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


def _index(flat, shape):
    index = []
    for extent in reversed(tuple(shape)):
        index.append(flat % extent)
        flat //= extent
    return tuple(reversed(index))


def one_line(value):
    """A value in one line, cut to a length that fits a tool tip."""
    try:
        if _is_tensor(value):
            return _tensor_line(value)
        if isinstance(value, (list, tuple, set, frozenset, dict)) and len(value) > 20:
            return "%s of %d" % (type(value).__name__, len(value))
        if getattr(value, "ndim", 0) and hasattr(value, "__array_interface__"):
            text = "array %s %s " % (value.dtype, value.shape) + repr(value.ravel()[:_FIRST].tolist())
        else:
            text = repr(value)
    except Exception as error:  # a repr of the program's own may do anything
        return "<repr raised %s: %s>" % (type(error).__name__, error)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST - 1] + "…"


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
