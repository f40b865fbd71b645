#include "engine/core/context.hpp"

#include <atomic>
#include <map>
#include <mutex>

#include "engine/core/tensor_impl.hpp"

namespace fusescope {
namespace {

thread_local Context* current_context = nullptr;
std::atomic<Context*> shared_context{nullptr};

struct Scopes {
    std::mutex mutex;
    std::map<std::pair<ScopeId, std::string>, ScopeId> ids;
    std::vector<std::string> paths{"Default"};
    std::vector<Recorder*> told{nullptr};  // the recorder that knows this scope
};
Scopes& scopes() {
    static Scopes* s = new Scopes;
    return *s;
}

}  // namespace

Context& Context::current() noexcept {
    if (current_context) return *current_context;
    if (Context* shared = shared_context.load(std::memory_order_acquire)) {
        shared->take_turn();
        return *shared;
    }
    // A thread of a C++ program that never made a context gets one of its own.
    thread_local Context own;
    return *(current_context = &own);
}

void Context::share(Context* context) noexcept {
    context->shared_ = true;
    context->turn_of_ = thread_number();
    shared_context.store(context, std::memory_order_release);
}

std::uint64_t Context::thread_number() noexcept {
    static std::atomic<std::uint64_t> threads{0};
    thread_local constinit std::uint64_t number = 0;
    if (number == 0) number = ++threads;
    return number;
}

void Context::change_turns() {
    Turn left{outer_trace(), std::move(tapes), scope, phase, forced_frame, part_of};
    // A thread that was in the middle of nothing leaves nothing behind: it may have ended.
    if (left.outer || !left.tapes.empty() || scope || phase != Phase::forward || forced_frame) {
        waiting_[turn_of_] = std::move(left);
    }
    turn_of_ = thread_number();
    Turn mine;
    if (auto kept = waiting_.extract(turn_of_)) mine = std::move(kept.mapped());
    tapes = std::move(mine.tapes);
    scope = mine.scope;
    phase = mine.phase;
    forced_frame = mine.forced_frame;
    part_of = mine.part_of;
    return_to(mine.outer);
}

Context* Context::set_current(Context* context) noexcept {
    Context* before = current_context;
    current_context = context;
    return before;
}

Tensor traced_snapshot(const Context& context, const Tensor& t) {
    Tensor copy = snapshot_tensor(t);
    if (context.trace) context.trace->same_value(copy, t);
    return copy;
}

ScopeId intern_scope(ScopeId parent, const std::string& name, Recorder* recorder) {
    Scopes& s = scopes();
    std::scoped_lock lock(s.mutex);
    auto [it, fresh] = s.ids.try_emplace({parent, name}, static_cast<ScopeId>(s.paths.size()));
    if (fresh) {
        s.paths.push_back(s.paths[parent] + "/" + name);
        s.told.push_back(nullptr);
    }
    const ScopeId id = it->second;
    if (recorder && s.told[id] != recorder) {
        s.told[id] = recorder;
        recorder->define_scope(id, s.paths[id]);
    }
    return id;
}

std::string scope_path(ScopeId scope) {
    Scopes& s = scopes();
    std::scoped_lock lock(s.mutex);
    return scope < s.paths.size() ? s.paths[scope] : std::string();
}

}  // namespace fusescope
