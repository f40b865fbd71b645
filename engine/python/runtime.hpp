// Making the built-in module known to an interpreter that is about to start.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/core/context.hpp"

namespace fusescope::python {

/// To be called before Py_Initialize; the context must outlive the interpreter.
void register_module(Context& context);

/// What the command line wants, "script" where the program's own words hold.
void force_mode_and_device(const std::string& mode, const std::string& device);

/// Whether jitted functions become graphs.
void allow_jit(bool allowed);

/// Who is told when the script ends the process by os._exit (with its status) or os.execv (without).
void set_leaving(std::function<void(std::optional<int>)> leaving);

/// A frame for a line that nobody is executing just now (where a function was defined).
FrameId frame_at(const std::string& path, int line, const std::string& function);

}  // namespace fusescope::python
