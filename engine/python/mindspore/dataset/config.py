"""mindspore.dataset.config: the seed of shuffling, and switches that mean nothing where one thread computes."""
import numpy

_seed = None
_numbers = {"num_parallel_workers": 1, "prefetch_size": 1, "monitor_sampling_interval": 1000, "callback_timeout": 60}


def set_seed(seed):
    """Shuffles, samplers and random transforms start anew from `seed`."""
    global _seed
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"dataset.config.set_seed: `seed` must be an int, but it is {type(seed).__name__}")
    if not 0 <= seed < 1 << 32:
        raise ValueError(f"dataset.config.set_seed: `seed` must be in [0, 2**32), but it is {seed}")
    _seed = seed
    restart()


def get_seed():
    return 5489 if _seed is None else _seed


_drawn = 0


def restart():
    """A seed was set: streams are counted from the first again."""
    global _drawn
    _drawn = 0


def new_stream(shared=False):
    """A random stream of its own: the same in each run when a seed was set here, by mindspore.set_seed or for numpy. The
    shared one is the same for all who ask, as the shards of one dataset must."""
    global _drawn
    from mindspore.common.seed import get_seed as program_seed

    seed = _seed if _seed is not None else program_seed()
    if seed is None:
        # Looked at and not drawn from, so that the program's own numbers stay what they are.
        seed = numpy.random.get_state()[1][:8].tolist()
    if not shared:
        _drawn += 1
    return numpy.random.default_rng([*(seed if isinstance(seed, list) else [seed]), 0 if shared else _drawn])


def _number(name):
    def set_number(value):
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise ValueError(f"dataset.config.set_{name}: an int above 0 is wanted, but it is {value!r}")
        _numbers[name] = value

    return set_number, lambda: _numbers[name]


set_num_parallel_workers, get_num_parallel_workers = _number("num_parallel_workers")
set_prefetch_size, get_prefetch_size = _number("prefetch_size")
set_monitor_sampling_interval, get_monitor_sampling_interval = _number("monitor_sampling_interval")
set_callback_timeout, get_callback_timeout = _number("callback_timeout")


def _ignored(name):
    def set_switch(*args, **kwargs):
        pass

    set_switch.__doc__ = f"{name} has no effect here; it is accepted so that programs run."
    return set_switch


set_auto_num_workers = _ignored("set_auto_num_workers")
set_enable_autotune = _ignored("set_enable_autotune")
set_enable_shared_mem = _ignored("set_enable_shared_mem")
set_enable_watchdog = _ignored("set_enable_watchdog")
set_multiprocessing_timeout_interval = _ignored("set_multiprocessing_timeout_interval")
set_numa_enable = _ignored("set_numa_enable")
set_sending_batches = _ignored("set_sending_batches")
set_dynamic_shape = _ignored("set_dynamic_shape")
set_fast_recovery = _ignored("set_fast_recovery")
