"""set_seed: one seed for the engine's random ops and for numpy's."""
import sys

import _fusescope

_seed = None


def set_seed(seed):
    """Restarts all random streams from `seed`."""
    global _seed
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"set_seed: `seed` must be an int, but it is {type(seed).__name__}")
    if seed < 0:
        raise ValueError(f"set_seed: `seed` must be at least 0, but it is {seed}")
    _seed = seed
    _fusescope.flush()
    _fusescope.set_seed(seed)
    # numpy is seeded when the program has it; one that imports it later is seeded by its first use there.
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed & 0xFFFFFFFF)
    else:
        sys.meta_path.insert(0, _SeedNumpy(seed))
    if "mindspore.dataset.config" in sys.modules:
        sys.modules["mindspore.dataset.config"].restart()


class _SeedNumpy:
    """Seeds numpy when it is imported after set_seed, so that importing it is not forced on programs without."""

    def __init__(self, seed):
        self._value = seed

    def find_spec(self, name, path=None, target=None):
        if name != "numpy.random" or _seed != self._value:
            return None
        sys.meta_path.remove(self)
        import importlib.util

        spec = importlib.util.find_spec(name)
        run, value = spec.loader.exec_module, self._value

        def exec_module(module):
            run(module)
            module.seed(value & 0xFFFFFFFF)

        spec.loader.exec_module = exec_module
        return spec


def get_seed():
    """The seed that was set, or None."""
    return _seed
