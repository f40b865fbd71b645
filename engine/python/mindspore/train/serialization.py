"""Checkpoints: Parameters by name in one file. The format is numpy's archive; the extension stays .ckpt."""
import os
import zipfile

import _fusescope
from mindspore.common.parameter import Parameter

Tensor = _fusescope.Tensor
_TYPES = "__dtypes__"


def _parameters_of(save_obj):
    if hasattr(save_obj, "parameters_and_names"):
        return {p.name: p for _, p in save_obj.parameters_and_names()}
    if isinstance(save_obj, dict):
        return dict(save_obj)
    if isinstance(save_obj, (list, tuple)):
        return {item["name"]: item["data"] for item in save_obj}
    raise TypeError(f"save_checkpoint: a Cell, a dict or a list of dicts is wanted, not {type(save_obj).__name__}")


def save_checkpoint(save_obj, ckpt_file_name, integrated_save=True, async_save=False, append_dict=None, **options):
    """Writes the Parameters of a Cell (or of a list of {'name', 'data'}) to a file, which appears whole or not at all."""
    import json

    import numpy

    values = _parameters_of(save_obj)
    for name, value in (append_dict or {}).items():
        values[name] = value if isinstance(value, Tensor) else Tensor(value)
    path = str(ckpt_file_name)
    if not path.endswith((".ckpt", ".safetensors")):
        path += ".ckpt"
    part = path + ".part"
    types = {name: str(value.dtype) for name, value in values.items()}
    try:
        with zipfile.ZipFile(part, "w") as archive:
            archive.writestr(_TYPES, json.dumps(types))
            for name, value in values.items():
                with archive.open(f"{len(archive.namelist())}.npy", "w") as entry:
                    numpy.lib.format.write_array(entry, Tensor.asnumpy(value), allow_pickle=False)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def load_checkpoint(ckpt_file_name, net=None, strict_load=False, filter_prefix=None, **options):
    """The Parameters of a file by name; with `net` they are put into it."""
    import json

    import numpy

    path = str(ckpt_file_name)
    if not os.path.exists(path):
        raise ValueError(f"load_checkpoint: there is no file '{path}'")
    try:
        with zipfile.ZipFile(path) as archive:
            types = json.loads(archive.read(_TYPES))
            loaded = {}
            for number, (name, dtype) in enumerate(types.items(), 1):
                with archive.open(f"{number}.npy") as entry:
                    array = numpy.lib.format.read_array(entry, allow_pickle=False)
                loaded[name] = Parameter(Tensor(array, _fusescope.dtype_named(dtype)), name)
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ValueError(f"load_checkpoint: '{path}' is damaged or is no checkpoint of this program: {error}") from None
    if filter_prefix:
        prefixes = (filter_prefix,) if isinstance(filter_prefix, str) else tuple(filter_prefix)
        loaded = {n: p for n, p in loaded.items() if not n.startswith(prefixes)}
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Gives a Cell's Parameters the values of the same name. Returns the names that were not loaded, on both sides."""
    left = dict(parameter_dict)
    missing = []
    for _, parameter in net.parameters_and_names():
        value = left.pop(parameter.name, None)
        if value is None:
            missing.append(parameter.name)
            continue
        if value.shape != parameter.shape:
            raise RuntimeError(f"load_param_into_net: `{parameter.name}` has shape {parameter.shape}, "
                               f"but the value loaded has shape {value.shape}")
        parameter.set_data(Tensor(value, parameter.dtype) if value.dtype != parameter.dtype else value)
    return missing, list(left)
