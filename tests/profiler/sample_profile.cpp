// A small but realistic recording for tests of everything that reads profiles.
#include "tests/profiler/sample_profile.hpp"

#include <stdlib.h>

#include <fstream>
#include <limits>
#include <stdexcept>

#include "profiler/write/recorder.hpp"

namespace fusescope::testing {

using namespace sample;

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "fusescope-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
    path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

void write_sample_script(const std::string& path) {
    std::ofstream(path) << R"(import mindspore as ms
from mindspore import nn, ops, Tensor

x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ms.float32)
y = Tensor([[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]], ms.float32)

for step in range(3):
    a = x + y
    b = a * y
    c = ops.log(b).mean()
    print(c)


class Net(nn.Cell):
    def construct(self, x):
        x = self.fc(x)          # Dense
        x = self.relu(x)
        return self.loss(x, self.label)


@ms.jit
def train_step(data):
    for _ in range(10):
        net(data)
)";
}

namespace {

/// Frames, scopes and kinds of the sample.
enum Frames : FrameId { kModuleLoop = 1, kAdd, kMul, kLog, kPrint, kStepCall, kConstruct, kDense, kRelu, kLoss };
enum Scopes : ScopeId { kNet = 1, kNetFc, kNetFcMatMul, kNetLoss, kOptimizer };

void define(Recorder& recorder, const std::string& script) {
    auto frame = [&](FrameId id, FrameId parent, int line, const char* function) {
        recorder.define_frame(id, {parent, script, line, function});
    };
    frame(kModuleLoop, 0, 7, "<module>");
    frame(kAdd, 0, kAddLine, "<module>");
    frame(kMul, 0, kMulLine, "<module>");
    frame(kLog, 0, kLogLine, "<module>");
    frame(kPrint, 0, kPrintLine, "<module>");
    frame(kStepCall, 0, kStepLine, "train_step");
    frame(kConstruct, kStepCall, 15, "construct");
    frame(kDense, kStepCall, kDenseLine, "construct");
    frame(kRelu, kStepCall, kReluLine, "construct");
    frame(kLoss, kStepCall, kLossLine, "construct");
    recorder.define_scope(kNet, "Default/net-Net");
    recorder.define_scope(kNetFc, "Default/net-Net/fc-Dense");
    recorder.define_scope(kNetFcMatMul, "Default/net-Net/fc-Dense/matmul");
    recorder.define_scope(kNetLoss, "Default/net-Net/loss-MSELoss");
    recorder.define_scope(kOptimizer, "Default/optimizer-Momentum");
    recorder.define_kind(kAddKind, "Add");
    recorder.define_kind(kMulKind, "Mul");
    recorder.define_kind(kLogKind, "Log");
    recorder.define_kind(kMeanKind, "ReduceMean");
    recorder.define_kind(kFusedMatMulKind, "MatMul_BiasAdd_ReLU_fusion");
    recorder.define_kind(kFusedLossKind, "Sub_Square_ReduceMean_fusion");
    recorder.define_kind(kMomentumKind, "FusedMomentum");
}

void record_eager(Recorder& recorder) {
    const Shape shape{2, 3};
    const float values[6] = {2, 4, 6, 0, 10, 12};
    std::int64_t now = kStart;
    recorder.transfer({.bytes = 24, .start_ns = now, .duration_ns = 400, .frame = kModuleLoop});
    recorder.transfer({.bytes = 24, .start_ns = now + 500, .duration_ns = 400, .frame = kModuleLoop});
    now += 1000;
    struct Each {
        KindId kind;
        FrameId frame;
        std::int64_t ns;
    };
    const Each ops[4] = {
        {kAddKind, kAdd, 1000}, {kMulKind, kMul, 1200}, {kLogKind, kLog, 3000}, {kMeanKind, kLog, 800}};
    EventId id = 0;
    std::int64_t live = 48;
    for (std::uint32_t step = 0; step < 3; ++step) {
        for (const Each& each : ops) {
            OpEvent event;
            event.id = ++id;
            event.launch_ns = event.start_ns = now;
            event.duration_ns = each.ns;
            event.bytes_read = each.kind == kAddKind || each.kind == kMulKind ? 48 : 24;
            event.bytes_written = each.kind == kMeanKind ? 4 : 24;
            event.flops = 6;
            event.kind = each.kind;
            event.frame = each.frame;
            event.step = step;
            live += static_cast<std::int64_t>(event.bytes_written);
            recorder.memory({.time_ns = now,
                             .delta_bytes = static_cast<std::int64_t>(event.bytes_written),
                             .total_bytes = live,
                             .op_event = id});
            recorder.op(event);
            TensorHealth health;
            health.op_event = id;
            health.count = each.kind == kMeanKind ? 1 : 6;
            if (id == kNanEvent || id == kNanEvent + 1) {
                health.nan = 1;
                health.first_bad_index = each.kind == kMeanKind ? 0 : 3;
            }
            if (each.kind == kMulKind) {
                health.has_stats = true;
                health.zero = 1;
                health.min = 0;
                health.max = 12;
                health.mean = 34.0 / 6;
                health.std = 4.07;
            }
            if (each.kind == kMeanKind) {
                health.has_stats = true;
                health.zero = 0;
                double value = health.nan ? std::numeric_limits<double>::quiet_NaN() : 1.5;
                health.min = health.max = health.mean = value;
            }
            recorder.tensor(health, each.kind == kMeanKind ? Shape{} : shape,
                            each.kind == kMulKind && step == 0 ? values : nullptr);
            now += each.ns + 200;
        }
        recorder.transfer({.bytes = 4,
                           .start_ns = now,
                           .duration_ns = 300,
                           .op_event = id,
                           .frame = kPrint,
                           .kind = TransferKind::d2h,
                           .reason = TransferReason::print});
        recorder.output("stdout", now + 400, step == 2 ? "nan\n" : "1.5\n");
        for (std::int64_t bytes : {24, 24, 24, 4}) {
            live -= bytes;
            recorder.memory({.time_ns = now + 500, .delta_bytes = -bytes, .total_bytes = live});
        }
        now += 1000;
    }
    Finding nan;
    nan.kind = FindingKind::nan;
    nan.severity = Severity::error;
    nan.op_event = kNanEvent;
    nan.frame = kLog;
    nan.op = "Log";
    nan.rule = "log_of_negative";
    nan.step = 2;
    nan.count = 1;
    nan.index = {1, 0};
    nan.has_index = true;
    nan.shapes = {"(2, 3)"};
    nan.inputs = {"-32"};
    nan.root_op = "Mul";
    nan.root_frame = kMul;
    recorder.finding(nan);
    Finding broadcast;
    broadcast.kind = FindingKind::broadcast;
    broadcast.op_event = 1;
    broadcast.frame = kAdd;
    broadcast.op = "Add";
    broadcast.rule = "broadcast_enlarges";
    broadcast.shapes = {"(2, 3)", "(3,)"};
    recorder.finding(broadcast);
}

NodeSnapshot node(NodeId id, const char* name, const char* op, const char* shape, FrameId frame, const char* scope,
                  std::uint64_t bytes, std::vector<NodeId> origins = {}) {
    NodeSnapshot made;
    made.id = id;
    made.name = name;
    made.op = op;
    made.dtype = "Float32";
    made.shape = shape;
    made.frame = frame;
    made.scope = scope;
    made.bytes = bytes;
    made.flops = bytes / 4;
    made.origins = std::move(origins);
    return made;
}

NodeSnapshot shared(NodeSnapshot made) {
    made.shared = true;
    made.origins.clear();
    return made;
}

std::shared_ptr<const GraphSnapshot> train_step(std::int64_t start) {
    auto graph = std::make_shared<GraphSnapshot>();
    graph->id = kGraph;
    graph->name = "train_step";
    graph->signature = "(Float32[32,64])";
    graph->frame = kStepCall;
    graph->compile_start_ns = start;
    graph->compile_ns = 5'000'000;
    const char* fc = "Default/net-Net/fc-Dense";
    const char* loss = "Default/net-Net/loss-MSELoss";

    StageSnapshot captured;
    captured.pass = "capture";
    captured.duration_ns = 1'000'000;
    captured.text =
        "func @train_step(%x) {\n  %5 = MatMul(%x, %weight)\n  %6 = BiasAdd(%5, %bias)\n  %7 = ReLU(%6)\n  %8 = "
        "Sub(%7, %label)\n  %9 = Square(%8)\n  %10 = ReduceMean(%9)\n  Return(%10)\n}\n";
    captured.nodes = {node(101, "x", "Parameter", "(32, 64)", 0, "", 0),
                      node(102, "fc.weight", "Parameter", "(64, 64)", 0, "", 0),
                      node(103, "fc.bias", "Parameter", "(64,)", 0, "", 0),
                      node(104, "label", "Parameter", "(32, 64)", 0, "", 0),
                      node(105, "CNode_5", "MatMul", "(32, 64)", kDense, fc, 32768),
                      node(106, "CNode_6", "BiasAdd", "(32, 64)", kDense, fc, 16640),
                      node(107, "CNode_7", "ReLU", "(32, 64)", kRelu, "Default/net-Net", 16384),
                      node(108, "CNode_8", "Sub", "(32, 64)", kLoss, loss, 24576),
                      node(109, "CNode_9", "Square", "(32, 64)", kLoss, loss, 16384),
                      node(110, "CNode_10", "ReduceMean", "()", kLoss, loss, 8196),
                      node(111, "CNode_11", "Return", "()", 0, "", 0)};
    captured.nodes[4].attributes = {{"transpose_b", "true"}, {"scale", "2.5"}};
    captured.edges = {{101, 0, 105, 0}, {102, 0, 105, 1}, {105, 0, 106, 0}, {103, 0, 106, 1}, {106, 0, 107, 0},
                      {107, 0, 108, 0}, {104, 0, 108, 1}, {108, 0, 109, 0}, {109, 0, 110, 0}, {110, 0, 111, 0}};

    StageSnapshot matmul;
    matmul.pass = "fuse-matmul";
    matmul.duration_ns = 200'000;
    matmul.rewrites = 1;
    matmul.note = "changes no rounding";
    matmul.text = "func @train_step(%x) {\n  %5 = MatMul_BiasAdd_ReLU(%x, %weight, %bias)\n}\n";
    for (int leaf = 0; leaf < 4; ++leaf) matmul.nodes.push_back(shared(captured.nodes[static_cast<std::size_t>(leaf)]));
    matmul.nodes.push_back(
        node(205, "MatMul_BiasAdd_ReLU_5", "MatMul", "(32, 64)", kDense, fc, 33024, {105, 106, 107}));
    matmul.nodes.push_back(node(208, "CNode_8", "Sub", "(32, 64)", kLoss, loss, 24576, {108}));
    matmul.nodes.push_back(node(209, "CNode_9", "Square", "(32, 64)", kLoss, loss, 16384, {109}));
    matmul.nodes.push_back(node(210, "CNode_10", "ReduceMean", "()", kLoss, loss, 8196, {110}));
    matmul.nodes.push_back(node(211, "CNode_11", "Return", "()", 0, "", 0, {111}));
    matmul.edges = {{101, 0, 205, 0}, {102, 0, 205, 1}, {103, 0, 205, 2}, {205, 0, 208, 0},
                    {104, 0, 208, 1}, {208, 0, 209, 0}, {209, 0, 210, 0}, {210, 0, 211, 0}};

    StageSnapshot unchanged;
    unchanged.pass = "dce";
    unchanged.duration_ns = 10'000;
    unchanged.changed = false;

    StageSnapshot elementwise;
    elementwise.pass = "fuse-elementwise";
    elementwise.duration_ns = 300'000;
    elementwise.rewrites = 2;
    elementwise.text =
        "func @train_step(%x) {\n  %5 = MatMul_BiasAdd_ReLU(%x, %weight, %bias)\n  %8 = fused(%5, %label)\n}\n";
    elementwise.peak_bytes = 16384;
    for (int leaf = 0; leaf < 5; ++leaf) {
        elementwise.nodes.push_back(shared(matmul.nodes[static_cast<std::size_t>(leaf)]));
    }
    elementwise.nodes.push_back(
        node(308, "Sub_Square_ReduceMean_8", "Fused", "()", kLoss, loss, 16388, {208, 209, 210}));
    elementwise.nodes.push_back(node(309, "in_9", "Sub", "(32, 64)", kLoss, loss, 0, {208}));
    elementwise.nodes.push_back(node(310, "in_10", "Square", "(32, 64)", kLoss, loss, 0, {209}));
    elementwise.nodes[6].parent = elementwise.nodes[7].parent = 308;
    elementwise.nodes.push_back(node(311, "CNode_11", "Return", "()", 0, "", 0, {211}));
    elementwise.edges = {{101, 0, 205, 0}, {102, 0, 205, 1}, {103, 0, 205, 2}, {205, 0, 308, 0},
                         {104, 0, 308, 1}, {309, 0, 310, 0}, {308, 0, 311, 0}};
    graph->stages = {captured, matmul, unchanged, elementwise};
    graph->kernels = {{kFusedLoss, "llvm", [] { return "define void @kernel_0() {\n  ret void\n}\n"; }},
                      {kFusedLoss, "asm", [] { return "kernel_0:\n\tretq\n"; }}};
    return graph;
}

void record_graph(Recorder& recorder) {
    std::int64_t now = kStart + 10'000'000;
    recorder.graph(train_step(now));
    now += 6'000'000;
    recorder.transfer({.bytes = 16384,
                       .start_ns = now,
                       .duration_ns = 2000,
                       .frame = kStepCall,
                       .stream = 1,
                       .reason = TransferReason::parameter,
                       .clock = Clock::modelled,
                       .pinned = true});
    EventId id = kEagerEvents;
    for (std::uint32_t run = 0; run < 10; ++run) {
        struct Each {
            KindId kind;
            NodeId node;
            FrameId frame;
            ScopeId scope;
            std::int64_t ns;
            Phase phase;
        };
        const Each kernels[3] = {
            {kFusedMatMulKind, kFusedMatMul, kDense, kNetFc, 5000, Phase::forward},
            {kFusedLossKind, kFusedLoss, kLoss, kNetLoss, 2000, Phase::forward},
            {kMomentumKind, 0, kStepCall, kOptimizer, 1000, Phase::optimizer},
        };
        for (const Each& each : kernels) {
            OpEvent event;
            event.id = ++id;
            event.node = each.node;
            event.launch_ns = now;
            event.start_ns = now + 300;
            event.duration_ns = each.ns;
            event.bytes_read = 20000;
            event.bytes_written = 8192;
            event.flops = 262144;
            event.kind = each.kind;
            event.frame = each.frame;
            event.scope = each.scope;
            event.step = 3 + run;
            event.mode = ExecMode::graph;
            event.device = DeviceKind::ascend_model;
            event.clock = Clock::modelled;
            event.phase = each.phase;
            recorder.op(event);
            recorder.memory({.time_ns = now,
                             .delta_bytes = 8192,
                             .total_bytes = 8192 * (1 + static_cast<std::int64_t>(run)),
                             .op_event = id,
                             .device = DeviceKind::ascend_model});
            now += each.ns + 500;
        }
    }
    recorder.transfer({.bytes = 4,
                       .start_ns = now,
                       .duration_ns = 1500,
                       .op_event = id,
                       .frame = kStepCall,
                       .kind = TransferKind::d2h,
                       .reason = TransferReason::graph_break,
                       .clock = Clock::modelled});
    recorder.graph_break(kGraph, kStepCall, "float() of a pending tensor");
    Finding left;
    left.kind = FindingKind::graph_break;
    left.severity = Severity::warning;
    left.frame = kStepCall;
    left.arguments = {{"reason", "float() of a pending tensor"}};
    recorder.finding(left);
    recorder.output("stderr", now + 10, "done: 完成\n");
}

}  // namespace

void record_sample(Recorder& recorder, const std::string& script) {
    define(recorder, script);
    record_eager(recorder);
    record_graph(recorder);
}

std::string write_sample_profile(const std::filesystem::path& folder) {
    std::string script = (folder / "train.py").string();
    std::string profile = (folder / "train.fscope").string();
    write_sample_script(script);
    RunInfo run;
    run.script = script;
    run.arguments = {"--epochs", "3"};
    run.options = {{"watch", "health"}};
    DatabaseRecorder recorder(profile, run);
    record_sample(recorder, script);
    if (!recorder.finish("ok", 0)) throw std::runtime_error(recorder.error());
    return profile;
}

}  // namespace fusescope::testing
