// What a build of the profile library alone says to the verbs that need the engine.
#include "profiler/cli/verbs.hpp"

namespace fusescope::cli {

int run_recorded(const RecordOptions&) {
    throw UsageError("this build has no engine, so it cannot record; it can report, compare and export");
}

int list_ops() { throw UsageError("this build has no engine, so it has no ops"); }
int list_passes() { throw UsageError("this build has no engine, so it has no passes"); }

}  // namespace fusescope::cli
