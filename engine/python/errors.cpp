// C++ exceptions as Python ones.
#include <new>

#include "engine/debug/explain/explanation.hpp"
#include "engine/python/object.hpp"
#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

PyObject* class_of(ErrorKind kind) noexcept {
    switch (kind) {
        case ErrorKind::shape:
        case ErrorKind::value:
            return PyExc_ValueError;
        case ErrorKind::dtype:
        case ErrorKind::type:
            return PyExc_TypeError;
        case ErrorKind::index:
            return PyExc_IndexError;
        case ErrorKind::memory:
            return PyExc_MemoryError;
        case ErrorKind::runtime:
            return PyExc_RuntimeError;
    }
    return PyExc_RuntimeError;
}

// The whole message of a mistake; a finding is published on the way.
std::string explained(const UserError& error) noexcept {
    try {
        const auto* failed = dynamic_cast<const exec::OpError*>(&error);
        const FrameId here = failed ? failed->call().frame : context().frame();
        const explain::Words words{variable_holding, [here](FrameId frame) { return line_of(frame, here); }};
        const explain::Explanation e = explain::explain(error, context().producers, words);
        explain::report(context(), e);
        return e.text;
    } catch (const std::exception&) {
        return error.what();  // out of memory while explaining
    }
}

// Adds a paragraph to the exception that is set.
void add_note(const std::string& note) noexcept {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Ref added(PyObject_CallMethod(value, "add_note", "s", note.c_str()));
    if (!added) PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

}  // namespace

std::function<void(const std::string& message)> user_error_raised;

void set_error_from_cpp() noexcept {
    if (set_if_unsupported()) return;
    try {
        throw;
    } catch (const PythonError&) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "an error without a Python exception");
    } catch (const UserError& e) {
        const bool later = e.frame() && e.frame() != context().frame();
        const std::string note = later ? "The op was called here:\n" + place_of(e.frame()) : std::string();
        PyErr_SetString(class_of(e.kind()), explained(e).c_str());
        if (later) add_note(note);
        const bool of_op = e.kind() == ErrorKind::shape || e.kind() == ErrorKind::dtype || e.kind() == ErrorKind::index;
        if (of_op && user_error_raised) user_error_raised(e.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
    } catch (...) {
        PyErr_SetString(PyExc_SystemError, "an unknown error of the engine");
    }
}

std::string taken_error() {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Ref text(value ? PyObject_Str(value) : nullptr);
    const char* const utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
    std::string all = type ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "error";
    if (utf8 && *utf8) all += std::string(": ") + utf8;
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    PyErr_Clear();
    return all;
}

}  // namespace fusescope::python
