#include "engine/python/line_tracer.hpp"
// clang-format off
#include <frameobject.h>  // after Python.h
// clang-format on
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>  // the line of a frame
#undef Py_BUILD_CORE
#include <opcode.h>
#include <pthread.h>

#include <algorithm>
#include <filesystem>

#include "engine/python/frame_expression.hpp"
#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

// Paths are compared as the file system names them: a debugger's client may know the script by a link.
std::string real_path(const std::string& path) {
    std::error_code e;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, e);
    return e ? path : real.string();
}

std::string text_of(PyObject* s) {
    const char* p = s ? PyUnicode_AsUTF8(s) : nullptr;
    if (!p) PyErr_Clear();
    return p ? p : "?";
}

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

void* want_gil(void*) {
    if (Py_IsInitialized()) PyGILState_Release(PyGILState_Ensure());
    return nullptr;
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

// Adds the point unless its hit condition is not understood.
debug::Placed LineTracer::add_point(std::vector<PointRef>& points, PointRef point, const std::string& hit_condition) {
    debug::Placed result{point->id, true, point->line, {}};
    try {
        point->counts = parse_hit_condition(hit_condition);
        points.push_back(std::move(point));
    } catch (const UserError& e) {
        result.verified = false;
        result.message = std::string(e.what()) + "; " + e.advice();
    }
    return result;
}

std::vector<debug::Placed> LineTracer::set_lines(const std::string& path, std::vector<debug::LineBreakpoint> lines) {
    std::vector<PointRef> points;
    std::vector<debug::Placed> placed;
    for (debug::LineBreakpoint& wanted : lines) {
        auto p = std::make_shared<Point>();
        p->id = wanted.id;
        p->line = wanted.line;
        p->log_message = std::move(wanted.log_message);
        p->condition.text = std::move(wanted.condition);
        placed.push_back(add_point(points, std::move(p), wanted.hit_condition));
    }
    {
        const std::scoped_lock lock(mutex_);
        const std::string real = real_path(path);
        for (Check& c : checks_) {
            if (c.path != real) continue;
            const auto same = std::find_if(points.begin(), points.end(), [&](const PointRef& p) {
                return p->line == c.line && p->condition.text == c.condition;
            });
            c.point = same == points.end() ? nullptr : *same;
            if (c.point) points.erase(same);
        }
        if (points.empty()) {
            by_path_.erase(real);
        } else {
            by_path_[real] = std::move(points);
        }
        version_.fetch_add(1, std::memory_order_release);
    }
    request_tracing();
    return placed;
}

std::vector<debug::Placed> LineTracer::set_functions(std::vector<debug::FunctionBreakpoint> functions) {
    std::vector<PointRef> points;
    std::vector<debug::Placed> placed;
    for (debug::FunctionBreakpoint& wanted : functions) {
        auto p = std::make_shared<Point>();
        p->id = wanted.id;
        p->function = std::move(wanted.name);
        p->condition.text = std::move(wanted.condition);
        placed.push_back(add_point(points, std::move(p), wanted.hit_condition));
    }
    {
        const std::scoped_lock lock(mutex_);
        functions_ = std::move(points);
        has_functions_.store(!functions_.empty());
        version_.fetch_add(1, std::memory_order_release);
    }
    request_tracing();
    return placed;
}

void LineTracer::set_raised(bool on) {
    raised_.store(on, std::memory_order_relaxed);
    request_tracing();
}

void LineTracer::pause(bool entry) {
    entry_.store(entry, std::memory_order_relaxed);
    pause_.store(true, std::memory_order_relaxed);
    request_tracing();
}

std::vector<std::pair<int, std::string>> LineTracer::conditions(const std::string& path) const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::pair<int, std::string>> list;
    const auto at = by_path_.find(real_path(path));
    if (at == by_path_.end()) return list;
    for (const PointRef& p : at->second) {
        if (!p->condition.text.empty()) list.emplace_back(p->line, p->condition.text);
    }
    return list;
}

int LineTracer::place_check(const std::string& path, int line, const std::string& condition) {
    std::unique_lock lock(mutex_);
    Check c{real_path(path), condition, line, nullptr};
    const auto at = by_path_.find(c.path);
    if (at != by_path_.end()) {
        std::vector<PointRef>& points = at->second;
        const auto point = std::find_if(points.begin(), points.end(), [&](const PointRef& p) {
            return p->line == line && p->condition.text == condition;
        });
        if (point != points.end()) {
            c.point = *point;
            points.erase(point);
        }
        if (points.empty()) by_path_.erase(at);
    }
    checks_.push_back(std::move(c));
    version_.fetch_add(1, std::memory_order_release);
    const int number = static_cast<int>(checks_.size()) - 1;
    lock.unlock();
    resume_tracing();  // perhaps nothing is left to trace
    return number;
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
    _frame* const frame = PyEval_GetFrame();
    if (std::exchange(stopped_frame_, nullptr) == frame && stopped_line_ == line) return;
    if (!point || !frame) return;
    const std::uint64_t hit = ++point->hits;
    debug::Stop s;
    if ((point->counts && !point->counts(hit)) || !stop_at(frame, *point, s)) return;
    still_at(frame, line);
    stop(s);
}

void LineTracer::stop_here() {
    if (PyThread_get_thread_ident() != thread_) return say_("A breakpoint() in another thread was passed over.\n");
    if (!evaluating_) stop({debug::StopReason::breakpoint, "breakpoint()", {}, {}});
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
    if (!point || std::exchange(point->condition.failed, true)) return;
    PyObject *type, *value, *traceback;
    PyErr_GetExcInfo(&type, &value, &traceback);
    PyErr_Restore(type, value, traceback);
    say_failure("the condition '" + point->condition.text + "' raised");
    debug::Stop s;
    if (stop_at(PyEval_GetFrame(), *point, s)) stop(s);
}

std::vector<std::pair<int, std::uint64_t>> LineTracer::hits() const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::pair<int, std::uint64_t>> list;
    for (const Check& c : checks_) {
        if (c.point) list.emplace_back(c.point->id, c.point->hits.load());
    }
    for (const auto& [path, points] : by_path_) {
        for (const PointRef& p : points) list.emplace_back(p->id, p->hits.load());
    }
    for (const PointRef& p : functions_) list.emplace_back(p->id, p->hits.load());
    return list;
}

bool LineTracer::stands_at(const std::string& path, int line) const {
    const std::scoped_lock lock(mutex_);
    for (const Check& c : checks_) {
        if (c.point && c.line == line && c.path == real_path(path)) return true;
    }
    const auto at = by_path_.find(real_path(path));
    return at != by_path_.end() &&
           std::any_of(at->second.begin(), at->second.end(), [&](const PointRef& p) { return p->line == line; });
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
    if (!attached_.load()) return;
    Py_AddPendingCall(&enable_pending, this);
    // Python 3.11 tells its main thread of a pending call only when another thread wants the GIL. Wanting it may take
    // as long as the program is stopped, so that is left to a thread of its own.
    pthread_t nudge;
    if (pthread_create(&nudge, nullptr, &want_gil, nullptr) == 0) pthread_detach(nudge);
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
            detach();
            return;
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
    const int result = traced(frame, what, arg);
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
    stopped_ = true;
    stop_(s);
    stopped_ = false;
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

// Whether a breakpoint that was reached stops; a logpoint speaks instead.
bool LineTracer::stop_at(_frame* frame, Point& p, debug::Stop& s) {
    if (!p.log_message.empty()) {
        say_(filled_in(frame, p.log_message));
        return false;
    }
    s.reason = debug::StopReason::breakpoint;
    s.breakpoints.push_back(p.id);
    return true;
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

bool LineTracer::reached(_frame* frame, Point& p) {
    if (!p.condition.text.empty() && !holds(frame, p.condition)) return false;
    const std::uint64_t hit = ++p.hits;
    return !p.counts || p.counts(hit);
}

void LineTracer::say_failure(const std::string& what) { say_(what + " (" + taken_error() + ")\n"); }

bool LineTracer::holds(_frame* frame, Condition& c) {
    if (!c.code) {
        c.code = Py_CompileString(c.text.c_str(), "<condition>", Py_eval_input);
        if (!c.code) {
            if (!c.failed) say_failure("the condition '" + c.text + "' is not Python");
            PyErr_Clear();
            return !std::exchange(c.failed, true);
        }
    }
    Ref value = evaluated(frame, c.code);
    const int truth = value ? PyObject_IsTrue(value.get()) : -1;
    if (truth >= 0) return truth == 1;
    // Stopping once shows the user where; stopping each time would be in the way.
    if (!c.failed) say_failure("the condition '" + c.text + "' raised");
    PyErr_Clear();
    return !std::exchange(c.failed, true);
}

std::string LineTracer::filled_in(_frame* frame, const std::string& message) {
    std::string out;
    for (std::size_t at = 0; at < message.size();) {
        const std::size_t open = message.find('{', at);
        const std::size_t close = open == std::string::npos ? open : message.find('}', open);
        if (close == std::string::npos) {
            out += message.substr(at);
            break;
        }
        out += message.substr(at, open - at);
        const std::string expression = message.substr(open + 1, close - open - 1);
        Ref code(Py_CompileString(expression.c_str(), "<logpoint>", Py_eval_input));
        Ref value = code ? evaluated(frame, code.get()) : Ref();
        Ref text(value ? PyObject_Str(value.get()) : nullptr);
        out += text ? text_of(text.get()) : "<" + taken_error() + ">";
        at = close + 1;
    }
    return out + "\n";
}

}  // namespace fusescope::python
