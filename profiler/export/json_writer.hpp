// JSON written straight into a sink: a trace has millions of events, too many to build a tree of first.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "profiler/export/sink.hpp"

namespace fusescope {

/// Appends `text` as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD, so that the result is
/// always valid JSON.
void append_json_string(std::string& out, std::string_view text);

/// `ns` as microseconds with its fraction, exact: 1234567 → "1234.567".
void append_microseconds(std::string& out, std::int64_t ns);

/// Builds one flat JSON object, with nested ones by raw().
class JsonObject {
 public:
    JsonObject& text(std::string_view key, std::string_view value) {
        begin(key);
        append_json_string(out_, value);
        return *this;
    }
    /// Leaves the key out when the text is empty.
    JsonObject& text_if(std::string_view key, std::string_view value) {
        return value.empty() ? *this : text(key, value);
    }
    template <std::integral T>
    JsonObject& number(std::string_view key, T value) {
        begin(key);
        char digits[24];
        out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
        return *this;
    }
    JsonObject& microseconds(std::string_view key, std::int64_t ns) {
        begin(key);
        append_microseconds(out_, ns);
        return *this;
    }
    JsonObject& raw(std::string_view key, std::string_view json) {
        begin(key);
        out_.append(json);
        return *this;
    }
    std::string take() {
        if (out_.empty()) return "{}";
        out_ += '}';
        return std::move(out_);
    }

 private:
    void begin(std::string_view key) {
        out_ += out_.empty() ? '{' : ',';
        append_json_string(out_, key);
        out_ += ':';
    }
    std::string out_;
};

}  // namespace fusescope
