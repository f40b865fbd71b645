// Size classes with four steps per power of two; each thread keeps short free lists of the small classes, the rest sits
// in central lists behind a mutex. Buffers of 4 MiB and more are aligned for huge pages.
#include "engine/core/allocator.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>

#include "engine/core/sanitizers.hpp"
#include "fusescope/error.hpp"

namespace fusescope::allocator {
namespace {

constexpr std::size_t kHeader = sizeof(Storage);
static_assert(kHeader == 64);
constexpr int kClasses = 4 * 47;
constexpr int kDevices = 3;
constexpr std::size_t kHuge = std::size_t{4} << 20;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
// A thread keeps at most this many buffers of one class, and only of classes below 64 KiB.
constexpr int kThreadDepth = 32;
constexpr int kThreadClasses = 4 * 11;

// Class 0 is 64 bytes; classes 4k … 4k+3 are 64·2^k times 1, 1.25, 1.5, 1.75.
int class_of(std::size_t bytes) noexcept {
    if (bytes <= 64) return 0;
    const int top = std::bit_width(bytes - 1) - 1;  // 2^top < bytes <= 2^(top+1)
    const std::size_t base = std::size_t{1} << top;
    const std::size_t quarter = base / 4;
    const int step = static_cast<int>((bytes - base + quarter - 1) / quarter);  // 1 … 4
    return (top - 6) * 4 + step;
}

std::size_t bytes_of(int size_class) noexcept {
    const std::size_t base = std::size_t{64} << (size_class / 4);
    return base + base / 4 * static_cast<std::size_t>(size_class % 4);
}

struct Central {
    std::mutex mutex;
    Storage* free[kClasses] = {};
    std::atomic<std::int64_t> live{0};
    std::atomic<std::int64_t> reserved{0};
    std::atomic<std::uint64_t> system_calls{0};
};

// Never destroyed: tensors of other static objects may be released after it.
Central& central(DeviceKind device) noexcept {
    static Central* all = new Central[kDevices];
    return all[static_cast<int>(device)];
}

std::atomic<Hook> hook{nullptr};

struct ThreadCache {
    Storage* free[kDevices][kThreadClasses] = {};
    std::uint8_t depth[kDevices][kThreadClasses] = {};

    void flush() noexcept {
        for (int d = 0; d < kDevices; ++d) {
            Central& c = central(static_cast<DeviceKind>(d));
            std::scoped_lock lock(c.mutex);
            for (int k = 0; k < kThreadClasses; ++k) {
                while (Storage* s = free[d][k]) {
                    free[d][k] = s->next_free;
                    s->next_free = c.free[k];
                    c.free[k] = s;
                }
                depth[d][k] = 0;
            }
        }
    }
    ~ThreadCache();
};

// Plain pointer so that a tensor released while its thread ends finds null, not a destroyed cache.
thread_local ThreadCache* cache = nullptr;
thread_local bool cache_gone = false;
struct CacheOwner {
    ThreadCache mine;
    CacheOwner() { cache = &mine; }
    ~CacheOwner() {
        cache = nullptr;
        cache_gone = true;
    }
};
ThreadCache::~ThreadCache() { flush(); }

ThreadCache* thread_cache() noexcept {
    if (cache || cache_gone) return cache;
    thread_local CacheOwner owner;
    return cache;
}

Storage* from_system(Central& c, int size_class) {
    std::size_t bytes = bytes_of(size_class) + kHeader;
    void* memory = nullptr;
    if (bytes >= kHuge) {
        bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
        memory = std::aligned_alloc(kHugePage, bytes);
        if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
    } else {
        bytes = (bytes + 63) / 64 * 64;  // aligned_alloc wants a multiple of the alignment
        memory = std::aligned_alloc(64, bytes);
    }
    if (!memory) return nullptr;
    c.reserved.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    c.system_calls.fetch_add(1, std::memory_order_relaxed);
    return new (memory) Storage;
}

void count(Central& c, DeviceKind device, std::int64_t delta) noexcept {
    const std::int64_t live = c.live.fetch_add(delta, std::memory_order_relaxed) + delta;
    if (Hook h = hook.load(std::memory_order_relaxed)) h(device, delta, live);
}

}  // namespace

Storage* allocate(std::size_t bytes, DeviceKind device) {
    if (bytes > kMaxBytes) {
        throw UserError(ErrorKind::memory, "", "cannot allocate a tensor of " + std::to_string(bytes) + " bytes", {},
                        "check the shape: an extent is probably not what you meant");
    }
    const int k = class_of(bytes);
    const int d = static_cast<int>(device);
    Central& c = central(device);
    Storage* s = nullptr;
    if (k < kThreadClasses) {
        if (ThreadCache* t = thread_cache(); t && t->free[d][k]) {
            s = t->free[d][k];
            t->free[d][k] = s->next_free;
            --t->depth[d][k];
        }
    }
    if (!s) {
        std::scoped_lock lock(c.mutex);
        if ((s = c.free[k])) c.free[k] = s->next_free;
    }
    if (!s) s = from_system(c, k);
    if (!s) {
        trim();
        s = from_system(c, k);
    }
    if (!s) {
        throw UserError(ErrorKind::memory, "",
                        "out of memory: the system gave no " + std::to_string(bytes) + " bytes for a tensor", {},
                        "use a smaller batch, or free tensors that are no longer needed");
    }
    s->refs.store(1, std::memory_order_relaxed);
    s->size_class = static_cast<std::uint16_t>(k);
    s->device = device;
    s->bytes = bytes;
    sanitizers::forbid(s->data(), bytes_of(k));
    sanitizers::allow(s->data(), bytes);
    count(c, device, static_cast<std::int64_t>(bytes));
    return s;
}

void recycle(Storage* s) noexcept {
    const int k = s->size_class;
    const int d = static_cast<int>(s->device);
    Central& c = central(s->device);
    count(c, s->device, -static_cast<std::int64_t>(s->bytes));
    sanitizers::forbid(s->data(), bytes_of(k));
    if (k < kThreadClasses) {
        if (ThreadCache* t = thread_cache(); t && t->depth[d][k] < kThreadDepth) {
            s->next_free = t->free[d][k];
            t->free[d][k] = s;
            ++t->depth[d][k];
            return;
        }
    }
    std::scoped_lock lock(c.mutex);
    s->next_free = c.free[k];
    c.free[k] = s;
}

Stats stats(DeviceKind device) noexcept {
    Central& c = central(device);
    return {c.live.load(), c.reserved.load(), c.system_calls.load()};
}

void trim() noexcept {
    if (ThreadCache* t = thread_cache()) t->flush();
    for (int d = 0; d < kDevices; ++d) {
        Central& c = central(static_cast<DeviceKind>(d));
        std::scoped_lock lock(c.mutex);
        for (int k = 0; k < kClasses; ++k) {
            while (Storage* s = c.free[k]) {
                c.free[k] = s->next_free;
                std::size_t bytes = bytes_of(k) + kHeader;
                if (bytes >= kHuge) bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
                c.reserved.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
                s->~Storage();
                std::free(s);
            }
        }
    }
}

void set_hook(Hook h) noexcept { hook.store(h, std::memory_order_relaxed); }

}  // namespace fusescope::allocator
