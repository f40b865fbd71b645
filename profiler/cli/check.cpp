// `fusescope --check`: runs a program eagerly and as graphs, compares, and looks for what makes the difference.

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "engine/passes/pass.hpp"
#include "profiler/check/blame.hpp"
#include "profiler/check/match.hpp"
#include "profiler/check/result.hpp"
#include "profiler/cli/child_run.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/report/format.hpp"
#include "profiler/write/source_text.hpp"

namespace fusescope::cli {

namespace {

using namespace check;

/// One run with its ops in program order.
struct Run {
    ChildRun child;
    Sequence sequence;
};

class Checker {
 public:
    explicit Checker(const Command& command) : command_(command), options_(command.record) {
        result_.script = options_.script;
        result_.arguments = options_.args;
        result_.tolerance = {command.rtol, command.atol};
    }

    CheckResult check() {
        eager_ = run(false, "eagerly", {}, all(), true);
        graph_ = run(true, "as graphs", options_.passes, all(), false);
        result_.eager = ending_of(*eager_);
        result_.graph = ending_of(*graph_);
        fetch_values();
        judge();
        const bool printed_otherwise = text_differs(*graph_, nullptr).has_value();
        if (!matching_.different.empty() || printed_otherwise || result_.endings_differ()) compare_again();
        clear_progress();
        result_.runs = runs_;
        return std::move(result_);
    }

 private:
    Keep all() const { return {options_.values_budget, {}, {}}; }

    std::unique_ptr<Run> run(bool graphs, const std::string& what, const std::string& passes, Keep keep, bool show) {
        tell_progress(what);
        ChildOptions child;
        child.script = options_.script;
        child.args = options_.args;
        child.device = options_.device;
        child.graphs = graphs;
        child.passes = passes;
        child.keep = std::move(keep);
        if (show) {
            // The report may be for a program to read.
            const bool report_alone = command_.format != "text" && (command_.out.empty() || command_.out == "-");
            child.show_out = report_alone ? STDERR_FILENO : STDOUT_FILENO;
            child.show_err = STDERR_FILENO;
        }
        ++runs_;
        auto made = std::make_unique<Run>();
        made->child = children_.run(child);
        made->sequence = sequence_of(made->child.log, keys_);
        return made;
    }

    void tell_progress(const std::string& what) {
        if (!::isatty(STDERR_FILENO)) return;
        clear_progress();
        // The first run shows what the program prints; a line of ours would stand in its middle.
        if (runs_ == 0) return;
        constexpr int kWidth = 78;  // a line that wraps could not be taken back
        const std::string line = report::fit_width("fusescope: run " + std::to_string(runs_ + 1) + ", " + what, kWidth);
        progress_ = ::write(STDERR_FILENO, line.data(), line.size()) > 0;
    }
    void clear_progress() {
        if (progress_) [[maybe_unused]]
            const ssize_t written = ::write(STDERR_FILENO, "\r\x1b[K", 4);
        progress_ = false;
    }

    static Ending ending_of(const Run& run) {
        Ending ending;
        ending.status = run.child.status;
        ending.raised = run.child.log.raised;
        if (ending.raised) ending.exception = exception_line(run.child.err);
        return ending;
    }

    /// What differs and was not kept is run for once more.
    void fetch_values() {
        matching_ = match(eager_->sequence, graph_->sequence);
        std::vector<std::uint64_t> eager, graph;
        std::uint64_t bytes = 0;
        bool missing = false;
        for (const Pair& pair : matching_.different) {
            missing = missing || pair.first_value->bytes == nullptr || pair.second_value->bytes == nullptr;
            bytes += static_cast<std::uint64_t>(pair.first_value->shape.count()) * size_of(pair.first_value->dtype);
            if (bytes > options_.values_budget) break;
            eager.push_back(pair.first_value->ordinal);
            graph.push_back(pair.second_value->ordinal);
        }
        if (!missing || eager.empty()) return drop_equal(matching_);
        fetch(eager_, false, options_.passes, std::move(eager));
        fetch(graph_, true, options_.passes, std::move(graph));
        matching_ = match(eager_->sequence, graph_->sequence);
        drop_equal(matching_);
    }

    void fetch(std::unique_ptr<Run>& into, bool graphs, const std::string& passes,
               std::vector<std::uint64_t> ordinals) {
        std::sort(ordinals.begin(), ordinals.end());
        ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
        into =
            run(graphs, "for values that differ", graphs ? passes : "", {options_.values_budget, ordinals, {}}, false);
    }

    Difference by(const Pair& pair) const {
        return difference(*pair.first_value, *pair.second_value, result_.tolerance);
    }

    void judge() {
        result_.compared = matching_.compared;
        result_.eager_outputs = matching_.first_outputs;
        result_.only_eager = matching_.only_first;
        result_.only_graph = matching_.only_second;
        result_.different = matching_.different.size();
        beyond_ = nullptr;
        for (const Pair& pair : matching_.different) {
            const Difference d = by(pair);
            if (d.what == "not kept") {
                ++result_.unjudged;
            } else if (!d.within()) {
                ++result_.beyond;
            } else {
                continue;
            }
            if (beyond_ == nullptr) beyond_ = &pair;
        }
        if (result_.beyond + result_.unjudged > 0 || result_.endings_differ()) {
            result_.verdict = Verdict::differ;
        } else if (result_.different > 0) {
            result_.verdict = Verdict::close;
        }
        if (matching_.different.empty()) return;
        result_.first = describe(matching_.different.front(), *eager_, *graph_);
        if (beyond_ && beyond_ != &matching_.different.front()) {
            result_.first_beyond = describe(*beyond_, *eager_, *graph_);
        }
    }

    std::optional<TextDifference> text_differs(const Run& graph, const Run* again) const {
        return text_difference(eager_->child.out, graph.child.out, again ? &again->child.out : nullptr,
                               result_.tolerance);
    }

    /// Before anything is blamed: does the program do the same twice?
    void compare_again() {
        const std::unique_ptr<Run> again = run(false, "eagerly again", {}, all(), false);
        const Matching same = match(eager_->sequence, again->sequence);
        if (!same.different.empty() || same.only_first + same.only_second > 0 ||
            eager_->child.status != again->child.status) {
            result_.verdict = Verdict::unsteady;
            result_.first_beyond.reset();
            result_.first.reset();
            if (!same.different.empty()) result_.first = describe(same.different.front(), *eager_, *again);
            return;
        }
        result_.output = text_differs(*graph_, again.get());
        if (result_.output) result_.verdict = Verdict::differ;
        if (!matching_.different.empty()) {
            const Pair first = matching_.different.front();
            result_.cause = blame([this, first](const Run& graph) { return shows(first, false, graph); }, first);
            if (beyond_ == nullptr || explains(*result_.cause, *beyond_)) return;
            const Pair target = *beyond_;
            result_.cause_beyond =
                blame([this, target](const Run& graph) { return shows(target, true, graph); }, target);
        } else if (result_.endings_differ()) {
            const auto differs = [this](const Run& graph) { return differ(ending_of(graph), result_.eager); };
            result_.cause = blame(differs, std::nullopt);
        } else if (result_.output) {
            const auto differs = [&](const Run& graph) { return text_differs(graph, again.get()).has_value(); };
            result_.cause = blame(differs, std::nullopt);
        }
    }

    /// Whether the pass that makes the first difference, which may be a small one that it owns up to, is also the one
    /// that makes a difference beyond the tolerance.
    bool explains(const Cause& cause, const Pair& target) {
        Keep keep = all();
        keep.like = {target.first_value->dtype, target.first_value->shape};
        std::string spec = "-all";
        if (!cause.pass.empty()) spec = options_.passes + (options_.passes.empty() ? "-" : ",-") + cause.pass;
        const std::unique_ptr<Run> probed = run(true, "--passes=" + spec, spec, std::move(keep), false);
        return shows(target, true, *probed) == cause.pass.empty();
    }

    bool shows(const Pair& target, bool beyond, const Run& graph) const {
        const Matching matching = match(eager_->sequence, graph.sequence);
        for (const Pair& pair : matching.different) {
            if (pair.first != target.first || pair.output != target.output) continue;
            const Difference d = by(pair);
            return beyond ? !d.within() : !d.none();
        }
        return false;
    }

    Cause blame(const std::function<bool(const Run&)>& differs, std::optional<Pair> target) {
        std::vector<std::string> passes;
        const passes::PassSwitches switches(options_.passes);
        for (const passes::PassInfo& info : passes::list_passes()) {
            if (switches.on(info.name)) passes.push_back(info.name);
        }
        std::map<std::string, std::vector<Rewrite>> rewrites;
        std::unique_ptr<Run> finest;  // the difference with as few passes as possible
        const Blame found = find_blame(passes, [&](const std::string& spec, const std::string& pass) {
            Keep keep = all();
            if (target && pass.empty()) keep.like = {target->first_value->dtype, target->first_value->shape};
            std::unique_ptr<Run> probed = run(true, "--passes=" + spec, spec, std::move(keep), false);
            Probe probe;
            probe.differs = differs(*probed);
            if (!pass.empty()) {
                rewrites[spec] = probed->child.log.rewrites_of(pass);
                probe.rewrites = rewrites[spec].size();
                if (probe.differs) finest = std::move(probed);
            }
            return probe;
        });
        Cause cause;
        cause.pass = found.pass;
        cause.passes = found.passes;
        cause.alone = found.alone;
        cause.rewrite = found.rewrite;
        cause.rewrites = found.rewrites;
        cause.passes_with = found.passes_with;
        for (const passes::PassInfo& info : passes::list_passes()) {
            if (info.name != found.pass) continue;
            cause.sentence = info.sentence;
            cause.rounding = info.rounding;
        }
        if (found.rewrite > 0 && finest) {
            const Rewrite& rewrite = rewrites[found.passes][found.rewrite - 1];
            cause.rule = rewrite.rule;
            cause.rewritten = {rewrite.op, place_of(finest->child.log.frame(rewrite.frame))};
        }
        if (target && finest) look_closer(*target, finest, found.passes);
        return cause;
    }

    /// Fewer passes leave more values by themselves: the difference may be seen to begin earlier than in the full
    /// graph.
    void look_closer(const Pair& target, std::unique_ptr<Run>& finest, const std::string& passes) {
        Matching matching = match(eager_->sequence, finest->sequence);
        drop_equal(matching);
        if (matching.different.empty() || matching.different.front().first >= target.first) return;
        if (matching.different.front().first >= matching_.different.front().first) return;
        if (matching.different.front().first_value->bytes == nullptr ||
            matching.different.front().second_value->bytes == nullptr) {
            const Pair first = matching.different.front();
            std::unique_ptr<Run> eager;
            fetch(eager, false, "", {first.first_value->ordinal});
            fetch(finest, true, passes, {first.second_value->ordinal});
            matching = match(eager->sequence, finest->sequence);
            if (matching.different.empty()) return;
            put_first(describe(matching.different.front(), *eager, *finest));
            return;
        }
        put_first(describe(matching.different.front(), *eager_, *finest));
    }

    void put_first(OpDifference first) {
        if (!result_.first_beyond && !result_.first->difference.within()) result_.first_beyond = result_.first;
        if (!first.difference.within()) result_.first_beyond.reset();
        result_.first = std::move(first);
    }

    Place place_of(const Frame& frame) {
        Place place{frame.path, frame.line, ""};
        auto [it, fresh] = sources_.try_emplace(frame.path);
        if (fresh && !frame.path.empty()) {
            const std::string text = read_source_text(".", frame.path).text.value_or("");
            std::size_t from = 0;
            while (from < text.size()) {
                const std::size_t end = std::min(text.find('\n', from), text.size());
                it->second.push_back(report::trimmed(text.substr(from, end - from)));
                from = end + 1;
            }
        }
        if (frame.line > 0 && static_cast<std::size_t>(frame.line) <= it->second.size()) {
            place.source = it->second[static_cast<std::size_t>(frame.line) - 1];
        }
        return place;
    }

    OpDifference describe(const Pair& pair, const Run& first, const Run& second) {
        const Log& log = first.child.log;
        const Execution& a = first.sequence.executions[pair.first];
        const Execution& b = second.sequence.executions[pair.second];
        OpDifference d;
        d.op = {log.kind(a.event->kind), place_of(log.frame(a.event->frame))};
        d.scope = log.scope(a.event->scope);
        d.phase = fusescope::name_of(a.event->phase);
        d.step = a.event->step;
        d.occurrence = a.occurrence + 1;
        d.occurrences = static_cast<std::int64_t>(first.sequence.by_key[a.key].size());
        d.output = pair.output;
        d.dtype = name_of(pair.first_value->dtype);
        d.shape = to_string(pair.first_value->shape);
        d.difference = by(pair);
        if (b.graph == nullptr || b.event == nullptr) return d;
        const Log& other = second.child.log;
        d.graph = b.graph->name;
        d.kernel = other.kind(b.event->kind);
        if (const auto it = b.graph->members.find(b.event->node); it != b.graph->members.end()) {
            for (const std::uint32_t number : it->second) {
                const CapturedNode& node = b.graph->captured[number];
                d.members.push_back({node.op, place_of(other.frame(node.frame))});
            }
        }
        return d;
    }

    const Command& command_;
    const RecordOptions& options_;
    CheckResult result_;
    Children children_;
    Keys keys_;
    std::unique_ptr<Run> eager_, graph_;
    Matching matching_;
    const Pair* beyond_ = nullptr;  // of matching_
    std::map<std::string, std::vector<std::string>> sources_;
    int runs_ = 0;
    bool progress_ = false;
};

}  // namespace

int run_check(const Command& command) {
    check_script(command.record.script);
    check_passes(command.record.passes);
    const CheckResult result = Checker(command).check();
    write_answer(command.out, command.format == "json"   ? to_json(result)
                              : command.format == "html" ? report::to_html(to_document(result))
                                                         : report::to_text(to_document(result)));
    if (result.verdict == Verdict::differ || result.verdict == Verdict::unsteady) return kFound;
    return result.eager.raised ? kRaised : result.eager.status;
}

}  // namespace fusescope::cli
