// The gradient tape as a Python object; the rules of ms.grad and ms.value_and_grad are in the package.
#include "engine/autodiff/tape.hpp"
#include "engine/python/object.hpp"

namespace fusescope::python {
namespace {

struct TapeObject {
    PyObject_HEAD autodiff::Tape* tape;
};

PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
    PyObject* self = type->tp_alloc(type, 0);
    if (self) reinterpret_cast<TapeObject*>(self)->tape = new autodiff::Tape(context());
    return self;
}

void destroy(PyObject* self) {
    delete reinterpret_cast<TapeObject*>(self)->tape;
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* watch(PyObject* self, PyObject* tensor) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        if (!is_tensor(tensor)) {
            return PyErr_Format(PyExc_TypeError, "a tensor is wanted, not %.100s", Py_TYPE(tensor)->tp_name);
        }
        reinterpret_cast<TapeObject*>(self)->tape->watch(tensor_of(tensor));
        Py_RETURN_NONE;
    });
}

PyObject* stop(PyObject* self, PyObject*) {
    reinterpret_cast<TapeObject*>(self)->tape->stop();
    Py_RETURN_NONE;
}

// gradient(outputs, seeds, wrt): one gradient for each of `wrt`.
PyObject* gradient(PyObject* self, PyObject* args) {
    PyObject *outputs, *seeds, *wrt;
    if (!PyArg_ParseTuple(args, "OOO", &outputs, &seeds, &wrt)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        const auto grads = reinterpret_cast<TapeObject*>(self)->tape->gradient(
            tensors_from(outputs), tensors_from(seeds, true), tensors_from(wrt));
        return tuple_of(grads).release();
    });
}

PyMethodDef methods[] = {{"watch", watch, METH_O, "Gradients with respect to this tensor will be asked for."},
                         {"stop", stop, METH_NOARGS, "Stops recording."},
                         {"gradient", gradient, METH_VARARGS, "gradient(outputs, seeds, wrt)"},
                         {}};
PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_methods, methods},
                       {0, nullptr}};
PyType_Spec spec = {"_fusescope.Tape", sizeof(TapeObject), 0, Py_TPFLAGS_DEFAULT, slots};

PyObject* taping(PyObject*, PyObject*) { return PyBool_FromLong(!context().tapes.empty()); }
PyMethodDef taping_def = {"taping", taping, METH_NOARGS, "True while some tape records."};

}  // namespace

bool add_autodiff(PyObject* module) {
    Ref type(PyType_FromSpec(&spec));
    Ref function(PyCFunction_New(&taping_def, nullptr));
    return type && function && PyModule_AddObjectRef(module, "Tape", type.get()) == 0 &&
           PyModule_AddObjectRef(module, "taping", function.get()) == 0;
}

}  // namespace fusescope::python
