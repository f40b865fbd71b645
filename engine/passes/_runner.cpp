#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <map>
#include <stdexcept>

#include "engine/ir/snapshot_builder.hpp"
#include "engine/ir/verifier.hpp"
#include "engine/passes/pass.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
std::vector<passes::Pass> pass_all();  // generated from the files of engine/passes
}

namespace fusescope::passes {
namespace {

// What enables what: expanding shows parts to the others; folding and merging come before patterns, so that a pattern
// need not know them; the bigger kernels take their tails before elementwise clusters can.
constexpr std::string_view kOrder[] = {
    "expand-composites",
    "fold-constants",
    "simplify",
    "divide-by-reciprocal",
    "cse",
    "dce",
    "fold-transpose-matmul",
    "fold-conv-batchnorm",
    "fuse-batchnorm-relu",
    "fuse-conv-activation",
    "fuse-matmul-bias-activation",
    "fuse-elementwise",
    "fuse-optimizer-update",
    "dce",
};

constexpr std::string_view kPlan = "plan-memory";

const std::vector<Pass>& table() {
    static const std::vector<Pass>* all = new std::vector<Pass>(pass_all());
    return *all;
}

const Pass* find(std::string_view name) {
    for (const Pass& p : table()) {
        if (p.name == name) return &p;
    }
    return nullptr;
}

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What a pass may do, and what is to be noted of it.
struct Terms {
    std::uint64_t* left = nullptr;  ///< rewrites that it may still make; null: no limit
    bool follow = false;
    std::vector<std::string>* why = nullptr;
};

struct Outcome {
    ir::GraphPtr graph;
    std::vector<SuccessorSnapshot> successors;
    std::vector<RewriteSnapshot> rewritten;
    std::vector<ir::Drop> drops;
    std::map<std::string, std::uint32_t> rules;
    std::uint32_t rewrites = 0;
};

/// Where the values of `graph` went.
void follow(const ir::Rewriter& rewriter, const ir::Graph& graph, std::vector<SuccessorSnapshot>& out) {
    for (const ir::NodePtr& n : graph.nodes) {
        for (std::uint32_t k = 0; k < n->types.size(); ++k) {
            const ir::Value now = rewriter.successor({n, k});
            if (now.node && now.node != n) out.push_back({n->id, k, now.node->id, now.index});
        }
    }
}

template <class List>
void append(List& to, List from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Outcome run_one(const Pass& pass, ir::GraphPtr graph, bool region, const Terms& terms) {
    Outcome result;
    ir::Rewriter rewriter(graph);
    PassContext context{rewriter, *graph, region, terms.why};
    pass.run(context);
    if (terms.left) *terms.left -= rewriter.limit(*terms.left);
    std::vector<RewriteSnapshot> regions_rewritten;
    for (const ir::NodePtr& n : graph->nodes) {
        if ((n->kind != ir::NodeKind::cond && n->kind != ir::NodeKind::loop) || rewriter.gone(n)) continue;
        std::vector<ir::GraphPtr> regions;
        bool changed = false;
        for (const ir::GraphPtr& old : n->regions) {
            Outcome inner = run_one(pass, old, true, terms);
            changed = changed || inner.graph != old;
            regions.push_back(std::move(inner.graph));
            rewriter.add_drops(std::move(inner.drops));
            result.rewrites += inner.rewrites;
            for (const auto& [rule, count] : inner.rules) result.rules[rule] += count;
            append(result.successors, std::move(inner.successors));
            append(regions_rewritten, std::move(inner.rewritten));
        }
        if (!changed) continue;
        ir::NodeSpec spec;
        spec.kind = n->kind;
        spec.inputs = n->inputs;
        spec.types = n->types;
        spec.regions = std::move(regions);
        const ir::NodePtr fresh = rewriter.create(std::move(spec), n);
        std::vector<ir::Value> with;
        for (std::uint32_t k = 0; k < n->types.size(); ++k) with.push_back({fresh, k});
        rewriter.replace(n, std::move(with), {});
        --result.rewrites;  // counted in the region
    }
    result.graph = rewriter.finish();
    result.rewrites += rewriter.rewrites();
    for (const auto& [rule, count] : rewriter.rules()) {
        if (!rule.empty()) result.rules[rule] += count;
    }
    for (const ir::Drop& d : rewriter.drops()) result.drops.push_back(d);
    if (terms.follow) {
        follow(rewriter, *graph, result.successors);
        for (const ir::Rewriter::Made& made : rewriter.made()) result.rewritten.push_back({made.node->id, made.rule});
        append(result.rewritten, std::move(regions_rewritten));
    }
    return result;
}

std::string note_of(const Pass& pass, const Outcome& outcome) {
    if (outcome.rewrites == 0) return {};
    std::string note = pass.rounding;
    for (const auto& [rule, count] : outcome.rules) {
        note += fmt::format("{}{} × {}", note.empty() ? "" : "; ", count, rule);
    }
    return note;
}

}  // namespace

const std::vector<PassInfo>& list_passes() {
    static const std::vector<PassInfo>* list = [] {
        auto* all = new std::vector<PassInfo>;
        for (std::string_view name : kOrder) {
            const Pass* p = find(name);
            const bool listed = std::any_of(all->begin(), all->end(), [&](const auto& i) { return i.name == name; });
            if (p && !listed) all->push_back({p->name, p->sentence, p->rounding, p->default_on});
        }
        all->push_back({std::string(kPlan),
                        "Lets values share memory that are never needed at the same time, and "
                        "writes results over operands that nobody reads any more.",
                        "", true});
        return all;
    }();
    return *list;
}

PassSwitches::PassSwitches(std::string_view spec) {
    const std::vector<PassInfo>& known = list_passes();
    std::map<std::string, bool, std::less<>> state;
    for (const PassInfo& p : known) state[p.name] = p.default_on;
    auto refuse = [&](const std::string& what) {
        std::string names;
        for (const PassInfo& p : known) names += (names.empty() ? "" : ", ") + p.name;
        throw UserError(ErrorKind::value, "", "--passes: " + what + "; the passes are " + names, {},
                        "write -name to switch a pass off, +name to switch it on, -all or +all for every pass");
    };
    for (std::size_t at = 0; at <= spec.size();) {
        const std::size_t comma = std::min(spec.find(',', at), spec.size());
        std::string_view word = spec.substr(at, comma - at);
        at = comma + 1;
        while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
        if (word.empty()) continue;
        const bool on = word[0] == '+';
        if (!on && word[0] != '-') refuse(fmt::format("\"{}\" starts with neither + nor -", word));
        std::string_view name = word.substr(1);
        if (const std::size_t equals = name.find('='); on && equals != std::string_view::npos) {
            const std::string_view digits = name.substr(equals + 1);
            name = name.substr(0, equals);
            std::uint64_t limit = 0;
            const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit);
            if (error != std::errc() || rest != digits.data() + digits.size() || name == kPlan || name == "all") {
                refuse(fmt::format("\"{}\" limits a pass by no number; write +cse=5", word));
            }
            limits_[std::string(name)] = limit;
        } else {
            limits_.erase(std::string(name));
        }
        if (name == "all") {
            limits_.clear();
            for (auto& [key, value] : state) value = on;
        } else if (auto it = state.find(name); it != state.end()) {
            it->second = on;
        } else {
            refuse(fmt::format("there is no pass \"{}\"", name));
        }
    }
    for (const auto& [name, on] : state) {
        if (!on) off_.push_back(name);
    }
}

std::optional<std::uint64_t> PassSwitches::limit(std::string_view name) const {
    const auto it = limits_.find(name);
    return it == limits_.end() ? std::nullopt : std::optional(it->second);
}

bool PassSwitches::on(std::string_view name) const { return std::find(off_.begin(), off_.end(), name) == off_.end(); }

ir::GraphPtr run_pipeline(ir::GraphPtr graph, const PipelineOptions& options) {
    const PassSwitches switches(options.spec);
    RewriteCounts own_counts;
    RewriteCounts& counts = options.counts ? *options.counts : own_counts;
    ir::SnapshotBuilder snapshots(options.frame);
    if (options.verify) ir::verify(*graph, "capture");
    if (options.stages) {
        ir::SnapshotBuilder::Stage captured;
        captured.pass = "capture";
        snapshots.add(graph, std::move(captured));
    }
    for (std::string_view name : kOrder) {
        if (!switches.on(name)) continue;
        if (options.cancelled && options.cancelled()) break;
        const Pass* pass = find(name);
        if (!pass) throw std::logic_error(fmt::format("the pipeline names a pass \"{}\" that has no file", name));
        const std::int64_t start = now_ns();
        Terms terms;
        terms.follow = options.follow_values;
        terms.why = options.why;
        std::uint64_t left = 0;
        const std::optional<std::uint64_t> limit = switches.limit(name);
        if (limit) {
            left = *limit - counts[pass->name];
            terms.left = &left;
        }
        Outcome outcome = run_one(*pass, graph, false, terms);
        if (limit) counts[pass->name] = *limit - left;
        const std::int64_t duration = now_ns() - start;
        if (options.verify && outcome.graph != graph) {
            const std::string where = "pass " + pass->name;
            ir::verify(*outcome.graph, where);
            if (std::string fault = ir::find_effect_fault(*graph, *outcome.graph); !fault.empty()) {
                throw std::logic_error(where + " changed the order of effects: " + fault);
            }
        }
        graph = outcome.graph;
        if (!options.stages) continue;
        ir::SnapshotBuilder::Stage stage;
        stage.pass = pass->name;
        stage.duration_ns = duration;
        stage.rewrites = outcome.rewrites;
        stage.note = note_of(*pass, outcome);
        stage.drops = std::move(outcome.drops);
        stage.successors = std::move(outcome.successors);
        stage.rewritten = std::move(outcome.rewritten);
        snapshots.add(graph, std::move(stage));
    }
    if (options.plan) {
        const std::int64_t start = now_ns();
        const PlanNote plan = options.plan(graph, switches.on(kPlan));
        if (options.stages) {
            ir::SnapshotBuilder::Stage stage;
            stage.pass = kPlan;
            stage.duration_ns = now_ns() - start;
            stage.note = plan.note;
            stage.peak_bytes = plan.peak_bytes;
            snapshots.add(graph, std::move(stage));
        }
    }
    if (options.stages) *options.stages = snapshots.take();
    return graph;
}

ir::GraphPtr run_pass(std::string_view name, ir::GraphPtr graph, std::vector<ir::Drop>* drops,
                      std::vector<std::string>* why) {
    const Pass* pass = find(name);
    if (!pass) throw std::logic_error(fmt::format("there is no pass \"{}\"", name));
    Terms terms;
    terms.why = why;
    Outcome outcome = run_one(*pass, graph, false, terms);
    const std::string where = "pass " + pass->name;
    ir::verify(*outcome.graph, where);
    if (std::string fault = ir::find_effect_fault(*graph, *outcome.graph); !fault.empty()) {
        throw std::logic_error(where + " changed the order of effects: " + fault);
    }
    if (drops) *drops = std::move(outcome.drops);
    return outcome.graph;
}

}  // namespace fusescope::passes
