// Keeps a forked child away from the recording of its parent: it has the memory, but neither the writer thread nor a
// right to the database.
#pragma once

#include <functional>

namespace fusescope {

/// Calls a function in every child that this process forks while the guard lives. The function may only store to
/// atomics: other threads' locks may be held for ever in the child.
class ForkGuard {
 public:
    explicit ForkGuard(std::function<void()> in_child);
    ~ForkGuard();
    ForkGuard(const ForkGuard&) = delete;
    ForkGuard& operator=(const ForkGuard&) = delete;

 private:
    std::function<void()> in_child_;
};

}  // namespace fusescope
