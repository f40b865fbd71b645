// Captures, compiled functions and regions for the package's jit.
#include "engine/python/object.hpp"
#include "engine/trace/capture.hpp"
#include "engine/trace/lazy.hpp"
#include "engine/trace/region.hpp"

namespace fusescope::python {
namespace {

// CompiledFunction
// ------------------------------------------------------------------------------------------------------

struct FunctionObject {
    PyObject_HEAD std::shared_ptr<trace::CapturedFunction> function;
};
PyTypeObject* function_type = nullptr;

void destroy_function(PyObject* self) {
    reinterpret_cast<FunctionObject*>(self)->function.~shared_ptr();
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* call_function(PyObject* self, PyObject* args, PyObject*) {
    return guarded<PyObject*>(nullptr, [&] {
        // The call may end this function's cache entry.
        const auto function = reinterpret_cast<FunctionObject*>(self)->function;
        const std::vector<Tensor> in = tensors_from(args);
        return tuple_of(function->call(context(), in)).release();
    });
}

PyObject* graph_id(PyObject* self, void*) {
    return PyLong_FromUnsignedLong(reinterpret_cast<FunctionObject*>(self)->function->graph_id());
}

PyGetSetDef function_getters[] = {{"graph_id", graph_id, nullptr, nullptr, nullptr}, {}};
PyType_Slot function_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy_function)},
                                {Py_tp_call, reinterpret_cast<void*>(call_function)},
                                {Py_tp_getset, function_getters},
                                {0, nullptr}};
PyType_Spec function_spec = {"_fusescope.CompiledFunction", sizeof(FunctionObject), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, function_slots};

// Capture
// ---------------------------------------------------------------------------------------------------------------

struct CaptureObject {
    PyObject_HEAD trace::Capture* capture;
};

PyObject* create_capture(PyTypeObject* type, PyObject* args, PyObject*) {
    const char* name;
    const char* signature;
    if (!PyArg_ParseTuple(args, "ss", &name, &signature)) return nullptr;
    PyObject* self = type->tp_alloc(type, 0);
    if (!self) return nullptr;
    return guarded<PyObject*>(nullptr, [&] {
        Context& c = context();
        const FrameId frame = c.recorder ? c.frame() : 0;
        reinterpret_cast<CaptureObject*>(self)->capture = new trace::Capture(c, name, signature, frame);
        return self;
    });
}

void destroy_capture(PyObject* self) {
    delete reinterpret_cast<CaptureObject*>(self)->capture;
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

trace::Capture& capture_of(PyObject* self) {
    if (trace::Capture* c = reinterpret_cast<CaptureObject*>(self)->capture) return *c;
    PyErr_SetString(PyExc_RuntimeError, "the capture is closed");
    throw PythonError{};
}

// finish(args, results) -> CompiledFunction, or the reason ("graph_break", "leaked") why there is none.
PyObject* finish(PyObject* self, PyObject* args) {
    PyObject *given, *results;
    if (!PyArg_ParseTuple(args, "OO", &given, &results)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        trace::NotWhole why;
        auto function = capture_of(self).finish(tensors_from(given), tensors_from(results), why);
        if (!function) return PyUnicode_FromString(why == trace::NotWhole::graph_break ? "graph_break" : "leaked");
        PyObject* o = function_type->tp_alloc(function_type, 0);
        if (!o) return nullptr;
        new (&reinterpret_cast<FunctionObject*>(o)->function) std::shared_ptr(std::move(function));
        return o;
    });
}

// close(): ends the capture after an exception; what acts on Parameters is run.
PyObject* close(PyObject* self, PyObject*) {
    auto* c = reinterpret_cast<CaptureObject*>(self);
    delete std::exchange(c->capture, nullptr);
    Py_RETURN_NONE;
}

// flush(): runs what was noted, from the cache of segments; nothing is kept for the whole.
PyObject* flush_capture(PyObject* self, PyObject*) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        capture_of(self).trace().flush();
        Py_RETURN_NONE;
    });
}

PyObject* breaks(PyObject* self, void*) {
    return guarded<PyObject*>(nullptr, [&] { return PyLong_FromLong(capture_of(self).trace().breaks()); });
}

PyMethodDef capture_methods[] = {{"finish", finish, METH_VARARGS, nullptr},
                                 {"close", close, METH_NOARGS, nullptr},
                                 {"flush", flush_capture, METH_NOARGS, nullptr},
                                 {}};
PyGetSetDef capture_getters[] = {{"breaks", breaks, nullptr, nullptr, nullptr}, {}};
PyType_Slot capture_slots[] = {{Py_tp_new, reinterpret_cast<void*>(create_capture)},
                               {Py_tp_dealloc, reinterpret_cast<void*>(destroy_capture)},
                               {Py_tp_methods, capture_methods},
                               {Py_tp_getset, capture_getters},
                               {0, nullptr}};
PyType_Spec capture_spec = {"_fusescope.Capture", sizeof(CaptureObject), 0, Py_TPFLAGS_DEFAULT, capture_slots};

// The lazy trace of graph mode
// -------------------------------------------------------------------------------------------

// lazy_trace(on): ops outside of compiled functions wait (graph mode) or run at once.
PyObject* lazy_trace(PyObject*, PyObject* on) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        trace::set_lazy_trace(context(), PyObject_IsTrue(on) == 1);
        Py_RETURN_NONE;
    });
}

// flush(): runs what waits in the lazy trace.
PyObject* flush(PyObject*, PyObject*) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        trace::Trace* lazy = trace::lazy_trace(context());
        if (lazy && context().trace == lazy) lazy->flush();
        Py_RETURN_NONE;
    });
}

// ready(tensors): runs what these wait for, without counting it as a look into a graph.
PyObject* ready(PyObject*, PyObject* list) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        trace::Trace* lazy = trace::lazy_trace(context());
        for (const Tensor& t : tensors_from(list)) {
            if (t.is_pending() && t.impl()->pending != dynamic_cast<PendingSlot*>(context().trace)) {
                t.impl()->pending->force(*t.impl(), TransferReason::input);
            } else if (t.is_pending() && lazy && t.impl()->pending == lazy) {
                lazy->force(*t.impl(), TransferReason::input);
            }
        }
        Py_RETURN_NONE;
    });
}

// tracing() -> 0: eager, 1: the lazy trace of graph mode, 2: a capture or region.
PyObject* tracing(PyObject*, PyObject*) {
    Context& c = context();
    return PyLong_FromLong(!c.trace ? 0 : c.trace == trace::lazy_trace(c) ? 1 : 2);
}

// has_effects(): something noted in the current trace acts on the world.
PyObject* has_effects(PyObject*, PyObject*) {
    auto* t = static_cast<trace::Trace*>(context().trace);
    return PyBool_FromLong(t && t->has_effects());
}

// settle_effects(): before the program writes something itself, what it printed in the trace must come out.
PyObject* settle_effects(PyObject*, PyObject*) {
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        auto* t = static_cast<trace::Trace*>(context().trace);
        if (t && t->region) throw trace::Trace::Unsupported{"it prints"};
        if (t && t->has_effects()) t->flush();
        Py_RETURN_NONE;
    });
}

trace::TensorFunction function_from(PyObject* f) {
    return [f](std::span<const Tensor> args) {
        Ref in = tuple_of(args);
        Ref out = checked(PyObject_CallObject(f, in.get()));
        if (is_tensor(out.get())) return std::vector<Tensor>{tensor_of(out.get())};
        return tensors_from(out.get());
    };
}

// A region that cannot be one throws through Python frames: it crosses them as this exception.
PyObject* unsupported = nullptr;

// trace_cond(predicate, true_fn, false_fn, operands) -> tuple of tensors, or a string that says why not. The functions
// take and give tensors.
PyObject* trace_cond(PyObject*, PyObject* args) {
    PyObject *predicate, *yes, *no, *operands;
    if (!PyArg_ParseTuple(args, "OOOO", &predicate, &yes, &no, &operands)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        std::string why;
        try {
            auto out = trace::trace_cond(context(), tensor_of(predicate), function_from(yes), function_from(no),
                                         tensors_from(operands), why);
            if (out) return tuple_of(*out).release();
        } catch (const PythonError&) {
            if (!PyErr_ExceptionMatches(unsupported)) throw;
            PyErr_Clear();
            why = "a branch looks at a value";
        }
        return PyUnicode_FromString(why.c_str());
    });
}

PyObject* trace_loop(PyObject*, PyObject* args) {
    PyObject *condition, *body, *state;
    if (!PyArg_ParseTuple(args, "OOO", &condition, &body, &state)) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        std::string why;
        try {
            auto out =
                trace::trace_loop(context(), function_from(condition), function_from(body), tensors_from(state), why);
            if (out) return tuple_of(*out).release();
        } catch (const PythonError&) {
            if (!PyErr_ExceptionMatches(unsupported)) throw;
            PyErr_Clear();
            why = "the loop looks at a value";
        }
        return PyUnicode_FromString(why.c_str());
    });
}

PyMethodDef functions[] = {{"lazy_trace", lazy_trace, METH_O, nullptr},
                           {"flush", flush, METH_NOARGS, nullptr},
                           {"ready", ready, METH_O, nullptr},
                           {"tracing", tracing, METH_NOARGS, nullptr},
                           {"has_effects", has_effects, METH_NOARGS, nullptr},
                           {"settle_effects", settle_effects, METH_NOARGS, nullptr},
                           {"trace_cond", trace_cond, METH_VARARGS, nullptr},
                           {"trace_loop", trace_loop, METH_VARARGS, nullptr},
                           {}};

}  // namespace

bool set_if_unsupported() noexcept {
    try {
        throw;
    } catch (const trace::Trace::Unsupported& u) {
        PyErr_SetString(unsupported, u.reason.c_str());
        return true;
    } catch (...) {
        return false;
    }
}

bool add_tracing(PyObject* module) {
    function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&function_spec));
    Ref capture(PyType_FromSpec(&capture_spec));
    // A BaseException: a script's `except Exception` must not swallow it.
    unsupported = PyErr_NewException("_fusescope.RegionUnsupported", PyExc_BaseException, nullptr);
    return function_type && capture && unsupported && PyModule_AddObjectRef(module, "Capture", capture.get()) == 0 &&
           PyModule_AddObjectRef(module, "RegionUnsupported", unsupported) == 0 &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace fusescope::python
