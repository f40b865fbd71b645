// Real recordings against the contract of resources/help/profile_format.md: rows where there should be some, references
// that hold, and numbers that can be worked out by hand.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/recorded_script.hpp"

using namespace fusescope::testing;
using nlohmann::json;
using ::testing::HasSubstr;

namespace {

// Line numbers count from the `import` line; the tests name them.
constexpr const char* kProgram = R"(import mindspore as ms
from mindspore import Tensor, nn, ops
import numpy as np
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(64, 16)
    def construct(self, x):
        return ops.relu(self.fc(x))
net = Net()
loss_fn = nn.MSELoss()
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
@ms.jit
def step(x, y):
    (loss, _), grads = ms.value_and_grad(lambda x, y: (loss_fn(net(x), y), 0), None, optimizer.parameters, has_aux=True)(x, y)
    optimizer(grads)
    return loss
x, y = Tensor(np.ones((32, 64), np.float32)), Tensor(np.ones((32, 16), np.float32))
for _ in range(3): loss = step(x, y)
print(loss)
a = Tensor(np.ones((32, 64), np.float32))
b = Tensor(np.ones((64, 16), np.float32))
c = ops.matmul(a, b)
d = c.asnumpy()
bad = ops.log(Tensor(np.array([1.0, -1.0], np.float32)))
@ms.jit
def broken(v):
    w = v * 2.0
    if float(w.sum()) > 0: w = w + 1.0
    return w
broken(Tensor(np.ones(3, np.float32)))
)";

class Contract : public RecordedScript {
 protected:
    void expect_sound(const std::string& what) {
        const std::pair<const char*, const char*> broken[] = {
            {"nodes belong to stages", "SELECT count(*) FROM node WHERE stage_id NOT IN (SELECT id FROM stage)"},
            {"edges join nodes",
             "SELECT count(*) FROM edge WHERE source_node NOT IN (SELECT id FROM node) OR "
             "target_node NOT IN (SELECT id FROM node)"},
            {"origins are nodes",
             "SELECT count(*) FROM origin WHERE node_id NOT IN (SELECT id FROM node) OR "
             "from_node_id NOT IN (SELECT id FROM node)"},
            {"nodes made by a pass have origins",
             "SELECT count(*) FROM node n JOIN stage s ON s.id = n.stage_id WHERE n.parent_id IS NULL AND s.ordinal > "
             "0 "
             "AND NOT EXISTS (SELECT 1 FROM origin WHERE node_id = n.id)"},
            {"ops have a kind", "SELECT count(*) FROM op_event WHERE kind_id NOT IN (SELECT id FROM op_kind)"},
            {"ops have a frame",
             "SELECT count(*) FROM op_event WHERE frame_id IS NULL OR frame_id NOT IN (SELECT id FROM frame)"},
            {"ops of graphs have a node",
             "SELECT count(*) FROM op_event WHERE (mode = 'graph') <> (node_id IS NOT NULL)"},
            {"nodes of ops exist", "SELECT count(*) FROM op_event WHERE node_id NOT IN (SELECT id FROM node)"},
            {"times go forward", "SELECT count(*) FROM op_event WHERE duration_ns < 0 OR start_ns < launch_ns"},
            {"the CPU is measured, the model modelled",
             "SELECT count(*) FROM op_event WHERE (device = 'cpu') <> (clock = 'measured')"},
            {"tensors belong to ops", "SELECT count(*) FROM tensor WHERE op_event_id NOT IN (SELECT id FROM op_event)"},
            {"frames have a source with text",
             "SELECT count(*) FROM frame f LEFT JOIN source s ON s.id = f.source_id WHERE coalesce(s.text, '') = ''"},
            {"transfers have a line", "SELECT count(*) FROM transfer WHERE frame_id IS NULL OR bytes <= 0"},
            {"graphs begin with what was captured",
             "SELECT count(*) FROM graph WHERE id NOT IN (SELECT graph_id FROM stage WHERE ordinal = 0 AND text <> "
             "'')"},
            {"stages that changed have text", "SELECT count(*) FROM stage WHERE changed AND text = ''"},
            {"attributes are JSON", "SELECT count(*) FROM node WHERE NOT json_valid(attributes)"},
            {"findings say op, file and line",
             "SELECT count(*) FROM finding WHERE coalesce(json_extract(detail, '$.op'), '') = '' OR "
             "coalesce(json_extract(detail, '$.file'), '') = '' OR coalesce(json_extract(detail, '$.line'), 0) = 0"},
            {"breaks say where and why",
             "SELECT count(*) FROM graph_break WHERE graph_id IS NULL OR frame_id IS NULL OR reason = ''"},
            {"memory adds up",
             "SELECT count(*) FROM (SELECT total_bytes - lag(total_bytes, 1, 0) OVER (PARTITION BY device ORDER BY id) "
             "- "
             "delta_bytes AS wrong FROM memory_event) WHERE wrong <> 0"},
            {"the run ends after its ops",
             "SELECT count(*) FROM op_event WHERE launch_ns > (SELECT ended_ns FROM run)"},
        };
        for (const auto& [promise, sql] : broken) EXPECT_EQ(integer(sql), 0) << promise << ", " << what;
    }

    /// Slices of a track nest, and each arrow has a beginning and an end inside slices.
    void expect_good_trace(const std::string& what) {
        ASSERT_EQ(shell("fusescope --export trace.json run.fscope -o trace.json").status, 0);
        const json trace = json::parse(content(*this / "trace.json"));
        std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> tracks;
        std::map<std::int64_t, std::string> arrows;
        for (const json& event : trace["traceEvents"]) {
            const std::string phase = event["ph"];
            const std::pair<int, int> track{event["pid"], event.value("tid", 0)};
            if (phase == "X")
                tracks[track].emplace_back(event["ts"], event["ts"].get<double>() + event["dur"].get<double>());
            if (phase == "s" || phase == "f") arrows[event["id"]] += phase;
        }
        EXPECT_FALSE(tracks.empty());
        constexpr double kRounding = 1e-3;
        for (auto& [track, slices] : tracks) {
            std::stable_sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
                return a.first != b.first ? a.first < b.first : a.second > b.second;
            });
            std::vector<double> open;
            for (const auto& [begin, end] : slices) {
                while (!open.empty() && open.back() <= begin + kRounding) open.pop_back();
                const double around = open.empty() ? end : open.back();
                EXPECT_LE(end, around + kRounding) << track.second << ", " << what;
                open.push_back(end);
            }
        }
        for (const auto& [id, ends] : arrows) EXPECT_EQ(ends, "sf") << id << ", " << what;
        EXPECT_EQ(arrows.empty(), integer("SELECT count(*) FROM op_event WHERE device <> 'cpu'") == 0) << what;
    }
};

std::string where(const std::string& op, int line) {
    return " FROM op_event e JOIN op_kind k ON k.id = e.kind_id JOIN frame f ON f.id = e.frame_id WHERE k.name = '" +
           op + "' AND f.line = " + std::to_string(line);
}

}  // namespace

TEST_F(Contract, HoldsInEveryModeAndOnEveryDevice) {
    for (const char* mode : {"script", "eager", "graph"}) {
        for (const char* device : {"script", "cpu", "ascend-model"}) {
            const std::string what = std::string(mode) + ", " + device;
            const Outcome outcome = record(kProgram, std::string("--mode ") + mode + " --device " + device);
            ASSERT_EQ(outcome.status, 0) << what << outcome.err;
            expect_sound(what);
            expect_good_trace(what);
            for (const char* table :
                 {"op_event", "frame", "source", "graph", "stage", "node", "edge", "origin", "tensor", "memory_event",
                  "finding", "output", "graph_break", "op_kind", "run", "meta"}) {
                EXPECT_GT(integer(std::string("SELECT count(*) FROM ") + table), 0) << table << ", " << what;
            }
            const bool modelled = std::string(device) == "ascend-model";
            EXPECT_EQ(integer("SELECT count(*) FROM transfer") > 0, modelled) << what;
            EXPECT_EQ(text("SELECT mode FROM run"), mode);
            EXPECT_EQ(text("SELECT device FROM run"), device);
            for (const char* format : {"text", "json", "html"}) {
                EXPECT_EQ(shell(std::string("fusescope --report run.fscope --format ") + format).status, 0) << what;
            }
        }
    }
}

TEST_F(Contract, NumbersOfAMatrixProductCanBeWorkedOut) {
    ASSERT_EQ(record(kProgram, "--device cpu").status, 0);
    const std::string product = where("MatMul", 23) + " AND e.mode = 'eager'";
    EXPECT_EQ(integer("SELECT count(*)" + product), 1);
    EXPECT_EQ(integer("SELECT flops" + product), 2 * 32 * 64 * 16);
    EXPECT_EQ(integer("SELECT bytes_read" + product), 4 * (32 * 64 + 64 * 16));
    EXPECT_EQ(integer("SELECT bytes_written" + product), 4 * 32 * 16);
    EXPECT_EQ(text("SELECT function" + product), "<module>");
    EXPECT_EQ(text("SELECT t.shape || t.dtype FROM tensor t WHERE t.op_event_id = (SELECT e.id" + product + ")"),
              "(32, 16)Float32");
    // In the graph the product is fused; its bytes are those of the kernel's edges and its line is the user's.
    EXPECT_EQ(integer("SELECT count(DISTINCT f.line) FROM op_event e JOIN frame f ON f.id = e.frame_id WHERE e.mode = "
                      "'graph' AND f.line IN (9, 15, 16)") > 0,
              true);
    EXPECT_EQ(integer("SELECT max(step) FROM op_event"), 3);
    EXPECT_EQ(integer("SELECT count(DISTINCT phase) FROM op_event"), 3);
    EXPECT_GT(integer("SELECT count(*) FROM scope WHERE path LIKE '%fc-Dense'"), 0);
}

TEST_F(Contract, OriginsLeadFromTheLastStageToTheCapturedGraph) {
    ASSERT_EQ(record(kProgram, "--device cpu").status, 0);
    // Every op of a graph that ran comes, over any number of stages, from nodes that were captured.
    EXPECT_EQ(
        integer("WITH RECURSIVE up(node, root) AS (SELECT node_id, node_id FROM op_event WHERE node_id IS NOT NULL "
                "UNION SELECT o.from_node_id, up.root FROM up JOIN origin o ON o.node_id = up.node) "
                "SELECT count(*) FROM (SELECT DISTINCT node_id FROM op_event WHERE node_id IS NOT NULL) WHERE "
                "node_id NOT IN (SELECT root FROM up JOIN node n ON n.id = up.node JOIN stage s ON s.id = "
                "n.stage_id WHERE s.ordinal = 0)"),
        0);
    const json report = json::parse(shell("fusescope --report run.fscope --format json").out);
    bool found = false;
    for (const json& graph : report["graphs"]) {
        if (graph["name"] != "step") continue;
        found = true;
        EXPECT_LT(graph["nodes_after"].get<int>(), graph["nodes_before"].get<int>());
        EXPECT_GT(graph["bytes_saved"].get<std::int64_t>(), 0);
        EXPECT_FALSE(graph["kernels"].empty());
        EXPECT_EQ(graph["stages"][0]["pass"], "capture");
    }
    EXPECT_TRUE(found);
}

TEST_F(Contract, TransfersSayWhy) {
    ASSERT_EQ(record(kProgram, "--device ascend-model").status, 0);
    const auto at = [&](const char* reason, int line) {
        return integer("SELECT count(*) FROM transfer t JOIN frame f ON f.id = t.frame_id WHERE t.reason = '" +
                       std::string(reason) + "' AND f.line = " + std::to_string(line));
    };
    EXPECT_GT(at("print", 20), 0);
    EXPECT_EQ(at("read_back", 24), 1);
    EXPECT_EQ(at("input", 23), 2);
    EXPECT_EQ(integer("SELECT count(*) FROM transfer WHERE clock <> 'modelled'"), 0);
    EXPECT_EQ(integer("SELECT bytes FROM transfer t JOIN frame f ON f.id = t.frame_id WHERE f.line = 24"), 4 * 32 * 16);
}

TEST_F(Contract, HealthNamesOpAndLineOfANan) {
    ASSERT_EQ(record(kProgram, "--device cpu").status, 0);
    EXPECT_EQ(text("SELECT kind || json_extract(detail, '$.op') || json_extract(detail, '$.line') FROM finding WHERE "
                   "kind = 'nan'"),
              "nanLog25");
    EXPECT_EQ(integer("SELECT t.nan FROM tensor t WHERE t.op_event_id = (SELECT op_event_id FROM finding WHERE kind = "
                      "'nan')"),
              1);
    EXPECT_EQ(record(kProgram, "--fail-on nan").status, 3);
    EXPECT_EQ(record(kProgram, "--fail-on shape").status, 0);
    EXPECT_EQ(record(kProgram, "--fail-on break").status, 3);
}

TEST_F(Contract, WatchLevelsKeepWhatTheySay) {
    ASSERT_EQ(record(kProgram, "--watch off").status, 0);
    EXPECT_EQ(integer("SELECT count(*) FROM tensor"), 0);
    ASSERT_EQ(record(kProgram, "--watch health").status, 0);
    EXPECT_EQ(integer("SELECT count(*) FROM tensor WHERE mean IS NOT NULL OR value IS NOT NULL"), 0);
    ASSERT_EQ(record(kProgram, "--watch stats --device cpu").status, 0);
    const std::string product = "(SELECT e.id" + where("MatMul", 23) + " AND e.mode = 'eager')";
    EXPECT_EQ(
        integer("SELECT mean = 64 AND min = 64 AND max = 64 AND std = 0 AND zero = 0 FROM tensor WHERE op_event_id "
                "= " +
                product),
        1);
    ASSERT_EQ(record(kProgram, "--watch values --device cpu").status, 0);
    EXPECT_EQ(integer("SELECT length(value) FROM tensor WHERE op_event_id = " + product), 4 * 32 * 16);
    ASSERT_EQ(record(kProgram, "--watch values --values-budget 100").status, 0);
    EXPECT_LE(integer("SELECT sum(length(value)) FROM tensor"), 100);
    EXPECT_THAT(shell("fusescope --report run.fscope").out, HasSubstr("--values-budget was used up"));
}

// Losses, gradients and optimizers are made of other ops; what those do is done for the thread that called.
TEST_F(Contract, EveryThreadOfAScriptIsRecordedAlike) {
    const std::string work = R"(import threading
import mindspore as ms
from mindspore import Tensor, nn, ops
def work():
    net, loss_fn = nn.Dense(4, 3), nn.MSELoss()
    optimizer = nn.Adam(net.trainable_params())
    x, y = ops.ones((2, 4), ms.float32), ops.zeros((2, 3), ms.float32)
    step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    for _ in range(2):
        loss, grads = step(x, y)
        optimizer(grads)
    print(float(loss) + float(ops.std(x * 2.0)))
)";
    const auto seen = [&] {
        return text(
                   "SELECT group_concat(name || ' ' || mode || ' ' || device || ' ' || phase) FROM "
                   "(SELECT k.name, e.mode, e.device, e.phase FROM op_event e JOIN op_kind k ON k.id = e.kind_id "
                   "ORDER BY e.id)") +
               " " + std::to_string(integer("SELECT count(*) FROM tensor"));
    };
    for (const char* options : {"--mode eager --device cpu", "--mode graph --device cpu", "--device ascend-model"}) {
        const Outcome first = record(work + "work()\n", options);
        ASSERT_EQ(first.status, 0) << first.err;
        const std::string by_first = seen();
        EXPECT_THAT(by_first, HasSubstr("Reduce")) << options;
        const Outcome other = record(work + "t = threading.Thread(target=work)\nt.start()\nt.join()\n", options);
        EXPECT_EQ(other.out, first.out) << other.err;
        EXPECT_EQ(seen(), by_first) << options;
    }
}

TEST_F(Contract, MemoryIsToldPerDeviceWithItsOp) {
    ASSERT_EQ(record("import mindspore as ms\nfrom mindspore import ops\n"
                     "x = ops.ones((1024, 1024), ms.float32)\ny = x + x\ndel x\nz = y * y\n",
                     "--mode eager --device cpu")
                  .status,
              0);
    EXPECT_EQ(integer("SELECT max(total_bytes) FROM memory_event") / (1 << 20), 8);
    EXPECT_EQ(integer("SELECT count(*) FROM memory_event WHERE delta_bytes <= -4194304"), 3);  // the program ends
    EXPECT_EQ(integer("SELECT total_bytes FROM memory_event ORDER BY id DESC LIMIT 1"), 0);
    EXPECT_EQ(
        integer("SELECT e.kind_id = k.id FROM memory_event m JOIN op_event e ON e.id = m.op_event_id JOIN op_kind k "
                "ON k.name = 'Add' WHERE m.total_bytes >= 8388608 ORDER BY m.id LIMIT 1"),
        1);
    EXPECT_THAT(shell("fusescope --report run.fscope").out, HasSubstr("8.00 MiB"));
}
