// A recording whose every name is as awkward as a name can be.
#include "tests/profiler/awkward_profile.hpp"

#include <stdexcept>

#include "profiler/write/recorder.hpp"

namespace fusescope::testing {

using namespace awkward;

void write_awkward_profile(const std::string& path, const std::string& script) {
    RunInfo run;
    run.script = script;
    run.arguments = {"--name=\"x y\"", "tab\there"};
    DatabaseRecorder recorder(path, run);
    recorder.define_frame(1, {0, script, 3, kFunction});
    recorder.define_scope(1, kScope);
    recorder.define_kind(1, kOp);
    recorder.define_kind(2, "Cond");
    constexpr std::int64_t start = 5'000'000'000;
    const auto op = [&](EventId id, KindId kind, std::uint16_t thread, std::int64_t from, std::int64_t ns) {
        OpEvent event;
        event.id = id;
        event.kind = kind;
        event.thread = thread;
        event.frame = 1;
        event.scope = 1;
        event.launch_ns = event.start_ns = start + from;
        event.duration_ns = ns;
        event.bytes_read = 100;
        event.bytes_written = 50;
        return event;
    };
    recorder.op(op(1, 2, 0, 0, 1000));  // Cond, with the next one inside
    recorder.op(op(2, 1, 0, 100, 401));
    recorder.op(op(3, 1, 1, 500, 1000));  // beside it
    OpEvent device = op(4, 1, 0, 2000, 3000);
    device.start_ns += 700;
    device.stream = 2;
    device.device = DeviceKind::ascend;
    device.mode = ExecMode::graph;
    device.node = 12;
    recorder.op(device);
    recorder.transfer({.bytes = 64, .start_ns = start + 1500, .duration_ns = 100, .op_event = 4, .frame = 1});
    recorder.memory({.time_ns = start + 100, .delta_bytes = 50, .total_bytes = 50, .op_event = 2});

    auto graph = std::make_shared<GraphSnapshot>();
    graph->id = 1;
    graph->name = kGraph;
    graph->signature = "(Float32[2])";
    graph->frame = 1;
    graph->compile_start_ns = start + 1700;
    graph->compile_ns = 200;
    StageSnapshot stage;
    stage.pass = "capture";
    stage.text = "func @\"" + kGraph + "\"() {\n}\n";
    const auto node = [&](NodeId id, std::string name, std::string made_by) {
        NodeSnapshot snapshot;
        snapshot.id = id;
        snapshot.name = std::move(name);
        snapshot.op = std::move(made_by);
        snapshot.dtype = "Float32";
        snapshot.shape = "(2,)";
        snapshot.scope = kScope;
        snapshot.frame = 1;
        snapshot.bytes = 16;
        return snapshot;
    };
    stage.nodes = {node(11, "p" + kNode, "Parameter"), node(12, kNode, kOp), node(13, "r", "Return")};
    stage.nodes[1].attributes = {{"a\"b", "\"c\\n\""}};
    stage.edges = {{11, 0, 12, 0}, {12, 0, 13, 0}};
    graph->stages = {stage};
    recorder.graph(graph);
    recorder.graph_break(1, 1, kReason);
    recorder.graph_break(1, 1, kReason);
    Finding finding;
    finding.kind = FindingKind::suspicious;
    finding.op_event = 2;
    finding.frame = 1;
    finding.op = kOp;
    finding.message = kReason;
    recorder.finding(finding);
    recorder.finding(finding);
    if (!recorder.finish("ok", 0)) throw std::runtime_error(recorder.error());
}

void write_single_op_profile(const std::string& path, std::int64_t duration_ns, bool modelled) {
    RunInfo run;
    run.script = "one.py";
    DatabaseRecorder recorder(path, run);
    recorder.define_kind(1, "Add");
    OpEvent event;
    event.id = 1;
    event.kind = 1;
    event.launch_ns = event.start_ns = 1'000'000;
    event.duration_ns = duration_ns;
    if (modelled) {
        event.clock = Clock::modelled;
        event.device = DeviceKind::ascend_model;
    }
    recorder.op(event);
    if (!recorder.finish("ok", 0)) throw std::runtime_error(recorder.error());
}

}  // namespace fusescope::testing
