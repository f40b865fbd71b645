#include "engine/python/interruption.hpp"

#include <csignal>
#include <utility>

#include "engine/python/object.hpp"

namespace fusescope::python {
namespace {

Interruption* current = nullptr;

int signal_number() { return SIGRTMAX - 3; }

// interrupt_reached(signal, frame): as a handler of signals.
PyObject* interrupt_reached(PyObject*, PyObject*) {
    if (current && current->raise_if_wanted()) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef handler = {"interrupt_reached", interrupt_reached, METH_VARARGS, nullptr};

// What code catches by `except Exception` does not keep it running.
PyObject* interrupted_type() {
    static PyObject* type = PyErr_NewException("_fusescope.Interrupted", PyExc_BaseException, nullptr);
    return type;
}

}  // namespace

Interruption::~Interruption() {
    if (current == this) current = nullptr;
}

void Interruption::attach() {
    Ref module(PyImport_ImportModule("_fusescope"));
    Ref signals(PyImport_ImportModule("_signal"));
    Ref function(PyCFunction_New(&handler, nullptr));
    Ref done(signals && function ? PyObject_CallMethod(signals.get(), "signal", "iO", signal_number(), function.get())
                                 : nullptr);
    if (!done || !module || !interrupted_type() ||
        PyObject_SetAttrString(module.get(), "Interrupted", interrupted_type()) != 0) {
        PyErr_Print();
        return;
    }
    const std::scoped_lock lock(mutex_);
    thread_ = ::pthread_self();
    attached_ = true;
    current = this;
}

void Interruption::begin() {
    const std::scoped_lock lock(mutex_);
    asking_ = true;
    why_.clear();
}

std::string Interruption::end() {
    const std::scoped_lock lock(mutex_);
    asking_ = false;
    return std::exchange(why_, {});
}

bool Interruption::raise_if_wanted() {
    const std::scoped_lock lock(mutex_);
    if (!asking_ || why_.empty()) return false;
    PyErr_SetString(interrupted_type(), why_.c_str());
    return true;
}

void Interruption::request(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    if (!attached_ || !asking_) return;
    why_ = why;
    ::pthread_kill(thread_, signal_number());
}

}  // namespace fusescope::python
