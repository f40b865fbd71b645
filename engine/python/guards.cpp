// Checks that a compiled function is still what the program means: a flat list, walked before each call.
#include <cmath>
#include <memory>
#include <vector>

#include "engine/python/object.hpp"

namespace fusescope::python {
namespace {

// The numbers are those of mindspore/common/_guards.py.
enum class Kind {
    item_is,
    item_absent,
    item_equal,
    list_is,
    list_equal,
    length,
    cell_is,
    cell_equal,
    tensor,
    attr_is,
    call
};

struct Check {
    Kind kind;
    Ref object;
    Ref key;       // of an item or attribute
    Ref expected;  // keeps an identity alive too
    Py_ssize_t number = 0;
    const TensorImpl* impl = nullptr;
    bool requires_grad = false;
};

struct GuardsObject {
    PyObject_HEAD std::vector<Check>* checks;
};

bool wants_gradient(const Tensor& t) { return t.impl()->parameter && t.impl()->parameter->requires_grad; }

// Same type and equal; NaN equals itself when it is the same object. 0.0 and -0.0 differ.
bool equal(PyObject* value, PyObject* expected) {
    if (!value) return false;
    if (value == expected) return true;
    if (Py_TYPE(value) != Py_TYPE(expected)) return false;
    if (PyFloat_CheckExact(value)) {
        const double a = PyFloat_AS_DOUBLE(value), b = PyFloat_AS_DOUBLE(expected);
        return a == b && std::signbit(a) == std::signbit(b);
    }
    const int same = PyObject_RichCompareBool(value, expected, Py_EQ);
    if (same < 0) PyErr_Clear();
    return same == 1;
}

bool holds(const Check& c) {
    PyObject* o = c.object.get();
    PyObject* expected = c.expected.get();
    switch (c.kind) {
        case Kind::item_is:
            return PyDict_GetItem(o, c.key.get()) == expected;
        case Kind::item_absent:
            return PyDict_GetItem(o, c.key.get()) == nullptr;
        case Kind::item_equal:
            return equal(PyDict_GetItem(o, c.key.get()), expected);
        case Kind::list_is:
            return c.number < PyList_GET_SIZE(o) && PyList_GET_ITEM(o, c.number) == expected;
        case Kind::list_equal:
            return c.number < PyList_GET_SIZE(o) && equal(PyList_GET_ITEM(o, c.number), expected);
        case Kind::length:
            return (PyList_Check(o) ? PyList_GET_SIZE(o) : PyDict_GET_SIZE(o)) == c.number;
        case Kind::cell_is:
            return PyCell_GET(o) == expected;
        case Kind::cell_equal:
            return equal(PyCell_GET(o), expected);
        case Kind::tensor:
            return tensor_of(o).impl() == c.impl && wants_gradient(tensor_of(o)) == c.requires_grad;
        case Kind::attr_is: {
            Ref value(PyObject_GetAttr(o, c.key.get()));
            if (!value) PyErr_Clear();
            return value.get() == expected;
        }
        case Kind::call: {
            Ref answer(PyObject_CallOneArg(expected, o));
            const int truth = answer ? PyObject_IsTrue(answer.get()) : -1;
            if (truth < 0) PyErr_Clear();
            return truth == 1;
        }
    }
    return false;
}

// Whether a check of this kind can look into the object.
bool fits(Kind kind, PyObject* o) {
    switch (kind) {
        case Kind::item_is:
        case Kind::item_absent:
        case Kind::item_equal:
            return PyDict_Check(o);
        case Kind::list_is:
        case Kind::list_equal:
            return PyList_Check(o);
        case Kind::length:
            return PyList_Check(o) || PyDict_Check(o);
        case Kind::cell_is:
        case Kind::cell_equal:
            return PyCell_Check(o);
        case Kind::tensor:
            return is_tensor(o);
        case Kind::attr_is:
        case Kind::call:
            return true;
    }
    return false;
}

PyObject* create(PyTypeObject* type, PyObject* args, PyObject*) {
    PyObject* list;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &list)) return nullptr;
    auto checks = std::make_unique<std::vector<Check>>();
    checks->reserve(static_cast<std::size_t>(PyList_GET_SIZE(list)));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
        int kind;
        PyObject *object, *key, *expected;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "iOOO", &kind, &object, &key, &expected)) return nullptr;
        if (!fits(static_cast<Kind>(kind), object)) {
            return PyErr_Format(PyExc_TypeError, "check %zd cannot be of kind %d", i, kind);
        }
        Check c{static_cast<Kind>(kind), Ref::borrow(object), Ref::borrow(key), Ref::borrow(expected)};
        if (PyLong_Check(key)) c.number = PyLong_AsSsize_t(key);
        if (c.kind == Kind::tensor) {
            c.impl = tensor_of(object).impl();
            c.requires_grad = wants_gradient(tensor_of(object));
        }
        checks->push_back(std::move(c));
    }
    PyObject* self = type->tp_alloc(type, 0);
    if (self) reinterpret_cast<GuardsObject*>(self)->checks = checks.release();
    return self;
}

void destroy(PyObject* self) {
    delete reinterpret_cast<GuardsObject*>(self)->checks;
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* hold(PyObject* self, PyObject*) {
    for (const Check& c : *reinterpret_cast<GuardsObject*>(self)->checks) {
        if (!holds(c)) Py_RETURN_FALSE;
    }
    Py_RETURN_TRUE;
}

PyObject* count(PyObject* self, void*) {
    return PyLong_FromSize_t(reinterpret_cast<GuardsObject*>(self)->checks->size());
}

PyMethodDef methods[] = {{"hold", hold, METH_NOARGS, "True when everything is as it was."}, {}};
PyGetSetDef getters[] = {{"count", count, nullptr, "Number of checks.", nullptr}, {}};
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, getters},
                       {0, nullptr}};
PyType_Spec spec = {"_fusescope.Guards", sizeof(GuardsObject), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

bool add_guards(PyObject* module) {
    Ref type(PyType_FromSpec(&spec));
    return type && PyModule_AddObjectRef(module, "Guards", type.get()) == 0;
}

}  // namespace fusescope::python
