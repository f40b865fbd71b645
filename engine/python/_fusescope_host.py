"""What the embedded interpreter does around a script that is easier in Python: the copy of its output and its text."""
import errno
import io
import os
import sys

import _fusescope


class _TeeBuffer:
    """Bytes written past the text layer are copied too."""

    def __init__(self, buffer, tee):
        self._buffer = buffer
        self._tee = tee

    def write(self, data):
        written = self._buffer.write(data)
        self._tee(bytes(data).decode("utf-8", "replace"))
        return written

    def __getattr__(self, name):
        return getattr(self._buffer, name)


class _Tee(io.TextIOWrapper):
    """A text stream that hands a copy of each piece of text to the recorder, whole lines at a time."""

    def start(self, stream):
        self._stream = stream
        self._kept = []

    def write(self, text):
        written = super().write(text)
        self._copy(text)
        return written

    def _copy(self, text):
        self._kept.append(text)
        if "\n" in text or len(self._kept) > 64:
            self.hand_over()

    def flush(self):
        super().flush()
        if not self.closed:
            self.hand_over()

    def hand_over(self):
        text = "".join(self._kept)
        self._kept.clear()
        if text:
            _fusescope.output(self._stream, text.encode("utf-8", "replace"))

    @property
    def buffer(self):
        return _TeeBuffer(super().buffer, self._copy)


def _tee(name, stream):
    plain = getattr(sys, name)
    if not isinstance(plain, io.TextIOWrapper):
        return  # closed by whoever started us
    plain.flush()
    line, through = plain.line_buffering, plain.write_through
    encoding, errors = plain.encoding, plain.errors
    tee = _Tee(plain.detach(), encoding=encoding, errors=errors, line_buffering=line, write_through=through)
    tee.start(stream)
    tee.mode = "w"
    setattr(sys, name, tee)
    setattr(sys, "__%s__" % name, tee)


def _tell_before(name, status_of):
    """Tells the recorder before os.NAME, which does not come back, is called."""
    plain = getattr(os, name)

    def told(*args, **kwargs):
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, _Tee) and not stream.closed:
                stream.hand_over()
        _fusescope.leave(status_of(*args, **kwargs))
        return plain(*args, **kwargs)

    told.__name__, told.__doc__ = name, plain.__doc__
    setattr(os, name, told)


class _LeavesOurs:
    """os.close or os.closerange for scripts that close all descriptors: those of the recording and of the debugger, which
    `python3 SCRIPT` would not have, are to them as if they were not open."""

    def __init__(self, name, ours):
        self._plain, self._ours = getattr(os, name), ours
        self.__name__ = self.__qualname__ = name
        self.__doc__, self.__wrapped__ = self._plain.__doc__, self._plain


class _Close(_LeavesOurs):
    def __call__(self, *args, **kwargs):
        fd = args[0] if args else kwargs.get("fd")
        if isinstance(fd, int) and fd in self._ours:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._plain(*args, **kwargs)


class _CloseRange(_LeavesOurs):
    def __call__(self, fd_low, fd_high, /):
        for fd in sorted(self._ours):
            if fd_low <= fd < fd_high:
                self._plain(fd_low, fd)
                fd_low = fd + 1
        return self._plain(fd_low, fd_high)


def _keep_descriptors():
    ours = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            # What the script inherits was not closed by exec; what we opened ourselves will be.
            if int(name) > 2 and not os.get_inheritable(int(name)):
                ours.add(int(name))
        except OSError:
            pass  # that of the listing itself
    os.close, os.closerange = _Close("close", ours), _CloseRange("closerange", ours)


def _code_in(path):
    """The code of __main__.py in a folder or an archive, as `python3 PATH` runs it; None when PATH is a plain file."""
    if not os.path.isdir(path):
        with open(path, "rb") as file:
            if file.read(4) != b"PK\x03\x04":
                return None
    import pkgutil

    importer = pkgutil.get_importer(path)
    if importer is None:
        return None
    spec = importer.find_spec("__main__")
    if spec is None:
        raise SystemExit("fusescope: can't find '__main__' module in %r" % path)
    sys.path[0] = path
    sys.modules["__main__"].__dict__.update(
        __file__=spec.origin, __cached__=None, __loader__=spec.loader, __package__="", __spec__=spec)
    return spec.loader.get_code("__main__")


def _repeat_draws():
    """Generators that nobody seeds draw the same in every run: Python's own, and those that numpy seeds by itself."""
    import random

    source = random.Random("fusescope")
    random.seed(source.random())
    random._urandom = source.randbytes  # what secrets, and by it numpy, takes its seeds from


_compile_checked = None  # set by a debugger: (source, path) -> code with its conditions, or None


def compile_with(function):
    global _compile_checked
    _compile_checked = function


def load(script, recording, repeatable=False):
    """The script's code object; prepares __main__ as `python3 SCRIPT` does."""
    if repeatable:
        _repeat_draws()
    if recording:
        _tee("stdout", "stdout")
        _tee("stderr", "stderr")
        _keep_descriptors()
        _tell_before("_exit", lambda status: status if isinstance(status, int) else None)
        _tell_before("execv", lambda *args: None)
        _tell_before("execve", lambda *args: None)
    main = sys.modules["__main__"].__dict__
    main.setdefault("__annotations__", {})
    if script == "-":
        return compile(sys.stdin.read(), "<stdin>", "exec", dont_inherit=True)
    path = os.path.join(os.getcwd(), script)
    packed = _code_in(path)
    if packed is not None:
        return packed
    with open(path, "rb") as file:
        source = file.read()
    from importlib.machinery import SourceFileLoader

    checked = _compile_checked(source, path) if _compile_checked else None
    main.update(__file__=path, __cached__=None, __loader__=SourceFileLoader("__main__", path))
    return checked or compile(source, path, "exec", dont_inherit=True)


def finish():
    """Runs what graph mode still owes."""
    _fusescope.flush()


def without_package(error):
    """Takes the frames of the mindspore package out of a traceback: a user's mistake is shown by the user's lines."""
    import types

    package = os.path.dirname(__file__) + os.sep
    seen = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        own = []
        at = error.__traceback__
        while at is not None:
            if not at.tb_frame.f_code.co_filename.startswith(package):
                own.append(at)
            at = at.tb_next
        if own:
            chain = None
            for at in reversed(own):
                chain = types.TracebackType(chain, at.tb_frame, at.tb_lasti, at.tb_lineno)
            error.__traceback__ = chain
        error = error.__cause__ or error.__context__
