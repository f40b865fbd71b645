// The table `run`.
#include "profiler/schema/rows.hpp"

namespace fusescope {

template <>
const BoundTable<RunRow>& bound_table() {
    static const BoundTable<RunRow> table(
        "run", "One execution of one program; a recording holds one, an import may hold one per rank.", Since::contract,
        {
            column<RunRow, &RunRow::id>("id", "PRIMARY KEY", "Number of the run, from 1."),
            column<RunRow, &RunRow::script>("script", "", "Path of the script as it was named."),
            column<RunRow, &RunRow::arguments>("arguments", "", "Its arguments, a JSON array of strings."),
            column<RunRow, &RunRow::mode>("mode", "", "`script`, `eager` or `graph`: what was asked for."),
            column<RunRow, &RunRow::device>("device", "",
                                            "`script`, `cpu`, `ascend` or `ascend-model`: what was asked for."),
            column<RunRow, &RunRow::started_unix_ns>("started_unix_ns", "",
                                                     "Wall-clock time of the start, nanoseconds since 1970 (UTC)."),
            column<RunRow, &RunRow::ended_ns>(
                "ended_ns", "", "End on the run's monotonic clock; NULL while it runs and when it was killed."),
            column<RunRow, &RunRow::status>("status", "",
                                            "`running`, `ok`, `raised` or `killed`; `running` in a file that nobody "
                                            "writes to means that the run was cut short."),
            column<RunRow, &RunRow::rank>("rank", "", "Rank of the process in a distributed run, else 0."),
            column<RunRow, &RunRow::started_ns>(
                "started_ns", "", "Start on the run's monotonic clock: the zero of a time line.", Since::extension),
            column<RunRow, &RunRow::exit_code>("exit_code", "", "Exit status of the script; NULL while it runs.",
                                               Since::extension),
            column<RunRow, &RunRow::options>("options", "", "Further options of the recording, a JSON object.",
                                             Since::extension),
        });
    return table;
}

const TableDescription* schema_run() { return &bound_table<RunRow>().description; }

}  // namespace fusescope
