"""mindspore.ops.functional: the same functions under their older module's name."""
import sys as _sys


def __getattr__(name):
    return getattr(_sys.modules["mindspore.ops"], name)
