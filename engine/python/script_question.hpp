// How a question of the debugger's client is asked in Python: on the program's thread while it stands, or, of what
// needs no stopped program, whenever the GIL is to be had.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "engine/core/context.hpp"
#include "engine/debug/again.hpp"
#include "engine/python/line_tracer.hpp"
#include "engine/python/object.hpp"
#include "engine/python/script_debugger.hpp"

namespace fusescope::python {

/// Why there is no answer.
struct Failed {
    std::string why;
};

inline Ref good(PyObject* o) {
    if (!o) throw Failed{taken_error()};
    return Ref(o);
}

inline PyObject* string(const std::string& s) {
    return PyUnicode_FromStringAndSize(s.data(), static_cast<Py_ssize_t>(s.size()));
}

struct ScriptDebugger::Inside {
    Ref inspector;
    PyObject* uncaught = nullptr;  ///< borrowed, while stopped at it
    bool fresh = true;             ///< nothing has been asked since the stop
    int last_op = 0;               ///< reference of the op that ran last: computed when it is opened
};

// Runs a question on the program's thread. What it evaluates leaves no trace in the recording, in a graph or on a tape.
template <class T>
debug::Answer<T> ScriptDebugger::ask(const std::function<T()>& question) {
    debug::Answer<T> answer;
    const bool stopped = control_.call([&] {
        if (!inside_ || !inside_->inspector) {
            answer.error = "the program is not there";
            return;
        }
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        interruption_.begin();
        try {
            const debug::Again quiet(*context_, context_->seed, context_->random_ops);
            if (std::exchange(inside_->fresh, false))
                inside_->last_op = 0, good(PyObject_CallMethod(inside_->inspector.get(), "clear", nullptr));
            tracer_->untraced([&] {
                answer.value = question();
                return true;
            });
        } catch (const Failed& f) {
            answer.error = f.why;
        } catch (const PythonError&) {
            answer.error = taken_error();
        } catch (const std::exception& e) {
            answer.error = e.what();
        }
        if (const std::string why = interruption_.end(); answer.error.starts_with("Interrupted: ")) {
            answer.error = why;
        }
        PyErr_Clear();
        PyErr_Restore(type, value, traceback);
    });
    if (!stopped) answer.error = control_.is_gone() ? "the program has ended" : "the program is running";
    return answer;
}

// What needs Python and no stopped program. While the program runs, a thread of its own waits for the GIL; the program
// may stop meanwhile, and keep it.
template <class T>
debug::Answer<T> ScriptDebugger::ask_any(const std::function<T()>& question) {
    struct Shared {
        std::mutex mutex;
        std::condition_variable wake;
        bool claimed = false, done = false;
        debug::Answer<T> answer;
    };
    using namespace std::chrono_literals;
    const auto until = std::chrono::steady_clock::now() + 2s;
    debug::Answer<T> answer;
    while (std::chrono::steady_clock::now() < until) {
        answer = ask(question);
        if (answer.value || control_.is_stopped()) return answer;
        const auto shared = std::make_shared<Shared>();
        const bool begun = tracer_->in_python([shared, question] {
            {
                const std::scoped_lock lock(shared->mutex);
                if (std::exchange(shared->claimed, true)) return;
            }
            debug::Answer<T> a;
            try {
                a.value = question();
            } catch (const Failed& f) {
                a.error = f.why;
            } catch (const std::exception& e) {
                a.error = e.what();
            }
            const std::scoped_lock lock(shared->mutex);
            shared->answer = std::move(a);
            shared->done = true;
            shared->wake.notify_all();
        });
        if (!begun) return answer;
        std::unique_lock lock(shared->mutex);
        while (!shared->done && (shared->claimed || std::chrono::steady_clock::now() < until)) {
            if (shared->wake.wait_for(lock, 20ms, [&] { return shared->done; })) break;
            if (!shared->claimed && control_.is_stopped()) break;
        }
        if (shared->done) return shared->answer;
        shared->claimed = true;
        answer.error = "the program is busy";
    }
    return answer;
}

}  // namespace fusescope::python
