// What a debugger's client sets: breakpoints at lines, functions and ops, watchpoints; and how often they were hit.
#include <algorithm>
#include <map>

#include "engine/python/frame_expression.hpp"
#include "engine/python/script_question.hpp"
#include "fusescope/error.hpp"

namespace fusescope::python {

using debug::Answer;

std::vector<debug::Placed> ScriptDebugger::set_line_breakpoints(const std::string& path,
                                                                std::vector<debug::LineBreakpoint> lines) {
    struct Known {
        std::vector<int> with_code;
        std::string why_none;
        std::vector<std::string> wrong;  ///< with the conditions, in order
    };
    std::vector<std::string> conditions;
    for (const debug::LineBreakpoint& l : lines) conditions.push_back(l.condition);
    const std::function<Known()> look = [path, conditions] {
        Known known;
        Ref module = good(PyImport_ImportModule("_fusescope_breakpoints"));
        Ref list = good(PyObject_CallMethod(module.get(), "code_lines", "N", string(path)));
        if (!PyList_Check(list.get())) known.why_none = text_of(list.get());
        for (Py_ssize_t i = 0; PyList_Check(list.get()) && i < PyList_GET_SIZE(list.get()); ++i) {
            known.with_code.push_back(static_cast<int>(PyLong_AsLong(PyList_GET_ITEM(list.get(), i))));
        }
        for (const std::string& c : conditions) {
            Ref why = good(PyObject_CallMethod(module.get(), "wrong_with", "N", string(c)));
            known.wrong.push_back(text_of(why.get()));
        }
        return known;
    };
    const Answer<Known> known = ask_any(look);
    std::map<int, std::string> faults;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        debug::LineBreakpoint& l = lines[i];
        if (!known.value) {
            faults[l.id] = "where there is code could not be looked up: " + known.error;
            continue;
        }
        if (!known.value->wrong[i].empty()) faults[l.id] = known.value->wrong[i];
        // Where there is no code the next line that has some is taken.
        const std::vector<int>& with_code = known.value->with_code;
        const auto at = std::lower_bound(with_code.begin(), with_code.end(), l.line);
        if (at != with_code.end()) {
            l.line = *at;
        } else {
            faults[l.id] =
                known.value->why_none.empty() ? "there is no code at or after this line" : known.value->why_none;
        }
    }
    std::vector<debug::Placed> placed = tracer_->set_lines(path, std::move(lines));
    for (debug::Placed& p : placed) {
        const auto fault = faults.find(p.id);
        if (fault == faults.end()) continue;
        p.verified = false;
        if (p.message.empty()) p.message = fault->second;
    }
    return placed;
}

std::vector<debug::Placed> ScriptDebugger::set_function_breakpoints(std::vector<debug::FunctionBreakpoint> functions) {
    std::vector<debug::FunctionBreakpoint> python;
    std::vector<debug::OpBreakpoint> ops;
    std::vector<debug::Placed> placed;
    for (debug::FunctionBreakpoint& f : functions) {
        // What is no op may be a function or a Cell: it stands for both.
        debug::OpBreakpoint b{f.id, f.name, f.condition, f.hit_condition, {}, {}, 0};
        b.holds = tracer_->condition_here(f.condition);
        try {
            b.counts = parse_hit_condition(f.hit_condition);
            ops.push_back(std::move(b));
        } catch (const UserError& e) {
            placed.push_back({f.id, false, 0, std::string(e.what()) + "; " + e.advice()});
            continue;
        }
        if (debug::names_op(f.name)) {
            placed.push_back({f.id, true, 0, {}});
        } else {
            python.push_back(std::move(f));
        }
    }
    for (debug::Placed& p : tracer_->set_functions(std::move(python))) placed.push_back(std::move(p));
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    with_debugger([&](debug::Debugger& d) { d.set_op_breakpoints(std::move(ops)); });
    return placed;
}

// Compiled at its first use, on the program's thread; kept for ever like conditions of lines.
std::function<bool(const debug::ValueStats&, std::string&)> ScriptDebugger::watched_expression(
    const std::string& expression) {
    return [this, code = std::make_shared<PyObject*>(nullptr), expression](const debug::ValueStats& s,
                                                                           std::string& error) {
        return tracer_->untraced([&] {
            if (!*code) *code = Py_CompileString(expression.c_str(), "<watchpoint>", Py_eval_input);
            Ref globals(Py_BuildValue("{s:L,s:L,s:L,s:L,s:d,s:d,s:d,s:d,s:d}", "count", s.count, "nan", s.nan, "inf",
                                      s.inf, "zero", s.zero, "min", s.min, "max", s.max, "mean", s.mean, "std", s.std,
                                      "norm", s.norm));
            if (globals) PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
            Ref value(*code && globals ? PyEval_EvalCode(*code, globals.get(), globals.get()) : nullptr);
            const int truth = value ? PyObject_IsTrue(value.get()) : -1;
            if (truth < 0) error = taken_error();
            return truth == 1;
        });
    };
}

std::vector<debug::Placed> ScriptDebugger::set_watchpoints(const std::vector<std::pair<int, std::string>>& texts) {
    std::vector<debug::Watchpoint> points;
    std::vector<debug::Placed> placed;
    for (const auto& [id, text] : texts) {
        debug::Placed p{id, true, 0, {}};
        try {
            debug::Watchpoint w = debug::parse_watchpoint(text);
            w.id = id;
            if (w.kind == debug::WatchKind::expression) {
                const Answer<std::string> wrong = ask_any<std::string>([expression = w.expression] {
                    Ref module = good(PyImport_ImportModule("_fusescope_breakpoints"));
                    return text_of(
                        good(PyObject_CallMethod(module.get(), "wrong_with", "N", string(expression))).get());
                });
                if (wrong.value && !wrong.value->empty()) {
                    placed.push_back({id, false, 0, "watchpoint '" + text + "': " + *wrong.value});
                    continue;
                }
                w.holds = watched_expression(w.expression);
            }
            points.push_back(std::move(w));
        } catch (const UserError& e) {
            p.verified = false;
            p.message = std::string(e.what()) + "; " + e.advice();
        }
        placed.push_back(std::move(p));
    }
    with_debugger([&](debug::Debugger& d) { d.set_watchpoints(std::move(points)); });
    return placed;
}

std::vector<debug::Hits> ScriptDebugger::hits() {
    std::vector<debug::Hits> all;
    std::map<int, std::uint64_t> counts;  // a name may be that of a function and of a Cell
    for (const auto& [id, count] : tracer_->hits()) counts[id] += count;
    std::vector<debug::Watchpoint> watchpoints;
    with_debugger([&](debug::Debugger& d) {
        for (const auto& [id, count] : d.op_hits()) counts[id] += count;
        watchpoints = d.watchpoints();
    });
    for (const auto& [id, count] : counts) all.push_back({id, count, {}});
    for (const debug::Watchpoint& w : watchpoints) {
        debug::Hits hits{w.id, w.hits, {}};
        ask<bool>([&] {
            for (const debug::WatchHit& h : w.list) {
                const std::vector<PlainFrame> frames = frames_of(h.frame);
                const PlainFrame place = frames.empty() ? PlainFrame() : frames[0];
                hits.list.push_back({h.op, h.shape, place.path, place.line, h.step, h.event});
            }
            return true;
        });
        all.push_back(std::move(hits));
    }
    return all;
}

}  // namespace fusescope::python
