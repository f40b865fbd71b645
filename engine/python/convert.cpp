// Python values to tensors and attributes, and tensors to numpy.
#include "engine/core/convert.hpp"

#include <cstring>
#include <vector>

#include "engine/core/promote.hpp"
#include "engine/python/object.hpp"
#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

ScalarKind scalar_kind(PyObject* o) noexcept {
    if (PyBool_Check(o)) return ScalarKind::boolean;
    if (PyLong_Check(o)) return ScalarKind::integer;
    if (PyFloat_Check(o)) return ScalarKind::floating;
    // numpy scalars: float64 is a Python float already; the others answer __index__ when they are ints.
    if (PyIndex_Check(o)) return ScalarKind::integer;
    return std::string_view(Py_TYPE(o)->tp_name).starts_with("numpy.bool") ? ScalarKind::boolean : ScalarKind::floating;
}

std::int64_t to_int(PyObject* o) {
    Ref index(PyNumber_Index(o));
    if (!index) throw PythonError{};
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
    if (overflow) {
        PyErr_Format(PyExc_OverflowError, "%R does not fit in 64 bits", o);
        throw PythonError{};
    }
    if (v == -1 && PyErr_Occurred()) throw PythonError{};
    return v;
}

double to_double(PyObject* o) {
    const double v = PyFloat_AsDouble(o);
    if (v == -1 && PyErr_Occurred()) throw PythonError{};
    return v;
}

// Element type of a buffer's format; empty for what tensors cannot hold as it is.
struct BufferType {
    DType dtype;
    bool unsigned_wide = false;  // uint16, uint32, uint64: converted to a wider signed type
};
std::optional<BufferType> buffer_type(const char* format, Py_ssize_t itemsize) noexcept {
    if (!format) return BufferType{DType::UInt8};
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    if (format[0] == '\0' || format[1] != '\0') return std::nullopt;
    switch (format[0]) {
        case '?':
            return BufferType{DType::Bool};
        case 'e':
            return BufferType{DType::Float16};
        case 'f':
            return BufferType{DType::Float32};
        case 'd':
            return BufferType{DType::Float64};
        case 'B':
            return BufferType{DType::UInt8};
        case 'b':
            return BufferType{DType::Int8};
        case 'h':
            return BufferType{DType::Int16};
        case 'i':
        case 'l':
        case 'q':
            return BufferType{itemsize == 8 ? DType::Int64 : DType::Int32};
        case 'H':
            return BufferType{DType::Int32, true};
        case 'I':
            return BufferType{DType::Int64, true};
        default:
            return std::nullopt;
    }
}

struct Buffer {
    Py_buffer view{};
    bool held = false;
    ~Buffer() {
        if (held) PyBuffer_Release(&view);
    }
};

// A tensor from anything that exports its bytes. False when it does not or has a format of its own.
bool from_buffer(PyObject* data, Tensor& out) {
    Buffer b;
    if (PyObject_GetBuffer(data, &b.view, PyBUF_FULL_RO) < 0) {
        PyErr_Clear();
        return false;
    }
    b.held = true;
    const auto type = buffer_type(b.view.format, b.view.itemsize);
    if (!type) return false;
    Shape shape;
    for (int k = 0; k < b.view.ndim; ++k) shape.push_back(b.view.shape[k]);
    if (!type->unsigned_wide) {
        out = Tensor::empty(type->dtype, shape);
        if (PyBuffer_ToContiguous(out.impl()->raw(), &b.view, b.view.len, 'C') < 0) throw PythonError{};
        return true;
    }
    std::vector<char> raw(static_cast<std::size_t>(b.view.len));
    if (PyBuffer_ToContiguous(raw.data(), &b.view, b.view.len, 'C') < 0) throw PythonError{};
    out = Tensor::empty(type->dtype, shape);
    for (std::int64_t i = 0; i < shape.count(); ++i) {
        std::int64_t v = 0;
        std::memcpy(&v, raw.data() + i * b.view.itemsize, static_cast<std::size_t>(b.view.itemsize));
        store_int(type->dtype, out.impl()->raw(), i, v);
    }
    return true;
}

// More axes than any tensor has; also the end of a list that holds itself.
constexpr std::size_t kDeepestList = 64;

// Nested lists of plain numbers. `kind` becomes the widest kind met. False: something else is inside.
bool measure(PyObject* o, std::size_t depth, Shape& shape, ScalarKind& kind, std::int64_t& leaves, bool& regular) {
    if (PyList_Check(o) || PyTuple_Check(o)) {
        const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
        if (depth == kDeepestList) {
            PyErr_SetString(PyExc_ValueError, "Tensor: lists are nested more than 64 deep, or one holds itself");
            throw PythonError{};
        }
        if (depth == shape.size() && leaves == 0) {
            shape.push_back(n);
        } else if (depth >= shape.size() || shape[depth] != n) {
            regular = false;
            return true;
        }
        for (Py_ssize_t i = 0; i < n; ++i) {
            if (!measure(PySequence_Fast_GET_ITEM(o, i), depth + 1, shape, kind, leaves, regular)) return false;
        }
        return true;
    }
    if (!PyBool_Check(o) && !PyLong_Check(o) && !PyFloat_Check(o)) return false;
    if (depth != shape.size()) regular = false;
    kind = std::max(kind, scalar_kind(o));
    ++leaves;
    return true;
}

void fill(PyObject* o, DType dtype, void* out, std::int64_t& at) {
    if (PyList_Check(o) || PyTuple_Check(o)) {
        const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
        for (Py_ssize_t i = 0; i < n; ++i) fill(PySequence_Fast_GET_ITEM(o, i), dtype, out, at);
        return;
    }
    if (is_float(dtype) || PyFloat_Check(o)) {
        store_double(dtype, out, at++, to_double(o));
    } else {
        store_int(dtype, out, at++, to_int(o));
    }
}

DType dtype_of(ScalarKind kind) noexcept {
    return kind == ScalarKind::boolean ? DType::Bool : kind == ScalarKind::integer ? DType::Int64 : DType::Float32;
}

Tensor cast_now(const Tensor& t, DType dtype) {
    if (t.dtype() == dtype) return t;
    const Tensor in[1] = {t};
    Context quiet;  // host data is prepared before the program's own ops begin
    Context* before = Context::set_current(&quiet);
    struct Restore {
        Context* c;
        ~Restore() { Context::set_current(c); }
    } restore{before};
    return apply1(*OpTable::get().find("Cast"), in, {dtype});
}

}  // namespace

bool is_number(PyObject* o) noexcept {
    if (PyFloat_Check(o) || PyLong_Check(o)) return true;
    if (is_tensor(o) || PyUnicode_Check(o)) return false;
    return std::string_view(Py_TYPE(o)->tp_name).starts_with("numpy.") && PyNumber_Check(o) && !PySequence_Check(o);
}

Tensor number_tensor(PyObject* o, const DType* common) {
    const ScalarKind kind = scalar_kind(o);
    const DType dtype = common ? promote_scalar(*common, kind) : dtype_of(kind);
    if (is_float(dtype)) return Tensor::scalar(to_double(o), dtype);
    if (kind == ScalarKind::floating) return Tensor::scalar(to_double(o), dtype);
    if (kind == ScalarKind::boolean) {
        const int truth = PyObject_IsTrue(o);
        if (truth < 0) throw PythonError{};
        return Tensor::scalar_int(truth, dtype);
    }
    return Tensor::scalar_int(to_int(o), dtype);
}

Tensor tensor_from(PyObject* data, const DType* dtype) {
    if (is_tensor(data)) {
        const Tensor& t = tensor_of(data);
        if (dtype && *dtype != t.dtype()) return apply1(*OpTable::get().find("Cast"), {&t, 1}, {*dtype});
        return traced_snapshot(context(), t);
    }
    Tensor out;
    if (is_number(data)) {
        out = dtype && !is_float(*dtype) && !PyFloat_Check(data) ? number_tensor(data, dtype)
                                                                 : number_tensor(data, nullptr);
        if (dtype && out.dtype() != *dtype) out = Tensor::scalar(to_double(data), *dtype);
        out.impl()->number = false;
        return out;
    }
    if (!from_buffer(data, out)) {
        if (PyList_Check(data) || PyTuple_Check(data)) {
            Shape shape;
            ScalarKind kind = ScalarKind::boolean;
            std::int64_t leaves = 0;
            bool regular = true;
            if (measure(data, 0, shape, kind, leaves, regular)) {
                if (!regular) {
                    PyErr_SetString(PyExc_ValueError,
                                    "Tensor: the nested lists have different lengths, so they have no shape");
                    throw PythonError{};
                }
                const DType own = dtype ? *dtype : leaves ? dtype_of(kind) : DType::Float32;
                out = Tensor::empty(own, shape);
                std::int64_t at = 0;
                fill(data, own, out.impl()->raw(), at);
                return out;
            }
        }
        // Lists with arrays or tensors inside, objects with __array__: numpy knows.
        Ref numpy = checked(PyImport_ImportModule("numpy"));
        Ref array = checked(PyObject_CallMethod(numpy.get(), "asarray", "O", data));
        if (!from_buffer(array.get(), out)) {
            PyErr_Clear();
            Ref dtype_name(PyObject_GetAttrString(array.get(), "dtype"));
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError,
                         "Tensor: cannot make a tensor of %.200s, an array of %S; convert it first, for example with "
                         "numpy.asarray(x, dtype=\"float32\")",
                         Py_TYPE(data)->tp_name, dtype_name ? dtype_name.get() : Py_None);
            throw PythonError{};
        }
    }
    return dtype ? cast_now(out, *dtype) : out;
}

PyObject* to_numpy(const Tensor& t, TransferReason reason) {
    static constexpr const char* names[kDTypeCount] = {"bool",  "int8",    "int16",   "int32",   "int64",
                                                       "uint8", "float16", "float32", "float32", "float64"};
    const void* bytes = t.data(reason);
    Ref numpy = checked(PyImport_ImportModule("numpy"));
    Ref shape = checked(PyTuple_New(t.rank()));
    for (int k = 0; k < t.rank(); ++k) {
        PyTuple_SET_ITEM(shape.get(), k, PyLong_FromLongLong(t.shape()[static_cast<std::size_t>(k)]));
    }
    Ref array =
        checked(PyObject_CallMethod(numpy.get(), "empty", "Os", shape.get(), names[static_cast<int>(t.dtype())]));
    Buffer b;
    if (PyObject_GetBuffer(array.get(), &b.view, PyBUF_WRITABLE | PyBUF_ND) < 0) throw PythonError{};
    b.held = true;
    if (t.dtype() == DType::BFloat16) {
        for (std::int64_t i = 0; i < t.count(); ++i) {
            static_cast<float*>(b.view.buf)[i] = bfloat_to_float(static_cast<const std::uint16_t*>(bytes)[i]);
        }
    } else if (const std::size_t n = t.type().bytes()) {
        std::memcpy(b.view.buf, bytes, n);
    }
    return array.release();
}

AttrValue attribute_from(PyObject* o, const AttrSpec& spec, const OpDef& op) {
    auto wrong = [&](const char* wanted) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: `%s` must be %s, but it is %R (%.100s)", op.schema.functional.c_str(),
                     spec.name.c_str(), wanted, o, Py_TYPE(o)->tp_name);
        return PythonError{};
    };
    const bool none = o == Py_None;
    auto ints = [&]() -> Ints {
        Ints list;
        if (is_tensor(o)) {
            const Tensor& t = tensor_of(o);
            const void* p = t.data();
            for (std::int64_t i = 0; i < t.count(); ++i) list.push_back(load_int(t.dtype(), p, i));
            return list;
        }
        if (PyIndex_Check(o)) {
            list.push_back(to_int(o));
            return list;
        }
        Ref fast(PySequence_Fast(o, ""));
        if (!fast) throw wrong("an int or a tuple of ints");
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
            PyObject* item = PySequence_Fast_GET_ITEM(fast.get(), i);
            if (is_tensor(item)) {
                list.push_back(tensor_of(item).item_int());
                continue;
            }
            if (!PyIndex_Check(item)) throw wrong("an int or a tuple of ints");
            list.push_back(to_int(item));
        }
        return list;
    };
    switch (spec.type) {
        case AttrType::boolean:
            if (!PyBool_Check(o) && !is_number(o)) throw wrong("True or False");
            return PyObject_IsTrue(o) == 1;
        case AttrType::optional_int:
            if (none) return std::monostate{};
            [[fallthrough]];
        case AttrType::integer:
            if (is_tensor(o)) return tensor_of(o).item_int();
            if (!PyIndex_Check(o)) throw wrong(spec.type == AttrType::integer ? "an int" : "an int or None");
            return to_int(o);
        case AttrType::optional_number:
            if (none) return std::monostate{};
            [[fallthrough]];
        case AttrType::number:
            if (is_tensor(o)) return tensor_of(o).item();
            if (!is_number(o)) throw wrong("a number");
            return to_double(o);
        case AttrType::string: {
            if (!PyUnicode_Check(o)) throw wrong("a string");
            const char* s = PyUnicode_AsUTF8(o);
            if (!s) throw PythonError{};
            return std::string(s);
        }
        case AttrType::optional_dtype:
            if (none) return std::monostate{};
            [[fallthrough]];
        case AttrType::dtype:
            return dtype_from(o);
        case AttrType::optional_ints:
            if (none) return std::monostate{};
            [[fallthrough]];
        case AttrType::ints:
            return ints();
    }
    throw wrong("something else");
}

}  // namespace fusescope::python
