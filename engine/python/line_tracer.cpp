#include "engine/python/line_tracer.hpp"
// clang-format off
#include <frameobject.h>  // after Python.h
// clang-format on
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>  // the line of a frame
#undef Py_BUILD_CORE
#include <opcode.h>

#include <algorithm>
#include <thread>

#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

constexpr int kSuspends = CO_GENERATOR | CO_COROUTINE | CO_ITERABLE_COROUTINE | CO_ASYNC_GENERATOR;

/// An instruction of a frame as the compiler wrote it: the one that it is at, or one near that.
struct Instruction {
    int opcode = 0, operand = 0;
};
Instruction instruction_at(_frame* frame, int offset = 0) {
    const Py_ssize_t at = (_PyInterpreterFrame_LASTI(frame->f_frame) + offset) * 2;
    Ref code(PyCode_GetCode(frame->f_frame->f_code));
    if (!code) PyErr_Clear();
    if (!code || at < 0 || at + 1 >= PyBytes_GET_SIZE(code.get())) return {};
    const auto* bytes = reinterpret_cast<const unsigned char*>(PyBytes_AS_STRING(code.get()));
    return {bytes[at], bytes[at + 1]};
}

int call_trace(PyObject* self, _frame* frame, int what, PyObject* arg) {
    return static_cast<LineTracer*>(PyCapsule_GetPointer(self, nullptr))->trace(frame, what, arg);
}

_frame* first_user_frame(_frame* frame) {
    while (frame && is_package_code(frame->f_frame->f_code)) {
        _frame* back = PyFrame_GetBack(frame);
        Py_XDECREF(back);  // the running frame keeps its callers alive
        frame = back;
    }
    return frame;
}

_frame* caller_of(_frame* frame) {
    _frame* back = PyFrame_GetBack(frame);
    Py_XDECREF(back);
    return first_user_frame(back);
}

}  // namespace

_frame* LineTracer::user_frame() { return first_user_frame(PyEval_GetFrame()); }

void LineTracer::set_raised(bool on) {
    raised_.store(on, std::memory_order_relaxed);
    request_tracing();
}

void LineTracer::pause(bool entry) {
    entry_.store(entry, std::memory_order_relaxed);
    pause_.store(true, std::memory_order_relaxed);
    request_tracing();
}

// Compiled-in conditions and breakpoint() come from any thread, and only one is debugged.
bool LineTracer::passes_over() {
    if (PyThread_get_thread_ident() == thread_) return false;
    if (!stopped_ && !std::exchange(said_threads_, true)) {
        say_("A breakpoint in another thread was passed over: only the main thread stops.\n");
    }
    return true;
}

void LineTracer::check_reached(int number) {
    PointRef point;
    int line = 0;
    {
        const std::scoped_lock lock(mutex_);
        if (number < 0 || number >= static_cast<int>(checks_.size()) || stopped_) return;
        point = checks_[static_cast<std::size_t>(number)].point;
        line = checks_[static_cast<std::size_t>(number)].line;
    }
    if (!point || passes_over()) return;
    _frame* const frame = PyEval_GetFrame();
    if (std::exchange(stopped_frame_, nullptr) == frame && stopped_line_ == line) return;
    if (!frame) return;
    const std::uint64_t hit = ++point->hits;
    debug::Stop s;
    if ((point->counts && !point->counts(hit)) || !stop_at(frame, *point, s)) return;
    still_at(frame, line);
    stop(s);
}

void LineTracer::stop_here() {
    if (!passes_over() && !evaluating_) stop({debug::StopReason::breakpoint, "breakpoint()", {}, {}});
}

void LineTracer::script_traces(bool on) {
    script_traces_ = on;
    if (on && !std::exchange(said_script_traces_, true)) {
        say_("The script traces itself (sys.settrace): lines do not stop until it ends that.\n");
    }
    if (!on) resume_tracing();
}

void LineTracer::check_failed(int number) {
    PointRef point;
    {
        const std::scoped_lock lock(mutex_);
        if (number < 0 || number >= static_cast<int>(checks_.size()) || stopped_) return;
        point = checks_[static_cast<std::size_t>(number)].point;
    }
    PyObject *type, *value, *traceback;
    PyErr_GetExcInfo(&type, &value, &traceback);
    PyErr_Restore(type, value, traceback);
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) return;  // the program's, that was on its way
    if (!point || passes_over() || std::exchange(point->condition.failed, true)) return PyErr_Clear();
    say_failure("the condition '" + point->condition.text + "' raised");
    debug::Stop s;
    if (stop_at(PyEval_GetFrame(), *point, s)) stop(s);
}

bool LineTracer::wants_tracing() const {
    if (mode_ != Mode::run || raised_.load() || pause_.load() || stopped_frame_) return true;
    const std::scoped_lock lock(mutex_);
    return !by_path_.empty() || !functions_.empty();
}

int LineTracer::enable_pending(void* self) {
    auto* tracer = static_cast<LineTracer*>(self);
    if (!tracer->attached_.load()) return 0;
    tracer->resume_tracing();
    return tracer->stop_in_a_line();
}

// A loop of one instruction (`while True: pass`) never begins a line: a pause stops in the middle of it.
int LineTracer::stop_in_a_line() {
    _frame* frame = PyEval_GetFrame();
    if (stopped_ || evaluating_ || !frame || !pause_.load(std::memory_order_relaxed) || entry_.load() ||
        in_library(frame)) {
        return 0;
    }
    debug::Stop s;
    s.reason = debug::StopReason::pause;
    stopped_frame_ = nullptr;
    stop(s);
    return PyErr_Occurred() ? -1 : 0;
}

// Any thread may ask; the interpreter does it between two of its instructions.
void LineTracer::request_tracing() {
    const std::scoped_lock lock(nudging_);
    if (!attached_.load()) return;
    Py_AddPendingCall(&enable_pending, this);
    // Python 3.11 tells its main thread of a pending call only when another thread wants the GIL. Wanting it may take
    // as long as the program is stopped, so that is left to a thread of its own.
    begin_thread(nullptr);
}

bool LineTracer::in_python(std::function<void()> work) {
    const std::scoped_lock lock(nudging_);
    return attached_.load() && begin_thread(std::move(work));
}

bool LineTracer::begin_thread(std::function<void()> work) {
    try {
        std::thread([this, work = std::move(work)] {
            const PyGILState_STATE state = PyGILState_Ensure();
            if (work) work();
            PyGILState_Release(state);
            const std::scoped_lock done(nudging_);
            --nudges_;
            nudged_.notify_all();
        }).detach();
        ++nudges_;
        return true;
    } catch (const std::system_error&) {
        return false;  // the interpreter looks when another of its threads wants it
    }
}

void LineTracer::resume_tracing() {
    if (script_traces_) return;
    if (!wants_tracing()) {
        PyEval_SetTrace(nullptr, nullptr);
        return;
    }
    if (!capsule_) capsule_ = PyCapsule_New(this, nullptr, nullptr);
    PyEval_SetTrace(&call_trace, capsule_);
}

void LineTracer::attach() {
    thread_ = PyThread_get_thread_ident();
    attached_.store(true);
    resume_tracing();
}

void LineTracer::detach() {
    last_raised_ = Ref();
    if (!script_traces_) PyEval_SetTrace(nullptr, nullptr);
    // Who wants the GIL still gets it while there is an interpreter.
    Py_BEGIN_ALLOW_THREADS;
    std::unique_lock lock(nudging_);
    attached_.store(false);
    nudged_.wait(lock, [&] { return nudges_ == 0; });
    lock.unlock();
    Py_END_ALLOW_THREADS;
}

void LineTracer::detach_in_child() {
    attached_.store(false);
    if (!script_traces_) PyEval_SetTrace(nullptr, nullptr);
}

void LineTracer::resume(debug::Resume how) {
    _frame* here = first_user_frame(PyEval_GetFrame());
    mode_ = Mode::run;
    step_frame_ = nullptr;
    switch (how) {
        case debug::Resume::over:
            mode_ = Mode::in_frame;
            step_frame_ = here;
            break;
        case debug::Resume::in:
            mode_ = Mode::line;
            break;
        case debug::Resume::out:
            step_frame_ = here ? caller_of(here) : nullptr;
            if (step_frame_) mode_ = Mode::in_frame;
            break;
        case debug::Resume::ended:
            forget();
            break;
        default:
            break;
    }
    resume_tracing();
}

LineTracer::Code& LineTracer::code_of(PyCodeObject* code) {
    const std::uint64_t version = version_.load(std::memory_order_acquire);
    if (code == last_code_ && last_->version == version) return *last_;
    auto [at, fresh] = codes_.try_emplace(code);
    Code& c = at->second;
    if (fresh) {
        Py_INCREF(code);  // its address stays its own
        c.package = is_package_code(code);
        const std::string path = text_of(code->co_filename);
        // Code that packages make as they run has no file either; whose it is, whoever runs it tells.
        const bool plain = path == "<stdin>" || path == "<string>";
        c.made = !libraries_.empty() && path == "<string>";
        c.library = !libraries_.empty() && ((path.starts_with('<') && !plain) ||
                                            std::any_of(libraries_.begin(), libraries_.end(),
                                                        [&](const auto& f) { return path.starts_with(f); }));
    }
    if (c.version != version) {
        c.version = version;
        c.lines.clear();
        const std::scoped_lock lock(mutex_);
        if (!c.package && !by_path_.empty()) {
            const auto points = by_path_.find(real_path(text_of(code->co_filename)));
            if (points != by_path_.end()) c.lines = points->second;
        }
    }
    last_code_ = code;
    last_ = &c;
    return c;
}

// Whether nobody steps here: a library's code, or code without a file that a library runs.
bool LineTracer::in_library(_frame* frame) {
    while (frame) {
        const Code& code = code_of(frame->f_frame->f_code);
        if (code.library || code.package) return true;
        if (!code.made) return false;
        _frame* back = PyFrame_GetBack(frame);
        Py_XDECREF(back);
        frame = back;
    }
    return true;  // nobody of the program's own runs it
}

int LineTracer::trace(_frame* frame, int what, PyObject* arg) {
    if (stopped_) return 0;
    evaluating_ = true;  // conditions run Python
    int result = 0;
    try {
        result = traced(frame, what, arg);
    } catch (const std::exception& e) {
        // The interpreter, which called us, knows no C++ exceptions; the program is not to blame.
        say_(std::string("The debugger failed at a line: ") + e.what() + "\n");
    }
    evaluating_ = false;
    return result;
}

int LineTracer::traced(_frame* frame, int what, PyObject* arg) {
    switch (what) {
        case PyTrace_LINE: {
            const Code& code = code_of(frame->f_frame->f_code);
            if (code.package) return 0;
            const bool waits = mode_ != Mode::run || pause_.load(std::memory_order_relaxed) || stopped_frame_;
            if (code.lines.empty() && (!waits || code.library)) return 0;
            on_line(frame, frame->f_lineno ? frame->f_lineno : PyFrame_GetLineNumber(frame));
            break;
        }
        case PyTrace_CALL:
            if (has_functions_.load(std::memory_order_relaxed)) on_call(frame);
            break;
        case PyTrace_RETURN:
            if (frame == step_frame_) on_return(frame);
            break;
        case PyTrace_EXCEPTION:
            if (raised_.load(std::memory_order_relaxed)) on_exception(frame, arg);
            break;
        default:
            break;
    }
    return PyErr_Occurred() ? -1 : 0;
}

void LineTracer::stop(const debug::Stop& s) {
    if (stopped_) return;
    mode_ = Mode::run;
    step_frame_ = nullptr;
    pause_.store(false, std::memory_order_relaxed);
    untraced([&] {
        stop_(s);
        return true;
    });
}

// True when the frame is further on in the line that it was in before; notes where it is.
bool LineTracer::still_at(_frame* frame, int line) {
    const int at = _PyInterpreterFrame_LASTI(frame->f_frame);
    const bool still =
        std::exchange(line_frame_, frame) == frame && std::exchange(line_, line) == line && at > line_at_;
    line_ = line;
    line_at_ = at;
    return still;
}

void LineTracer::on_line(_frame* frame, int line) {
    if (still_at(frame, line)) return;
    debug::Stop s;
    bool wanted = false;
    const std::vector<PointRef> lines = code_of(frame->f_frame->f_code).lines;
    for (const PointRef& p : lines) {
        if (p->line != line || !reached(frame, *p)) continue;
        wanted = stop_at(frame, *p, s) || wanted;
    }
    const bool library = in_library(frame);
    if (!wanted && !library && pause_.load(std::memory_order_relaxed)) {
        s.reason = entry_.exchange(false) ? debug::StopReason::entry : debug::StopReason::pause;
        wanted = true;
    }
    if (!wanted && !library && (mode_ == Mode::line || (mode_ == Mode::in_frame && frame == step_frame_))) {
        s.reason = debug::StopReason::step;
        wanted = true;
    }
    // A check compiled into the line may follow. Its condition may not hold, so it is the next line that ends the wait.
    const bool waited = std::exchange(stopped_frame_, wanted ? frame : nullptr) != nullptr;
    stopped_line_ = line;
    if (wanted) {
        stop(s);
    } else if (waited && !wants_tracing()) {
        resume_tracing();
    }
}

// Whether a call is a generator's or coroutine's that goes on behind a yield or await.
bool LineTracer::goes_on(_frame* frame) {
    PyCodeObject* code = frame->f_frame->f_code;
    if (!(code->co_flags & kSuspends)) return false;
    const Instruction at = instruction_at(frame);
    return at.opcode == RESUME && at.operand != 0;
}

void LineTracer::on_call(_frame* frame) {
    PyCodeObject* code = frame->f_frame->f_code;
    if (in_library(frame) || goes_on(frame)) return;
    std::vector<PointRef> functions;
    {
        const std::scoped_lock lock(mutex_);
        functions = functions_;
    }
    const std::string name = text_of(code->co_name), qualified = text_of(code->co_qualname);
    for (const PointRef& p : functions) {
        if (p->function != name && p->function != qualified) continue;
        if (!reached(frame, *p)) continue;
        stop({debug::StopReason::function_breakpoint, "in " + qualified, {}, {p->id}});
        return;
    }
}

// A function that ends while it is stepped through: its caller is stepped through from here. A coroutine that only
// waits comes back, and is stepped through further.
void LineTracer::on_return(_frame* frame) {
    constexpr int kCoroutine = CO_COROUTINE | CO_ITERABLE_COROUTINE | CO_ASYNC_GENERATOR;
    if ((frame->f_frame->f_code->co_flags & kCoroutine) && instruction_at(frame).opcode == YIELD_VALUE &&
        instruction_at(frame, -1).opcode != ASYNC_GEN_WRAP) {
        return;
    }
    step_frame_ = caller_of(frame);
    if (!step_frame_) mode_ = Mode::run;
}

void LineTracer::on_exception(_frame* frame, PyObject* arg) {
    if (!PyTuple_Check(arg) || PyTuple_GET_SIZE(arg) < 2 || in_library(frame)) return;
    PyObject* type = PyTuple_GET_ITEM(arg, 0);
    // How loops end is nobody's fault.
    if (PyErr_GivenExceptionMatches(type, PyExc_StopIteration) ||
        PyErr_GivenExceptionMatches(type, PyExc_GeneratorExit)) {
        return;
    }
    PyObject* value = PyTuple_GET_ITEM(arg, 1);
    // Each frame that it passes through is told; the first was enough.
    if (value == last_raised_.get()) return;
    last_raised_ = Ref::borrow(value);
    exception_ = value;
    PyObject *saved_type, *saved_value, *saved_traceback;
    PyErr_Fetch(&saved_type, &saved_value, &saved_traceback);
    Ref text(PyObject_Str(value));
    if (!text) PyErr_Clear();
    stop({debug::StopReason::exception,
          std::string(reinterpret_cast<PyTypeObject*>(type)->tp_name) + " raised",
          text ? text_of(text.get()) : std::string(),
          {}});
    PyErr_Restore(saved_type, saved_value, saved_traceback);
    exception_ = nullptr;
}

}  // namespace fusescope::python
