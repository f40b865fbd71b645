#include "engine/exec/compiler.hpp"

#include <fmt/format.h>

#include <atomic>

#include "engine/exec/dispatch.hpp"
#include "engine/exec/kernel_factory.hpp"
#include "engine/passes/pass.hpp"

namespace fusescope::exec {
namespace {

// Fused nodes run member by member then: the same bits, more memory traffic. Said once, and only when it matters.
void tell_of_missing_generator(Context& context, const std::string& why, FrameId frame) {
    static std::atomic<Recorder*> told{nullptr};
    if (!context.recorder || told.exchange(context.recorder) == context.recorder) return;
    Finding f;
    f.kind = FindingKind::fallback;
    f.severity = Severity::info;
    f.rule = "no_code_generator";
    f.frame = frame;
    f.arguments = {{"reason", why}};
    f.advice = "install LLVM 16 (libllvm16) to have them compiled";
    context.recorder->finding(f);
}

std::string describe(const MemoryPlan& m) {
    std::string note =
        fmt::format("{} bytes for values inside the graph instead of {}", m.arena_bytes, m.unshared_bytes);
    if (m.reused) note += fmt::format("; {} reuse memory", m.reused);
    if (m.in_place) note += fmt::format("; {} written over an operand", m.in_place);
    if (m.updates_in_place) note += fmt::format("; {} parameters updated in place", m.updates_in_place);
    return note;
}

// Generated code of the fused nodes, also of those in branches and loops.
void add_kernels(Executable& executable, const ir::Graph& graph, std::vector<KernelSnapshot>& kernels) {
    for (const ir::NodePtr& node : graph.nodes) {
        if (node->kind != ir::NodeKind::fused) {
            for (const ir::GraphPtr& region : node->regions) add_kernels(executable, *region, kernels);
            continue;
        }
        for (const char* form : {"llvm", "asm"}) {
            if (auto text = executable.kernel_text(node->id, form))
                kernels.push_back({node->id, form, std::move(text)});
        }
    }
}

}  // namespace

std::shared_ptr<Executable> compile(Context& context, ir::GraphPtr captured, const CompileInfo& info) {
    static std::atomic<GraphId> counter{0};
    const GraphId id = ++counter;
    Recorder* const recorder = context.recorder;
    const std::int64_t start = now_ns();
    std::shared_ptr<Executable> executable;
    std::vector<StageSnapshot> stages;
    passes::PipelineOptions options;
    options.spec = context.passes;
    options.counts = &context.rewrites;
    options.follow_values = recorder && context.watch == Watch::bytes;
    if (recorder) options.stages = &stages;
    options.plan = [&](const ir::GraphPtr& final_graph, bool reuse) {
        const auto factory = std::make_shared<KernelFactory>();
        executable = std::make_shared<Executable>(final_graph, factory, id, reuse, captured);
        if (!factory->missing().empty()) tell_of_missing_generator(context, factory->missing(), info.frame);
        const MemoryPlan& m = executable->memory();
        return passes::PlanNote{m.arena_bytes + m.result_bytes, describe(m)};
    };
    passes::run_pipeline(captured, options);
    if (recorder) {
        auto snapshot = std::make_shared<GraphSnapshot>();
        snapshot->id = id;
        snapshot->name = info.name;
        snapshot->signature = info.signature;
        snapshot->frame = info.frame;
        snapshot->compile_start_ns = start;
        snapshot->compile_ns = now_ns() - start;
        snapshot->stages = std::move(stages);
        add_kernels(*executable, executable->graph(), snapshot->kernels);
        recorder->graph(std::move(snapshot));
    }
    return executable;
}

}  // namespace fusescope::exec
