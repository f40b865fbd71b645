// What a debugger's user writes about a line: expressions in the frame that runs, and which hits count.
#pragma once

#include <functional>
#include <string>

#include "engine/python/object.hpp"

struct _frame;

namespace fusescope::python {

/// The value of compiled code in a frame (null: behind the script's last line, with its variables); null with a
/// Python error set. `more_names`: a dict of names that the frame
/// does not have; may be null.
Ref evaluated(_frame* frame, PyObject* code, PyObject* more_names = nullptr);

/// "5" (from the fifth on), "== 5", "> 5", ">= 5", "% 10": whether hit number `hits` counts. Throws UserError for
/// others.
std::function<bool(std::uint64_t)> parse_hit_condition(const std::string& text);

}  // namespace fusescope::python
