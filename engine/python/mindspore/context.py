"""set_context and get_context."""
import warnings

import _fusescope

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT = 0
COMPATIBLE = 1
LAX = 2

_DEVICES = ("CPU", "GPU", "Ascend", "Davinci")

_values = {
    "mode": PYNATIVE_MODE, "device_target": "CPU", "device_id": 0, "max_device_memory": "1024GB",
    "variable_memory_max_size": "0GB", "mempool_block_size": "1GB", "memory_optimize_level": "O0",
    "memory_offload": "OFF", "save_graphs": 0, "save_graphs_path": ".", "enable_graph_kernel": False,
    "graph_kernel_flags": "", "enable_reduce_precision": True, "aoe_tune_mode": "", "aoe_config": {},
    "check_bprop": False, "max_call_depth": 1000, "grad_for_scalar": False, "enable_compile_cache": False,
    "compile_cache_path": "", "runtime_num_threads": 30, "inter_op_parallel_num": 0, "pynative_synchronize": False,
    "reserve_class_name_in_scope": True, "deterministic": "OFF", "env_config_path": "", "print_file_path": "",
    "precompile_only": False, "jit_syntax_level": LAX, "jit_config": {}, "jit_enable_inplace_ops": True,
    "ascend_config": {}, "gpu_config": {}, "op_timeout": 900, "op_debug_option": None, "debug_level": 0,
    "exec_order": "bfs", "disable_format_transform": False, "enable_profiling": False, "profiling_options": "",
    "enable_dump": False, "save_dump_path": ".", "support_binary": False, "auto_tune_mode": "",
    "enable_sparse": False, "save_compile_cache": False, "load_compile_cache": False, "dynamic_shape": False,
}


def _apply_mode():
    _fusescope.lazy_trace(_fusescope.effective_mode(_values["mode"]) == GRAPH_MODE)


def set_context(**kwargs):
    """Sets context values by key; see get_context for reading them back."""
    for key, value in kwargs.items():
        if key not in _values:
            raise ValueError(f"set_context: `{key}` is not a context key; the keys are {', '.join(sorted(_values))}")
        if key == "mode":
            if isinstance(value, bool) or value not in (GRAPH_MODE, PYNATIVE_MODE):
                raise ValueError(
                    f"set_context: `mode` must be mindspore.GRAPH_MODE (0) or mindspore.PYNATIVE_MODE (1), "
                    f"but it is {value!r}")
        elif key == "device_target" and value not in _DEVICES:
            raise ValueError(
                f"set_context: `device_target` must be one of 'CPU', 'GPU', 'Ascend', but it is {value!r}")
        elif key == "device_id" and (isinstance(value, bool) or not isinstance(value, int)):
            raise TypeError(f"set_context: `device_id` must be an int, but it is {type(value).__name__}")
        elif key == "device_id" and not 0 <= value < 4096:
            raise ValueError(f"set_context: `device_id` must be in [0, 4096), but it is {value}")
        elif key == "max_call_depth" and (isinstance(value, bool) or not isinstance(value, int) or value <= 0):
            raise ValueError(f"set_context: `max_call_depth` must be an int above 0, but it is {value!r}")
    # Only when all values are good does anything change.
    for key, value in kwargs.items():
        if key == "device_target":
            value = "Ascend" if value == "Davinci" else value
            _values[key] = value
            _fusescope.set_device(value)
        else:
            _values[key] = value
    if "mode" in kwargs:
        _apply_mode()


def get_context(attr_key):
    """The value of one context key."""
    if attr_key not in _values:
        raise ValueError(f"get_context: `{attr_key}` is not a context key; the keys are {', '.join(sorted(_values))}")
    return _values[attr_key]


def reset_auto_parallel_context():
    """Nothing is set here: this engine runs on one device."""


def set_auto_parallel_context(**kwargs):
    """Accepted so that scripts run; one device means there is nothing to split."""
    warnings.warn("set_auto_parallel_context has no effect: this engine runs on one device", stacklevel=2)


def set_device(device_target, device_id=None):
    """Newer spelling of set_context(device_target=…)."""
    set_context(device_target=device_target)
    if device_id is not None:
        set_context(device_id=device_id)


_apply_mode()
