#include "engine/cpu/parallel.hpp"

#include <omp.h>

#include "engine/core/sanitizers.hpp"

namespace fusescope::cpu {

int thread_count() noexcept {
    // Inside a parallel region work stays on the thread that met it.
    return omp_in_parallel() ? 1 : omp_get_max_threads();
}

void set_thread_count(int n) noexcept { omp_set_num_threads(n < 1 ? 1 : n); }

// libgomp's start and end of a region order memory, which ThreadSanitizer is told here.
FUSESCOPE_UNSEEN_SYNCHRONISATION
void detail::run_parallel(int threads, void (*body)(void*, int, int), void* context) {
    sanitizers::hand_over(context);
#pragma omp parallel num_threads(threads)
    {
        sanitizers::receive(context);
        body(context, omp_get_thread_num(), omp_get_num_threads());
        sanitizers::hand_over(context);
    }
    sanitizers::receive(context);
}

}  // namespace fusescope::cpu
