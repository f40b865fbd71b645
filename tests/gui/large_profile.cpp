// Made through the recorder, so that it is what a long run would have left.
#include "tests/gui/large_profile.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "profiler/write/recorder.hpp"

namespace fusescope::testing {

namespace {

constexpr const char* kOps[] = {"MatMul", "BiasAdd", "ReLU",       "Add",     "Mul",
                                "Sub",    "Square",  "ReduceMean", "Softmax", "Exp"};
constexpr int kOpCount = 10;
constexpr int kLines = 200;
constexpr int kScopes = 50;
constexpr std::int64_t kOpsOfScope = 20;  // one after the other, before the next Cell has its turn
constexpr std::int64_t kOpsOfStep = 1000;
constexpr std::int64_t kLaunchLead = 60'000;           // ns that the host is ahead of the device
constexpr std::int64_t kEventsBetweenWaits = 100'000;  // so that the recorder's queue never overflows

std::shared_ptr<const GraphSnapshot> layers(int nodes) {
    auto graph = std::make_shared<GraphSnapshot>();
    graph->id = 1;
    graph->name = "large";
    graph->frame = 1;
    graph->compile_start_ns = 1000;
    graph->compile_ns = 50'000'000;
    StageSnapshot captured;
    captured.pass = "capture";
    NodeSnapshot input;
    input.id = 1;
    input.name = "x";
    input.op = "Parameter";
    input.dtype = "Float32";
    input.shape = "(32, 64)";
    captured.nodes.push_back(input);
    for (int i = 1; i < nodes; ++i) {
        NodeSnapshot node = input;
        node.id = static_cast<NodeId>(i) + 1;
        node.name = "CNode_" + std::to_string(i);
        node.op = kOps[i % 3];
        node.scope =
            "Default/net-Net/block" + std::to_string(i / 120) + "-Block/layer" + std::to_string(i / 12) + "-Dense";
        node.frame = static_cast<FrameId>(1 + i % kLines);
        captured.nodes.push_back(node);
        captured.edges.push_back({static_cast<NodeId>(i), 0, node.id, 0});
        if (i > 6 && i % 6 == 0) {
            captured.edges.push_back({static_cast<NodeId>(i) - 5, 0, node.id, 1});
        }
    }
    graph->stages.push_back(std::move(captured));
    return graph;
}

}  // namespace

void write_large_profile(const std::string& path, const LargeProfile& size) {
    const std::string script = path + ".py";
    {
        std::ofstream text(script);
        for (int line = 1; line <= kLines; ++line) {
            text << "x = ops.relu(x)  # line " << line << "\n";
        }
    }
    RunInfo run;
    run.script = script;
    DatabaseRecorder recorder(path, run);
    for (FrameId frame = 1; frame <= kLines; ++frame) {
        recorder.define_frame(frame, {0, script, static_cast<std::int32_t>(frame), "<module>"});
    }
    for (ScopeId scope = 1; scope <= kScopes; ++scope) {
        recorder.define_scope(scope, "Default/net-Net/block" + std::to_string((scope - 1) / 10) + "-Block/layer" +
                                         std::to_string((scope - 1) % 10) + "-Dense");
    }
    for (KindId kind = 1; kind <= kOpCount; ++kind) {
        recorder.define_kind(kind, kOps[kind - 1]);
    }
    recorder.graph(layers(size.graph_nodes));
    std::int64_t live[2] = {0, 0};
    std::int64_t now[3] = {1'000'000'000, 1'000'000'000, 1'000'000'500};
    for (std::int64_t i = 1; i <= size.events; ++i) {
        const auto track = static_cast<std::size_t>(i % 3);
        OpEvent event;
        event.id = static_cast<EventId>(i);
        event.kind = static_cast<KindId>(1 + i * 7 % kOpCount);
        event.frame = static_cast<FrameId>(1 + i % kLines);
        event.scope = static_cast<ScopeId>(1 + i / kOpsOfScope % kScopes);
        event.launch_ns = event.start_ns = now[track];
        event.duration_ns = 500 + (i * 7919) % 20'000;
        event.bytes_read = 8192;
        event.bytes_written = 4096;
        event.flops = 100'000;
        event.thread = track == 1 ? 1 : 0;
        if (track == 2) {
            event.device = DeviceKind::ascend_model;
            event.clock = Clock::modelled;
            event.launch_ns = event.start_ns - kLaunchLead;
        }
        event.step = static_cast<std::uint32_t>(i / kOpsOfStep);
        if (i % 4 == 0) {
            // A saw tooth a step, on the device and on the host.
            MemoryEvent memory;
            memory.time_ns = event.launch_ns;
            memory.delta_bytes = i % kOpsOfStep < kOpsOfStep / 2 ? 1 << 16 : -(1 << 16);
            live[track == 2] = std::max<std::int64_t>(0, live[track == 2] + memory.delta_bytes);
            memory.total_bytes = live[track == 2];
            memory.op_event = event.id;
            memory.device = event.device;
            recorder.memory(memory);
        }
        now[track] += event.duration_ns + (i % 50 == 0 ? 40'000 : 200);
        recorder.op(event);
        if (i % kEventsBetweenWaits == 0) {
            recorder.flush();
        }
    }
    const std::int64_t span = std::max<std::int64_t>(1, now[0] - 1'000'000'000);
    for (std::int64_t i = 0; i < size.transfers; ++i) {
        TransferEvent transfer;
        transfer.bytes = std::uint64_t{1} << (i % 24);
        transfer.start_ns = 1'000'000'000 + span / size.transfers * i;
        transfer.duration_ns = 1000 + i % 5000;
        transfer.frame = static_cast<FrameId>(1 + i % kLines);
        transfer.kind = i % 3 == 0 ? TransferKind::d2h : TransferKind::h2d;
        transfer.reason = i % 3 == 0 ? TransferReason::read_back : TransferReason::input;
        transfer.clock = Clock::modelled;
        // Of the op on the device that runs about then.
        transfer.op_event = static_cast<EventId>(std::min(size.events, size.events / size.transfers * i / 3 * 3 + 2));
        recorder.transfer(transfer);
    }
    if (!recorder.finish("ok", 0)) {
        throw std::runtime_error(recorder.error());
    }
    if (recorder.dropped() != 0) {
        throw std::runtime_error("the recorder dropped events of the large profile");
    }
}

}  // namespace fusescope::testing
