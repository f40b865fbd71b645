#include "engine/trace/capture.hpp"

#include <algorithm>

#include "engine/exec/compiler.hpp"

namespace fusescope::trace {

std::vector<Tensor> CapturedFunction::call(Context& context, std::span<const Tensor> args) {
    const Suspended suspended(context);
    std::vector<Tensor> inputs;
    inputs.reserve(sources_.size());
    for (const Source& s : sources_) {
        const Tensor& t = s.argument ? args[s.number] : captured_[s.number];
        // Another trace may still owe this value.
        if (t.is_pending()) t.impl()->pending->force(*t.impl(), TransferReason::input);
        inputs.push_back(t);
    }
    std::vector<Tensor> results(results_.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Result& r = results_[i];
        if (r.from == Result::From::graph) continue;
        const Tensor& t = r.from == Result::From::argument ? args[r.number] : captured_[r.number];
        results[i] = r.copy ? snapshot_tensor(t) : t;
    }
    const std::vector<Tensor> from_graph = executable_->run(context, inputs);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results_[i].from == Result::From::graph) results[i] = from_graph[results_[i].number];
    }
    return results;
}

GraphId CapturedFunction::graph_id() const noexcept { return executable_->graph_id(); }

Capture::Capture(Context& context, std::string name, std::string signature, FrameId frame)
    : context_(context),
      outer_(context.outer_trace()),
      trace_(context, name),
      name_(std::move(name)),
      signature_(std::move(signature)),
      frame_(frame) {
    trace_.hold = true;
    context_.trace = &trace_;
    context_.update();
}

void Capture::leave() noexcept {
    if (!open_) return;
    open_ = false;
    context_.take_turn();
    context_.return_to(outer_);
}

Capture::~Capture() {
    leave();
    // Who holds a tensor of a call that raised finds the value that an eager run would have given it.
    if (trace_.has_effects() || !trace_.live_values().empty()) {
        try {
            trace_.flush();
        } catch (...) {
            // The exception that ends the capture is the one to report.
            trace_.abandon();
        }
    }
}

std::shared_ptr<CapturedFunction> Capture::finish(std::span<const Tensor> args, std::span<const Tensor> results,
                                                  NotWhole& why) {
    leave();
    why = NotWhole::no;
    if (trace_.breaks() > 0) why = NotWhole::graph_break;
    std::vector<std::uint32_t> outputs;
    std::vector<CapturedFunction::Result> forms;
    auto function = std::make_shared<CapturedFunction>();
    if (why == NotWhole::no) {
        for (const Tensor& r : results) {
            const std::int64_t value = trace_.value_of(r);
            if (value >= 0) {
                const auto number = static_cast<std::uint32_t>(value);
                auto it = std::find(outputs.begin(), outputs.end(), number);
                forms.push_back(
                    {CapturedFunction::Result::From::graph, static_cast<std::uint32_t>(it - outputs.begin())});
                if (it == outputs.end()) outputs.push_back(number);
                continue;
            }
            // A copy of something, a tensor made of the program's own data, or one that was there before.
            const Tensor original = trace_.original_of(r);
            const bool copy = original.defined() ? !same(original, r) : !r.impl()->parameter;
            const Tensor& from = original.defined() ? original : r;
            const auto arg = std::find_if(args.begin(), args.end(), [&](const Tensor& a) { return same(a, from); });
            if (arg != args.end()) {
                forms.push_back({CapturedFunction::Result::From::argument,
                                 static_cast<std::uint32_t>(arg - args.begin()), copy && !same(*arg, r)});
            } else {
                forms.push_back({CapturedFunction::Result::From::captured,
                                 static_cast<std::uint32_t>(function->captured_.size()), copy});
                function->captured_.push_back(copy && !original.defined() ? snapshot_tensor(from) : from);
            }
        }
        for (std::uint32_t live : trace_.live_values()) {
            if (std::find(outputs.begin(), outputs.end(), live) == outputs.end()) why = NotWhole::leaked;
        }
    }
    if (why != NotWhole::no || trace_.empty()) {
        if (!trace_.empty()) trace_.flush();
        if (why != NotWhole::no) return nullptr;
    }
    function->results_ = std::move(forms);
    const Suspended suspended(context_);
    try {
        trace_.settle(outputs, compile_and_run(*function, outputs, args));
    } catch (...) {
        trace_.abandon();  // it shall not be run again when the capture ends
        throw;
    }
    return function;
}

std::vector<Tensor> Capture::compile_and_run(CapturedFunction& function, const std::vector<std::uint32_t>& outputs,
                                             std::span<const Tensor> args) {
    Trace::Built built = trace_.build(outputs, args);
    auto graph = std::make_shared<ir::Graph>(*built.graph);
    graph->frame = frame_;
    exec::CompileInfo info;
    info.name = name_;
    info.signature = signature_;
    info.frame = frame_;
    function.executable_ = exec::compile(context_, std::move(graph), info);
    std::vector<Tensor> inputs;
    for (const Leaf& leaf : built.leaves) {
        auto arg = std::find_if(args.begin(), args.end(), [&](const Tensor& a) { return a.impl() == leaf.id; });
        if (arg != args.end()) {
            function.sources_.push_back({true, static_cast<std::uint32_t>(arg - args.begin())});
        } else {
            function.sources_.push_back({false, static_cast<std::uint32_t>(function.captured_.size())});
            function.captured_.push_back(trace_.original(leaf));
        }
        inputs.push_back(leaf.tensor);
    }
    return function.executable_->run(context_, inputs);
}

}  // namespace fusescope::trace
