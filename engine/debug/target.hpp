// A program that is being debugged, as whoever serves a debugger sees it. All functions may be called from any thread;
// those that look at the program need it stopped and say so by giving nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/debug/breakpoints.hpp"
#include "engine/debug/control.hpp"

namespace fusescope::debug {

struct LineBreakpoint {
    int id = 0;
    int line = 0;
    std::string condition;      ///< Python; stops when true
    std::string hit_condition;  ///< "5", ">= 5", "% 10": of the hits that fulfil the condition
    std::string log_message;    ///< with {expressions}; prints instead of stopping
};

/// What became of a breakpoint that was asked for.
struct Placed {
    int id = 0;
    bool verified = false;
    int line = 0;         ///< where it stands: the next line with code
    std::string message;  ///< why it is not verified
};

struct FunctionBreakpoint {
    int id = 0;
    std::string name;  ///< a Python function ("train_step", "Net.construct"), an op kind or a Cell path
    std::string condition, hit_condition;
};

struct ExceptionFilters {
    bool raised = false, uncaught = false;
    bool user_error = false;  ///< shape, dtype and index errors of ops
    bool nan = false, inf = false;
};

struct StackFrame {
    int id = 0;
    std::string name, path;
    int line = 0;
    bool graph = false;  ///< no Python frame: the node of a graph, or an op of the past
};

struct Variable {
    std::string name, value, type;
    std::string evaluate_name;  ///< expression that gives it; empty when there is none
    int reference = 0;          ///< to ask for its parts; 0: it has none
    int named = 0, indexed = 0;
};

struct Scope {
    std::string name;
    int reference = 0;
    bool expensive = false;
};

struct ThreadInfo {
    std::uint64_t id = 0;
    std::string name;
};

/// How often a breakpoint or watchpoint was hit; of watchpoints also where.
struct Hits {
    int id = 0;
    std::uint64_t count = 0;
    struct Hit {
        std::string op, shape, path;
        int line = 0;
        std::uint32_t step = 0;
        std::uint64_t event = 0;  ///< of the op in the recording; 0: none
    };
    std::vector<Hit> list;
};

struct ExceptionInfo {
    std::string type, message, traceback;
};

/// Elements of a tensor as they were written into a file: row-major, native byte order.
struct StoredTensor {
    std::string dtype, shape;  ///< "Float32", "(2, 3)"
};

/// A result or the reason why there is none.
template <class T>
struct Answer {
    std::optional<T> value;
    std::string error;
};

class Target {
 public:
    virtual ~Target() = default;

    virtual std::vector<Placed> set_line_breakpoints(const std::string& path, std::vector<LineBreakpoint> lines) = 0;
    virtual std::vector<Placed> set_function_breakpoints(std::vector<FunctionBreakpoint> functions) = 0;
    virtual std::vector<Placed> set_watchpoints(const std::vector<std::pair<int, std::string>>& texts) = 0;
    virtual void set_exception_filters(const ExceptionFilters& filters) = 0;
    virtual void pause() = 0;
    virtual bool resume(Resume how) = 0;
    /// What a question that is being answered runs of the program's code is to end: it raises there, and the question
    /// fails by `why`. Nothing happens when nothing is being answered.
    virtual void interrupt(const std::string& why) = 0;
    /// Back to the op that made the value of an operand of the op on show.
    virtual bool go_to_birth_of(std::size_t input) = 0;

    virtual Answer<std::vector<ThreadInfo>> threads() = 0;
    virtual Answer<std::vector<StackFrame>> stack() = 0;
    virtual Answer<std::vector<Scope>> scopes(int frame) = 0;
    /// `filter`: "named", "indexed" or empty; `start` and `count` page through the indexed ones, count 0 is all.
    virtual Answer<std::vector<Variable>> variables(int reference, const std::string& filter, int start, int count) = 0;
    /// `frame` 0: globals of the script. `context`: "repl" may be a statement.
    virtual Answer<Variable> evaluate(const std::string& expression, int frame, const std::string& context) = 0;
    virtual Answer<Variable> set_variable(int reference, const std::string& name, const std::string& value) = 0;
    /// `reference`: of a variable that is a tensor. What waits in a graph is not run for it.
    virtual Answer<StoredTensor> store_tensor(int reference, const std::string& path) = 0;
    virtual Answer<ExceptionInfo> exception() = 0;
    /// By breakpoint id.
    virtual std::vector<Hits> hits() = 0;
};

}  // namespace fusescope::debug
