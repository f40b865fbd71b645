"""The bytes of safetensors files: the size of a JSON head, the head, and the tensors' bytes (little-endian)."""
import json
import os

from mindspore.train._checkpoint_file import Damaged

_NAMES = {"Float16": "F16", "Float32": "F32", "Float64": "F64", "BFloat16": "BF16", "Int8": "I8", "Int16": "I16",
          "Int32": "I32", "Int64": "I64", "UInt8": "U8", "UInt16": "U16", "UInt32": "U32", "UInt64": "U64",
          "Bool": "BOOL"}
_KINDS = {short: kind for kind, short in _NAMES.items()}
_MOST_HEAD = 100 << 20  # what the format allows


def write(file, tensors):
    """`tensors`: (name, dims, type, bytes) of each."""
    head, at = {}, 0
    for name, dims, kind, content in tensors:
        size = memoryview(content).nbytes
        head[name] = {"dtype": _NAMES[kind], "shape": list(dims), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little") + text)
    for _, _, _, content in tensors:
        file.write(content)


def read(path):
    """(name, dims, type, pieces of bytes) of each tensor."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, _MOST_HEAD):
            raise Damaged("its head goes past its end")
        try:
            head = json.loads(file.read(length))
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
            raise Damaged("its head is no JSON") from None
        if not isinstance(head, dict):
            raise Damaged("its head is no table of tensors")
        for name, entry in head.items():
            if name == "__metadata__":
                continue
            try:
                kind, dims, (begin, end) = _KINDS[entry["dtype"]], entry["shape"], entry["data_offsets"]
                if not all(type(n) is int and n >= 0 for n in [*dims, begin, end]):
                    raise ValueError
            except (KeyError, TypeError, ValueError):
                raise Damaged(f"the head does not say what `{name}` is") from None
            if not begin <= end <= size - 8 - length:
                raise Damaged(f"the bytes of `{name}` lie past its end")
            file.seek(8 + length + begin)
            yield name, dims, kind, [memoryview(file.read(end - begin))]
