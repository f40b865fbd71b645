#include "engine/python/host.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "engine/debug/session.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/memory_watch.hpp"
#include "engine/exec/producers.hpp"
#include "engine/python/object.hpp"
#include "engine/python/runtime.hpp"
#include "engine/python/script_debugger.hpp"

namespace fusescope::python {
namespace {

namespace fs = std::filesystem;

// Where the mindspore package is: beside an installed program (../share/fusescope/python), else in the source tree.
std::string package_directory() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&run_script), &info) && info.dli_fname) {
        std::error_code e;
        const fs::path library = fs::canonical(info.dli_fname, e).parent_path();
        for (const fs::path& up : {library / "..", library / ".." / ".."}) {
            const fs::path candidate = up / "share" / "fusescope" / "python";
            if (fs::exists(candidate / "mindspore" / "__init__.py", e)) return fs::canonical(candidate, e).string();
        }
    }
    return FUSESCOPE_PYTHON_SOURCES;
}

void check(PyStatus status) {
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);
}

// The interpreter as /usr/bin/python3 would set itself up.
void start_interpreter(const ScriptOptions& options) {
    PyPreConfig pre;
    PyPreConfig_InitPythonConfig(&pre);
    check(Py_PreInitialize(&pre));
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.install_signal_handlers = 1;
    // Found by name, so that sys.executable, sys.prefix and the site directories are the system Python's.
    check(PyConfig_SetBytesString(&config, &config.program_name, FUSESCOPE_PYTHON_EXECUTABLE));
    std::vector<std::string> argv{options.script};
    argv.insert(argv.end(), options.args.begin(), options.args.end());
    std::vector<char*> raw;
    for (std::string& a : argv) raw.push_back(a.data());
    check(PyConfig_SetBytesArgv(&config, static_cast<Py_ssize_t>(raw.size()), raw.data()));
    check(Py_InitializeFromConfig(&config));
    PyConfig_Clear(&config);
}

// Appended, so that a script's own modules come first; but there is only one mindspore here.
bool add_package_path(const std::string& directory) {
    Ref path(PyUnicode_DecodeFSDefault(directory.c_str()));
    PyObject* sys_path = PySys_GetObject("path");
    return path && sys_path && PyList_Insert(sys_path, 0, path.get()) == 0;
}

// sys.path[0] is the script's directory, as python3 has it.
bool add_script_path(const std::string& script) {
    std::error_code e;
    const fs::path resolved = fs::canonical(script, e);
    const std::string directory = (e ? fs::absolute(script) : resolved).parent_path().string();
    return add_package_path(directory);
}

// As python3 prints it, but without the frames of the mindspore package. FUSESCOPE_FULL_TRACEBACK=1 keeps them.
void print_error() {
    if (!std::getenv("FUSESCOPE_FULL_TRACEBACK")) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_NormalizeException(&type, &value, &traceback);
        if (traceback) PyException_SetTraceback(value, traceback);
        Py_XDECREF(traceback);
        Ref host(PyImport_ImportModule("_fusescope_host"));
        Ref done(host ? PyObject_CallMethod(host.get(), "without_package", "O", value) : nullptr);
        if (!done) PyErr_Clear();
        traceback = PyException_GetTraceback(value);
        PyErr_Restore(type, value, traceback);
    }
    PyErr_Print();
}

// Status of the exception that is set, as python3 would exit with; prints what python3 would print.
ScriptResult ended_by_exception(ScriptDebugger* debugger) {
    ScriptResult r;
    if (PyErr_ExceptionMatches(PyExc_SystemExit)) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_NormalizeException(&type, &value, &traceback);
        Ref code(value ? PyObject_GetAttrString(value, "code") : nullptr);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        if (!code || code.get() == Py_None) return r;
        if (PyLong_Check(code.get())) {
            r.exit_status = static_cast<int>(PyLong_AsLong(code.get())) & 0xff;
            return r;
        }
        PyObject* err = PySys_GetObject("stderr");
        if (err) PyFile_WriteObject(code.get(), err, Py_PRINT_RAW);
        PySys_WriteStderr("\n");
        r.exit_status = 1;
        return r;
    }
    r.raised = true;
    if (debugger) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_NormalizeException(&type, &value, &traceback);
        if (traceback) PyException_SetTraceback(value, traceback);
        debugger->uncaught(value);
        PyErr_Restore(type, value, traceback);
    }
    r.exit_status = 1;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
        r.interrupted = true;
        r.exit_status = 130;
    }
    print_error();
    return r;
}

// The script's code runs here and not inside a Python function of ours, so that a traceback begins at the script.
ScriptResult run_main(const ScriptOptions& options) {
    Ref host(PyImport_ImportModule("_fusescope_host"));
    if (!host) {
        PyErr_Print();
        return {1, true, false};
    }
    ScriptResult result;
    Ref code(PyObject_CallMethod(host.get(), "load", "sOO", options.script.c_str(),
                                 options.recorder ? Py_True : Py_False, options.repeatable ? Py_True : Py_False));
    if (code) {
        PyObject* main = PyImport_AddModule("__main__");  // borrowed
        PyObject* names = main ? PyModule_GetDict(main) : nullptr;
        Ref done(names ? PyEval_EvalCode(code.get(), names, names) : nullptr);
        if (!done) result = ended_by_exception(options.debugger);
    } else {
        // A syntax error is shown without the frames of the loader.
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        Py_XDECREF(traceback);
        PyErr_Restore(type, value, nullptr);
        result = ended_by_exception(options.debugger);
    }
    // What still waits in graph mode belongs to the program's end.
    Ref flushed(PyObject_CallMethod(host.get(), "finish", nullptr));
    if (!flushed) {
        const ScriptResult late = ended_by_exception(options.debugger);
        if (result.exit_status == 0) result = late;
    }
    return result;
}

void add_tensors(PyObject* o, std::vector<Tensor>& left) {
    if (is_tensor(o)) left.push_back(tensor_of(o));
}

// What the script's own variables hold at its end, in lists and tuples too.
std::vector<Tensor> tensors_left() {
    std::vector<Tensor> left;
    PyObject* main = PyImport_AddModule("__main__");  // borrowed
    PyObject *name, *value;
    for (Py_ssize_t at = 0; main && PyDict_Next(PyModule_GetDict(main), &at, &name, &value);) {
        add_tensors(value, left);
        if (!PyList_Check(value) && !PyTuple_Check(value)) continue;
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i) {
            add_tensors(PySequence_Fast_GET_ITEM(value, i), left);
        }
    }
    return left;
}

}  // namespace

ScriptResult run_script(const ScriptOptions& options) {
    static Context* context = new Context;  // outlives the interpreter and every handle in it
    Context::share(context);
    register_module(*context);
    start_interpreter(options);
    context->site = &current_frame;
    context->between_turns = [] {
        if (PyErr_CheckSignals() != 0) throw PythonError{};
    };
    context->line_of = &line_of_frame;
    context->passes = options.passes;
    if (options.recorder) {
        context->recorder = options.recorder;
        context->watch = options.watch;
        static exec::Producers producers;
        if (options.watch != Watch::off) context->producers = &producers;
        exec::announce_kinds(*options.recorder);
        attach_frames(options.recorder);
        exec::watch_memory(options.recorder);
    }
    std::unique_ptr<debug::Session> session;
    if (options.debugger) {
        user_error_raised = [debugger = options.debugger](const std::string& m) { debugger->user_error(m); };
    } else if (options.recorder && looks_for_births(options.watch)) {
        session = std::make_unique<debug::Session>(*context, debug::kRecordingLimits);
    }
    context->update();
    const std::string package = package_directory();
    set_package_path(package);
    ScriptResult result;
    if (!add_package_path(package) || !add_script_path(options.script)) {
        PyErr_Print();
        result = {1, true, false};
    } else {
        force_mode_and_device(options.mode, options.device);
        allow_jit(options.jit);
        set_leaving(options.leaving);
        if (options.started) options.started();
        if (options.debugger) options.debugger->attach(*context);
        result = run_main(options);
    }
    if (session) session->program_ended(tensors_left());
    if (options.debugger) {
        options.debugger->program_ended(tensors_left());
        options.debugger->detach();
        user_error_raised = nullptr;
    }
    // Objects of the script that live in cycles are finalised here; the recorder still listens to what they print.
    const int flush_status = Py_FinalizeEx();
    if (flush_status < 0 && result.exit_status == 0) result.exit_status = 120;
    context->recorder = nullptr;
    context->producers = nullptr;
    exec::watch_memory(nullptr);
    context->update();
    return result;
}

}  // namespace fusescope::python
