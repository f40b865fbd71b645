// A recording whose every name is as awkward as a name can be.
#pragma once

#include <cstdint>
#include <string>

namespace fusescope::testing {

namespace awkward {
inline const std::string kOp = "Add\"\\\n\t</text><b>,;'%s{}\x1b[31m 张量 \xff";
inline const std::string kFunction = "<lambda>";
inline const std::string kScope = "Default/a\"b\\c-Dense,\n&<x>";
inline const std::string kGraph = "train \"step\" \\G\\N <张>";
inline const std::string kNode = "n\"1\"\\\n]->{}";
inline const std::string kReason = "because, \"of\"\nthis & <that>";
}  // namespace awkward

/// Writes `path`: two threads of eager ops that nest, one op on a stream of a device, a graph, a copy, a finding.
void write_awkward_profile(const std::string& path, const std::string& script);

/// One op "Add" of that duration and clock: for comparisons.
void write_single_op_profile(const std::string& path, std::int64_t duration_ns, bool modelled);

}  // namespace fusescope::testing
