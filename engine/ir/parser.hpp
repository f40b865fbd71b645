// Reads the text that engine/ir/printer writes back into a graph.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/ir/graph.hpp"

namespace fusescope::ir {

/// What is wrong with a text, and where. what() is "line 12, column 7: expected …".
class ParseError : public std::runtime_error {
 public:
    ParseError(int line, int column, const std::string& message)
        : std::runtime_error("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message),
          line_(line),
          column_(column) {}
    int line() const noexcept { return line_; }
    int column() const noexcept { return column_; }

 private:
    int line_, column_;
};

/// The graph of a text, structurally equal to the one that was printed (frames, scopes, origins and ids are not in the
/// text). Everything is checked: names, operands, attributes, types against inference. Throws ParseError, also for
/// texts whose constants were left out.
GraphPtr parse(std::string_view text);

}  // namespace fusescope::ir
