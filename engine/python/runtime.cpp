// Settings, scopes, steps and findings for the mindspore package.
#include "engine/python/runtime.hpp"

#include <cstdio>

#include "engine/cpu/parallel.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/failed_call.hpp"
#include "engine/python/object.hpp"

namespace fusescope::python {
namespace {

Context* the_context = nullptr;
std::string forced_mode = "script";
std::string forced_device = "script";
bool jit_allowed = true;
bool told_about_model = false;

DeviceKind device_named(const std::string& name) {
    if (name == "cpu" || name == "CPU" || name == "GPU") return DeviceKind::cpu;
    if (name == "Ascend" || name == "ascend" || name == "Davinci") {
        if (!told_about_model) {
            told_about_model = true;
            std::fprintf(
                stderr,
                "fusescope: no Ascend runtime here; device_target=\"Ascend\" is modelled: numbers are computed on the "
                "CPU, device times are modelled\n");
        }
        return DeviceKind::ascend_model;
    }
    return DeviceKind::ascend_model;
}

// set_device(name): what the script asks for; a device forced from outside wins.
PyObject* set_device(PyObject*, PyObject* name) {
    const char* text = PyUnicode_AsUTF8(name);
    if (!text) return nullptr;
    Context& c = context();
    if (forced_device == "script") c.device = device_named(text);
    c.update();
    Py_RETURN_NONE;
}

// Effective mode: 0 graph, 1 eager (MindSpore's numbers); the script's wish unless forced from outside.
PyObject* effective_mode(PyObject*, PyObject* wish) {
    if (forced_mode == "graph") return PyLong_FromLong(0);
    if (forced_mode == "eager") return PyLong_FromLong(1);
    Py_INCREF(wish);
    return wish;
}

PyObject* jit_is_on(PyObject*, PyObject*) { return PyBool_FromLong(jit_allowed); }

PyObject* set_seed(PyObject*, PyObject* seed) {
    const unsigned long long v = PyLong_AsUnsignedLongLongMask(seed);
    if (PyErr_Occurred()) return nullptr;
    context().seed = v;
    context().random_ops = 0;
    Py_RETURN_NONE;
}

// push_scope(name) -> token; pop_scope(token).
PyObject* push_scope(PyObject*, PyObject* name) {
    Context& c = context();
    const ScopeId outer = c.scope;
    Py_ssize_t n = 0;
    const char* text = PyUnicode_AsUTF8AndSize(name, &n);
    if (!text) return nullptr;
    return guarded<PyObject*>(nullptr, [&] {
        c.scope = intern_scope(outer, std::string(text, static_cast<std::size_t>(n)), c.recorder);
        return PyLong_FromUnsignedLong(outer);
    });
}
PyObject* pop_scope(PyObject*, PyObject* token) {
    context().scope = static_cast<ScopeId>(PyLong_AsUnsignedLong(token));
    Py_RETURN_NONE;
}

// begin_optimizer() -> token; end_optimizer(token): the ops between are the optimizer's, and a step has been made.
PyObject* begin_optimizer(PyObject*, PyObject*) {
    Context& c = context();
    PyObject* token = PyLong_FromLong(static_cast<long>(c.phase));
    c.phase = Phase::optimizer;
    return token;
}
PyObject* end_optimizer(PyObject*, PyObject* token) {
    Context& c = context();
    c.phase = static_cast<Phase>(PyLong_AsLong(token));
    ++c.step;
    Py_RETURN_NONE;
}
PyObject* count_step(PyObject*, PyObject*) {
    ++context().step;
    Py_RETURN_NONE;
}

PyObject* recording(PyObject*, PyObject*) { return PyBool_FromLong(context().recorder != nullptr); }

// finding(kind, severity, rule, message, advice, op[, path, line, function[, reason[, key]]]) -> key: about Python code
// at the line that is told, else at the calling one. An empty message or advice is made of the rule; `reason` is a
// value for it. With the key of an earlier finding it replaces that.
PyObject* finding(PyObject*, PyObject* args) {
    const char *kind, *severity, *rule, *message, *advice, *op;
    const char* path = nullptr;
    int line = 0;
    const char* function = nullptr;
    const char* reason = "";
    unsigned long long key = 0;
    if (!PyArg_ParseTuple(args, "ssssss|zizsK", &kind, &severity, &rule, &message, &advice, &op, &path, &line,
                          &function, &reason, &key)) {
        return nullptr;
    }
    Context& c = context();
    if (!c.recorder) return PyLong_FromLong(0);
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        Finding f;
        for (int i = 0; i < kFindingKindCount; ++i) {
            if (std::string(name_of(static_cast<FindingKind>(i))) == kind) f.kind = static_cast<FindingKind>(i);
        }
        f.severity = std::string(severity) == "error"  ? Severity::error
                     : std::string(severity) == "info" ? Severity::info
                                                       : Severity::warning;
        f.rule = rule;
        f.message = message;
        f.advice = advice;
        f.op = op;
        f.step = c.step;
        if (*reason) f.arguments = {{"reason", reason}};
        f.frame = path ? frame_at(path, line, function ? function : "") : c.frame();
        f.key = key ? key : new_finding_key();
        c.recorder->finding(f);
        return PyLong_FromUnsignedLongLong(f.key);
    });
}

// refuse_shape(op, message, wanted_name, wanted_shape, given_name, given): raises ValueError for a tensor of the wrong
// shape, explained as an op's mistake is.
PyObject* refuse_shape(PyObject*, PyObject* args) {
    const char *op, *message, *wanted_name, *given_name;
    PyObject *wanted, *given;
    if (!PyArg_ParseTuple(args, "sssOsO!", &op, &message, &wanted_name, &wanted, &given_name, tensor_type, &given)) {
        return nullptr;
    }
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        const Ref extents = checked(PySequence_Fast(wanted, "a shape is wanted"));
        exec::FailedCall call;
        call.frame = context().frame();
        call.operands.resize(2);
        call.operands[0].name = wanted_name;
        call.operands[0].present = true;
        for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(extents.get()); ++k) {
            call.operands[0].type.shape.push_back(PyLong_AsLongLong(PySequence_Fast_GET_ITEM(extents.get(), k)));
        }
        if (PyErr_Occurred()) throw PythonError{};
        const Tensor& t = tensor_of(given);
        call.operands[1] = {t.type(), true, given_name, t, t.impl()->made_by, {}, 0};
        throw exec::OpError(UserError(ErrorKind::shape, op, message), std::move(call));
    });
}

// output(stream, text): a copy of what the program wrote.
PyObject* output(PyObject*, PyObject* args) {
    const char* stream;
    const char* text;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "ss#", &stream, &text, &n)) return nullptr;
    if (Recorder* r = context().recorder) r->output(stream, exec::now_ns(), {text, static_cast<std::size_t>(n)});
    Py_RETURN_NONE;
}

std::function<void(std::optional<int>)>& leaving() {
    static auto* told = new std::function<void(std::optional<int>)>;  // os._exit may come from any thread at the end
    return *told;
}

// leave(status): os._exit is about to end the process; None: os.execv is about to replace it.
PyObject* leave(PyObject*, PyObject* status) {
    std::optional<int> code;
    if (status != Py_None) {
        code = static_cast<int>(PyLong_AsLong(status));
        if (PyErr_Occurred()) return nullptr;
    }
    if (leaving()) {
        Py_BEGIN_ALLOW_THREADS;
        leaving()(code);
        Py_END_ALLOW_THREADS;
    }
    Py_RETURN_NONE;
}

PyObject* set_threads(PyObject*, PyObject* n) {
    const long v = PyLong_AsLong(n);
    if (v == -1 && PyErr_Occurred()) return nullptr;
    cpu::set_thread_count(static_cast<int>(v));
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {{"set_device", set_device, METH_O, nullptr},
                           {"effective_mode", effective_mode, METH_O, nullptr},
                           {"jit_is_on", jit_is_on, METH_NOARGS, nullptr},
                           {"set_seed", set_seed, METH_O, nullptr},
                           {"push_scope", push_scope, METH_O, nullptr},
                           {"pop_scope", pop_scope, METH_O, nullptr},
                           {"begin_optimizer", begin_optimizer, METH_NOARGS, nullptr},
                           {"end_optimizer", end_optimizer, METH_O, nullptr},
                           {"count_step", count_step, METH_NOARGS, nullptr},
                           {"recording", recording, METH_NOARGS, nullptr},
                           {"finding", finding, METH_VARARGS, nullptr},
                           {"refuse_shape", refuse_shape, METH_VARARGS, nullptr},
                           {"output", output, METH_VARARGS, nullptr},
                           {"leave", leave, METH_O, nullptr},
                           {"set_threads", set_threads, METH_O, nullptr},
                           {}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_fusescope",
                          "The engine under the mindspore package.",
                          -1,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

PyObject* make_module() {
    Ref module(PyModule_Create(&definition));
    if (!module) return nullptr;
    return guarded<PyObject*>(nullptr, [&]() -> PyObject* {
        if (!add_dtypes(module.get()) || !add_tensor_type(module.get()) || !add_op_functions(module.get()) ||
            !add_autodiff(module.get()) || !add_guards(module.get()) || !add_tracing(module.get()) ||
            !add_runtime(module.get()) || !add_debugging(module.get())) {
            return nullptr;
        }
        return module.release();
    });
}

}  // namespace

Context& context() noexcept {
    the_context->take_turn();
    return *the_context;
}

bool add_runtime(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

void register_module(Context& c) {
    the_context = &c;
    PyImport_AppendInittab("_fusescope", make_module);
}

void set_leaving(std::function<void(std::optional<int>)> told) { leaving() = std::move(told); }

void allow_jit(bool allowed) { jit_allowed = allowed; }

void force_mode_and_device(const std::string& mode, const std::string& device) {
    forced_mode = mode;
    forced_device = device;
    if (device != "script") {
        context().device = device == "cpu"      ? DeviceKind::cpu
                           : device == "ascend" ? device_named("Ascend")
                                                : DeviceKind::ascend_model;
        context().update();
    }
}

}  // namespace fusescope::python
