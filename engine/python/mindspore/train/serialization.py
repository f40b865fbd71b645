"""Checkpoints: Parameters by name in one file, in MindSpore's own format or as safetensors."""
import os

import _fusescope
from mindspore.common.parameter import Parameter
from mindspore.train import _checkpoint_file, _safetensors_file

Tensor = _fusescope.Tensor

# Types of files that the engine lacks, and the one that holds all their values.
_WIDER = {"UInt16": ("Int32", "<i4"), "UInt32": ("Int64", "<i8"), "UInt64": ("Int64", "<i8")}


def _values_of(save_obj, choice_func):
    if hasattr(save_obj, "parameters_and_names"):
        values = {p.name: p for _, p in save_obj.parameters_and_names()}
    elif isinstance(save_obj, dict):
        values = dict(save_obj)
    elif isinstance(save_obj, (list, tuple)):
        if not all(isinstance(item, dict) and "name" in item and "data" in item for item in save_obj):
            raise TypeError("save_checkpoint: every item of a list must be a dict with 'name' and 'data'")
        values = {item["name"]: item["data"] for item in save_obj}
        if len(values) != len(save_obj):
            twice = [item["name"] for k, item in enumerate(save_obj) if item["name"] in [i["name"] for i in save_obj[:k]]]
            raise ValueError(f"save_checkpoint: the list has two items of the name `{twice[0]}`, of which a file holds one; "
                             "give one another name")
    else:
        raise TypeError(f"save_checkpoint: a Cell, a dict or a list of dicts is wanted, not {type(save_obj).__name__}")
    return {n: v for n, v in values.items() if choice_func(n)} if choice_func else values


def _contents(name, value):
    """(dims, type, bytes) of a value."""
    import numpy

    if isinstance(value, str):
        return [], "str", value.encode()
    if not isinstance(value, Tensor):
        try:
            value = Tensor(value)
        except (TypeError, ValueError):
            raise TypeError(f"save_checkpoint: `{name}` must be a Parameter, a Tensor, a number or a string, "
                            f"but it is {type(value).__name__}") from None
    kind = str(value.dtype)
    array = numpy.ascontiguousarray(Tensor.asnumpy(value))
    if kind == "BFloat16":
        array = (array.reshape(-1).view(numpy.uint32) >> 16).astype(numpy.uint16)  # its values end there as float32
    return list(value.shape), kind, array.reshape(-1).view(numpy.uint8)


def _check_choice(caller, choice_func):
    if choice_func is not None and not callable(choice_func):
        raise TypeError(f"{caller}: `choice_func` must be a function of a Parameter's name, but it is "
                        f"{type(choice_func).__name__}")


def _checked_path(caller, path):
    try:
        path = os.fspath(path)
    except TypeError:
        raise TypeError(f"{caller}: the file's name must be a string, but it is {type(path).__name__}") from None
    if not path:
        raise ValueError(f"{caller}: the file's name is empty")
    return path


def save_checkpoint(save_obj, ckpt_file_name, integrated_save=True, async_save=False, append_dict=None, enc_key=None,
                    enc_mode="AES-GCM", choice_func=None, crc_check=False, format="ckpt", **options):
    """Writes the Parameters of a Cell, of a dict or of a list of {'name', 'data'} to a file, which appears whole or not
    at all. `append_dict` adds numbers, strings and tensors."""
    if enc_key is not None:
        raise ValueError("save_checkpoint: encrypted files are not supported; leave `enc_key` out")
    if format not in ("ckpt", "safetensors"):
        raise ValueError(f"save_checkpoint: `format` must be 'ckpt' or 'safetensors', but it is {format!r}")
    _check_choice("save_checkpoint", choice_func)
    values = _values_of(save_obj, choice_func)
    if append_dict is not None and not isinstance(append_dict, dict):
        raise TypeError(f"save_checkpoint: `append_dict` must be a dict of numbers, strings and tensors, but it is "
                        f"{type(append_dict).__name__}")
    for name, value in (append_dict or {}).items():
        values[name] = value
    path = _checked_path("save_checkpoint", ckpt_file_name)
    if path.endswith(".safetensors"):
        format = "safetensors"
    elif not path.endswith("." + format):
        path += "." + format
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(f"save_checkpoint: there is no folder '{folder}' for '{os.path.basename(path)}'; make it "
                                "first, such as with os.makedirs")
    if os.path.isdir(path):
        raise IsADirectoryError(f"save_checkpoint: '{path}' is a folder; give a file's name")
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            if format == "safetensors":
                if any(isinstance(value, str) for value in values.values()):
                    raise ValueError("save_checkpoint: safetensors files hold tensors only; use format='ckpt' to append "
                                     "a string")
                _safetensors_file.write(file, [(name, *_contents(name, value)) for name, value in values.items()])
            else:
                crc = 0 if crc_check else None
                for name, value in values.items():
                    crc = _checkpoint_file.write(file, name, *_contents(name, value), crc)
                if crc_check:
                    _checkpoint_file.write_checksum(file, crc)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def _tensor(name, dims, kind, pieces):
    import math

    import numpy

    if kind == "str":
        return b"".join(pieces).decode(errors="replace")
    if kind not in _checkpoint_file.NUMPY_TYPES:
        raise _checkpoint_file.Damaged(f"`{name}` is of type {kind}, which this engine does not have")
    element = numpy.dtype(_checkpoint_file.NUMPY_TYPES[kind])
    size = sum(len(piece) for piece in pieces)
    if dims == [0] and size == element.itemsize:
        dims = []
    if any(d >= 1 << 62 for d in dims) or math.prod(dims) * element.itemsize != size:
        raise _checkpoint_file.Damaged(f"`{name}` has the shape {tuple(dims)} of {kind}, but {size} bytes")
    content = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    array = numpy.frombuffer(content, element)
    if kind == "BFloat16":
        array = (array.astype(numpy.uint32) << 16).view(numpy.float32)
    elif kind in _WIDER:
        kind, wider = _WIDER[kind]
        array = array.astype(wider)
    return Parameter(Tensor(array.reshape(dims).copy(), _fusescope.dtype_named(kind)), name)


def load_checkpoint(ckpt_file_name, net=None, strict_load=False, filter_prefix=None, dec_key=None, dec_mode="AES-GCM",
                    specify_prefix=None, choice_func=None, crc_check=False, format="ckpt", **options):
    """The Parameters of a file by name (what was saved as a string is one); with `net` they are put into it."""
    path = _checked_path("load_checkpoint", ckpt_file_name)
    if dec_key is not None:
        raise ValueError("load_checkpoint: encrypted files are not supported; leave `dec_key` out")
    if not os.path.isfile(path):
        near = [path + end for end in (".ckpt", ".safetensors") if os.path.isfile(path + end)]
        raise ValueError("load_checkpoint: " + (f"'{path}' is a folder; give a file in it" if os.path.isdir(path) else
                                                 f"there is no file '{path}'")
                         + (f", but there is '{near[0]}'" if near else ""))
    _check_choice("load_checkpoint", choice_func)
    if net is not None and not hasattr(net, "parameters_and_names"):
        raise TypeError(f"load_checkpoint: `net` must be a Cell, but it is {type(net).__name__}")
    if path.endswith(".safetensors"):
        format = "safetensors"
    read = _safetensors_file.read if format == "safetensors" else _checkpoint_file.read
    refused = (filter_prefix,) if isinstance(filter_prefix, str) else tuple(filter_prefix or ())
    wanted = (specify_prefix,) if isinstance(specify_prefix, str) else tuple(specify_prefix or ())
    loaded = {}
    try:
        for name, dims, kind, pieces in read(path):
            if name.startswith(refused) or (wanted and not name.startswith(wanted)):
                continue
            if choice_func is None or choice_func(name):
                loaded[name] = _tensor(name, dims, kind, pieces)
            del pieces
    except (_checkpoint_file.Damaged, UnicodeDecodeError) as error:
        raise ValueError(f"load_checkpoint: '{path}' is damaged or no {format} file: {error}") from None
    if not loaded:
        raise ValueError(f"load_checkpoint: '{path}' holds no Parameter"
                         + (" that the prefixes and choice_func let pass" if refused or wanted or choice_func else ""))
    if net is not None:
        load_param_into_net(net, loaded, strict_load)
    return loaded


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Gives a Cell's Parameters the values of the same name. Returns the names that were not loaded, on both sides."""
    if not hasattr(net, "parameters_and_names"):
        raise TypeError(f"load_param_into_net: `net` must be a Cell, but it is {type(net).__name__}")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"load_param_into_net: `parameter_dict` must be what load_checkpoint gives, "
                        f"but it is {type(parameter_dict).__name__}")
    left = dict(parameter_dict)
    missing = []
    for _, parameter in net.parameters_and_names():
        value = left.pop(parameter.name, None)
        if value is None:
            missing.append(parameter.name)
            continue
        if not isinstance(value, Tensor):
            raise TypeError(f"load_param_into_net: `{parameter.name}` must be a Parameter, "
                            f"but it is {type(value).__name__}")
        if value.shape != parameter.shape:
            raise RuntimeError(f"load_param_into_net: `{parameter.name}` has shape {parameter.shape}, "
                               f"but the value loaded has shape {value.shape}")
        if strict_load and value.dtype != parameter.dtype:
            raise RuntimeError(f"load_param_into_net: `{parameter.name}` is {parameter.dtype}, but the value loaded is "
                               f"{value.dtype}; strict_load=False converts it")
        parameter.set_data(Tensor(value, parameter.dtype) if value.dtype != parameter.dtype else value)
    return missing, list(left)
