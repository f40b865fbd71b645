// What a debugger's user writes about a line: expressions in the frame that runs, and which hits count.
#pragma once

#include <functional>
#include <string>

#include "engine/python/object.hpp"

struct _frame;

namespace fusescope::python {

/// The value of compiled code in a frame; null with a Python error set.
Ref evaluated(_frame* frame, PyObject* code);

/// "5" (from the fifth on), "== 5", "> 5", ">= 5", "% 10": whether hit number `hits` counts. Throws UserError for
/// others.
std::function<bool(std::uint64_t)> parse_hit_condition(const std::string& text);

}  // namespace fusescope::python
