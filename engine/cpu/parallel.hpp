// Splitting work over the CPU's threads. OpenMP's threads are used because oneDNN uses them too: two pools on few cores
// would fight each other.
#pragma once

#include <cstdint>

namespace fusescope::cpu {

/// Threads that kernels may use (OMP_NUM_THREADS, or the cores this process may run on).
int thread_count() noexcept;
void set_thread_count(int n) noexcept;

/// Calls f(begin, end) for parts of [0, n); parts begin at multiples of `align`. Runs on the caller alone when n is
/// less than `grain`. `f` must not throw.
template <class F>
void parallel_for(std::int64_t n, std::int64_t grain, std::int64_t align, F&& f);

namespace detail {
void run_parallel(int threads, void (*body)(void*, int, int), void* context);
}

template <class F>
void parallel_for(std::int64_t n, std::int64_t grain, std::int64_t align, F&& f) {
    const int threads = thread_count();
    if (n < grain || threads == 1) {
        if (n > 0) f(std::int64_t{0}, n);
        return;
    }
    struct Job {
        F& f;
        std::int64_t n, align;
    } job{f, n, align};
    detail::run_parallel(
        threads,
        [](void* p, int index, int count) {
            Job& j = *static_cast<Job*>(p);
            const std::int64_t blocks = (j.n + j.align - 1) / j.align;
            const std::int64_t begin = blocks * index / count * j.align;
            std::int64_t end = blocks * (index + 1) / count * j.align;
            if (end > j.n) end = j.n;
            if (begin < end) j.f(begin, end);
        },
        &job);
}

}  // namespace fusescope::cpu
