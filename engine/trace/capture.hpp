// Turning one call of a function into a graph that later calls run without the function.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/trace.hpp"

namespace fusescope::trace {

/// A compiled call: what @jit caches per signature.
class CapturedFunction {
 public:
    /// Runs the graph on new arguments (of the types that were captured) and writes the Parameters it updates.
    /// Returns the captured call's result tensors, in order.
    std::vector<Tensor> call(Context& context, std::span<const Tensor> args);

    GraphId graph_id() const noexcept;
    /// Tensors that are no arguments: Parameters, and others that the function found in its surroundings. Whoever
    /// caches this function must check that they are still the ones meant.
    const std::vector<Tensor>& captured() const noexcept { return captured_; }

 private:
    friend class Capture;
    struct Source {
        bool argument;
        std::uint32_t number;  ///< of the argument or of captured_
    };
    struct Result {
        enum class From : std::uint8_t { graph, argument, captured } from;
        std::uint32_t number;
        bool copy = false;  ///< the function gave a tensor of its own with the value that it had before the call
    };
    std::shared_ptr<exec::Executable> executable_;
    std::vector<Source> sources_;  ///< parallel to the graph's inputs
    std::vector<Result> results_;
    std::vector<Tensor> captured_;
};

/// Why a captured call cannot be cached whole; the tensors are right all the same.
enum class NotWhole : std::uint8_t {
    no,
    graph_break,  ///< a value was looked at in the middle
    leaked,       ///< a pending tensor is held by something other than the results
};

/// Traces everything from construction to `finish`. If it is destroyed without, what was noted is run, if it acts on
/// Parameters or somebody holds its results: the state is as after an eager run up to there.
class Capture {
 public:
    Capture(Context& context, std::string name, std::string signature, FrameId frame);
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    Trace& trace() noexcept { return trace_; }

    /// Ends the trace, compiles and runs it, and gives `results` their values. Returns the cached form, or null with
    /// the reason in `why`.
    std::shared_ptr<CapturedFunction> finish(std::span<const Tensor> args, std::span<const Tensor> results,
                                             NotWhole& why);

 private:
    void leave() noexcept;
    /// Fills `function` but for its results, runs it once and gives the values of `outputs`.
    std::vector<Tensor> compile_and_run(CapturedFunction& function, const std::vector<std::uint32_t>& outputs,
                                        std::span<const Tensor> args);

    Context& context_;
    TraceSink* outer_;  ///< see Context::return_to
    Trace trace_;
    std::string name_;
    std::string signature_;
    FrameId frame_;
    bool open_ = true;
};

}  // namespace fusescope::trace
