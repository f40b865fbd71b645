#include "fusescope/runtime.hpp"

#include "engine/api/source_frames.hpp"
#include "engine/core/context.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/trace/lazy.hpp"

namespace fusescope {

void set_device(DeviceKind device) {
    Context& c = Context::current();
    c.device = device;
    c.update();
}

void set_mode(Mode mode) { trace::set_lazy_trace(Context::current(), mode == Mode::graph); }

void set_seed(std::uint64_t seed) {
    Context& c = Context::current();
    c.seed = seed;
    c.random_ops = 0;
}

void set_threads(int count) { cpu::set_thread_count(count); }

Recording::Recording(Recorder& recorder, Watch watch) {
    Context& c = Context::current();
    c.recorder = &recorder;
    c.watch = watch;
    c.update();
    exec::announce_kinds(recorder);
    announce_source_frames(recorder);
}

Recording::~Recording() {
    Context& c = Context::current();
    if (trace::Trace* waiting = trace::lazy_trace()) waiting->flush();
    c.recorder = nullptr;
    c.watch = Watch::off;
    c.update();
}

Scope::Scope(const std::string& name) {
    Context& c = Context::current();
    outer_ = c.scope;
    c.scope = intern_scope(outer_, name, c.recorder);
}

Scope::~Scope() { Context::current().scope = outer_; }

}  // namespace fusescope
