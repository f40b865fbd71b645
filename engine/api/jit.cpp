#include "fusescope/jit.hpp"

#include <map>
#include <utility>

#include "engine/api/recording.hpp"
#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/trace/capture.hpp"
#include "engine/trace/lazy.hpp"

namespace fusescope {

struct Jit::Impl {
    TensorFunction function;
    std::string name;
    struct Form {
        std::shared_ptr<trace::CapturedFunction> function;  // null: it cannot be compiled whole
        std::uint32_t steps = 0;                            // of optimizers, in each call
        std::uint64_t recording = 0;                        // that was told of the graph
    };
    std::map<std::string, Form> forms;  // by dtypes and shapes, and which arguments are one tensor
};

Jit::Jit(TensorFunction function, std::string name) : impl_(new Impl{std::move(function), std::move(name), {}}) {}
Jit::Jit(Jit&&) noexcept = default;
Jit& Jit::operator=(Jit&&) noexcept = default;
Jit::~Jit() = default;

std::size_t Jit::compiled() const noexcept {
    std::size_t n = 0;
    for (const auto& [key, form] : impl_->forms) n += form.function != nullptr;
    return n;
}

namespace {

std::string signature_of(std::span<const Tensor> arguments) {
    std::string s = "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) s += (i ? ", " : "") + to_string(arguments[i].type());
    return s + ")";
}

// A graph that was made for different tensors must not be used when two of them are one, and a Parameter is no plain
// argument: its value may change while the graph runs, and the function may read the same one by itself.
std::string key_of(const std::string& signature, std::span<const Tensor> arguments) {
    std::string key = signature;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::size_t first = 0;
        while (!same(arguments[first], arguments[i])) ++first;
        if (first != i) key += " " + std::to_string(i) + "=" + std::to_string(first);
        if (!arguments[i].impl()->parameter) continue;
        key += " p" + std::to_string(i) + "=" + std::to_string(reinterpret_cast<std::uintptr_t>(arguments[i].impl()));
    }
    return key;
}

}  // namespace

Tensors Jit::operator()(std::span<const Tensor> arguments) {
    Context& context = Context::current();
    const bool inside = context.trace && context.trace != trace::lazy_trace(context);
    if (inside || !context.tapes.empty()) return impl_->function(arguments);
    const std::string signature = signature_of(arguments);
    const std::string key = key_of(signature, arguments);
    const auto known = impl_->forms.find(key);
    // A recording knows only the graphs that were compiled while it went on: for a new one they are compiled again.
    const std::uint64_t recording = current_recording();
    if (known != impl_->forms.end() && known->second.function &&
        (recording == 0 || recording == known->second.recording)) {
        Tensors results = known->second.function->call(context, arguments);
        context.step += known->second.steps;
        return results;
    }
    for (const Tensor& t : arguments) {
        if (t.is_pending()) t.impl()->pending->force(*t.impl(), TransferReason::input);
    }
    const FrameId frame = context.recorder ? context.frame() : 0;
    const std::uint32_t step = context.step;
    trace::Capture capture(context, impl_->name, signature, frame);
    Tensors results = impl_->function(arguments);
    const std::uint32_t steps = std::exchange(context.step, step) - step;
    trace::NotWhole why;
    impl_->forms[key] = {capture.finish(arguments, results, why), steps, recording};
    context.step += steps;
    return results;
}

}  // namespace fusescope
