#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

struct Outcome {
    ir::GraphPtr graph;
    std::vector<ir::Drop> drops;
    std::map<std::string, std::uint32_t> rules;
    std::uint32_t rewrites = 0;
};

Outcome run_one(const Pass& pass, ir::GraphPtr graph, bool region, std::vector<std::string>* why) {
    Outcome result;
    ir::Rewriter rewriter(graph);
    PassContext context{rewriter, *graph, region, why};
    pass.run(context);
    for (const ir::NodePtr& n : graph->nodes) {
        if ((n->kind != ir::NodeKind::cond && n->kind != ir::NodeKind::loop) || rewriter.gone(n)) continue;
        std::vector<ir::GraphPtr> regions;
        bool changed = false;
        for (const ir::GraphPtr& old : n->regions) {
            Outcome inner = run_one(pass, old, true, why);
            changed = changed || inner.graph != old;
            regions.push_back(std::move(inner.graph));
            rewriter.add_drops(std::move(inner.drops));
            result.rewrites += inner.rewrites;
            for (const auto& [rule, count] : inner.rules) result.rules[rule] += count;
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
        const std::string_view name = word.substr(1);
        if (name == "all") {
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

bool PassSwitches::on(std::string_view name) const { return std::find(off_.begin(), off_.end(), name) == off_.end(); }

ir::GraphPtr run_pipeline(ir::GraphPtr graph, const PipelineOptions& options) {
    const PassSwitches switches(options.spec);
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
        Outcome outcome = run_one(*pass, graph, false, options.why);
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
    Outcome outcome = run_one(*pass, graph, false, why);
    const std::string where = "pass " + pass->name;
    ir::verify(*outcome.graph, where);
    if (std::string fault = ir::find_effect_fault(*graph, *outcome.graph); !fault.empty()) {
        throw std::logic_error(where + " changed the order of effects: " + fault);
    }
    if (drops) *drops = std::move(outcome.drops);
    return outcome.graph;
}

}  // namespace fusescope::passes
