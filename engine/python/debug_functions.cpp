// What _fusescope_debug asks of tensors and frames that Python itself cannot tell without changing the program.
#include <fstream>

#include "engine/debug/breakpoints.hpp"
#include "engine/debug/element.hpp"
#include "engine/python/line_tracer.hpp"
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

// store_elements(tensor, path): the bytes of the elements; False when they wait in a graph.
PyObject* store_elements(PyObject*, PyObject* args) {
    PyObject* o;
    const char* path;
    if (!PyArg_ParseTuple(args, "Os", &o, &path) || !ready(o, "store_elements")) return nullptr;
    const Tensor& t = tensor_of(o);
    if (t.is_pending()) Py_RETURN_FALSE;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file.write(static_cast<const char*>(debug::bytes_of(t)),
                   static_cast<std::streamsize>(static_cast<std::size_t>(t.count()) * size_of(t.dtype())));
        file.close();
        if (!file) {
            PyErr_Format(PyExc_OSError, "%s cannot be written", path);
            return nullptr;
        }
        Py_RETURN_TRUE;
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

LineTracer* tracer = nullptr;
std::function<void()> in_child;

// conditions(path) -> [(line, condition)] that breakpoints have in a file.
PyObject* conditions(PyObject*, PyObject* path) {
    const char* text = PyUnicode_AsUTF8(path);
    if (!text) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        Ref list = checked(PyList_New(0));
        if (!tracer) return list.release();
        for (const auto& [line, condition] : tracer->conditions(text)) {
            Ref pair = checked(Py_BuildValue("(is)", line, condition.c_str()));
            if (PyList_Append(list.get(), pair.get()) != 0) return nullptr;
        }
        return list.release();
    });
}

// place_check(path, line, condition) -> number for check_reached and check_failed.
PyObject* place_check(PyObject*, PyObject* args) {
    const char *path, *condition;
    int line;
    if (!PyArg_ParseTuple(args, "sis", &path, &line, &condition)) return nullptr;
    return guarded<PyObject*>(
        nullptr, [&] { return PyLong_FromLong(tracer ? tracer->place_check(path, line, condition) : -1); });
}

PyObject* check_reached(PyObject*, PyObject* number) {
    if (tracer) tracer->check_reached(static_cast<int>(PyLong_AsLong(number)));
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NONE;
}

PyObject* check_failed(PyObject*, PyObject* number) {
    if (tracer) tracer->check_failed(static_cast<int>(PyLong_AsLong(number)));
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NONE;
}

// breakpoint() in the script.
PyObject* stop_here(PyObject*, PyObject*, PyObject*) {
    if (tracer) tracer->stop_here();
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NONE;
}

// script_traces(bool): the script has set a trace function of its own, or took it away.
PyObject* script_traces(PyObject*, PyObject* on) {
    if (tracer) tracer->script_traces(on == Py_True);
    Py_RETURN_NONE;
}

PyObject* left_by_fork(PyObject*, PyObject*) {
    if (const std::function<void()> forked = in_child) forked();  // which takes itself away
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"stop_here", reinterpret_cast<PyCFunction>(stop_here), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"script_traces", script_traces, METH_O, nullptr},
    {"left_by_fork", left_by_fork, METH_NOARGS, nullptr},
    {"conditions", conditions, METH_O, nullptr},
    {"place_check", place_check, METH_VARARGS, nullptr},
    {"check_reached", check_reached, METH_O, nullptr},
    {"check_failed", check_failed, METH_O, nullptr},
    {"tensor_stats", tensor_stats, METH_O, nullptr},
    {"first_elements", first_elements, METH_VARARGS, nullptr},
    {"keep_locals", keep_locals, METH_O, nullptr},
    {"store_elements", store_elements, METH_VARARGS, nullptr},
    {}};

}  // namespace

void set_tracer(LineTracer* t, std::function<void()> forked) {
    tracer = t;
    in_child = std::move(forked);
}

bool add_debugging(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace fusescope::python
