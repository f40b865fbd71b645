"""Element types: mindspore.dtype."""
import _fusescope

int8 = byte = _fusescope.Int8
int16 = short = _fusescope.Int16
int32 = intc = _fusescope.Int32
int64 = long = int_ = intp = _fusescope.Int64
uint8 = ubyte = _fusescope.UInt8
float16 = half = _fusescope.Float16
float32 = single = float_ = _fusescope.Float32
float64 = double = _fusescope.Float64
bfloat16 = _fusescope.BFloat16
bool_ = _fusescope.Bool

Type = _fusescope.DType

_FLOATS = (float16, float32, float64, bfloat16)
_INTS = (int8, int16, int32, int64, uint8)
float_type = _FLOATS
int_type = _INTS
number_type = _INTS + _FLOATS


class _Named:
    """A type that no tensor's elements have; only its name matters."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return self._name


string = _Named("String")
tensor_type = _Named("Tensor")
type_none = _Named("None")


def pytype_to_dtype(obj):
    """The dtype that a Python or numpy type stands for."""
    return _fusescope.dtype_named(obj)


def _numpy_name(dtype):
    name = str(_fusescope.dtype_named(dtype)).lower()
    return "float32" if name == "bfloat16" else "bool_" if name == "bool" else name


def dtype_to_nptype(dtype):
    """The numpy type of a dtype; bfloat16, which numpy lacks, gives float32."""
    import numpy

    return getattr(numpy, _numpy_name(dtype))


def dtype_to_pytype(dtype):
    """The Python type of a dtype."""
    dtype = _fusescope.dtype_named(dtype)
    return bool if dtype == bool_ else float if dtype in _FLOATS else int


__all__ = [
    "int8", "byte", "int16", "short", "int32", "intc", "int64", "long", "int_", "intp", "uint8", "ubyte", "float16",
    "half", "float32", "single", "float_", "float64", "double", "bfloat16", "bool_", "string", "tensor_type",
    "type_none", "pytype_to_dtype", "dtype_to_nptype", "dtype_to_pytype",
]
