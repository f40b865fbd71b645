// What a build whose engine has no Python host says to --record.
#include "profiler/cli/verbs.hpp"

namespace fusescope::cli {

int run_recorded(const RecordOptions&) {
    throw UsageError("this build has no Python host, so it cannot record; it can report, compare and export");
}

}  // namespace fusescope::cli
