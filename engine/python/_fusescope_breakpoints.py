"""Where breakpoints can stand, and what of them is put into a program's code."""
import _thread
import os
import sys
import types

import _fusescope


def share_hooks():
    """Python's own ways to debug, while a debugger is there: breakpoint() stops in it, sys.settrace() is the script's
    as it always was, and a forked child has no debugger."""
    if "PYTHONBREAKPOINT" not in os.environ:
        sys.breakpointhook = _fusescope.stop_here
    os.register_at_fork(after_in_child=_fusescope.left_by_fork)
    plain_set, plain_get, main = sys.settrace, sys.gettrace, _thread.get_ident()

    def settrace(function):
        if _thread.get_ident() != main:
            return plain_set(function)
        if function is not None:
            plain_set(function)
        _fusescope.script_traces(function is not None)

    def gettrace():
        function = plain_get()
        return None if type(function).__name__ == "PyCapsule" else function

    for new, plain in ((settrace, plain_set), (gettrace, plain_get)):
        new.__doc__, new.__wrapped__ = plain.__doc__, plain
        setattr(sys, plain.__name__, new)


def code_lines(path):
    """Lines of a file that have code, sorted: where a breakpoint can stand. A text that says why there are none."""
    try:
        with open(path, "rb") as file:
            open_codes = [compile(file.read(), path, "exec", dont_inherit=True)]
    except OSError as e:
        return "the file cannot be read: %s" % (e.strerror or e)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return "the file is not Python: %s" % e
    lines = set()
    while open_codes:
        code = open_codes.pop()
        first = True
        for _, _, line in code.co_lines():
            # A function's first line is its def, which belongs to the code around it.
            if line and not (first and code.co_name != "<module>"):
                lines.add(line)
            first = False
        open_codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return sorted(lines)


def wrong_with(expression):
    """Why a text is no expression; empty when it is one, or nothing at all."""
    try:
        if expression.strip():
            compile(expression.strip(), "<condition>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return "'%s' is not a Python expression: %s" % (expression.strip(), e)
    return ""


def library_folders():
    """Where Python and its packages are: nobody steps into those to find a fault of his own."""
    import sysconfig

    folders = {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(p for p in sys.path if p.endswith(("site-packages", "dist-packages")))
    return [f + os.sep for f in folders if f]


def with_checks(source, path):
    """The code of a script with the conditions of its breakpoints compiled in, or None when it has none. A condition
    costs then what it costs in Python; traced, it would cost many times that of the line."""
    import ast
    import builtins

    wanted = _fusescope.conditions(path)  # [(line, condition)]
    if not wanted:
        return None
    try:
        tree = ast.parse(source, path)
    except (SyntaxError, ValueError):
        return None  # said when the script itself is compiled
    placed = []
    for line, condition in wanted:
        try:
            test = ast.parse(condition, "<condition>", "eval").body
        except (SyntaxError, ValueError):
            continue
        # What binds names or needs a function of its own kind is left to the tracer.
        if any(isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(test)):
            continue
        body, at = _statement_at(tree, line)
        if body is None:
            continue
        number = _fusescope.place_check(path, line, condition)
        call = lambda name: ast.Expr(ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)], []))
        check = ast.Try([ast.If(test, [call("__fusescope_reached__")], [])],
                        [ast.ExceptHandler(ast.Name("__fusescope_error__", ast.Load()), None,
                                           [call("__fusescope_failed__")])], [], [])
        for node in ast.walk(check):
            if "lineno" in node._attributes:
                node.lineno = node.end_lineno = line
                node.col_offset = node.end_col_offset = body[at].col_offset
        placed.append((body, at, check))
    for body, at, check in sorted(placed, key=lambda p: -p[1]):
        body.insert(at, check)
    builtins.__fusescope_reached__ = _fusescope.check_reached
    builtins.__fusescope_failed__ = _fusescope.check_failed
    builtins.__fusescope_error__ = BaseException  # exit() in a condition is not the program's
    try:
        return compile(tree, path, "exec", dont_inherit=True)
    except SyntaxError:  # a `global` after a use that was not there before
        return None


def log_parts(message):
    """A log message in pieces: text, and for each {…} the code of an f-string of it alone. "{{" and "}}" are braces."""
    parts, text, at = [], "", 0
    while at < len(message):
        if message[at:at + 2] in ("{{", "}}"):
            text, at = text + message[at], at + 2
            continue
        end = _field_end(message, at) if message[at] == "{" else 0
        if not end:
            text, at = text + message[at], at + 1
            continue
        if text:
            parts.append(text)
        parts.append(_field_code(message[at:end]))
        text, at = "", end
    return parts + [text] if text else parts


def _field_end(message, at):
    """Behind the brace that closes the one at a position; 0 when none does."""
    depth, quote, spec = 0, "", False
    while at < len(message):
        c = message[at]
        if quote:
            if message.startswith(quote, at):
                at += len(quote) - 1
                quote = ""
        elif c in "'\"" and not spec:
            quote = c * 3 if message.startswith(c * 3, at) else c
            at += len(quote) - 1
        elif c == ":" and depth == 1:
            spec = True  # in a format a quote is a character like any other
        elif c in "{" or c in "([" and not spec:
            depth += 1
        elif c in "}" or c in ")]" and not spec:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return 0


def _field_code(field):
    """The code of an f-string that is one {…}; the text of what is wrong with it when it is none."""
    error = "it has quotes of all kinds"
    for quote in ('"""', "'''", '"', "'"):
        if quote in field:
            continue
        try:
            return compile("f" + quote + field + quote, "<logpoint>", "eval", dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            error = e
    return "<SyntaxError: %s>" % getattr(error, "msg", error)


def _statement_at(tree, line):
    """(list of statements, position) of the one that begins at a line and may have another before it."""
    import ast

    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if not isinstance(body, list):
                continue
            for at, statement in enumerate(body):
                if getattr(statement, "lineno", 0) != line or getattr(statement, "decorator_list", None):
                    continue
                text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
                future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
                bound = isinstance(statement, (ast.Global, ast.Nonlocal))
                return (None, 0) if text or future or bound else (body, at)
    return None, 0
