// Keeps a forked child away from the recording of its parent.
#include "profiler/write/fork_guard.hpp"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace fusescope {

namespace {

// Never destroyed: a fork may come after static destructors have run.
struct Guards {
    std::mutex mutex;
    std::vector<std::function<void()>*> in_child;
};
Guards& guards() {
    static Guards& all = *new Guards;
    return all;
}

}  // namespace

ForkGuard::ForkGuard(std::function<void()> in_child) : in_child_(std::move(in_child)) {
    static std::once_flag once;
    std::call_once(once, [] {
        guards();
        pthread_atfork([] { guards().mutex.lock(); }, [] { guards().mutex.unlock(); },
                       [] {
                           for (auto* function : guards().in_child) (*function)();
                           guards().mutex.unlock();
                       });
    });
    std::lock_guard lock(guards().mutex);
    guards().in_child.push_back(&in_child_);
}

ForkGuard::~ForkGuard() {
    std::lock_guard lock(guards().mutex);
    std::erase(guards().in_child, &in_child_);
}

}  // namespace fusescope
