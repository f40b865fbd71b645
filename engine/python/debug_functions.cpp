// What _fusescope_debug asks of tensors and frames that Python itself cannot tell without changing the program.
#include "engine/debug/breakpoints.hpp"
#include "engine/debug/element.hpp"
#include "engine/python/object.hpp"
// clang-format off
#include <frameobject.h>  // after Python.h
// clang-format on

namespace fusescope::python {
namespace {

bool ready(PyObject* o, const char* who) {
    if (!is_tensor(o)) {
        PyErr_Format(PyExc_TypeError, "%s() wants a tensor", who);
        return false;
    }
    return true;
}

// tensor_stats(tensor) -> dict, or None when the value waits in a graph: looking must not run it.
PyObject* tensor_stats(PyObject*, PyObject* o) {
    if (!ready(o, "tensor_stats")) return nullptr;
    const Tensor& t = tensor_of(o);
    if (t.is_pending()) Py_RETURN_NONE;
    return guarded<PyObject*>(nullptr, [&] {
        const debug::ValueStats s = debug::stats_of(t);
        return Py_BuildValue("{s:L,s:L,s:L,s:L,s:d,s:d,s:d,s:d,s:L}", "count", s.count, "nan", s.nan, "inf", s.inf,
                             "zero", s.zero, "min", s.min, "max", s.max, "mean", s.mean, "std", s.std, "first_bad",
                             s.first_bad);
    });
}

// first_elements(tensor, n) -> list of Python numbers, or None.
PyObject* first_elements(PyObject*, PyObject* args) {
    PyObject* o;
    long long n;
    if (!PyArg_ParseTuple(args, "OL", &o, &n) || !ready(o, "first_elements")) return nullptr;
    const Tensor& t = tensor_of(o);
    if (t.is_pending()) Py_RETURN_NONE;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        Ref list = checked(PyList_New(0));
        for (std::int64_t i = 0; i < std::min<std::int64_t>(n, t.count()); ++i) {
            const double v = debug::number_at(t, i);
            Ref number(t.dtype() == DType::Bool ? PyBool_FromLong(v != 0)
                       : is_float(t.dtype())    ? PyFloat_FromDouble(v)
                                                : PyLong_FromDouble(v));
            if (!number || PyList_Append(list.get(), number.get()) != 0) return nullptr;
        }
        return list.release();
    });
}

// keep_locals(frame): what was put into frame.f_locals becomes the function's variables.
PyObject* keep_locals(PyObject*, PyObject* frame) {
    if (!PyFrame_Check(frame)) {
        PyErr_SetString(PyExc_TypeError, "keep_locals() wants a frame");
        return nullptr;
    }
    PyFrame_LocalsToFast(reinterpret_cast<PyFrameObject*>(frame), 0);
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"tensor_stats", tensor_stats, METH_O, nullptr},
                           {"first_elements", first_elements, METH_VARARGS, nullptr},
                           {"keep_locals", keep_locals, METH_O, nullptr},
                           {}};

}  // namespace

bool add_debugging(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace fusescope::python
