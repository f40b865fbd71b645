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

// untaped(function, *args): what it gives, while nobody notes gradients.
PyObject* untaped(PyObject*, PyObject* args) {
    if (PyTuple_GET_SIZE(args) < 1) return PyErr_Format(PyExc_TypeError, "untaped: a function is wanted");
    const Ref rest(PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args)));
    if (!rest) return nullptr;
    Context& c = context();
    c.take_turn();
    std::vector<TapeSink*> tapes = std::exchange(c.tapes, {});
    c.update();
    PyObject* result = PyObject_Call(PyTuple_GET_ITEM(args, 0), rest.get(), nullptr);
    c.take_turn();
    c.tapes = std::move(tapes);
    c.update();
    return result;
}

// own_gradient(inputs, outputs, backward): backward(*gradients of the outputs) gives those of the inputs.
PyObject* own_gradient(PyObject*, PyObject* args) {
    PyObject *inputs, *outputs, *backward;
    if (!PyArg_ParseTuple(args, "OOO", &inputs, &outputs, &backward)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        const std::vector<Tensor> in = tensors_from(inputs), out = tensors_from(outputs);
        const OwnGradient gradient = [call = Ref::borrow(backward)](std::span<const Tensor> out_grads) {
            const Ref given = tuple_of(out_grads);
            return tensors_from(checked(PyObject_Call(call.get(), given.get(), nullptr)).get(), true);
        };
        context().take_turn();
        for (TapeSink* tape : context().tapes) tape->record_own(in, out, gradient);
        Py_RETURN_NONE;
    });
}

PyObject* taping(PyObject*, PyObject*) { return PyBool_FromLong(!context().tapes.empty()); }
PyMethodDef functions[] = {
    {"taping", taping, METH_NOARGS, "True while some tape records."},
    {"untaped", untaped, METH_VARARGS, "untaped(function, *args): calls it while no tape records."},
    {"own_gradient", own_gradient, METH_VARARGS, "own_gradient(inputs, outputs, backward)"},
    {}};

}  // namespace

bool add_autodiff(PyObject* module) {
    Ref type(PyType_FromSpec(&spec));
    return type && PyModule_AddObjectRef(module, "Tape", type.get()) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace fusescope::python
