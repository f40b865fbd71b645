"""The bytes of MindSpore's checkpoint files: protocol buffers of one tensor after the other, named.

A file is a sequence of messages `Checkpoint { repeated Value value = 1; }` with `Value { string tag = 1; TensorProto
tensor = 2; }` and `TensorProto { repeated int64 dims = 1; string tensor_type = 2; bytes tensor_content = 3; }`. A tensor
without axes has the dims [0]. A tensor above 512 MiB comes as several Values with the same tag, each with the dims of
the whole. A checksum may follow: "crc_num" and ten bytes, big-endian. Elements are little-endian.
"""
import binascii
import mmap
import os

_SLICE = 512 << 20  # bytes of one Value
_CHECKSUM = b"crc_num"

# What MindSpore calls its types, with numpy's; two have no numpy type and are kept as bits.
NUMPY_TYPES = {"Float16": "<f2", "Float32": "<f4", "Float64": "<f8", "BFloat16": "<u2", "Int8": "i1", "Int16": "<i2",
               "Int32": "<i4", "Int64": "<i8", "UInt8": "u1", "UInt16": "<u2", "UInt32": "<u4", "UInt64": "<u8",
               "Bool": "?"}


class Damaged(ValueError):
    """The bytes are no checkpoint, or not a whole one."""


# Writing ------------------------------------------------------------------------------------------------------------


def _varint(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes_field(number, data):
    return bytes([number << 3 | 2]) + _varint(len(data)) + data


def write(file, name, dims, kind, content, crc=None):
    """Appends one tensor; `content` is its bytes. Gives the checksum so far when one is kept."""
    view = memoryview(content).cast("B")
    dims_field = b"".join(b"\x08" + _varint(d) for d in (dims or [0]))
    tag = _bytes_field(1, name.encode())
    start = 0
    while True:
        piece = view[start:start + _SLICE]
        head = dims_field + _bytes_field(2, kind.encode()) + b"\x1a" + _varint(len(piece))
        tensor_head = tag + b"\x12" + _varint(len(head) + len(piece)) + head
        record = b"\x0a" + _varint(len(tensor_head) + len(piece)) + tensor_head
        file.write(record)
        file.write(piece)
        if crc is not None:
            crc = binascii.crc32(piece, binascii.crc32(record, crc))
        start += len(piece)
        if start >= len(view):
            return crc


def write_checksum(file, crc):
    file.write(_CHECKSUM + crc.to_bytes(10, "big"))


# Reading ------------------------------------------------------------------------------------------------------------


def _fields(data):
    """(number, value) of a message; a value is an int or a view. What is of no use here is passed over."""
    at, size = 0, len(data)

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            if at >= size or shift > 63:
                raise Damaged("a number has no end")
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            if byte < 0x80:
                return value
            shift += 7

    while at < size:
        key = varint()
        number, wire = key >> 3, key & 7
        if wire == 0:
            yield number, varint()
            continue
        if wire == 2:
            length = varint()
        elif wire in (1, 5):
            length = 8 if wire == 1 else 4
        else:
            raise Damaged(f"field {number} is of a kind that does not exist ({wire})")
        if number == 0 or length > size - at:
            raise Damaged(f"field {number} goes past the end: it wants {length} bytes, and {size - at} are left")
        yield number, data[at:at + length]
        at += length


def _text(view):
    try:
        return bytes(view).decode()
    except UnicodeDecodeError:
        raise Damaged("a name is no text") from None


def _dims(value):
    if isinstance(value, int):
        return [value]
    packed, out = value, []
    at = 0
    while at < len(packed):
        number = shift = 0
        while at < len(packed):
            byte = packed[at]
            at += 1
            number |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                break
        out.append(number)
    return out


def _tensor(view):
    dims, kind, content = [], None, memoryview(b"")
    for number, value in _fields(view):
        if number == 1:
            dims += _dims(value)
        elif number == 2 and not isinstance(value, int):
            kind = _text(value)
        elif number == 3 and not isinstance(value, int):
            content = value
    if kind is None:
        raise Damaged("a tensor does not say its type")
    return dims, kind, content


def _values(data):
    for number, value in _fields(data):
        if number != 1 or isinstance(value, int):
            raise Damaged("it does not begin as a checkpoint does")
        tag, tensor = None, None
        for inner, part in _fields(value):
            if isinstance(part, int):
                raise Damaged("a value is no tensor")
            if inner == 1:
                tag = _text(part)
            elif inner == 2:
                tensor = _tensor(part)
            elif inner == 3:
                raise Damaged("it holds a MapParameter, which this engine does not have")
        if tag is None or tensor is None:
            raise Damaged("a value lacks its name or its tensor")
        yield tag, tensor


def _without_checksum(data):
    if len(data) < 17 or bytes(data[-17:-10]) != _CHECKSUM:
        return data
    body = data[:-17]
    if binascii.crc32(body) != int.from_bytes(data[-10:], "big"):
        raise Damaged("its checksum is another one, so it was changed or cut after it was written")
    return body


def read(path):
    """(name, dims, type, pieces of bytes) of each tensor."""
    if os.path.getsize(path) == 0:
        raise Damaged("it is empty")
    with open(path, "rb") as file:
        # Closed when the last piece has gone.
        yield from _joined(_without_checksum(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))))


def _joined(data):
    name, first, pieces = None, None, []
    for tag, tensor in _values(data):
        if tag != name:
            if name is not None:
                yield name, first[0], first[1], pieces
            name, first, pieces = tag, tensor, []
        pieces.append(tensor[2])
    if name is not None:
        yield name, first[0], first[1], pieces
