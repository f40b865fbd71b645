// Reading one line of IR text from left to right, with errors that know their column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/attribute.hpp"
#include "engine/ir/parser.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope::ir {

class Cursor {
 public:
    Cursor(std::string_view text, int line, std::size_t at = 0) : text_(text), line_(line), at_(at) {}

    bool done() const noexcept { return at_ >= text_.size(); }
    char peek() const noexcept { return done() ? '\0' : text_[at_]; }
    int line() const noexcept { return line_; }
    int column() const noexcept { return static_cast<int>(at_) + 1; }
    [[noreturn]] void fail(const std::string& message) const { throw ParseError(line_, column(), message); }

    /// Takes `word` when it comes next.
    bool take(std::string_view word) noexcept;
    /// Takes `word` or fails.
    void expect(std::string_view word);
    void expect_end();

    /// A plain or quoted name; may be empty only when quoted.
    std::string name();
    std::string quoted();
    std::int64_t integer();
    /// Letters, digits and underscores.
    std::string_view word();

    /// "<Tensor[Float32], (2, 3)>" or "<Ref[Tensor[Float32]], (2, 3), ref_key=w>"; `parameter` tells which.
    TensorType type(bool* parameter = nullptr);
    /// "(<…>, <…>)"
    std::vector<TensorType> types();
    AttrValue attribute();
    /// "Tensor(shape=[…], dtype=…, value=…)" after "Tensor(".
    Tensor constant();

 private:
    Shape extents(char open, char close);
    void decimal_elements(const TensorType& type, std::vector<char>& bytes);
    void hex_bytes(const TensorType& type, std::vector<char>& bytes);

    std::string_view text_;
    int line_;
    std::size_t at_;
};

}  // namespace fusescope::ir
