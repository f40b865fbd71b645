// Stopping at lines, functions and exceptions of a Python program. Lines are traced only while something waits for one:
// an idle debugger costs nothing here.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/debug/target.hpp"
#include "engine/python/object.hpp"

struct _frame;

namespace fusescope::python {

/// Whose compiled-in conditions, hooks and forks the module _fusescope answers for; null: nobody's. `forked` is called
/// in a child.
void set_tracer(class LineTracer* tracer, std::function<void()> forked);

class LineTracer {
 public:
    using StopFn = std::function<void(const debug::Stop&)>;
    using SayFn = std::function<void(const std::string&)>;
    LineTracer(StopFn stop, SayFn say) : stop_(std::move(stop)), say_(std::move(say)) {}

    // From any thread.
    std::vector<debug::Placed> set_lines(const std::string& path, std::vector<debug::LineBreakpoint> lines);
    std::vector<debug::Placed> set_functions(std::vector<debug::FunctionBreakpoint> functions);
    void set_raised(bool on);
    /// Nobody has a breakpoint any more.
    void forget();
    /// A stop that has begun is what a pause wanted.
    void end_pause() { pause_.store(false, std::memory_order_relaxed); }
    /// Runs `work` with the GIL on a thread of its own, as soon as it gets it; false when there is no program any more.
    bool in_python(std::function<void()> work);
    /// A condition for what stops elsewhere than at lines, asked in the program's frame, where the operands of the op
    /// at hand are names too unless the program has its own of that name. Null for an empty text.
    std::function<bool(const OpCall&)> condition_here(const std::string& text);
    /// The next line stops; as the program's first when `entry`.
    void pause(bool entry = false);
    std::vector<std::pair<int, std::uint64_t>> hits() const;
    bool stands_at(const std::string& path, int line) const;

    // On the program's thread, with the GIL.

    /// Conditions that are compiled into the program's code instead of being asked at each line: those that stand in a
    /// file, then the number of the one that was put in. A breakpoint that is set again keeps its place.
    std::vector<std::pair<int, std::string>> conditions(const std::string& path) const;
    int place_check(const std::string& path, int line, const std::string& condition);
    /// The program has come to a compiled condition that is true, or that raised.
    void check_reached(int number);
    void check_failed(int number);

    /// The program stops itself, by breakpoint().
    void stop_here();
    /// The script has a trace function of its own: lines are not ours until it takes that away.
    void script_traces(bool on);

    /// To be called when the interpreter stands, before the program's first line.
    void attach();
    void detach();
    /// The same in a child that was forked, where no other thread is left.
    void detach_in_child();
    /// Folders whose code is nobody's own: steps do not stop there, breakpoints do. To be set before attach().
    void set_libraries(std::vector<std::string> folders) { libraries_ = std::move(folders); }
    /// After a stop: what to stop at next.
    void resume(debug::Resume how);
    /// The exception of the stop that goes on, if it is one; borrowed.
    PyObject* exception() const noexcept { return exception_; }

    int trace(_frame* frame, int what, PyObject* arg);
    /// What `work` runs stops nowhere.
    template <class Work>
    auto untraced(Work&& work) {
        struct Back {
            bool& flag;
            bool before;
            ~Back() { flag = before; }
        } const back{stopped_, std::exchange(stopped_, true)};
        return work();
    }

 private:
    /// A Python expression, compiled when it is first asked.
    struct Condition {
        std::string text;
        PyObject* code = nullptr;  ///< kept for ever: breakpoints may be dropped by a thread that has no GIL
        bool failed = false;       ///< it raised once, and that was said
    };
    struct Point {
        int id = 0;
        int line = 0;
        std::string function, log_message, hit_condition;
        PyObject* log_parts = nullptr;  ///< of the message, from its first use; kept for ever like code
        Condition condition;
        std::function<bool(std::uint64_t)> counts;  ///< null: every hit
        std::atomic<std::uint64_t> hits{0};
    };
    using PointRef = std::shared_ptr<Point>;
    /// What is known of a code object.
    struct Code {
        std::uint64_t version = 0;
        bool package = false;
        bool library = false;
        bool made = false;  ///< it has no file: it belongs to whoever runs it
        std::vector<PointRef> lines;
    };
    /// A condition compiled into the code.
    struct Check {
        std::string path, condition;
        int line = 0;
        PointRef point;  ///< null: nobody has a breakpoint there any more
    };
    enum class Mode : std::uint8_t { run, line, in_frame };

    static debug::Placed add_point(std::vector<PointRef>& points, PointRef point, const std::string& hit_condition);
    static _frame* user_frame();
    static std::string real_path(const std::string& path);
    static void take_hits(const std::vector<PointRef>& points, const std::vector<PointRef>& before);
    bool passes_over();
    Code& code_of(PyCodeObject* code);
    bool in_library(_frame* frame);
    bool still_at(_frame* frame, int line);
    int traced(_frame* frame, int what, PyObject* arg);
    void on_line(_frame* frame, int line);
    static bool goes_on(_frame* frame);
    void on_call(_frame* frame);
    void on_return(_frame* frame);
    void on_exception(_frame* frame, PyObject* arg);
    bool stop_at(_frame* frame, Point& point, debug::Stop& stop);
    bool reached(_frame* frame, Point& point);
    bool holds(_frame* frame, Condition& condition, PyObject* more_names = nullptr);
    void say_failure(const std::string& what);
    std::string filled_in(_frame* frame, Point& point);
    void stop(const debug::Stop& stop);
    bool wants_tracing() const;
    static int enable_pending(void* self);
    int stop_in_a_line();
    void request_tracing();
    bool begin_thread(std::function<void()> work);
    void resume_tracing();

    StopFn stop_;
    SayFn say_;
    mutable std::mutex mutex_;  // guards what any thread may set
    std::map<std::string, std::vector<PointRef>> by_path_;
    std::vector<Check> checks_;
    std::vector<PointRef> functions_;
    std::atomic<std::uint64_t> version_{1};
    std::atomic<bool> has_functions_{false};
    std::atomic<bool> raised_{false};
    std::atomic<bool> pause_{false};
    std::atomic<bool> entry_{false};
    std::atomic<bool> attached_{false};

    std::vector<std::string> libraries_;
    std::unordered_map<PyCodeObject*, Code> codes_;
    PyCodeObject* last_code_ = nullptr;
    Code* last_ = nullptr;
    Mode mode_ = Mode::run;
    _frame* step_frame_ = nullptr;
    _frame* stopped_frame_ = nullptr;  ///< where a line stopped last, so that its check does not stop again
    int stopped_line_ = 0;
    /// The line that runs: a compiled-in check and the statement behind it are told as two, and are one.
    _frame* line_frame_ = nullptr;
    int line_ = 0, line_at_ = 0;
    PyObject* exception_ = nullptr;
    Ref last_raised_;  ///< held, so that the next one lies elsewhere
    PyObject* capsule_ = nullptr;
    unsigned long thread_ = 0;  ///< the program's
    bool said_threads_ = false;
    std::mutex nudging_;  // guards the next, and that nobody begins one when the interpreter goes
    int nudges_ = 0;      ///< threads that want the GIL
    std::condition_variable nudged_;
    bool script_traces_ = false, said_script_traces_ = false;
    bool stopped_ = false;     ///< what runs now is the debugger's own
    bool evaluating_ = false;  ///< or may be: an event is looked at
};

}  // namespace fusescope::python
