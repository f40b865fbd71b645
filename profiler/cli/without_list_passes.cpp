// What a build whose engine has no passes says to --list-passes.
#include "profiler/cli/verbs.hpp"

namespace fusescope::cli {

int list_passes() { throw UsageError("this build has no passes"); }

}  // namespace fusescope::cli
