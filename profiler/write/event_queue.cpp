// The way of events from the threads that produce them to the writer thread.
#include "profiler/write/event_queue.hpp"

#include <algorithm>
#include <new>

namespace fusescope {

Producer::~Producer() {
    // Values that nobody took out any more.
    drain(mark(), ~std::size_t{0}, [](RecordType type, const std::byte* payload) {
        if (type != RecordType::tensor) return;
        TensorRecord record;
        std::memcpy(&record, payload, sizeof record);
        delete[] record.value;
    });
    auto free_list = [](Chunk* chunk) {
        while (chunk != nullptr) {
            Chunk* next = chunk->next.load(std::memory_order_relaxed);
            delete chunk;
            chunk = next;
        }
    };
    free_list(head_.load(std::memory_order_acquire));
    free_list(emptied_.load(std::memory_order_acquire));
    free_list(spare_);
}

bool Producer::next_chunk() noexcept {
    if (spare_ == nullptr) spare_ = emptied_.exchange(nullptr, std::memory_order_acquire);
    Chunk* chunk = spare_;
    if (chunk != nullptr) {
        spare_ = chunk->next.load(std::memory_order_relaxed);
        chunk->committed.store(0, std::memory_order_relaxed);
        chunk->next.store(nullptr, std::memory_order_relaxed);
    } else {
        if (free_chunks_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
            free_chunks_.fetch_add(1, std::memory_order_relaxed);
            return false;
        }
        chunk = new (std::nothrow) Chunk;
        if (chunk == nullptr) return false;
    }
    if (tail_ == nullptr) {
        head_.store(chunk, std::memory_order_release);
    } else {
        tail_->next.store(chunk, std::memory_order_release);
    }
    tail_ = chunk;
    position_ = 0;
    return true;
}

void Producer::recycle(Chunk* chunk) noexcept {
    // The producer only ever takes the whole stack, so the usual trap of such stacks (ABA) cannot arise.
    Chunk* top = emptied_.load(std::memory_order_relaxed);
    do {
        chunk->next.store(top, std::memory_order_relaxed);
    } while (!emptied_.compare_exchange_weak(top, chunk, std::memory_order_release, std::memory_order_relaxed));
}

Producer::Mark Producer::mark() const noexcept {
    Mark mark;
    mark.chunk = head_.load(std::memory_order_acquire);
    if (mark.chunk == nullptr) return mark;
    while (Chunk* next = mark.chunk->next.load(std::memory_order_acquire)) mark.chunk = next;
    mark.position = mark.chunk->committed.load(std::memory_order_acquire);
    return mark;
}

namespace {

std::atomic<std::uint64_t> next_serial{1};

/// Set when the thread's own objects are being destroyed: what still records then is too late.
thread_local constinit bool thread_ended = false;

}  // namespace

thread_local constinit EventQueue::Local EventQueue::local_{0, nullptr};

/// Keeps a thread's producers alive and says when the thread ends.
struct ThreadProducers {
    std::vector<std::shared_ptr<Producer>> all;
    ~ThreadProducers() {
        thread_ended = true;
        EventQueue::local_ = {0, nullptr};
        for (auto& producer : all) producer->closed.store(true, std::memory_order_release);
    }
};

EventQueue::EventQueue(std::size_t budget_bytes)
    : serial_(next_serial.fetch_add(1)),
      own_serial_(serial_.load()),
      free_chunks_(std::make_shared<std::atomic<std::int64_t>>(
          static_cast<std::int64_t>(std::max<std::size_t>(budget_bytes / Chunk::kBytes, 2)))) {}

EventQueue::~EventQueue() { stop(); }

Producer* EventQueue::attach() noexcept {
    if (stopped() || thread_ended) return nullptr;
    try {
        thread_local ThreadProducers mine;
        // Two recorders used in turn by one thread: look for the one it already has.
        std::lock_guard lock(mutex_);
        for (auto& producer : producers_) {
            if (std::find(mine.all.begin(), mine.all.end(), producer) != mine.all.end()) {
                local_ = {own_serial_, producer.get()};
                return local_.producer;
            }
        }
        // The counter of chunks must outlive the producer, which may outlive this queue.
        struct Holder {
            std::shared_ptr<std::atomic<std::int64_t>> free_chunks;
            Producer producer;
            explicit Holder(std::shared_ptr<std::atomic<std::int64_t>> free)
                : free_chunks(std::move(free)), producer(*free_chunks) {}
        };
        auto holder = std::make_shared<Holder>(free_chunks_);
        std::shared_ptr<Producer> made(holder, &holder->producer);
        // Producers of recorders that are gone are held by this thread alone.
        std::erase_if(mine.all, [](const auto& old) { return old.use_count() == 1; });
        producers_.push_back(made);
        mine.all.push_back(made);
        local_ = {own_serial_, made.get()};
        return local_.producer;
    } catch (...) {  // out of memory
        dropped_without_producer_.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
}

std::vector<std::shared_ptr<Producer>> EventQueue::producers() {
    std::lock_guard lock(mutex_);
    return producers_;
}

void EventQueue::forget(const std::shared_ptr<Producer>& producer) {
    std::lock_guard lock(mutex_);
    dropped_by_ended_ += producer->dropped();
    std::erase(producers_, producer);
}

std::uint64_t EventQueue::dropped() const {
    std::lock_guard lock(mutex_);
    std::uint64_t sum = dropped_by_ended_ + dropped_without_producer_.load(std::memory_order_relaxed);
    for (const auto& producer : producers_) sum += producer->dropped();
    return sum;
}

}  // namespace fusescope
