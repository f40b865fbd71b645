// The records of a log file: for two processes of the same program, so in the machine's own layout. A record is its
// kind, the size of what follows, and that, padded to eight bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace fusescope::check {

enum class RecordKind : std::uint32_t {
    frame,
    scope,
    kind,
    op,
    value,
    graph,
    graph_run,
    region_run,
    end,
    failed,  ///< in place of the first record: a write failed, and the log is not whole
    begin,   ///< the first record: holds the place of `failed`
};

struct RecordHead {
    RecordKind kind;
    std::uint32_t zero = 0;
    std::uint64_t size;  ///< without head and padding
};

constexpr std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

/// What a value record begins with; extents follow, then the bytes when they were kept.
struct ValueHead {
    std::uint64_t event, hash;
    std::uint16_t output;
    std::uint8_t dtype, rank, kept;
    std::uint8_t zero[3] = {};
};

struct OpHead {
    std::uint64_t event, node;
    std::uint32_t kind, frame, scope, step, phase, zero = 0;
};

class Pack {
 public:
    template <class T>
    void put(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put_text(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        bytes_.append(text);
    }
    const std::string& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

 private:
    std::string bytes_;
};

/// Reads what Pack has put; past the end it gives zeros.
class Unpack {
 public:
    Unpack(const char* data, std::size_t size) : at_(data), left_(size) {}
    template <class T>
    T get() {
        T value{};
        if (left_ >= sizeof value) {
            std::memcpy(&value, at_, sizeof value);
            skip(sizeof value);
        } else {
            left_ = 0;
        }
        return value;
    }
    std::string text() {
        const auto size = get<std::uint64_t>();
        if (size > left_) {
            left_ = 0;
            return {};
        }
        std::string s(at_, size);
        skip(size);
        return s;
    }
    const char* here() const { return at_; }
    std::size_t left() const { return left_; }

 private:
    void skip(std::size_t size) {
        at_ += size;
        left_ -= size;
    }
    const char* at_;
    std::size_t left_;
};

}  // namespace fusescope::check
