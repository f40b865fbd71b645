// A Python program under a debugger: lines by the tracer, ops and values by debug::Debugger, and what a stopped program
// shows by the Python module _fusescope_debug.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "engine/debug/debugger.hpp"
#include "engine/debug/target.hpp"
#include "engine/python/interruption.hpp"

namespace fusescope::python {

class LineTracer;

class ScriptDebugger final : public debug::Target {
 public:
    explicit ScriptDebugger(debug::StopListener& listener, debug::HistoryLimits limits);
    ~ScriptDebugger() override;

    /// Called on the program's thread when breakpoints can be set; then it waits for start().
    std::function<void()> ready;
    /// Called in a child that the program has forked: it has no debugger, and must leave the client alone.
    std::function<void()> forked;
    /// False: the program is only run.
    bool observed = true;
    /// Steps also stop in Python's own and installed packages.
    bool step_into_libraries = false;
    /// The client has said all it wants before the program's first line; `at_entry`: stop there.
    void start(bool at_entry);
    /// The client went away: the program goes on by itself.
    void let_go();

    std::vector<debug::Placed> set_line_breakpoints(const std::string& path,
                                                    std::vector<debug::LineBreakpoint> lines) override;
    std::vector<debug::Placed> set_function_breakpoints(std::vector<debug::FunctionBreakpoint> functions) override;
    std::vector<debug::Placed> set_watchpoints(const std::vector<std::pair<int, std::string>>& texts) override;
    void set_exception_filters(const debug::ExceptionFilters& filters) override;
    void pause() override;
    bool resume(debug::Resume how) override;
    void interrupt(const std::string& why) override { interruption_.request(why); }
    bool go_to_birth_of(std::size_t input) override;
    debug::Answer<std::vector<debug::ThreadInfo>> threads() override;
    debug::Answer<std::vector<debug::StackFrame>> stack() override;
    debug::Answer<std::vector<debug::Scope>> scopes(int frame) override;
    debug::Answer<std::vector<debug::Variable>> variables(int reference, const std::string& filter, int start,
                                                          int count) override;
    debug::Answer<debug::Variable> evaluate(const std::string& expression, int frame,
                                            const std::string& context) override;
    debug::Answer<debug::Variable> set_variable(int reference, const std::string& name,
                                                const std::string& value) override;
    debug::Answer<debug::StoredTensor> store_tensor(int reference, const std::string& path) override;
    debug::Answer<debug::ExceptionInfo> exception() override;
    std::vector<debug::Hits> hits() override;

    // For the host, on the program's thread.

    /// The interpreter stands: waits for start(), then traces.
    void attach(Context& context);
    /// The program ended by the exception `value`, which is about to be printed.
    void uncaught(void* value);
    /// A shape, dtype or index error is about to be raised at the line that runs.
    void user_error(const std::string& message);
    void program_ended(std::span<const Tensor> left);
    void detach();

 private:
    struct Inside;
    template <class T>
    debug::Answer<T> ask(const std::function<T()>& question);
    template <class T>
    debug::Answer<T> ask_any(const std::function<T()>& question);
    std::function<bool(const debug::ValueStats&, std::string&)> watched_expression(const std::string& expression);
    void stop(const debug::Stop& stop);
    void leave_to_child();
    template <class Work>
    void with_debugger(Work&& work) {
        const std::scoped_lock lock(life_);
        if (debugger_) work(*debugger_);
    }

    debug::HistoryLimits limits_;
    debug::Control control_;
    Context* context_ = nullptr;
    std::mutex life_;  // guards the next, for threads other than the program's, which makes it and takes it away
    std::unique_ptr<debug::Debugger> debugger_;
    Interruption interruption_;
    std::unique_ptr<LineTracer> tracer_;
    std::unique_ptr<Inside> inside_;  ///< what holds Python objects
    std::vector<debug::OpBreakpoint> op_breakpoints_;
    std::atomic<bool> at_entry_{false}, stop_at_uncaught_{false}, stop_at_user_errors_{false};
};

}  // namespace fusescope::python
