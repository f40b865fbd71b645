#include "engine/trace/lazy.hpp"

namespace fusescope::trace {

void set_lazy_trace(Context& context, bool on) {
    if (on && !context.lazy_trace) {
        context.lazy_trace = std::make_unique<Trace>(context, "main");
        if (!context.trace) context.trace = context.lazy_trace.get();
    } else if (!on && context.lazy_trace) {
        // Graph mode is off whether what waits can be computed or not.
        const std::unique_ptr<TraceSink> last = std::move(context.lazy_trace);
        if (context.trace == last.get()) context.trace = nullptr;
        context.update();
        static_cast<Trace&>(*last).flush();
    }
    context.update();
}

Trace* lazy_trace(const Context& context) noexcept { return static_cast<Trace*>(context.lazy_trace.get()); }

}  // namespace fusescope::trace
