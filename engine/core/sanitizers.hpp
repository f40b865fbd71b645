// What AddressSanitizer and ThreadSanitizer cannot see by themselves. Nothing in builds without them.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace fusescope::sanitizers {

/// Touching these bytes is a fault from here on: memory that lies in a cache, or behind what was asked for.
inline void forbid([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_POISON_MEMORY_REGION(begin, bytes);
#endif
}

inline void allow([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(begin, bytes);
#endif
}

/// What this thread did up to here happens before what another does after receive() of the same address. For
/// synchronisation inside libraries that are built without ThreadSanitizer.
inline void hand_over([[maybe_unused]] void* address) noexcept {
#if defined(__SANITIZE_THREAD__)
    __tsan_release(address);
#endif
}

inline void receive([[maybe_unused]] void* address) noexcept {
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(address);
#endif
}

}  // namespace fusescope::sanitizers

// For a function whose compiler-made part shares variables over synchronisation that ThreadSanitizer cannot see.
#if defined(__SANITIZE_THREAD__)
#define FUSESCOPE_UNSEEN_SYNCHRONISATION __attribute__((no_sanitize("thread")))
#else
#define FUSESCOPE_UNSEEN_SYNCHRONISATION
#endif
