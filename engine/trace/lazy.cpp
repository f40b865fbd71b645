#include "engine/trace/lazy.hpp"

namespace fusescope::trace {
namespace {
// Not an object with a destructor: at the end of a program the context may be gone before it.
Trace* lazy = nullptr;
}  // namespace

void set_lazy_trace(Context& context, bool on) {
    context.graph_mode = on;
    if (on && !lazy) {
        lazy = new Trace(context, "main");
        if (!context.trace) context.trace = lazy;
    } else if (!on && lazy) {
        lazy->flush();
        if (context.trace == lazy) context.trace = nullptr;
        drop_lazy_trace();
    }
    context.update();
}

Trace* lazy_trace() noexcept { return lazy; }

void drop_lazy_trace() noexcept { delete std::exchange(lazy, nullptr); }

}  // namespace fusescope::trace
