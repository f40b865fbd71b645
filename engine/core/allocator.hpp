// The caching allocator: tensor memory is taken from the system once and then handed round, so that a program in
// steady state causes no page faults.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fusescope/event.hpp"

namespace fusescope {

/// A reference-counted buffer. The header sits 64 bytes in front of the data, which is 64-byte aligned.
struct alignas(64) Storage {
    std::atomic<std::uint32_t> refs{1};
    std::uint16_t size_class = 0;
    DeviceKind device = DeviceKind::cpu;
    std::size_t bytes = 0;  ///< as asked for
    Storage* next_free = nullptr;

    void* data() noexcept { return this + 1; }
    const void* data() const noexcept { return this + 1; }
    bool shared() const noexcept { return refs.load(std::memory_order_acquire) > 1; }
};

namespace allocator {

/// Largest single buffer that is tried; a larger request is a UserError (memory), not an abort.
inline constexpr std::size_t kMaxBytes = std::size_t{1} << 46;

/// A buffer of at least `bytes` bytes with one reference. Contents are unspecified. Throws UserError (memory).
Storage* allocate(std::size_t bytes, DeviceKind device);

/// Puts a buffer with no references left back into the cache.
void recycle(Storage* storage) noexcept;

struct Stats {
    std::int64_t live_bytes = 0;      ///< in tensors now
    std::int64_t reserved_bytes = 0;  ///< taken from the system and not given back
    std::uint64_t system_calls = 0;   ///< how often the system was asked for memory
};
Stats stats(DeviceKind device) noexcept;

/// Gives cached buffers back to the system.
void trim() noexcept;

/// Called with (device, delta, live) at each allocation and release while recording; null when off.
using Hook = void (*)(DeviceKind device, std::int64_t delta, std::int64_t live) noexcept;
void set_hook(Hook hook) noexcept;

}  // namespace allocator

/// Shared ownership of a Storage.
class StorageRef {
 public:
    StorageRef() noexcept = default;
    explicit StorageRef(Storage* adopted) noexcept : p_(adopted) {}
    StorageRef(const StorageRef& o) noexcept : p_(o.p_) {
        if (p_) p_->refs.fetch_add(1, std::memory_order_relaxed);
    }
    StorageRef(StorageRef&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
    StorageRef& operator=(StorageRef o) noexcept {
        Storage* mine = p_;
        p_ = o.p_;
        o.p_ = mine;
        return *this;
    }
    ~StorageRef() {
        if (p_ && p_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) allocator::recycle(p_);
    }
    Storage* get() const noexcept { return p_; }
    Storage* operator->() const noexcept { return p_; }
    explicit operator bool() const noexcept { return p_ != nullptr; }

 private:
    Storage* p_ = nullptr;
};

}  // namespace fusescope
