// `fusescope --check`: runs a program eagerly and as graphs, compares, and looks for what makes the difference.

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "engine/passes/pass.hpp"
#include "profiler/check/blame.hpp"
#include "profiler/check/kept_folder.hpp"
#include "profiler/check/match.hpp"
#include "profiler/check/result.hpp"
#include "profiler/cli/child_run.hpp"
#include "profiler/cli/verbs.hpp"
#include "profiler/report/format.hpp"
#include "profiler/write/source_text.hpp"

namespace fusescope::cli {

namespace {

using namespace check;

constexpr std::size_t kMostDifferences = 500;  // that the answer names one by one
constexpr std::size_t kMostCauses = 4;         // that are looked for when the answer is kept for looking at

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
        if (!command.keep.empty()) kept_.emplace(command.keep, options_.values_budget);
    }

    CheckResult check() {
        eager_ = run(false, {"eager", {}}, {}, all(), true, KeptFolder::kEagerProfile);
        graph_ = run(true, {"graph", {}}, options_.passes, all(), false, KeptFolder::kGraphProfile);
        result_.eager = ending_of(*eager_);
        result_.graph = ending_of(*graph_);
        if (kept_ && kept_->has(KeptFolder::kEagerProfile)) result_.eager_profile = KeptFolder::kEagerProfile;
        if (kept_ && kept_->has(KeptFolder::kGraphProfile)) result_.graph_profile = KeptFolder::kGraphProfile;
        fetch_values();
        judge();
        const bool printed_otherwise = text_differs(*graph_, nullptr).has_value();
        if (!matching_.different.empty() || printed_otherwise || result_.endings_differ()) compare_again();
        if (result_.first_beyond) result_.first_beyond->cause = result_.cause_beyond ? 1 : 0;
        if (result_.first_beyond && result_.causes.empty()) result_.first_beyond->cause.reset();
        if (!result_.differences.empty()) result_.first = result_.differences.front();
        clear_progress();
        result_.runs = runs_;
        result_.doing.reset();
        if (kept_) kept_->write(result_);
        return std::move(result_);
    }

 private:
    Keep all() const { return {options_.values_budget, {}, {}}; }

    std::unique_ptr<Run> run(bool graphs, const Doing& doing, const std::string& passes, Keep keep, bool show = false,
                             const char* profile = nullptr) {
        tell_progress(doing);
        ChildOptions child;
        child.script = options_.script;
        child.args = options_.args;
        child.device = options_.device;
        child.graphs = graphs;
        child.passes = passes;
        child.keep = std::move(keep);
        if (kept_ && profile) child.profile = kept_->path_of(profile);
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

    std::unique_ptr<Run> probe(const std::string& passes, Keep keep) {
        return run(true, {"cause", passes}, passes, std::move(keep));
    }

    static std::string text_of(const Doing& doing) {
        const std::string_view what = doing.what;
        return what == "eager"    ? "eagerly"
               : what == "graph"  ? "as graphs"
               : what == "again"  ? "eagerly again"
               : what == "values" ? "for values that differ"
                                  : "--passes=" + doing.passes;
    }

    void tell_progress(const Doing& doing) {
        if (kept_) {
            result_.doing = doing;
            result_.runs = runs_;
            kept_->write(result_);
        }
        if (!::isatty(STDERR_FILENO)) return;
        clear_progress();
        // The first run shows what the program prints; a line of ours would stand in its middle.
        if (runs_ == 0) return;
        constexpr int kWidth = 78;  // a line that wraps could not be taken back
        const std::string line =
            report::fit_width("fusescope: run " + std::to_string(runs_ + 1) + ", " + text_of(doing), kWidth);
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
        into = run(graphs, {"values", {}}, graphs ? passes : "", {options_.values_budget, ordinals, {}});
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
            const std::size_t number = result_.differences.size();
            if (number < kMostDifferences) {
                result_.differences.push_back(describe(pair, *eager_, *graph_, std::to_string(number + 1)));
            }
            if (d.what == "not kept") {
                ++result_.unjudged;
            } else if (!d.within()) {
                ++result_.beyond;
            } else {
                continue;
            }
            if (beyond_ != nullptr) continue;
            beyond_ = &pair;
            if (&pair == &matching_.different.front()) continue;
            result_.first_beyond =
                number < kMostDifferences ? result_.differences.back() : describe(pair, *eager_, *graph_, "beyond");
        }
        if (result_.beyond + result_.unjudged > 0 || result_.endings_differ()) {
            result_.verdict = Verdict::differ;
        } else if (result_.different > 0) {
            result_.verdict = Verdict::close;
        }
        if (!result_.differences.empty()) result_.first = result_.differences.front();
    }

    std::optional<TextDifference> text_differs(const Run& graph, const Run* again) const {
        return text_difference(eager_->child.out, graph.child.out, again ? &again->child.out : nullptr,
                               result_.tolerance);
    }

    /// Before anything is blamed: does the program do the same twice?
    void compare_again() {
        const std::unique_ptr<Run> again = run(false, {"again", {}}, {}, all());
        const Matching same = match(eager_->sequence, again->sequence);
        if (!same.different.empty() || same.only_first + same.only_second > 0 ||
            eager_->child.status != again->child.status) {
            result_.verdict = Verdict::unsteady;
            result_.first_beyond.reset();
            result_.first.reset();
            result_.differences.clear();
            if (!same.different.empty()) {
                result_.differences.push_back(describe(same.different.front(), *eager_, *again, "again"));
            }
            return;
        }
        result_.output = text_differs(*graph_, again.get());
        if (result_.output) result_.verdict = Verdict::differ;
        if (!matching_.different.empty()) {
            find_causes();
        } else if (result_.endings_differ()) {
            const auto differs = [this](const Run& graph) { return differ(ending_of(graph), result_.eager); };
            result_.cause = blame(differs, std::nullopt, false);
        } else if (result_.output) {
            const auto differs = [&](const Run& graph) { return text_differs(graph, again.get()).has_value(); };
            result_.cause = blame(differs, std::nullopt, false);
        }
        if (result_.cause && result_.causes.empty()) result_.causes.push_back(*result_.cause);
    }

    /// Of the first difference; of the first beyond the tolerance when that is another's; and of further ones.
    void find_causes() {
        add_cause(0, false, true);
        result_.cause = result_.causes.front();
        if (beyond_ == nullptr && matching_.different.size() == 1) return;
        std::unique_ptr<Run> without = run_without_causes();
        attribute(*without);
        // The pass that makes the first difference, which may be a small one that it owns up to, need not be the one
        // that makes a difference beyond the tolerance.
        if (beyond_ != nullptr && shows(*beyond_, true, *without) != result_.cause->pass.empty()) {
            add_cause(static_cast<std::size_t>(beyond_ - matching_.different.data()), true, true);
            result_.cause_beyond = result_.causes.back();
            if (!kept_) return;
            attribute(*run_without_causes());
        }
        while (kept_ && result_.causes.size() < kMostCauses) {
            const std::size_t next = first_without_cause();
            if (next == rows()) return;
            add_cause(next, false, false);
            attribute(*run_without_causes());
        }
    }

    /// How many of the pairs that differ have a row; row n is of pair n.
    std::size_t rows() const { return result_.differences.size() - closer_; }
    OpDifference& row(std::size_t n) { return result_.differences[n + closer_]; }
    std::size_t first_without_cause() {
        std::size_t n = 0;
        while (n < rows() && row(n).cause) ++n;
        return n;
    }

    void add_cause(std::size_t number, bool beyond, bool closer) {
        const Pair target = matching_.different[number];
        Cause cause = blame([&](const Run& graph) { return shows(target, beyond, graph); }, target, closer);
        result_.causes.push_back(std::move(cause));
        if (number < rows()) row(number).cause = result_.causes.size() - 1;
    }

    /// The --passes specification without those that were found to be to blame.
    std::string without_causes() const {
        std::string spec = options_.passes;
        for (const Cause& cause : result_.causes) {
            if (!cause.pass.empty()) spec += (spec.empty() ? "-" : ",-") + cause.pass;
        }
        return spec;
    }

    std::unique_ptr<Run> run_without_causes() {
        Keep keep = all();
        if (beyond_ != nullptr) keep.like = {beyond_->first_value->dtype, beyond_->first_value->shape};
        return probe(result_.causes.back().pass.empty() ? "-all" : without_causes(), std::move(keep));
    }

    /// Gives the latest cause to those differences that are gone without it; when no pass is to blame, to those that
    /// are there without any.
    void attribute(const Run& without) {
        const Matching matching = match(eager_->sequence, without.sequence);
        std::map<std::pair<std::uint32_t, std::uint32_t>, const Pair*> still;
        for (const Pair& pair : matching.different) still[{pair.first, pair.output}] = &pair;
        const bool no_pass = result_.causes.back().pass.empty();
        for (std::size_t n = 0; n < rows(); ++n) {
            if (row(n).cause) continue;
            const auto it = still.find({matching_.different[n].first, matching_.different[n].output});
            bool there = it != still.end();
            if (there) {
                const Difference left = by(*it->second);
                there = !left.none() && (row(n).difference.within() || !left.within());
            }
            if (there == no_pass) row(n).cause = result_.causes.size() - 1;
        }
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

    /// `closer`: what runs with fewer passes may show an earlier op as the first.
    Cause blame(const std::function<bool(const Run&)>& differs, std::optional<Pair> target, bool closer) {
        std::vector<std::string> passes;
        const passes::PassSwitches switches(without_causes());
        for (const passes::PassInfo& info : passes::list_passes()) {
            if (switches.on(info.name)) passes.push_back(info.name);
        }
        std::map<std::string, std::vector<Rewrite>> rewrites;
        std::unique_ptr<Run> finest;  // the difference with as few passes as possible
        const Blame found = find_blame(passes, [&](const std::string& spec, const std::string& pass) {
            Keep keep = all();
            if (target && pass.empty()) keep.like = {target->first_value->dtype, target->first_value->shape};
            std::unique_ptr<Run> probed = probe(spec, std::move(keep));
            Probe answer;
            answer.differs = differs(*probed);
            if (!pass.empty()) {
                rewrites[spec] = probed->child.log.rewrites_of(pass);
                answer.rewrites = rewrites[spec].size();
                if (answer.differs) finest = std::move(probed);
            }
            return answer;
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
        if (target && finest && closer) look_closer(*target, finest, found.passes);
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
            put_first(describe(matching.different.front(), *eager, *finest, "first"));
            return;
        }
        put_first(describe(matching.different.front(), *eager_, *finest, "first"));
    }

    /// An op that is inside a kernel of the full graph: it has a row before all others.
    void put_first(OpDifference first) {
        if (!result_.first_beyond && !result_.first->difference.within()) result_.first_beyond = result_.first;
        if (!first.difference.within()) result_.first_beyond.reset();
        first.cause = result_.causes.size();  // the one that is being looked for
        result_.first = first;
        if (closer_ == 0) result_.differences.insert(result_.differences.begin(), first);
        result_.differences.front() = std::move(first);
        closer_ = 1;
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

    OpDifference describe(const Pair& pair, const Run& first, const Run& second, const std::string& name) {
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
        d.eager_event = a.event->id;
        // The second run need not be the one that was recorded.
        if (a.key < graph_->sequence.by_key.size() && a.occurrence < graph_->sequence.by_key[a.key].size()) {
            const Execution& recorded = graph_->sequence.executions[graph_->sequence.by_key[a.key][a.occurrence]];
            if (recorded.event) d.graph_event = recorded.event->id;
            if (recorded.node) d.node = recorded.node->id;
        }
        if (kept_) {
            d.eager_values = kept_->keep(name + "-eager.npy", *pair.first_value);
            d.graph_values = kept_->keep(name + "-graph.npy", *pair.second_value);
        }
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
    std::size_t closer_ = 0;        // rows before that of the first pair
    std::optional<KeptFolder> kept_;
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
