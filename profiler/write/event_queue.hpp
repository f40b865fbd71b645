// The way of events from the threads that produce them to the writer thread: one chunked queue per producing thread,
// one release store per event, no lock and no waiting. When the memory budget is used up, events are counted and
// dropped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "fusescope/event.hpp"

namespace fusescope {

enum class RecordType : std::uint32_t { op, transfer, memory, tensor };

/// What stands before each event in a chunk.
struct RecordHeader {
    RecordType type;
    std::uint32_t bytes;  ///< of the payload, a multiple of 8
};

/// Payload of a tensor record, followed by `rank` extents. Whoever takes the record out frees `value`.
struct TensorRecord {
    TensorHealth health;
    std::byte* value;  ///< made with new[]; null when the value is not kept
    std::uint64_t value_bytes;
    std::uint64_t rank;
};

struct Chunk {
    static constexpr std::size_t kBytes = 256 * 1024;
    static constexpr std::size_t kCapacity = kBytes - 64;

    std::atomic<std::size_t> committed{0};  ///< bytes that the writer may read
    std::atomic<Chunk*> next{nullptr};      ///< set once this chunk is full
    alignas(64) std::byte data[kCapacity];
};

/// The queue of one thread. push() belongs to that thread, the rest to the writer.
class Producer {
 public:
    explicit Producer(std::atomic<std::int64_t>& free_chunks) noexcept : free_chunks_(free_chunks) {}
    ~Producer();
    Producer(const Producer&) = delete;
    Producer& operator=(const Producer&) = delete;

    /// Room for a record of `bytes` (a multiple of 8), to be filled and then published with commit(). Null when the
    /// budget is used up; the event is counted as dropped then.
    std::byte* reserve(RecordType type, std::size_t bytes) noexcept {
        std::size_t needed = sizeof(RecordHeader) + bytes;
        if (tail_ == nullptr || position_ + needed > Chunk::kCapacity) [[unlikely]] {
            if (needed > Chunk::kCapacity || !next_chunk()) {
                dropped_.fetch_add(1, std::memory_order_relaxed);
                return nullptr;
            }
        }
        std::byte* at = tail_->data + position_;
        RecordHeader header{type, static_cast<std::uint32_t>(bytes)};
        std::memcpy(at, &header, sizeof header);
        position_ += needed;
        return at + sizeof header;
    }
    void commit() noexcept { tail_->committed.store(position_, std::memory_order_release); }

    std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

    /// The thread has ended: nothing more will come.
    std::atomic<bool> closed{false};

    /// How far the writer may read: fixed before the writer takes the definitions, so that every definition that an
    /// event up to here needs has been handed over.
    struct Mark {
        Chunk* chunk = nullptr;
        std::size_t position = 0;
    };
    Mark mark() const noexcept;

    /// Nothing is waiting at this moment.
    bool drained() const noexcept {
        Mark end = mark();
        return end.chunk == nullptr || (end.chunk == head_.load(std::memory_order_relaxed) && end.position == read_);
    }

    /// Gives each record up to the mark to `take(type, payload)`, at most `limit` of them; returns how many it gave.
    template <class Take>
    std::size_t drain(const Mark& end, std::size_t limit, Take take) {
        std::size_t given = 0;
        Chunk* chunk = head_.load(std::memory_order_acquire);
        while (chunk != nullptr && end.chunk != nullptr) {
            std::size_t stop = chunk == end.chunk ? end.position : chunk->committed.load(std::memory_order_acquire);
            while (read_ < stop) {
                if (given == limit) return given;
                RecordHeader header;
                std::memcpy(&header, chunk->data + read_, sizeof header);
                take(header.type, chunk->data + read_ + sizeof header);
                read_ += sizeof header + header.bytes;
                ++given;
            }
            if (chunk == end.chunk) break;
            Chunk* next = chunk->next.load(std::memory_order_acquire);
            head_.store(next, std::memory_order_relaxed);
            read_ = 0;
            recycle(chunk);
            chunk = next;
        }
        return given;
    }

 private:
    bool next_chunk() noexcept;
    void recycle(Chunk* chunk) noexcept;

    std::atomic<std::int64_t>& free_chunks_;  ///< how many more may be allocated, over all producers
    Chunk* tail_ = nullptr;                   ///< being filled
    std::size_t position_ = 0;
    Chunk* spare_ = nullptr;  ///< emptied chunks that the producer has taken back, linked by next
    std::atomic<std::uint64_t> dropped_{0};

    alignas(64) std::atomic<Chunk*> head_{nullptr};  ///< the writer's side; set by the producer for the first chunk
    std::size_t read_ = 0;
    std::atomic<Chunk*> emptied_{nullptr};  ///< stack that the writer pushes to and the producer takes whole
};

struct ThreadProducers;

/// All producers of one recorder.
class EventQueue {
 public:
    explicit EventQueue(std::size_t budget_bytes);
    ~EventQueue();

    /// The calling thread's producer; null once stopped or without memory.
    Producer* producer() noexcept {
        if (local_.serial == serial_.load(std::memory_order_relaxed)) [[likely]]
            return local_.producer;
        return attach();
    }

    /// No more events are taken. Any thread, also after a fork.
    void stop() noexcept { serial_.store(kStopped, std::memory_order_relaxed); }
    bool stopped() const noexcept { return serial_.load(std::memory_order_relaxed) == kStopped; }

    /// For the writer: the producers there are now, and letting go of one whose thread has ended.
    std::vector<std::shared_ptr<Producer>> producers();
    void forget(const std::shared_ptr<Producer>& producer);

    std::uint64_t dropped() const;

 private:
    static constexpr std::uint64_t kStopped = ~std::uint64_t{0};
    struct Local {
        std::uint64_t serial;
        Producer* producer;
    };
    Producer* attach() noexcept;
    friend struct ThreadProducers;

    static thread_local constinit Local local_;

    std::atomic<std::uint64_t> serial_;
    std::uint64_t own_serial_;
    std::shared_ptr<std::atomic<std::int64_t>> free_chunks_;
    mutable std::mutex mutex_;  ///< taken when a thread begins or ends to record, and by the writer
    std::vector<std::shared_ptr<Producer>> producers_;
    std::uint64_t dropped_by_ended_ = 0;
    std::atomic<std::uint64_t> dropped_without_producer_{0};
};

}  // namespace fusescope
