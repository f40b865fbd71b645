// The Recorder that fills a profile database.
#include "profiler/write/recorder.hpp"

#include <atomic>
#include <new>
#include <optional>

#include "profiler/write/event_queue.hpp"
#include "profiler/write/fatal_signal.hpp"
#include "profiler/write/fork_guard.hpp"
#include "profiler/write/side_queue.hpp"
#include "profiler/write/source_text.hpp"
#include "profiler/write/writer.hpp"

namespace fusescope {

static_assert(sizeof(OpEvent) % 8 == 0 && sizeof(TransferEvent) % 8 == 0 && sizeof(MemoryEvent) % 8 == 0);
static_assert(sizeof(OpEvent) <= 96, "an op event should stay about as long as a cache line and a half");

namespace {
constexpr std::size_t kOutputExtra = 16;  // bytes per piece of output beside its text, once pieces are joined
}

struct DatabaseRecorder::Impl {
    EventQueue events;
    SideQueue side;
    Writer writer;
    std::atomic<std::int64_t> values_left;
    std::atomic<bool> finished{false};
    std::atomic<bool> in_child{false};
    std::string finish_error;
    ForkGuard fork_guard;
    std::optional<FatalSignal> fatal_signal;

    Impl(const std::string& path, const RunInfo& run, const RecorderOptions& options)
        : events(options.queue_budget),
          writer(path, run, events, side),
          values_left(static_cast<std::int64_t>(options.values_budget)),
          fork_guard([this] {
              in_child.store(true);
              events.stop();
          }) {
        writer.when_ended([this] {
            if (fatal_signal) fatal_signal->saved();
        });
        writer.start();
    }

    template <class Event>
    void push(RecordType type, const Event& event) noexcept {
        Producer* producer = events.producer();
        if (producer == nullptr) [[unlikely]]
            return;
        std::byte* room = producer->reserve(type, sizeof event);
        if (room == nullptr) [[unlikely]]
            return;
        std::memcpy(room, &event, sizeof event);
        producer->commit();
    }

    /// `make` builds the item; it may run out of memory, which must not reach the program.
    template <class Make>
    void push_side(std::size_t bytes, const char* what, Make make) noexcept {
        if (events.stopped()) return;
        try {
            if (!side.push(make(), bytes)) writer.count(what, 1);
        } catch (const std::exception&) {
            // Counting would need memory as well; the run goes on.
        }
    }

    /// A copy of a tensor's bytes if the budget allows.
    std::byte* kept(const void* value, std::size_t bytes) noexcept {
        constexpr std::size_t most = 500'000'000;  // the database takes no longer values
        if (bytes > most) {
            skip_value();
            return nullptr;
        }
        if (values_left.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed) <
            static_cast<std::int64_t>(bytes)) {
            values_left.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
            skip_value();
            return nullptr;
        }
        auto copy = new (std::nothrow) std::byte[bytes];
        if (copy == nullptr) {
            skip_value();
        } else {
            std::memcpy(copy, value, bytes);
        }
        return copy;
    }
    void skip_value() noexcept {
        try {
            writer.count("values_skipped", 1);
        } catch (const std::exception&) {
            // As above.
        }
    }
};

DatabaseRecorder::DatabaseRecorder(const std::string& path, const RunInfo& run, const RecorderOptions& options)
    : impl_(std::make_unique<Impl>(path, run, options)) {}

DatabaseRecorder::~DatabaseRecorder() {
    if (impl_->in_child.load()) {
        // The thread and the files belong to the parent: not even a destructor may touch them here.
        static_cast<void>(impl_.release());
        return;
    }
    finish("killed", -1);
}

void DatabaseRecorder::define_frame(FrameId id, const FrameInfo& frame) noexcept {
    impl_->push_side(frame.path.size() + frame.function.size() + sizeof(FrameDefinition), "dropped_definitions", [&] {
        return FrameDefinition{id, frame.parent, frame.line, valid_utf8(frame.path), valid_utf8(frame.function)};
    });
}

void DatabaseRecorder::define_scope(ScopeId id, std::string_view path) noexcept {
    impl_->push_side(path.size(), "dropped_definitions", [&] { return ScopeDefinition{id, valid_utf8(path)}; });
}

void DatabaseRecorder::define_kind(KindId id, std::string_view name) noexcept {
    impl_->push_side(name.size(), "dropped_definitions", [&] { return KindDefinition{id, valid_utf8(name)}; });
}

void DatabaseRecorder::op(const OpEvent& event) noexcept { impl_->push(RecordType::op, event); }
void DatabaseRecorder::transfer(const TransferEvent& event) noexcept { impl_->push(RecordType::transfer, event); }
void DatabaseRecorder::memory(const MemoryEvent& event) noexcept { impl_->push(RecordType::memory, event); }

void DatabaseRecorder::tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept {
    Producer* producer = impl_->events.producer();
    if (producer == nullptr) return;
    TensorRecord record{health, nullptr, 0, shape.size()};
    std::size_t extents = shape.size() * sizeof(std::int64_t);
    std::byte* room = producer->reserve(RecordType::tensor, sizeof record + extents);
    if (room == nullptr) return;
    if (value != nullptr && health.count > 0) {
        record.value_bytes = static_cast<std::uint64_t>(health.count) * size_of(health.dtype);
        record.value = impl_->kept(value, record.value_bytes);
    }
    std::memcpy(room, &record, sizeof record);
    std::memcpy(room + sizeof record, shape.data(), extents);
    producer->commit();
}

void DatabaseRecorder::graph(std::shared_ptr<const GraphSnapshot> graph) noexcept {
    impl_->push_side(sizeof graph, "dropped_graphs", [&] { return std::move(graph); });
}

void DatabaseRecorder::graph_break(GraphId graph, FrameId frame, std::string_view reason) noexcept {
    impl_->push_side(reason.size(), "dropped_graph_breaks", [&] {
        return GraphBreakNote{graph, frame, valid_utf8(reason)};
    });
}

void DatabaseRecorder::finding(const Finding& finding) noexcept {
    impl_->push_side(sizeof finding + finding.message.size(), "dropped_findings", [&] {
        Finding copy = finding;
        copy.message = valid_utf8(copy.message);
        return copy;
    });
}

void DatabaseRecorder::output(std::string_view stream, std::int64_t time_ns, std::string_view text) noexcept {
    if (impl_->events.stopped()) return;
    try {
        if (!impl_->side.push_output({std::string(stream), time_ns, valid_utf8(text)}, text.size() + kOutputExtra)) {
            impl_->writer.count("dropped_outputs", 1);
        }
    } catch (const std::exception&) {
        // Out of memory: as in push_side.
    }
}

bool DatabaseRecorder::finish(std::string_view status, int exit_code) noexcept {
    if (impl_->in_child.load()) return true;
    if (!impl_->finished.exchange(true)) {
        try {
            impl_->events.stop();
            impl_->writer.finish(status, exit_code);
        } catch (const std::exception& why) {
            impl_->finish_error = why.what();
        }
    }
    return error().empty();
}

void DatabaseRecorder::save_on_fatal_signal() {
    impl_->fatal_signal.emplace(
        [](void* impl, int signal) noexcept { static_cast<Impl*>(impl)->writer.end_because_of(signal); }, impl_.get());
}

void DatabaseRecorder::flush() noexcept {
    if (!impl_->in_child.load() && !impl_->finished.load()) impl_->writer.flush();
}

std::string DatabaseRecorder::error() const {
    return impl_->finish_error.empty() ? impl_->writer.error() : impl_->finish_error;
}

std::uint64_t DatabaseRecorder::dropped() const noexcept { return impl_->events.dropped(); }

}  // namespace fusescope
