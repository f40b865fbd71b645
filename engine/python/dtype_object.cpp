// Python's dtype objects: ms.float32 and its kin.
#include "engine/python/object.hpp"

namespace fusescope::python {
namespace {

struct DTypeObject {
    PyObject_HEAD DType dtype;
};

PyObject* singletons[kDTypeCount];
PyTypeObject* dtype_type = nullptr;

PyObject* text(PyObject* self) {
    const std::string_view name = name_of(reinterpret_cast<DTypeObject*>(self)->dtype);
    return PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
}

Py_hash_t hash(PyObject* self) { return static_cast<Py_hash_t>(reinterpret_cast<DTypeObject*>(self)->dtype) + 101; }

PyObject* compare(PyObject* a, PyObject* b, int op) {
    if ((op != Py_EQ && op != Py_NE) || Py_TYPE(b) != dtype_type) Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((a == b) == (op == Py_EQ));
}

PyObject* itemsize(PyObject* self, void*) {
    return PyLong_FromSize_t(size_of(reinterpret_cast<DTypeObject*>(self)->dtype));
}
PyObject* is_floating(PyObject* self, void*) {
    return PyBool_FromLong(is_float(reinterpret_cast<DTypeObject*>(self)->dtype));
}

// copy and pickle give the singleton again.
PyObject* reduce(PyObject* self, PyObject*) {
    Ref module(PyImport_ImportModule("_fusescope"));
    if (!module) return nullptr;
    Ref look_up(PyObject_GetAttrString(module.get(), "dtype_named"));
    return look_up ? Py_BuildValue("N(N)", look_up.release(), text(self)) : nullptr;
}

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};
PyGetSetDef getters[] = {{"itemsize", itemsize, nullptr, "Bytes of one element.", nullptr},
                         {"is_floating_point", is_floating, nullptr, "True for float types.", nullptr},
                         {}};

PyType_Slot slots[] = {{Py_tp_repr, reinterpret_cast<void*>(text)},
                       {Py_tp_str, reinterpret_cast<void*>(text)},
                       {Py_tp_hash, reinterpret_cast<void*>(hash)},
                       {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, getters},
                       {Py_tp_doc, const_cast<char*>("Element type of a tensor.")},
                       {0, nullptr}};
PyType_Spec spec = {"mindspore.dtype.Type", sizeof(DTypeObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyObject* dtype_named(PyObject*, PyObject* name) {
    return guarded<PyObject*>(nullptr, [&] { return dtype_object(dtype_from(name)); });
}
PyMethodDef named = {"dtype_named", dtype_named, METH_O, "The dtype of a name, a numpy dtype or a Python type."};

}  // namespace

PyObject* dtype_object(DType t) noexcept {
    PyObject* o = singletons[static_cast<int>(t)];
    Py_INCREF(o);
    return o;
}

DType dtype_from(PyObject* o) {
    if (Py_TYPE(o) == dtype_type) return reinterpret_cast<DTypeObject*>(o)->dtype;
    if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return DType::Float32;
    if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return DType::Int64;
    if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return DType::Bool;
    Ref word;
    if (PyUnicode_Check(o)) {
        word = Ref::borrow(o);
    } else if (PyObject_HasAttrString(o, "name")) {
        word = Ref(PyObject_GetAttrString(o, "name"));  // numpy.dtype
    } else if (PyType_Check(o) && PyObject_HasAttrString(o, "__name__")) {
        word = Ref(PyObject_GetAttrString(o, "__name__"));  // numpy.float32
    }
    if (word && PyUnicode_Check(word.get())) {
        Py_ssize_t n = 0;
        const char* s = PyUnicode_AsUTF8AndSize(word.get(), &n);
        if (s) {
            if (auto t = dtype_from_name({s, static_cast<std::size_t>(n)})) return *t;
        }
    }
    PyErr_Clear();
    PyErr_Format(
        PyExc_TypeError,
        "%R is not an element type; use mindspore.float32, float16, bfloat16, float64, int8, int16, int32, int64, "
        "uint8 or bool_",
        o);
    throw PythonError{};
}

bool add_dtypes(PyObject* module) {
    dtype_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!dtype_type) return false;
    for (int i = 0; i < kDTypeCount; ++i) {
        auto* o = PyObject_New(DTypeObject, dtype_type);
        if (!o) return false;
        o->dtype = static_cast<DType>(i);
        singletons[i] = reinterpret_cast<PyObject*>(o);
        if (PyModule_AddObjectRef(module, std::string(name_of(o->dtype)).c_str(), singletons[i]) < 0) return false;
    }
    Ref look_up(PyCFunction_New(&named, nullptr));
    return look_up && PyModule_AddObjectRef(module, "dtype_named", look_up.get()) == 0 &&
           PyModule_AddObjectRef(module, "DType", reinterpret_cast<PyObject*>(dtype_type)) == 0;
}

}  // namespace fusescope::python
