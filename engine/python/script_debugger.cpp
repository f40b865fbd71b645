#include "engine/python/script_debugger.hpp"

#include "engine/ir/op_def.hpp"
#include "engine/python/script_question.hpp"

namespace fusescope::python {
namespace {

using debug::Answer;

/// Frames that no Python frame stands for have numbers from here on.
constexpr int kPlainFrames = 1'000'000;

debug::Variable variable_from(PyObject* tuple) {
    debug::Variable v;
    const auto text = [&](Py_ssize_t i) { return text_of(PyTuple_GET_ITEM(tuple, i)); };
    const auto number = [&](Py_ssize_t i) { return static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(tuple, i))); };
    v.name = text(0);
    v.value = text(1);
    v.type = text(2);
    v.evaluate_name = text(3);
    v.reference = number(4);
    v.named = number(5);
    v.indexed = number(6);
    return v;
}

std::string type_text(const TensorType& t) { return std::string(name_of(t.dtype)) + to_string(t.shape); }

void add_pair(PyObject* list, const std::string& name, PyObject* value) {
    Ref owned(value);
    if (!owned) throw Failed{taken_error()};
    Ref pair = good(Py_BuildValue("(sO)", name.c_str(), owned.get()));
    if (PyList_Append(list, pair.get()) != 0) throw Failed{taken_error()};
}

// An op's operands, attributes and results as named values.
Ref listed(const debug::ShownOp& s) {
    Ref list = good(PyList_New(0));
    const auto& operands = s.op->schema.operands;
    for (std::size_t i = 0; i < s.inputs.size(); ++i) {
        std::string name = i < operands.size() ? operands[i].name : operands.back().name;
        if (!operands.empty() && operands.back().kind == OperandKind::list && i + 1 >= operands.size()) {
            name = operands.back().name + "[" + std::to_string(i + 1 - operands.size()) + "]";
        }
        add_pair(list.get(), name, s.inputs[i].defined() ? wrap(s.inputs[i]) : string("None, or not kept"));
    }
    for (std::size_t i = 0; i < s.attrs.size(); ++i) {
        add_pair(list.get(), s.op->schema.attributes[i].name, string(to_ir_text(s.attrs[i])));
    }
    const std::size_t results = s.result_types.size();
    for (std::size_t i = 0; i < results; ++i) {
        const std::string name = results == 1 ? "result" : "result[" + std::to_string(i) + "]";
        const bool ran = i < s.outputs.size() && s.outputs[i].defined();
        add_pair(list.get(), name, ran ? wrap(s.outputs[i]) : string(type_text(s.result_types[i])));
    }
    const std::string scope = scope_path(s.scope);
    if (!scope.empty()) add_pair(list.get(), "scope", string(scope));
    add_pair(list.get(), "phase", string(name_of(s.phase)));
    add_pair(list.get(), "step", PyLong_FromUnsignedLong(s.step));
    return list;
}

}  // namespace

ScriptDebugger::ScriptDebugger(debug::StopListener& listener, debug::HistoryLimits limits)
    : limits_(limits), control_(listener) {
    tracer_ = std::make_unique<LineTracer>([this](const debug::Stop& s) { stop(s); },
                                           [this](const std::string& text) { control_.listener().said(text); });
}
ScriptDebugger::~ScriptDebugger() = default;

void ScriptDebugger::start(bool at_entry) {
    at_entry_.store(at_entry);
    control_.resume(debug::Resume::run);
}

void ScriptDebugger::let_go() {
    control_.let_go();
    // What nobody hears of any more costs nothing either.
    tracer_->forget();
    with_debugger([](debug::Debugger& d) {
        d.set_op_breakpoints({});
        d.set_watchpoints({});
        d.stop_at_births(false, false);
    });
}

void ScriptDebugger::attach(Context& context) {
    context_ = &context;
    debugger_ = std::make_unique<debug::Debugger>(context, limits_, control_);
    if (observed) interruption_.attach();
    debugger_->stopping = [this] { tracer_->end_pause(); };
    debugger_->resumed = [this](debug::Resume how) {
        inside_->fresh = true;
        tracer_->resume(how);
    };
    debugger_->breaks_at = [this](FrameId frame) {
        const std::vector<PlainFrame> frames = frames_of(frame);
        return !frames.empty() && tracer_->stands_at(frames[0].path, frames[0].line);
    };
    inside_ = std::make_unique<Inside>();
    Ref module(PyImport_ImportModule("_fusescope_debug"));
    if (module) inside_->inspector = Ref(PyObject_CallMethod(module.get(), "Inspector", nullptr));
    if (!inside_->inspector) PyErr_Print();
    Ref breakpoints(PyImport_ImportModule("_fusescope_breakpoints"));
    if (!breakpoints) PyErr_Print();
    Ref folders(breakpoints && !step_into_libraries ? PyObject_CallMethod(breakpoints.get(), "library_folders", nullptr)
                                                    : nullptr);
    if (folders) {
        std::vector<std::string> list;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(folders.get()); ++i) {
            list.push_back(text_of(PyList_GET_ITEM(folders.get(), i)));
        }
        tracer_->set_libraries(std::move(list));
    }
    PyErr_Clear();
    control_.wait_for_start([this] {
        if (ready) ready();
    });
    set_tracer(tracer_.get(), [this] { leave_to_child(); });
    Ref shared(breakpoints && observed ? PyObject_CallMethod(breakpoints.get(), "share_hooks", nullptr) : nullptr);
    if (PyErr_Occurred()) PyErr_Print();
    Ref host(PyImport_ImportModule("_fusescope_host"));
    Ref with_checks(breakpoints ? PyObject_GetAttrString(breakpoints.get(), "with_checks") : nullptr);
    Ref done(host && with_checks ? PyObject_CallMethod(host.get(), "compile_with", "O", with_checks.get()) : nullptr);
    if (!done) PyErr_Print();
    tracer_->attach();
    if (at_entry_.load()) tracer_->pause(true);
}

void ScriptDebugger::stop(const debug::Stop& s) {
    if (control_.is_answering()) return;  // what was shown is still there
    inside_->fresh = true;
    debugger_->stop(s);
}

void ScriptDebugger::detach() {
    control_.let_go();
    set_tracer(nullptr, nullptr);
    tracer_->detach();
    inside_.reset();
    const std::scoped_lock lock(life_);
    debugger_.reset();
}

void ScriptDebugger::leave_to_child() {
    control_.let_go();
    tracer_->detach_in_child();
    set_tracer(nullptr, nullptr);
    debugger_->set_op_breakpoints({});
    debugger_->set_watchpoints({});
    debugger_->stop_at_births(false, false);
    if (forked) forked();
}

void ScriptDebugger::program_ended(std::span<const Tensor> left) { debugger_->program_ended(left); }

void ScriptDebugger::uncaught(void* value) {
    if (!stop_at_uncaught_.load()) return;
    inside_->uncaught = static_cast<PyObject*>(value);
    const std::string text = tracer_->untraced([&] {
        Ref string(PyObject_Str(inside_->uncaught));  // may be the program's own
        return text_of(string.get());
    });
    stop(
        {debug::StopReason::exception, std::string(Py_TYPE(inside_->uncaught)->tp_name) + " was not caught", text, {}});
    inside_->uncaught = nullptr;
}

void ScriptDebugger::user_error(const std::string& message) {
    if (!stop_at_user_errors_.load()) return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    stop({debug::StopReason::exception, message.substr(0, message.find('\n')), message, {}});
    PyErr_Restore(type, value, traceback);
}

void ScriptDebugger::set_exception_filters(const debug::ExceptionFilters& f) {
    tracer_->set_raised(f.raised);
    stop_at_uncaught_.store(f.uncaught);
    stop_at_user_errors_.store(f.user_error);
    with_debugger([&](debug::Debugger& d) { d.stop_at_births(f.nan, f.inf); });
}

void ScriptDebugger::pause() {
    if (control_.is_stopped()) return;
    tracer_->pause();
    with_debugger([](debug::Debugger& d) { d.pause(); });
}

bool ScriptDebugger::resume(debug::Resume how) {
    if (control_.is_stopped()) {  // a pause that came as it stopped has what it wanted
        tracer_->end_pause();
        with_debugger([](debug::Debugger& d) { d.end_pause(); });
    }
    return control_.resume(how);
}

bool ScriptDebugger::go_to_birth_of(std::size_t input) {
    const Answer<bool> found = ask<bool>([&] { return debugger_->go_to_birth_of(input); });
    return found.value.value_or(false) && resume(debug::Resume::back);
}

Answer<std::vector<debug::ThreadInfo>> ScriptDebugger::threads() {
    return ask<std::vector<debug::ThreadInfo>>([&] { return std::vector<debug::ThreadInfo>{{1, "main"}}; });
}

Answer<std::vector<debug::StackFrame>> ScriptDebugger::stack() {
    return ask<std::vector<debug::StackFrame>>([&] {
        std::vector<debug::StackFrame> frames;
        const debug::ShownOp* shown = debugger_->shown();
        const bool past = debugger_->in_the_past();
        if (shown && (past || shown->in_graph)) {
            int id = kPlainFrames;
            for (const PlainFrame& f : frames_of(shown->frame)) {
                const bool first = id == kPlainFrames;
                const std::string name = first ? f.function + " · " + shown->op->name() : f.function;
                frames.push_back({id++, name, f.path, f.line, true});
                // The program's own frames follow; of the past there are only these.
                if (!past) break;
            }
            if (frames.empty()) frames.push_back({id, shown->op->name(), {}, 0, true});
            if (past) return frames;
        }
        Ref list = good(PyObject_CallMethod(inside_->inspector.get(), "stack", "O",
                                            inside_->uncaught ? inside_->uncaught : Py_None));
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i) {
            PyObject* t = PyList_GET_ITEM(list.get(), i);
            frames.push_back({static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(t, 0))), text_of(PyTuple_GET_ITEM(t, 1)),
                              text_of(PyTuple_GET_ITEM(t, 2)), static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(t, 3))),
                              false});
        }
        return frames;
    });
}

Answer<std::vector<debug::Scope>> ScriptDebugger::scopes(int frame) {
    return ask<std::vector<debug::Scope>>([&] {
        std::vector<debug::Scope> scopes;
        const auto add = [&](const std::string& name, const debug::ShownOp& op) {
            Ref number = good(PyObject_CallMethod(inside_->inspector.get(), "listed", "N", listed(op).release()));
            scopes.push_back({name, static_cast<int>(PyLong_AsLong(number.get())), false});
        };
        const bool top = frame == 1 || frame == kPlainFrames;
        if (const debug::ShownOp* shown = top ? debugger_->shown() : nullptr) add("Op " + shown->op->name(), *shown);
        if (frame < kPlainFrames) {
            Ref list = good(PyObject_CallMethod(inside_->inspector.get(), "scopes", "i", frame));
            for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i) {
                PyObject* t = PyList_GET_ITEM(list.get(), i);
                scopes.push_back({text_of(PyTuple_GET_ITEM(t, 0)),
                                  static_cast<int>(PyLong_AsLong(PyTuple_GET_ITEM(t, 1))),
                                  PyTuple_GET_ITEM(t, 2) == Py_True});
            }
        }
        if (top && !debugger_->in_the_past()) {
            if (const OpDef* last = debugger_->last_op_kind()) {
                Ref none = good(PyList_New(0));
                Ref number = good(PyObject_CallMethod(inside_->inspector.get(), "listed", "O", none.get()));
                inside_->last_op = static_cast<int>(PyLong_AsLong(number.get()));
                scopes.push_back({"Last op " + last->name(), inside_->last_op, false});
            }
        }
        return scopes;
    });
}

Answer<std::vector<debug::Variable>> ScriptDebugger::variables(int reference, const std::string& filter, int start,
                                                               int count) {
    return ask<std::vector<debug::Variable>>([&] {
        if (reference != 0 && reference == inside_->last_op) {
            const auto last = debugger_->last_op();
            if (!last) throw Failed{"the op that ran last is not kept any more"};
            good(PyObject_CallMethod(inside_->inspector.get(), "fill", "iN", reference, listed(*last).release()));
            inside_->last_op = 0;  // from now on a value like any other
        }
        Ref list = good(
            PyObject_CallMethod(inside_->inspector.get(), "parts", "isii", reference, filter.c_str(), start, count));
        std::vector<debug::Variable> parts;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i) {
            parts.push_back(variable_from(PyList_GET_ITEM(list.get(), i)));
        }
        return parts;
    });
}

Answer<debug::Variable> ScriptDebugger::evaluate(const std::string& expression, int frame, const std::string& context) {
    return ask<debug::Variable>([&] {
        const debug::ShownOp* shown = debugger_->shown();
        Ref names = Ref::borrow(Py_None);
        if (frame >= kPlainFrames && shown) names = listed(*shown);
        Ref result = good(PyObject_CallMethod(inside_->inspector.get(), "evaluate", "sisO", expression.c_str(),
                                              frame < kPlainFrames ? frame : 0, context.c_str(), names.get()));
        return variable_from(result.get());
    });
}

Answer<debug::Variable> ScriptDebugger::set_variable(int reference, const std::string& name, const std::string& value) {
    return ask<debug::Variable>([&] {
        Ref result = good(
            PyObject_CallMethod(inside_->inspector.get(), "assign", "iss", reference, name.c_str(), value.c_str()));
        return variable_from(result.get());
    });
}

Answer<debug::StoredTensor> ScriptDebugger::store_tensor(int reference, const std::string& path) {
    return ask<debug::StoredTensor>([&] {
        Ref pair = good(PyObject_CallMethod(inside_->inspector.get(), "store", "is", reference, path.c_str()));
        return debug::StoredTensor{text_of(PyTuple_GET_ITEM(pair.get(), 0)), text_of(PyTuple_GET_ITEM(pair.get(), 1))};
    });
}

Answer<debug::ExceptionInfo> ScriptDebugger::exception() {
    return ask<debug::ExceptionInfo>([&] {
        PyObject* e = inside_->uncaught ? inside_->uncaught : tracer_->exception();
        if (!e) throw Failed{"the program has not stopped at an exception"};
        debug::ExceptionInfo info;
        info.type = Py_TYPE(e)->tp_name;
        Ref text(PyObject_Str(e));
        info.message = text_of(text.get());
        Ref module = good(PyImport_ImportModule("traceback"));
        Ref lines = good(PyObject_CallMethod(module.get(), "format_exception", "O", e));
        Ref empty = good(PyUnicode_FromString(""));
        Ref all = good(PyUnicode_Join(empty.get(), lines.get()));
        info.traceback = text_of(all.get());
        return info;
    });
}

}  // namespace fusescope::python
