// --list-passes: what happens to a graph before it runs, in order.
#include <unistd.h>

#include "engine/passes/pass.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/export/sink.hpp"
#include "profiler/report/document.hpp"

namespace fusescope::cli {

int list_passes() {
    report::Table table;
    table.columns = {{"pass"}, {"default"}, {"what it does", false, false, 200}, {"results", false, false, 200}};
    for (const passes::PassInfo& pass : passes::list_passes()) {
        table.rows.push_back({pass.name, pass.default_on ? "on" : "off", pass.sentence,
                              pass.rounding.empty() ? "the same to the last bit" : pass.rounding});
    }
    DescriptorSink sink(STDOUT_FILENO, "standard output");
    sink << report::table_text(table)
         << "\nSwitch passes with --passes, read from left to right: --passes=-fuse-elementwise, --passes=-all,+cse\n"
         << "+NAME=5 lets a pass make only its first five rewrites.\n";
    sink.flush();
    return kDone;
}

}  // namespace fusescope::cli
