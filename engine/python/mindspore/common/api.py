"""jit: functions that become graphs."""
import functools
import os
import warnings

import _fusescope
from mindspore.common import _guards

Tensor = _fusescope.Tensor

_KNOWN = ("capture_mode", "jit_level", "dynamic", "fullgraph", "backend", "disable_format_transform", "exec_order",
          "ge_options", "infer_boost", "mode", "input_signature", "hash_args", "jit_config", "compile_once",
          "compile_cache_path", "jit_syntax_level")

# How many kinds of arguments of one function are kept compiled, and for each how many forms for what the function reads
# besides; the oldest goes first. A function that gives up more forms than that is not compiled whole any more.
_KEPT = 64
_FORMS = 8
_MOST_DROPPED = 24


def _flatten(value, tensors, key):
    """Puts the tensors of an argument or result in `tensors` and what else it is in `key`; gives its rebuilding."""
    if isinstance(value, Tensor):
        tensors.append(value)
        key.append((value.dtype, value.shape, type(value)))
        return _TAKE
    kind = type(value)
    if kind in (tuple, list):
        key.append((kind, len(value)))
        return (kind, [_flatten(item, tensors, key) for item in value])
    if kind is dict:
        key.append((kind, tuple(value)))
        return (kind, [(name, _flatten(item, tensors, key)) for name, item in value.items()])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        key.append((kind, len(value)))
        return (kind._make, [_flatten(item, tensors, key) for item in value])
    if kind in (int, float, bool, str, bytes, type(None), complex, _fusescope.DType):
        # 1, 1.0 and True are equal, but they compute different things; -0.0 and 0.0 too.
        key.append((kind, repr(value) if kind is float else value))
    else:
        key.append((kind, id(value)))
        key.append(_Alive(value))
    return ("value", value)


class _Alive:
    """Keeps an object whose id is part of a key."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, _Alive) and self.value is other.value

    def __hash__(self):
        return id(self.value)


_TAKE = ("tensor",)


def _rebuild(form, tensors):
    kind = form[0]
    if kind == "tensor":
        return next(tensors)
    if kind == "value":
        return form[1]
    if kind is dict:
        return {name: _rebuild(item, tensors) for name, item in form[1]}
    return kind(_rebuild(item, tensors) for item in form[1])


class _Entry:
    """One compiled form: when it holds, what runs, and how the result is put together."""

    __slots__ = ("function", "guards", "pinned", "form", "steps", "single", "arguments", "found")

    def holds(self, tensors):
        for place, identity in self.pinned:
            if tensors[place]._identity != identity:
                return False
        return self.guards.hold()


class _History:
    """How often a function was compiled, for what the last time, the finding that says so, and how many forms went; one
    for all bound ones."""

    __slots__ = ("count", "key", "finding", "dropped")

    def __init__(self):
        self.count, self.key, self.finding, self.dropped = 0, None, 0, 0


def _signature(tensors):
    return "(" + ", ".join(f"{t.dtype}{list(t.shape)}" for t in tensors) + ")"


def _place(fn):
    code = getattr(fn, "__code__", None) or getattr(getattr(fn, "__func__", None), "__code__", None)
    return (code.co_filename, code.co_firstlineno, code.co_name) if code else (None, 0, None)


class JitFunction:
    """A function whose calls are compiled: once for each kind of arguments, as long as what it read stays the same."""

    def __init__(self, fn, owner=None, shared=None):
        functools.update_wrapper(self, fn)
        self._fn = fn
        self._owner = owner
        self._entries = {} if shared is None else shared
        self._told = set()
        self._history = _History()

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        # Bound anew at each access; the compiled forms stay with the function and are told apart by instance.
        bound = JitFunction(self._fn, instance, self._entries)
        bound._told, bound._history = self._told, self._history
        return bound

    def __repr__(self):
        return f"<mindspore.jit of {self._fn!r}>"

    def __call__(self, *args, **kwargs):
        if self._owner is not None:
            args = (self._owner,) + args
        # Inside another graph, or while gradients are noted op by op, the ops join what is going on.
        if _fusescope.tracing() == 2 or _fusescope.taping() or _disabled():
            return self._fn(*args, **kwargs)
        tensors, key = [], []
        arguments = _flatten(args, tensors, key)
        named = _flatten(kwargs, tensors, key)
        key.append(_same_places(tensors))
        key = tuple(key)
        entries = self._entries.get(key)
        if entries is not None:
            for entry in entries:
                if entry.holds(tensors):
                    return self._run(entry, tensors)
        return self._trace(key, arguments, named, tensors, args, kwargs)

    def _run(self, entry, tensors):
        results = entry.function(*tensors)
        if entry.arguments or entry.found:
            results = list(results)
            for i, place in entry.arguments:
                results[i] = tensors[place]
            for i, tensor in entry.found:
                results[i] = tensor
        for _ in range(entry.steps):
            _fusescope.count_step()
        return results[0] if entry.single else _rebuild(entry.form, iter(results))

    def _trace(self, key, arguments, named, tensors, args, kwargs):
        from mindspore.common import parameter as _parameter
        from mindspore.nn.optim import optimizer

        _fusescope.ready(tensors)
        name = getattr(self._fn, "__name__", "function")
        plain = _entry_is_possible(self, key)
        watcher = _guards.Watcher() if plain else None
        before = optimizer.steps
        capture = _fusescope.Capture(name, _signature(tensors))
        try:
            if watcher is not None:
                with watcher:
                    result = self._fn(*args, **kwargs)
            else:
                result = self._fn(*args, **kwargs)
        except BaseException:
            capture.close()
            raise
        results, form_key = [], []
        form = _flatten(result, results, form_key)
        if watcher is not None:
            roots = [self._fn, args, kwargs]
            guards = watcher.finish(roots, result)
        else:
            guards = None
        if guards is None:
            capture.flush()
            capture.close()
            self._not_whole(key, watcher)
            return result
        function = capture.finish(tensors, results)
        if isinstance(function, str):
            if function == "leaked":
                watcher.doubts.append(_guards.Doubt(
                    "Something besides its result still holds a tensor that it computes",
                    "return that tensor too", *_place(self._fn)))
            self._not_whole(key, watcher)
            return result
        entry = _Entry()
        entry.function, entry.guards, entry.form = function, guards, form
        # An argument that the function also reads by another way (a global, an attribute) is one input of the graph:
        # the graph is right only while both are the same tensor.
        entry.pinned = tuple((i, t._identity) for i, t in enumerate(tensors) if t._identity in watcher.tensors)
        # What was handed back as it is comes back as the same Python object.
        places = {id(t): i for i, t in enumerate(tensors)}
        entry.arguments = tuple((i, places[id(r)]) for i, r in enumerate(results) if id(r) in places)
        entry.found = tuple((i, r) for i, r in enumerate(results) if id(r) not in places and (
            isinstance(r, _parameter.Parameter) or r._identity in watcher.tensors))
        entry.steps = optimizer.steps - before
        entry.single = form is _TAKE
        self._keep(key, entry)
        return result

    def _keep(self, key, entry):
        self._recompiled(key)
        forms = self._entries.setdefault(key, [])
        forms.insert(0, entry)
        if len(forms) > _FORMS:
            forms.pop()
            self._history.dropped += 1
            if self._history.dropped >= _MOST_DROPPED:
                # What it reads is new at each call: run by Python it at least reuses compiled segments.
                forms.clear()
                self._tell(_guards.Doubt("What it reads besides its arguments was new again and again",
                                         "pass what changes as an argument, as a Tensor", *_place(self._fn)))
        if len(self._entries) > _KEPT:
            del self._entries[next(iter(self._entries))]

    def _recompiled(self, key):
        """A finding when a function compiles again, with what changed."""
        if not _fusescope.recording():
            return
        before, self._history.key = self._history.key, key
        self._history.count += 1
        count = self._history.count
        if count != 3 and (count < 3 or count & (count - 1)):
            return  # told at 3, 4, 8, 16, … times
        _, line, name = _place(self._fn)
        reason = _difference(self._fn, before, key)
        # At the line of the call: the argument that changes is there.
        self._history.finding = _fusescope.finding(
            "recompile", "warning", "recompiled",
            f"`{name}`{f' of line {line}' if line else ''} was compiled {count} times: {reason}",
            "pass a value that changes as a Tensor, or keep shapes the same", "", None, 0, None, reason,
            self._history.finding)

    def _not_whole(self, key, watcher):
        """Remembers that this form is run through Python each time, and tells why once."""
        self._entries.setdefault(key, [])
        if watcher is None or not _fusescope.recording():
            return
        for reason, path, line, name in watcher.reasons:
            if (reason, path, line) in self._told:
                continue
            self._told.add((reason, path, line))
            _fusescope.finding(
                "side_effect", "warning", "python_side_effect",
                f"{reason}; the function is run by Python at each call so that this happens each time",
                "move it out of the compiled function", "", path, line, name)
        for doubt in watcher.doubts:
            self._tell(doubt)

    def _tell(self, doubt):
        """A finding, one a line, about what makes the function run by Python at each call."""
        if not _fusescope.recording() or (doubt.path, doubt.line) in self._told:
            return
        self._told.add((doubt.path, doubt.line))
        _fusescope.finding("graph_break", "warning", "not_kept_compiled", "", doubt.advice, "", doubt.path, doubt.line,
                           doubt.function or "", doubt.reason)


def _same_places(tensors):
    """Which arguments are the same tensor: a graph made for different ones must not be used then. Several Python
    objects may stand for one tensor."""
    if len(tensors) < 2:
        return ()
    first = {}
    return tuple(first.setdefault(t._identity, i) for i, t in enumerate(tensors))


def _entry_is_possible(function, key):
    forms = function._entries.get(key)
    return forms is None or len(forms) > 0


def _difference(fn, old, new):
    try:
        names = fn.__code__.co_varnames
    except AttributeError:
        names = ()
    if len(old) != len(new):
        return "the arguments have another structure"
    place = 0
    for a, b in zip(old[1:], new[1:]):
        if a != b:
            name = names[place] if place < len(names) else f"argument {place}"
            if isinstance(a, tuple) and len(a) == 2 and a[0] in (int, float, str, bool):
                return f"the value of argument `{name}` changed from {a[1]} to {b[1]}"
            if isinstance(a, tuple) and len(a) == 3 and isinstance(b, tuple) and len(b) == 3:
                return f"argument `{name}` was {a[0]}{list(a[1])} and is {b[0]}{list(b[1])}"
            return f"argument `{name}` changed"
        place += 1
    return "something that the function reads changed"


def _disabled():
    return not _fusescope.jit_is_on() or os.environ.get("MS_JIT") == "0"


def jit(function=None, **options):
    """Compiles a function, a method or a Cell's construct; bare or with options."""
    for name in options:
        if name == "fn" and function is None:
            function = options["fn"]
        elif name not in _KNOWN and name != "fn":
            warnings.warn(f"jit: option `{name}` is not known and has no effect", stacklevel=2)
    mode = options.get("capture_mode")
    if mode is not None and mode not in ("ast", "bytecode", "trace"):
        raise ValueError(f"jit: `capture_mode` must be 'ast', 'bytecode' or 'trace', but it is {mode!r}")
    level = options.get("jit_level")
    if level not in (None, "", "O0", "O1", "O2"):
        raise ValueError(f"jit: `jit_level` must be 'O0' or 'O1', but it is {level!r}")

    def decorate(fn):
        if isinstance(fn, JitFunction):
            return fn
        if not callable(fn):
            raise TypeError(f"jit: a function is wanted, but it is {type(fn).__name__}")
        if isinstance(fn, type):
            raise TypeError(f"jit: {fn.__name__} is a class; decorate its construct")
        owner = getattr(fn, "__self__", None)
        if owner is not None and hasattr(fn, "__func__"):
            return JitFunction(fn.__func__, owner)
        if not hasattr(fn, "__code__"):
            cell = fn

            def call(*args, **kwargs):
                return cell(*args, **kwargs)

            call.__name__ = type(fn).__name__
            return JitFunction(call)
        return JitFunction(fn)

    return decorate if function is None else decorate(function)


def ms_function(fn=None, input_signature=None, hash_args=None, jit_config=None, **options):
    """The old name of jit."""
    return jit(fn, **options)


class JitConfig:
    """Options of jit as an object."""

    def __init__(self, jit_level="O1", exc_mode="auto", jit_syntax_level="", debug_level="RELEASE", **kwargs):
        self.jit_config_dict = {"jit_level": jit_level, "exc_mode": exc_mode, **kwargs}


def mutable(input_data, dynamic_len=False):
    """Marks a value as variable. Containers of tensors always are; a number becomes a tensor."""
    if isinstance(input_data, (int, float)) and not isinstance(input_data, bool):
        return Tensor(input_data)
    return input_data


def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Functions of constants run in Python anyway."""
    return fn if fn is not None else lambda f: f


def jit_class(cls):
    """Classes need no mark here."""
    return cls


ms_class = jit_class
