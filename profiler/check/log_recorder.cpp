#include "profiler/check/log_recorder.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <new>

namespace fusescope::check {

namespace {

constexpr std::size_t kBuffer = 1 << 20;

__extension__ using Wide = unsigned __int128;

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t word(const unsigned char* p) {
    std::uint64_t w;
    std::memcpy(&w, p, sizeof w);
    return w;
}

int write_all(int file, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(file, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        data += written;
        size -= static_cast<std::size_t>(written);
    }
    return 0;
}

}  // namespace

std::uint64_t hash_of(const void* data, std::size_t size) noexcept {
    constexpr std::uint64_t k0 = 0xa0761d6478bd642full, k1 = 0xe7037ed1a0b428dbull, k2 = 0x8ebc6af09c88c6e3ull;
    const auto* p = static_cast<const unsigned char*>(data);
    std::uint64_t a = k0 ^ size, b = k1, c = k2;
    std::size_t left = size;
    for (; left >= 48; left -= 48, p += 48) {
        a = folded_product(word(p) ^ k0, word(p + 8) ^ a);
        b = folded_product(word(p + 16) ^ k1, word(p + 24) ^ b);
        c = folded_product(word(p + 32) ^ k2, word(p + 40) ^ c);
    }
    a ^= std::rotl(b, 21) ^ std::rotl(c, 42);
    for (; left >= 8; left -= 8, p += 8) a = folded_product(word(p) ^ k0, a ^ k1);
    unsigned char rest[8] = {};
    std::memcpy(rest, p, left);
    return folded_product(word(rest) ^ k2, folded_product(a ^ k0, size ^ k1));
}

int begin_log(int file) {
    const RecordHead head{RecordKind::begin, 0, 0};
    return write_all(file, reinterpret_cast<const char*>(&head), sizeof head);
}

LogRecorder::LogRecorder(int file, Keep keep)
    : file_(file), keep_(std::move(keep)), guard_([this] { forked_.store(true, std::memory_order_relaxed); }) {}

// Kinds are few, so that the buffer is the only place where bytes wait; what is large goes past it.
void LogRecorder::append(RecordKind kind, std::string_view head, const void* data, std::size_t size) {
    static constexpr char zeros[8] = {};
    const RecordHead record{kind, 0, head.size() + size};
    const std::size_t padding = padded(record.size) - record.size;
    buffer_.append(reinterpret_cast<const char*>(&record), sizeof record);
    buffer_.append(head);
    if (size >= kBuffer) {
        flush();
        if (failed_ == 0) failed_ = write_all(file_, static_cast<const char*>(data), size);
    } else if (size > 0) {
        buffer_.append(static_cast<const char*>(data), size);
    }
    buffer_.append(zeros, padding);
    if (buffer_.size() >= kBuffer) flush();
}

void LogRecorder::flush() {
    if (failed_ == 0) failed_ = write_all(file_, buffer_.data(), buffer_.size());
    buffer_.clear();
}

template <class Fill>
void LogRecorder::record(RecordKind kind, const Fill& fill) noexcept {
    if (forked_.load(std::memory_order_relaxed)) return;
    const std::scoped_lock lock(mutex_);
    if (failed_ != 0) return;
    try {
        pack_.clear();
        fill();
        append(kind, pack_.bytes(), nullptr, 0);
    } catch (const std::bad_alloc&) {
        failed_ = ENOMEM;
    }
}

void LogRecorder::define_frame(FrameId id, const FrameInfo& frame) noexcept {
    record(RecordKind::frame, [&] {
        pack_.put(id);
        pack_.put(frame.parent);
        pack_.put(static_cast<std::int64_t>(frame.line));
        pack_.put_text(frame.path);
        pack_.put_text(frame.function);
    });
}

void LogRecorder::define_scope(ScopeId id, std::string_view path) noexcept {
    record(RecordKind::scope, [&] {
        pack_.put(id);
        pack_.put_text(path);
    });
}

void LogRecorder::define_kind(KindId id, std::string_view name) noexcept {
    record(RecordKind::kind, [&] {
        pack_.put(id);
        pack_.put_text(name);
    });
}

void LogRecorder::op(const OpEvent& event) noexcept {
    record(RecordKind::op, [&] {
        pack_.put(OpHead{event.id, event.node, event.kind, event.frame, event.scope, event.step,
                         static_cast<std::uint32_t>(event.phase)});
    });
}

bool LogRecorder::wanted(DType dtype, const Shape& shape, std::size_t bytes) const {
    if (kept_ + bytes > keep_.budget) return false;
    if (keep_.like && (keep_.like->first != dtype || keep_.like->second != shape)) return false;
    return !keep_.ordinals || std::binary_search(keep_.ordinals->begin(), keep_.ordinals->end(), ordinal_);
}

void LogRecorder::tensor(const TensorHealth& health, const Shape& shape, const void* value) noexcept {
    if (forked_.load(std::memory_order_relaxed)) return;
    const auto bytes = static_cast<std::size_t>(shape.count()) * size_of(health.dtype);
    const std::uint64_t hash = hash_of(value, bytes);
    const std::scoped_lock lock(mutex_);
    if (failed_ != 0) return;
    const bool kept = wanted(health.dtype, shape, bytes);
    ++ordinal_;
    if (kept) kept_ += bytes;
    try {
        pack_.clear();
        pack_.put(ValueHead{health.op_event, hash, health.output, static_cast<std::uint8_t>(health.dtype),
                            static_cast<std::uint8_t>(shape.size()), kept});
        for (const std::int64_t extent : shape) pack_.put(extent);
        append(RecordKind::value, pack_.bytes(), value, kept ? bytes : 0);
    } catch (const std::bad_alloc&) {
        failed_ = ENOMEM;
    }
}

void LogRecorder::graph(std::shared_ptr<const GraphSnapshot> graph) noexcept {
    if (forked_.load(std::memory_order_relaxed)) return;
    GraphMap map;
    try {
        map = map_graph(*graph);
    } catch (const std::bad_alloc&) {
        const std::scoped_lock lock(mutex_);
        failed_ = ENOMEM;
        return;
    }
    record(RecordKind::graph, [&] {
        pack_.put(map.id);
        pack_.put(map.frame);
        pack_.put_text(map.name);
        pack_.put_text(map.signature);
        pack_.put(static_cast<std::uint64_t>(map.captured.size()));
        for (const CapturedNode& node : map.captured) {
            pack_.put(node.id);
            pack_.put(node.parent);
            pack_.put(node.region);
            pack_.put(node.frame);
            pack_.put(static_cast<std::uint32_t>(node.phase));
            pack_.put(static_cast<std::uint32_t>(node.outputs.size()));
            for (const FinalValue& value : node.outputs) {
                pack_.put(value.node);
                pack_.put(value.output);
            }
            pack_.put_text(node.op);
            pack_.put_text(node.scope);
        }
        pack_.put(static_cast<std::uint64_t>(map.in_regions.size()));
        for (const auto& [node, place] : map.in_regions) {
            pack_.put(node);
            pack_.put(place.parent);
            pack_.put(place.region);
        }
        pack_.put(static_cast<std::uint64_t>(map.members.size()));
        for (const auto& [node, members] : map.members) {
            pack_.put(node);
            pack_.put(static_cast<std::uint64_t>(members.size()));
            for (const std::uint32_t member : members) pack_.put(member);
        }
        pack_.put(static_cast<std::uint64_t>(map.rewrites.size()));
        for (const Rewrite& rewrite : map.rewrites) {
            pack_.put_text(rewrite.pass);
            pack_.put_text(rewrite.rule);
            pack_.put_text(rewrite.op);
            pack_.put(rewrite.frame);
        }
    });
}

void LogRecorder::graph_run(GraphId id) noexcept {
    record(RecordKind::graph_run, [&] { pack_.put(id); });
}

void LogRecorder::region_run(NodeId node, std::uint32_t region) noexcept {
    record(RecordKind::region_run, [&] {
        pack_.put(node);
        pack_.put(region);
    });
}

void LogRecorder::finish(std::optional<bool> raised) noexcept {
    if (forked_.load(std::memory_order_relaxed)) return;
    if (raised) record(RecordKind::end, [&] { pack_.put(static_cast<std::uint32_t>(*raised)); });
    const std::scoped_lock lock(mutex_);
    flush();
    if (failed_ == 0) return;
    // The reader is to know that the log is not whole. Where the disk is full there is room in the first record.
    const RecordHead head{RecordKind::failed, static_cast<std::uint32_t>(failed_), 0};
    [[maybe_unused]] const ssize_t written = ::pwrite(file_, &head, sizeof head, 0);
}

}  // namespace fusescope::check
