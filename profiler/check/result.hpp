// What --check answers, as plain values; shown as text, HTML or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fusescope/event.hpp"
#include "profiler/check/difference.hpp"
#include "profiler/check/program_output.hpp"
#include "profiler/report/document.hpp"

namespace fusescope::check {

struct Place {
    std::string file;  ///< empty when unknown
    std::int64_t line = 0;
    std::string source;  ///< text of the line; empty when it cannot be read
};

struct OpPlace {
    std::string op;
    Place place;
};

/// An op whose values differ.
struct OpDifference {
    OpPlace op;
    std::string scope, phase;
    std::int64_t step = 0;
    std::int64_t occurrence = 0;  ///< the how-manieth run of this op at this line, from 1
    std::int64_t occurrences = 0;
    std::int64_t output = 0;
    std::string dtype, shape;
    std::string graph;             ///< that it is part of; empty when it ran by itself
    std::string kernel;            ///< that computed it in the graph
    std::vector<OpPlace> members;  ///< of that kernel, when there are several
    Difference difference;
    // Where it is in the profiles that --keep leaves; 0: nowhere.
    EventId eager_event = 0, graph_event = 0;
    NodeId node = 0;                         ///< of the graph as captured
    std::string eager_values, graph_values;  ///< files beside the answer; empty when they were not kept
    std::optional<std::size_t> cause;        ///< in CheckResult::causes
};

/// What made the difference.
struct Cause {
    std::string pass;      ///< empty: no pass; the graph as captured runs differently
    std::string sentence;  ///< what the pass does
    std::string rounding;  ///< what it says of itself; empty: it may not change a bit
    std::string passes;    ///< --passes that shows it with as few as possible
    bool alone = true;
    std::uint64_t rewrite = 0, rewrites = 0;
    std::string rule;  ///< of that rewrite
    OpPlace rewritten;
    std::string passes_with;  ///< --passes that stops right after it
};

struct Ending {
    int status = 0;         ///< exit status; 128 + n when signal n ended it
    bool raised = false;    ///< by an exception
    std::string exception;  ///< "ValueError: no more"

    std::string exception_type() const { return exception.substr(0, exception.find(':')); }
};
/// A graph may say more about the same mistake, so that only the exceptions' types are compared.
inline bool differ(const Ending& a, const Ending& b) {
    return a.status != b.status || a.raised != b.raised || a.exception_type() != b.exception_type();
}

/// What a check that is not at its end is about.
struct Doing {
    const char* what = "";  ///< "eager", "graph", "again", "values" or "cause"
    std::string passes;     ///< of a run that looks for a cause: its --passes
};

enum class Verdict {
    agree,  ///< bit for bit
    close,  ///< not bit for bit, but nothing is beyond the tolerance
    differ,
    unsteady,  ///< two eager runs differ already, so nothing can be said
};
const char* name_of(Verdict verdict);

struct CheckResult {
    std::string script;
    std::vector<std::string> arguments;
    Verdict verdict = Verdict::agree;
    Tolerance tolerance;
    std::uint64_t compared = 0;  ///< outputs of ops that exist in both runs
    std::uint64_t eager_outputs = 0;
    std::uint64_t different = 0;                   ///< in bits
    std::uint64_t beyond = 0;                      ///< the tolerance
    std::uint64_t unjudged = 0;                    ///< in bits, and the values did not fit --values-budget
    std::uint64_t only_eager = 0, only_graph = 0;  ///< ops that only one of the runs had
    std::optional<OpDifference> first;             ///< in bits
    std::optional<OpDifference> first_beyond;      ///< the tolerance; null when `first` is it
    std::optional<Cause> cause;                    ///< of the first difference
    std::optional<Cause> cause_beyond;             ///< of the first beyond the tolerance, when that is another one
    std::optional<TextDifference> output;
    Ending eager, graph;
    int runs = 0;  ///< how often the program was run

    /// Ops that differ, the first ones in program order. `first` is the first of them.
    std::vector<OpDifference> differences;
    /// What makes the differences: `cause`, `cause_beyond`, and with --keep perhaps more.
    std::vector<Cause> causes;
    std::string eager_profile, graph_profile;  ///< files beside the answer; empty when there are none
    std::optional<Doing> doing;                ///< while the check goes on: null at its end

    bool endings_differ() const { return differ(eager, graph); }
};

report::Document to_document(const CheckResult& result);
std::string to_json(const CheckResult& result);

}  // namespace fusescope::check
