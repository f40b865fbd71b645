// The points that a line tracer stops at: what any thread sets, and whether one that was reached counts.
#include <algorithm>
#include <filesystem>

#include "engine/core/context.hpp"
#include "engine/debug/again.hpp"
#include "engine/ir/op_def.hpp"
#include "engine/python/frame_expression.hpp"
#include "engine/python/line_tracer.hpp"
#include "fusescope/error.hpp"

namespace fusescope::python {
namespace {

std::string trimmed(const std::string& text) {
    constexpr const char* kSpace = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(kSpace);
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// A user's Ctrl-C is the program's, also when it comes while a condition is asked.
void pass_interrupt_on() {
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
}

}  // namespace

// Paths are compared as the file system names them: a debugger's client may know the script by a link.
std::string LineTracer::real_path(const std::string& path) {
    std::error_code e;
    const std::filesystem::path real = std::filesystem::weakly_canonical(path, e);
    return e ? path : real.string();
}

// Adds the point unless its hit condition is not understood.
debug::Placed LineTracer::add_point(std::vector<PointRef>& points, PointRef point, const std::string& hit_condition) {
    debug::Placed result{point->id, true, point->line, {}};
    try {
        point->counts = parse_hit_condition(hit_condition);
        point->hit_condition = hit_condition;
        points.push_back(std::move(point));
    } catch (const UserError& e) {
        result.verified = false;
        result.message = std::string(e.what()) + "; " + e.advice();
    }
    return result;
}

void LineTracer::take_hits(const std::vector<PointRef>& points, const std::vector<PointRef>& before) {
    for (const PointRef& p : points) {
        for (const PointRef& old : before) {
            if (old->line != p->line || old->function != p->function || old->condition.text != p->condition.text ||
                old->hit_condition != p->hit_condition || old->log_message != p->log_message) {
                continue;
            }
            p->hits.store(old->hits.load());
            p->condition.failed = old->condition.failed;
        }
    }
}

void LineTracer::forget() {
    {
        const std::scoped_lock lock(mutex_);
        for (Check& c : checks_) c.point = nullptr;
        by_path_.clear();
        functions_.clear();
        has_functions_.store(false);
        version_.fetch_add(1, std::memory_order_release);
    }
    raised_.store(false, std::memory_order_relaxed);
    pause_.store(false, std::memory_order_relaxed);
    request_tracing();
}

std::vector<debug::Placed> LineTracer::set_lines(const std::string& path, std::vector<debug::LineBreakpoint> lines) {
    std::vector<PointRef> points;
    std::vector<debug::Placed> placed;
    for (debug::LineBreakpoint& wanted : lines) {
        auto p = std::make_shared<Point>();
        p->id = wanted.id;
        p->line = wanted.line;
        p->log_message = std::move(wanted.log_message);
        p->condition.text = trimmed(wanted.condition);
        placed.push_back(add_point(points, std::move(p), wanted.hit_condition));
    }
    const std::string real = real_path(path);
    {
        const std::scoped_lock lock(mutex_);
        // Clients set all breakpoints of a file when one of them changes: the others have their hits already.
        std::vector<PointRef> before;
        if (const auto at = by_path_.find(real); at != by_path_.end()) before = at->second;
        for (const Check& c : checks_) {
            if (c.path == real && c.point) before.push_back(c.point);
        }
        take_hits(points, before);
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
        p->condition.text = trimmed(wanted.condition);
        placed.push_back(add_point(points, std::move(p), wanted.hit_condition));
    }
    {
        const std::scoped_lock lock(mutex_);
        take_hits(points, functions_);
        functions_ = std::move(points);
        has_functions_.store(!functions_.empty());
        version_.fetch_add(1, std::memory_order_release);
    }
    request_tracing();
    return placed;
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

// Whether a breakpoint that was reached stops; a logpoint speaks instead.
bool LineTracer::stop_at(_frame* frame, Point& p, debug::Stop& s) {
    if (!p.log_message.empty()) {
        say_(filled_in(frame, p));
        return false;
    }
    s.reason = debug::StopReason::breakpoint;
    s.breakpoints.push_back(p.id);
    return true;
}

bool LineTracer::reached(_frame* frame, Point& p) {
    if (!p.condition.text.empty() && !holds(frame, p.condition)) return false;
    const std::uint64_t hit = ++p.hits;
    return !p.counts || p.counts(hit);
}

std::function<bool(const OpCall&)> LineTracer::condition_here(const std::string& text) {
    auto condition = std::make_shared<Condition>();
    condition->text = trimmed(text);
    if (condition->text.empty()) return nullptr;
    return [this, condition](const OpCall& call) {
        _frame* const frame = user_frame();
        if (stopped_ || evaluating_) return false;
        return untraced([&] {
            Ref names(PyDict_New());
            const auto& operands = call.op.schema.operands;
            for (std::size_t i = 0; names && i < call.inputs.size() && i < operands.size(); ++i) {
                Ref value(call.inputs[i].defined() ? wrap(call.inputs[i]) : nullptr);
                if (value) PyDict_SetItemString(names.get(), operands[i].name.c_str(), value.get());
            }
            PyErr_Clear();
            // What the condition runs is not the program's.
            const debug::Again quiet(context(), context().seed, context().random_ops);
            return holds(frame, *condition, names.get());
        });
    };
}

void LineTracer::say_failure(const std::string& what) { say_(what + " (" + taken_error() + ")\n"); }

bool LineTracer::holds(_frame* frame, Condition& c, PyObject* more_names) {
    if (!c.code) {
        c.code = Py_CompileString(c.text.c_str(), "<condition>", Py_eval_input);
        if (!c.code) {
            if (!c.failed) say_failure("the condition '" + c.text + "' is not Python");
            PyErr_Clear();
            return !std::exchange(c.failed, true);
        }
    }
    Ref value = evaluated(frame, c.code, more_names);
    const int truth = value ? PyObject_IsTrue(value.get()) : -1;
    if (truth >= 0) return truth == 1;
    // Stopping once shows the user where; stopping each time would be in the way.
    pass_interrupt_on();
    if (!c.failed) say_failure("the condition '" + c.text + "' raised");
    PyErr_Clear();
    return !std::exchange(c.failed, true);
}

// Each {…} of a log message is an f-string of its own: what one of them raises is shown in its place.
std::string LineTracer::filled_in(_frame* frame, Point& p) {
    if (!p.log_parts) {
        Ref module(PyImport_ImportModule("_fusescope_breakpoints"));
        p.log_parts = module ? PyObject_CallMethod(module.get(), "log_parts", "s", p.log_message.c_str()) : nullptr;
    }
    if (!p.log_parts || !PyList_Check(p.log_parts)) return "<" + taken_error() + ">\n";
    std::string out;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(p.log_parts); ++i) {
        PyObject* part = PyList_GET_ITEM(p.log_parts, i);
        if (!PyCode_Check(part)) {
            out += text_of(part);
            continue;
        }
        Ref text = evaluated(frame, part);
        if (!text) pass_interrupt_on();
        out += text ? text_of(text.get()) : "<" + taken_error() + ">";
    }
    return out + "\n";
}

}  // namespace fusescope::python
