#include "engine/ir/cursor.hpp"

#include <charconv>

#include "engine/ir/literal.hpp"

namespace fusescope::ir {

bool Cursor::take(std::string_view word) noexcept {
    if (!text_.substr(std::min(at_, text_.size())).starts_with(word)) return false;
    at_ += word.size();
    return true;
}

void Cursor::expect(std::string_view word) {
    if (take(word)) return;
    const std::string_view rest = text_.substr(std::min(at_, text_.size()), 20);
    fail("expected \"" + std::string(word) + "\", got " +
         (rest.empty() ? std::string("the end of the line") : "\"" + std::string(rest) + "\""));
}

void Cursor::expect_end() {
    if (!done()) fail("expected the end of the line, got \"" + std::string(text_.substr(at_, 20)) + "\"");
}

std::string Cursor::name() {
    if (peek() == '"') return quoted();
    const std::size_t start = at_;
    while (!done() && plain_name_char(text_[at_])) ++at_;
    if (at_ == start) fail("expected a name");
    return std::string(text_.substr(start, at_ - start));
}

std::string Cursor::quoted() {
    expect("\"");
    std::string s;
    for (;;) {
        if (done()) fail("the quoted name has no end");
        const char c = text_[at_++];
        if (c == '"') return s;
        if (c != '\\') {
            s += c;
            continue;
        }
        const char e = peek();
        ++at_;
        if (e == '"' || e == '\\') {
            s += e;
        } else if (e == 'n') {
            s += '\n';
        } else if (e == 'x' && at_ + 2 <= text_.size()) {
            unsigned value = 0;
            const char* from = text_.data() + at_;
            const auto [end, error] = std::from_chars(from, from + 2, value, 16);
            if (error != std::errc() || end != from + 2) fail("expected two hex digits after \\x");
            s += static_cast<char>(value);
            at_ += 2;
        } else {
            --at_;
            fail("unknown escape in a quoted name; known are \\\" \\\\ \\n \\xHH");
        }
    }
}

std::int64_t Cursor::integer() {
    std::int64_t v = 0;
    const char* from = text_.data() + std::min(at_, text_.size());
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), v);
    if (error == std::errc::result_out_of_range) fail("the number does not fit in 64 bits");
    if (error != std::errc()) fail("expected a whole number");
    at_ += static_cast<std::size_t>(end - from);
    return v;
}

std::string_view Cursor::word() {
    const std::size_t start = at_;
    auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (!done() && letter(text_[at_])) ++at_;
    if (at_ == start) fail("expected a word");
    return text_.substr(start, at_ - start);
}

Shape Cursor::extents(char open, char close) {
    expect({&open, 1});
    Shape shape;
    std::int64_t count = 1;
    while (!take({&close, 1})) {
        if (!shape.empty()) expect(", ");
        const std::int64_t extent = integer();
        if (extent < 0) fail("an extent is negative");
        // Empty tensors may have any other extents; they must not wrap around either.
        if (__builtin_mul_overflow(count, std::max<std::int64_t>(extent, 1), &count) ||
            count > (std::int64_t{1} << 48)) {
            fail("the extents multiply to more elements than any memory holds");
        }
        shape.push_back(extent);
        if (shape.size() > 64) fail("a tensor of more than 64 axes");
    }
    return shape;
}

TensorType Cursor::type(bool* parameter) {
    expect("<");
    const bool ref = take("Ref[");
    expect("Tensor[");
    const std::string_view name = word();
    const auto dtype = dtype_from_name(name);
    if (!dtype) fail("\"" + std::string(name) + "\" is no dtype");
    expect("]");
    if (ref) expect("]");
    expect(", ");
    TensorType t{*dtype, extents('(', ')')};
    if (ref) {
        expect(", ref_key=");
        this->name();
    }
    expect(">");
    if (parameter) *parameter = ref;
    return t;
}

std::vector<TensorType> Cursor::types() {
    expect("(");
    std::vector<TensorType> list;
    bool first = true;
    while (!take(")")) {
        if (!first) expect(", ");
        first = false;
        if (take("<None>")) {
            list.emplace_back();
        } else {
            list.push_back(type());
        }
    }
    return list;
}

AttrValue Cursor::attribute() {
    if (peek() == '"') return quoted();
    if (take("(")) {
        Ints list;
        while (!take(")")) {
            if (!list.empty()) {
                expect(",");
                if (take(")")) break;
                expect(" ");
            }
            list.push_back(integer());
        }
        return list;
    }
    const std::size_t start = at_;
    const std::string_view kind = word();
    if (kind == "None") return std::monostate{};
    if (kind == "I64" || kind == "Bool" || kind == "F64") {
        expect("(");
        AttrValue v;
        if (kind == "F64") {
            const std::size_t from = at_;
            while (!done() && text_[at_] != ')') ++at_;
            const auto d = read_double(text_.substr(from, at_ - from));
            if (!d) {
                at_ = from;
                fail("expected a number");
            }
            v = *d;
        } else {
            const std::int64_t i = integer();
            if (kind == "Bool" && i != 0 && i != 1) fail("a Bool is 0 or 1");
            v = kind == "Bool" ? AttrValue(i == 1) : AttrValue(i);
        }
        expect(")");
        return v;
    }
    if (const auto dtype = dtype_from_name(kind)) return *dtype;
    at_ = start;
    fail("expected a value: I64(…), F64(…), Bool(…), \"text\", (1, 2), None or a dtype");
}

Tensor Cursor::constant() {
    expect("shape=");
    const Shape shape = extents('[', ']');
    expect(", dtype=");
    const std::string_view name = word();
    const auto dtype = dtype_from_name(name);
    if (!dtype) fail("\"" + std::string(name) + "\" is no dtype");
    const TensorType type{*dtype, shape};
    std::vector<char> bytes;
    if (take(", bytes=")) {
        hex_bytes(type, bytes);
    } else {
        expect(", value=");
        if (take("[...]"))
            fail("the data of this constant was left out of the text, so the graph cannot be made again");
        decimal_elements(type, bytes);
    }
    expect(")");
    return Tensor::from_bytes(*dtype, shape, bytes.data());
}

void Cursor::hex_bytes(const TensorType& type, std::vector<char>& bytes) {
    const std::size_t want = type.bytes();
    auto digit = [&](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        fail("expected a hex digit (0-9, A-F)");
    };
    if (want > text_.size()) fail("the constant has fewer bytes than its type needs");
    bytes.reserve(want);
    for (std::size_t i = 0; i < want; ++i) {
        const int high = digit(peek());
        ++at_;
        const int low = digit(peek());
        ++at_;
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
}

void Cursor::decimal_elements(const TensorType& type, std::vector<char>& bytes) {
    const std::int64_t want = type.shape.count();
    const std::size_t size = size_of(type.dtype);
    std::int64_t got = 0;
    int depth = 0;
    do {
        if (take("[")) {
            if (++depth > type.shape.rank()) fail("more brackets than axes");
        } else if (take("]")) {
            if (--depth < 0) fail("a bracket closes that was not opened");
            if (depth > 0) take(", ");
        } else {
            const std::size_t from = at_;
            while (!done() && text_[at_] != ',' && text_[at_] != ']' && text_[at_] != ')') ++at_;
            char element[8];
            if (!read_element(text_.substr(from, at_ - from), type.dtype, element)) {
                at_ = from;
                fail("expected a number of dtype " + std::string(name_of(type.dtype)));
            }
            if (++got > want) fail("more numbers than the shape holds");
            bytes.insert(bytes.end(), element, element + size);
            if (depth > 0) take(", ");
        }
    } while (depth > 0);
    if (got != want) {
        fail("the shape " + to_string(type.shape) + " holds " + std::to_string(want) + " numbers, got " +
             std::to_string(got));
    }
}

}  // namespace fusescope::ir
