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
    if (Context* shared = shared_context.load(std::memory_order_acquire)) return *shared;
    // A thread of a C++ program that never made a context gets one of its own.
    thread_local Context own;
    return *(current_context = &own);
}

void Context::share(Context* context) noexcept { shared_context.store(context, std::memory_order_release); }

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
