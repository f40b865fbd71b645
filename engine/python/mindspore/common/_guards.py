"""What a traced call depended on: everything Python that it read, checked before a compiled form is used again; what
it changed, which makes a compiled form impossible; and what cannot be checked, which does so too. Both are told with
their line.

While a function is traced the interpreter tells which functions run, which lines, and which builtins are called. After
that the values that these lines can reach (globals they name, closure cells, attributes they name of objects found
there) are walked once, and each step of the walk becomes one check.
"""
import collections
import functools
import operator
import sys
import types
import weakref

import _fusescope

Tensor = _fusescope.Tensor

# Kinds of checks, as engine/python/guards.cpp knows them.
_ITEM_IS, _ITEM_ABSENT, _ITEM_EQUAL, _LIST_IS, _LIST_EQUAL, _LENGTH, _CELL_IS, _CELL_EQUAL, _TENSOR, _ATTR_IS, _CALL = \
    range(11)

_PLAIN = (int, float, bool, str, bytes, complex, type(None), type(Ellipsis), _fusescope.DType)
_PACKAGE = __file__.rsplit("/common/", 1)[0]
_SELF = sys.intern(__file__)

_SPEAKING = {"print": "it prints", "input": "it reads input", "open": "it opens a file", "exec": "it runs other code",
             "eval": "it runs other code"}
_IMPURE_MODULES = {"time": "it reads the clock", "_random": "it draws a Python random number",
                   "random": "it draws a Python random number", "posix": "it talks to the operating system",
                   "_io": "it reads or writes a file", "secrets": "it draws a random number",
                   "datetime": "it reads the clock", "_socket": "it uses the network", "_thread": "it uses threads",
                   "numpy.random.mtrand": "it draws a numpy random number",
                   "numpy.random._generator": "it draws a numpy random number"}
_CHANGING = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update", "setdefault",
             "popitem", "add", "discard", "appendleft", "popleft", "extendleft", "rotate", "__setitem__",
             "__delitem__", "intersection_update", "difference_update", "symmetric_difference_update"}
# Functions of the package that change what a later call sees.
_PACKAGE_EFFECTS = {"set_train", "set_grad", "set_seed", "set_context", "save_checkpoint", "to_float", "add_prim_attr",
                    "insert_child_to_cell", "insert_param_to_cell"}
_DOUBTFUL_MODULES = {"time", "random", "datetime", "os", "uuid", "secrets", "socket", "threading", "subprocess",
                     "numpy.random"}
# What never changes once it is there, though it is no number or text.
_STEADY = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType,
           types.ClassMethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType, types.CodeType, range,
           slice)
_STEADY_MODULES = {"_fusescope", "mindspore", "re", "decimal", "_decimal", "fractions", "datetime", "uuid", "pathlib"}
# Functions of the package that read what no guard looks at.
_PACKAGE_STATE = {"get_context"}
# With these a function reads attributes that its code does not name.
_ANY_ATTRIBUTE = {"getattr", "hasattr", "vars", "dir", "__dict__", "__getattribute__"}
_LARGEST_ARRAY = 1 << 20
_MOST_CHECKS = 20000

# Why a call cannot be kept compiled although it does no harm: nobody would notice when it would compute something else.
Doubt = collections.namedtuple("Doubt", "reason advice path line function")
_PASS_IT = "read it outside of the compiled function and pass what it gives as an argument, a Tensor when it changes"
_DRAW_OUTSIDE = "draw with ops.rand, ops.randn or ops.randint, or outside of the compiled function"
_MAKE_ONCE = "make it once, outside of the compiled function"


def _is_package(code):
    return code.co_filename.startswith(_PACKAGE)


def _plain(function):
    """Of sys; a debugger puts its own over it, for scripts."""
    return getattr(function, "__wrapped__", function)


class _TooMuch(Exception):
    pass


class Watcher:
    """Watches one traced call; `finish` gives its guards, or None with `reasons` why there are none."""

    def __init__(self):
        self.codes = {}      # user code object -> globals
        self.package = set()
        self.lines = set()   # (code, line) that ran
        self.calls = []      # (id of the object whose method changes it, its type's name, method, place)
        self.reasons = []    # (sentence, path, line, function): what a compiled form would leave out
        self.doubts = []     # what guards cannot watch
        self.cells = {}      # (code, variable of an outer function) -> place where it is read first
        self.tensors = set()  # identities of those that the call can have read otherwise than as arguments
        self.possible = True
        self._any_attribute = False
        self._all_lines = False

    # While the function runs ----------------------------------------------------------------------------------------

    def __enter__(self):
        self._profile, self._trace = sys.getprofile(), _plain(sys.gettrace)()
        self._all_lines = self._trace is not None
        sys.setprofile(self._event)
        if not self._all_lines:
            _plain(sys.settrace)(self._entered)
        return self

    def __exit__(self, *exception):
        if not self._all_lines:
            _plain(sys.settrace)(self._trace)
        sys.setprofile(self._profile)

    def _entered(self, frame, event, arg):
        code = frame.f_code
        if _is_package(code):
            return None
        self.lines.add((code, frame.f_lineno))
        return self._line

    def _line(self, frame, event, arg):
        if event == "line":
            self.lines.add((frame.f_code, frame.f_lineno))
        return self._line

    def _event(self, frame, event, arg):
        if event == "call":
            code = frame.f_code
            if _is_package(code):
                self.package.add(code)
                if code.co_name in _PACKAGE_STATE:
                    self._doubt(f"It calls {code.co_name}", self._place(frame.f_back))
                if code.co_name in _PACKAGE_EFFECTS:
                    self._effect(f"it calls {code.co_name}", frame.f_back)
            else:
                self.codes[code] = frame.f_globals
        elif event == "c_call":
            name = getattr(arg, "__name__", "")
            owner = getattr(arg, "__self__", None)
            if owner is not None and type(owner) in (list, dict, set, bytearray) or type(owner).__name__ == "deque":
                if name in _CHANGING:
                    # Not the object: what it holds would seem to be kept by somebody. Whatever the call could reach
                    # before lives on, so no other object has got its id.
                    self.calls.append((id(owner), type(owner).__name__, name, self._place(frame)))
                return
            module = getattr(arg, "__module__", None)
            if module == "builtins" and name in _SPEAKING:
                self._effect(_SPEAKING[name], frame)
            elif module == "builtins" and name in _ANY_ATTRIBUTE and not _is_package(frame.f_code):
                self._any_attribute = True
            elif module == "builtins" and name in ("setattr", "delattr") and not _is_package(frame.f_code):
                self._effect("it changes an attribute", frame)
            elif module == "builtins" and name == "globals" and not _is_package(frame.f_code):
                self._doubt("It calls globals(), by which it can read any of them", self._place(frame))
            elif name == "_make_parameter":
                # A new Parameter at each call, not the first one again.
                self._doubt("It makes a Parameter at each call", self._place(frame), _MAKE_ONCE)
            elif module == "builtins" and name == "next" and not _is_package(frame.f_code):
                self._doubt("It takes the next item of an iterator", self._place(frame))
            elif module in _IMPURE_MODULES and not (module == "posix" and _is_package(frame.f_code)):
                self._effect(_IMPURE_MODULES[module], frame)
            elif owner is not None and type(owner).__module__ in _IMPURE_MODULES:
                self._effect(_IMPURE_MODULES[type(owner).__module__], frame)

    def _place(self, frame):
        while frame is not None and _is_package(frame.f_code):
            frame = frame.f_back
        return (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) if frame else (None, 0, "")

    def _effect(self, sentence, frame):
        place = self._place(frame)
        if place[0] == _SELF:
            return
        self.possible = False
        self.reasons.append((sentence[:1].upper() + sentence[1:], *place))

    def _doubt(self, reason, place, advice=_PASS_IT):
        if place[0] == _SELF:
            return
        self.possible = False
        self.doubts.append(Doubt(reason, advice, *place))

    # Afterwards -----------------------------------------------------------------------------------------------------

    def finish(self, roots, result):
        """Guards over all that the call read; None when the call does something that a graph would not repeat, or read
        what cannot be watched."""
        named = set()
        reads = []           # (namespace, name, place)
        for code, names in self.codes.items():
            self._scan(code, names, named, reads)
        attributes = set(named)
        for code in self.package:
            attributes.update(code.co_names)
        walk = _Walk(attributes, named, set(self.codes) | self.package,
                     self._any_attribute or "__dict__" in attributes or not _ANY_ATTRIBUTE.isdisjoint(named), self.cells)
        function, args, kwargs = roots
        try:
            for names, name, place in reads:
                walk.name, walk.place = name, place
                if name in names:
                    walk.slot_of_dict(names, name)
                elif names is sys.modules:
                    walk.doubt(f"It imports {name}, which was taken away again")
            code = getattr(function, "__code__", None)
            walk.name, walk.place = "", _beginning(code) if code else (None, 0, "")
            walk.function(function)
            walk.name = "an argument"
            for value in list(args) + list(kwargs.values()):
                walk.argument(value)
            self._unreached(walk)
        except _TooMuch:
            walk.doubt(f"It can reach more than {_MOST_CHECKS} Python values, too many to check at each call")
        for doubt in walk.doubts:
            self.possible = False
            self.doubts.append(doubt)
        for owner, kind, method, place in self.calls:
            if owner in walk.seen:
                self.possible = False
                self.reasons.append((f"It changes a {kind} from outside with {method}()", *place))
        if not self.possible:
            return None
        self.tensors = {value._identity for value in walk.seen.values() if isinstance(value, Tensor)}
        return _fusescope.Guards(walk.checks)

    def _unreached(self, walk):
        """A function that ran and that the walk did not find may hold variables that nobody checks."""
        inner = {held for code in self.codes for held in code.co_consts if isinstance(held, types.CodeType)}
        for code in self.codes:
            if code.co_freevars and code not in walk.functions and code not in inner:
                walk.name, walk.place = "", _beginning(code)
                walk.doubt(f"`{code.co_name}` holds variables of an outer function, and it is not known by whom it is kept")

    def _scan(self, code, names, attributes, reads):
        """The globals and attributes that the lines that ran name, and what they store. Also notes where variables of
        outer functions are read."""
        import dis

        line = None
        seen = set()
        before = None
        for step in dis.get_instructions(code):
            if step.starts_line is not None:
                line = step.starts_line
            ran = self._all_lines or line is None or (code, line) in self.lines
            place = (code.co_filename, line or code.co_firstlineno, code.co_name)
            op = step.opname
            if op in ("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"):
                attributes.add(step.argval)
            elif op == "IMPORT_NAME":
                # The module itself is a global of a kind: `import a.b` reads both.
                if step.argval in sys.modules:
                    parts = step.argval.split(".")
                    reads.extend((sys.modules, ".".join(parts[:n]), place) for n in range(1, len(parts) + 1))
                else:
                    self._doubt(f"It imports {step.argval}, which is not there", place)
            elif op in ("LOAD_GLOBAL", "LOAD_NAME"):
                self._any_attribute = self._any_attribute or step.argval in _ANY_ATTRIBUTE
                if step.argval not in seen:
                    seen.add(step.argval)
                    reads.append((names, step.argval, place))
            elif op in ("LOAD_DEREF", "LOAD_CLASSDEREF"):
                self.cells.setdefault((code, step.argval), place)
            elif op in ("STORE_GLOBAL", "DELETE_GLOBAL") and ran:
                self.possible = False
                self.reasons.append((f"It changes the global `{step.argval}`", *place))
            elif op in ("STORE_ATTR", "DELETE_ATTR") and ran and not _of_the_new_object(code, before):
                self.possible = False
                if before is not None and before.opname in ("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF"):
                    self.reasons.append((f"It changes the attribute `{before.argval}.{step.argval}`", *place))
                else:
                    self._doubt(f"It changes an attribute `{step.argval}` of what others may hold too", place,
                                "return the value, and set the attribute outside of the compiled function")
            elif op in ("STORE_SUBSCR", "DELETE_SUBSCR") and ran:
                self._doubt("It assigns to an item of what others may hold too", place,
                            "make a new value, for a tensor with ops.where, ops.concat or ops.scatter")
            elif op in ("STORE_DEREF", "DELETE_DEREF") and ran and step.argval in code.co_freevars:
                if not any(step.argval in other.co_cellvars for other in self.codes):
                    self.possible = False
                    self.reasons.append((f"It changes the variable `{step.argval}` of an outer function", *place))
            before = step


def _beginning(code):
    return (code.co_filename, code.co_firstlineno, code.co_name)


def _of_the_new_object(code, before):
    """True when an __init__ stores in the object that it makes: nobody outside has seen that one before."""
    return (code.co_name == "__init__" and code.co_argcount > 0 and before is not None and
            before.opname == "LOAD_FAST" and before.argval == code.co_varnames[0])


class _Walk:
    """Follows what a call can have read and notes one check a step."""

    def __init__(self, attributes, named, ran, all_attributes, cells):
        self.attributes = attributes
        self.named = named          # those that code outside of the package names
        self.functions = set()      # code of the functions that were found
        self.all_attributes = all_attributes
        self.ran = ran
        self.cells = cells          # where variables of outer functions are read
        self.checks = []
        self.seen = {}
        self.doubts = []
        self.name = ""              # by which the walk came to where it is, and the line that reads it
        self.place = (None, 0, "")

    def doubt(self, reason, advice=_PASS_IT):
        self.doubts.append(Doubt(reason, advice, *self.place))

    def reads(self, what):
        """The start of a sentence about a value of the kind `what`."""
        return f"It reads {what}" + (f" by `{self.name}`" if self.name and " " not in self.name else "")

    def check(self, *one):
        self.checks.append(one)
        if len(self.checks) > _MOST_CHECKS:
            raise _TooMuch

    def slot_of_dict(self, names, name):
        value = names[name]
        if isinstance(value, _PLAIN):
            self.check(_ITEM_EQUAL, names, name, value)
        else:
            self.check(_ITEM_IS, names, name, value)
            self.value(value)

    def argument(self, value):
        """Arguments are part of the signature by value or identity; what they hold is followed."""
        if isinstance(value, _PLAIN) or isinstance(value, Tensor):
            return
        if type(value) in (list, tuple):
            for item in value:
                self.argument(item)
        elif type(value) is dict:
            for item in value.values():
                self.argument(item)
        else:
            self.value(value)

    def function(self, f):
        if id(f) in self.seen:
            return
        self.seen[id(f)] = f
        code = f.__code__
        self.check(_ATTR_IS, f, "__code__", code)
        own = f.__dict__
        for name in self.attributes.intersection(own):
            self.slot_of_dict(own, name)
        if code not in self.ran:
            return
        self.functions.add(code)
        came = self.name, self.place
        for name, cell in zip(code.co_freevars, f.__closure__ or ()):
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            if isinstance(value, _PLAIN):
                self.check(_CELL_EQUAL, cell, None, value)
            else:
                self.check(_CELL_IS, cell, None, value)
                self.name, self.place = name, self.cells.get((code, name), came[1])
                self.value(value)
        self.name, self.place = came
        for value in f.__defaults__ or ():
            if not isinstance(value, _PLAIN):
                self.value(value)
        if f.__defaults__:
            self.check(_ATTR_IS, f, "__defaults__", f.__defaults__)
        if f.__kwdefaults__:
            for name in f.__kwdefaults__:
                self.slot_of_dict(f.__kwdefaults__, name)
        wrapped = own.get("__wrapped__")
        if wrapped is not None:
            self.value(wrapped)

    def value(self, value):
        if isinstance(value, _PLAIN) or id(value) in self.seen:
            return
        if isinstance(value, Tensor):
            self.seen[id(value)] = value
            self.check(_TENSOR, value, None, value)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, types.MethodType):
            self.seen[id(value)] = value
            self.value(value.__func__)
            self.value(value.__self__)
        elif isinstance(value, types.ModuleType):
            self.module(value)
        elif isinstance(value, type):
            self.type(value)
        elif isinstance(value, (list, tuple)):
            self.seen[id(value)] = value
            changes = isinstance(value, list)
            if changes:
                self.check(_LENGTH, value, list.__len__(value), None)
            for i, item in enumerate(list.__iter__(value) if changes else tuple.__iter__(value)):
                if changes:
                    if isinstance(item, _PLAIN):
                        self.check(_LIST_EQUAL, value, i, item)
                        continue
                    self.check(_LIST_IS, value, i, item)
                self.value(item)
            self.instance(value)
        elif isinstance(value, dict):
            self.seen[id(value)] = value
            self.check(_LENGTH, value, dict.__len__(value), None)
            for name in list(dict.keys(value)):
                self.slot_of_dict(value, name)
            self.instance(value)
        elif isinstance(value, collections.deque):
            self.seen[id(value)] = value
            held = list(value)
            self.check(_CALL, value, None, lambda v: len(v) == len(held) and all(map(operator.is_, v, held)))
            for item in held:
                self.value(item)
        elif isinstance(value, (set, frozenset, bytearray)):
            self.seen[id(value)] = value
            twin = type(value)(value)
            self.check(_CALL, value, None, lambda v, twin=twin: v == twin)
        elif isinstance(value, functools.partial):
            self.seen[id(value)] = value
            for part in (value.func, value.args, value.keywords):
                self.value(part)
        elif type(value).__module__ == "numpy":
            self.array(value)
        else:
            self.other(value)

    def other(self, value):
        kind = type(value)
        self.seen[id(value)] = value
        if isinstance(value, _STEADY):
            owner = getattr(value, "__self__", None)
            if owner is not None and not isinstance(owner, types.ModuleType):
                self.value(owner)
        elif hasattr(kind, "__next__"):
            self.doubt(self.reads("an iterator or a generator") + ", which is another after each item")
        elif isinstance(value, weakref.ref):
            self.doubt(self.reads("a weak reference") + ", and what that refers to may go")
        elif not self.instance(value) and kind.__module__.split(".")[0] not in _STEADY_MODULES:
            self.doubt(self.reads(f"a {_name_of(kind)}") + ", and cannot tell when that changes")

    def array(self, value):
        self.seen[id(value)] = value
        if not hasattr(value, "tobytes"):
            return
        if value.nbytes > _LARGEST_ARRAY or value.dtype.hasobject:
            which = "of Python objects" if value.dtype.hasobject else f"of {value.nbytes >> 20} MiB"
            self.doubt(self.reads(f"a numpy array {which}") + ", which is not compared at each call",
                       "make a Tensor of it outside of the compiled function")
            return
        known = (value.shape, value.dtype.str, value.tobytes())
        self.check(_CALL, value, None, lambda v: (v.shape, v.dtype.str, v.tobytes()) == known)

    def module(self, module):
        self.seen[id(module)] = module
        name = getattr(module, "__name__", "")
        if name in _DOUBTFUL_MODULES or (name == "numpy" and "random" in self.attributes):
            drawn = name in ("numpy", "random", "numpy.random", "secrets")
            self.doubt(f"It uses the module {'numpy.random' if name == 'numpy' else name}",
                       _DRAW_OUTSIDE if drawn else _PASS_IT)
            return
        names = module.__dict__
        if _is_foreign(module, name):
            # Only what the script names, and not what that is made of.
            for attribute in self.named.intersection(names):
                held = names[attribute]
                if held is sys.modules:
                    self.doubt("It reads sys.modules")
                elif isinstance(held, (*_PLAIN, list)):
                    self.slot_of_dict(names, attribute)
                else:
                    self.check(_ITEM_IS, names, attribute, held)
                    if isinstance(held, types.ModuleType):
                        self.value(held)
            return
        if self.all_attributes:
            self.check(_LENGTH, names, len(names), None)
        for attribute in [n for n in names if not n.startswith("__")] if self.all_attributes else self.attributes:
            if attribute in names:
                self.slot_of_dict(names, attribute)

    def type(self, kind):
        self.seen[id(kind)] = kind
        for base in kind.__mro__:
            if base is object or base.__module__.split(".")[0] in ("mindspore", "_fusescope", "builtins", "numpy"):
                continue
            for name, held in list(base.__dict__.items()):
                # What no code names can have run all the same: operators, and what iterates.
                if name not in self.attributes and name not in ("construct", "__call__", "__init__") and \
                        getattr(held, "__code__", None) not in self.ran:
                    continue
                if base is not kind:
                    self.inherited(kind, name)
                try:
                    value = getattr(base, name)
                    stable = value is getattr(base, name)
                except AttributeError:
                    continue
                if stable:
                    self.check(_ATTR_IS, base, name, value)
                    self.value(value)
                elif isinstance(held, (classmethod, staticmethod)):
                    self.value(held.__func__)
                if isinstance(held, property) and held.fget is not None:
                    self.value(held.fget)

    def inherited(self, kind, name):
        """An attribute that a class has from another: one of its own may come to hide it."""
        held = _found(kind, name)
        self.check(_CALL, kind, None, lambda kind: _found(kind, name) is held)

    def instance(self, value):
        """Attributes of an object; False when it has no place for any."""
        kind = type(value)
        self.seen[id(value)] = value
        slots = _slots_of(kind)
        try:
            names = object.__getattribute__(value, "__dict__")
        except AttributeError:
            names = None
        if names is None and not slots:
            return False
        if kind.__name__ == "JitFunction" and names is not None:
            self.value(names["_fn"])
            return True
        self.value(kind)
        if getattr(kind, "__getattr__", None) is not None and kind.__module__.split(".")[0] != "mindspore":
            self.doubt(self.reads(f"a {_name_of(kind)}") + ", which makes its attributes up (__getattr__)")
        if names is not None:
            if self.all_attributes:
                self.check(_LENGTH, names, len(names), None)
            for name in list(names) if self.all_attributes else self.attributes:
                if name in names:
                    self.slot_of_dict(names, name)
                elif hasattr(kind, name) and name not in slots:
                    self.check(_ITEM_ABSENT, names, name, None)
        for name in slots:
            if self.all_attributes or name in self.attributes:
                try:
                    held = object.__getattribute__(value, name)
                except AttributeError:
                    self.doubt(self.reads(f"a {_name_of(kind)}") + f" that may yet get its attribute `{name}`",
                               f"set `{name}` when the object is made")
                    continue
                self.check(_ATTR_IS, value, name, held)
                self.value(held)
        return True


def _name_of(kind):
    return kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"


def _found(kind, name):
    """What a class holds under a name, itself or by inheritance, as it is stored."""
    for base in kind.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def _is_foreign(module, name):
    """Modules of the package, of numpy and of Python itself: they hardly change."""
    if name.split(".")[0] in ("mindspore", "_fusescope", "numpy", "builtins") or name in sys.builtin_module_names:
        return True
    path = getattr(module, "__file__", None) or ""
    return not path or path.startswith(sys.base_prefix + "/lib/python3.")


def _slots_of(kind):
    """Names of the attributes that objects of a Python class keep outside of their __dict__."""
    return [name for base in kind.__mro__ for name, held in base.__dict__.items()
            if isinstance(held, types.MemberDescriptorType) and held.__objclass__ is base and "__slots__" in base.__dict__]
