#include "fusescope/runtime.hpp"

#include <atomic>

#include "engine/api/recording.hpp"
#include "engine/core/context.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/debug/explain/explanation.hpp"
#include "engine/debug/session.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/exec/memory_watch.hpp"
#include "engine/trace/lazy.hpp"

namespace fusescope {
namespace {

thread_local std::uint64_t recording_number = 0;

// Events of several threads that go to one recorder must not share ids: each thread that ever records counts within a
// range of its own.
constexpr int kEventsOfAThread = 40;  // bits
void choose_event_ids(Context& context) {
    static std::atomic<EventId> threads{0};
    context.last_event = threads.fetch_add(1) << kEventsOfAThread;
}

// Compiled graphs do not enter the scopes of their Cells again, so a recorder is told of all that were ever entered.
void announce_scopes(Recorder& recorder) {
    for (ScopeId id = 1;; ++id) {
        const std::string path = scope_path(id);
        if (path.empty()) return;
        recorder.define_scope(id, path);
    }
}

}  // namespace

std::uint64_t current_recording() noexcept { return Context::current().recorder ? recording_number : 0; }

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
    if (recording_number++ == 0) choose_event_ids(c);
    exec::announce_kinds(recorder);
    announce_source_frames(recorder);
    announce_scopes(recorder);
    exec::watch_memory(&recorder);
    if (looks_for_births(watch)) hook_ = std::make_unique<debug::Session>(c, debug::kRecordingLimits);
}

Recording::~Recording() {
    Context& c = Context::current();
    try {
        if (trace::Trace* waiting = trace::lazy_trace(c)) waiting->flush();
    } catch (const std::exception& e) {
        // A destructor cannot throw it. Whoever looks at one of the values gets an error; the profile says which op.
        if (const auto* mistake = dynamic_cast<const UserError*>(&e)) {
            explain::report(c, explain::explain(*mistake, c.producers, {}));
        }
    }
    if (hook_) static_cast<debug::Session&>(*hook_).program_ended({});
    hook_.reset();
    exec::watch_memory(nullptr);
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
