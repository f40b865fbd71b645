// What recording costs the program, how fast the writer follows, and how long answers over a million events take.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "profiler/query/op_times.hpp"
#include "profiler/query/runs.hpp"
#include "profiler/query/stage_graph.hpp"
#include "profiler/query/timeline.hpp"
#include "profiler/write/recorder.hpp"

namespace {

using namespace fusescope;

std::string temporary(const char* name) { return (std::filesystem::temp_directory_path() / name).string(); }

OpEvent event(EventId id) {
    OpEvent made;
    made.id = id;
    made.kind = static_cast<KindId>(1 + id % 20);
    made.frame = static_cast<FrameId>(1 + id % 50);
    made.scope = static_cast<ScopeId>(1 + id % 10);
    made.launch_ns = made.start_ns = static_cast<std::int64_t>(id) * 1000;
    made.duration_ns = 700;
    made.bytes_read = 8192;
    made.bytes_written = 4096;
    made.flops = 1024;
    return made;
}

void define(Recorder& recorder) {
    for (KindId id = 1; id <= 20; ++id) recorder.define_kind(id, "Kind" + std::to_string(id));
    for (FrameId id = 1; id <= 50; ++id) recorder.define_frame(id, {0, "<bench>", static_cast<int>(id), "f"});
    for (ScopeId id = 1; id <= 10; ++id) recorder.define_scope(id, "Default/net/layer" + std::to_string(id));
}

/// The producing thread alone: bursts that fit into the queue, with the writer caught up before each.
void BM_ProduceOp(benchmark::State& state) {
    std::string path = temporary("fusescope_bench_produce.fscope");
    DatabaseRecorder recorder(path, {});
    define(recorder);
    EventId id = 0;
    constexpr int burst = 100000;
    for (auto _ : state) {
        state.PauseTiming();
        recorder.flush();
        state.ResumeTiming();
        for (int i = 0; i < burst; ++i) recorder.op(event(++id));
    }
    recorder.finish("ok", 0);
    state.SetItemsProcessed(state.iterations() * burst);
    state.counters["ns_per_op"] = benchmark::Counter(static_cast<double>(state.iterations()) * burst * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["dropped"] = static_cast<double>(recorder.dropped());
    std::filesystem::remove(path);
}
BENCHMARK(BM_ProduceOp)->Iterations(10)->UseRealTime();

void BM_ProduceTensorHealth(benchmark::State& state) {
    std::string path = temporary("fusescope_bench_tensor.fscope");
    DatabaseRecorder recorder(path, {});
    Shape shape{32, 1024};
    TensorHealth health;
    health.count = 32768;
    constexpr int burst = 50000;
    for (auto _ : state) {
        state.PauseTiming();
        recorder.flush();
        state.ResumeTiming();
        for (int i = 0; i < burst; ++i) {
            ++health.op_event;
            recorder.tensor(health, shape, nullptr);
        }
    }
    recorder.finish("ok", 0);
    state.SetItemsProcessed(state.iterations() * burst);
    std::filesystem::remove(path);
}
BENCHMARK(BM_ProduceTensorHealth)->Iterations(10)->UseRealTime();

/// From the first event to everything committed: what the writer thread manages.
void BM_WriteRows(benchmark::State& state) {
    std::string path = temporary("fusescope_bench_write.fscope");
    constexpr int rows = 500000;
    // Time of the processor and not of the clock: on a busy machine the writer waits for its turn.
    double seconds = 0;
    auto used = [] {
        rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        auto of = [](const timeval& t) {
            return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
        };
        return of(usage.ru_utime) + of(usage.ru_stime);
    };
    for (auto _ : state) {
        state.PauseTiming();
        auto recorder = std::make_unique<DatabaseRecorder>(path, RunInfo{});
        define(*recorder);
        state.ResumeTiming();
        seconds -= used();
        for (EventId id = 1; id <= rows; ++id) recorder->op(event(id));
        recorder->flush();
        seconds += used();
        state.PauseTiming();
        recorder->finish("ok", 0);
        recorder.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * rows);
    state.counters["rows_per_cpu_second"] = static_cast<double>(state.iterations()) * rows / seconds;
    std::filesystem::remove(path);
}
BENCHMARK(BM_WriteRows)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_StartAndFinishEmpty(benchmark::State& state) {
    std::string path = temporary("fusescope_bench_empty.fscope");
    for (auto _ : state) {
        DatabaseRecorder recorder(path, {});
        recorder.finish("ok", 0);
    }
    std::filesystem::remove(path);
}
BENCHMARK(BM_StartAndFinishEmpty)->Unit(benchmark::kMillisecond)->UseRealTime();

/// A profile of a million events, made once.
const std::string& million() {
    static const std::string path = [] {
        std::string made = temporary("fusescope_bench_million.fscope");
        DatabaseRecorder recorder(made, {});
        define(recorder);
        for (EventId id = 1; id <= 1000000; ++id) {
            recorder.op(event(id));
            if (id % 100000 == 0) recorder.flush();
        }
        recorder.flush();
        recorder.finish("ok", 0);
        return made;
    }();
    return path;
}

void BM_FinishAMillion(benchmark::State& state) {
    std::string path = temporary("fusescope_bench_finish.fscope");
    for (auto _ : state) {
        state.PauseTiming();
        auto recorder = std::make_unique<DatabaseRecorder>(path, RunInfo{});
        for (EventId id = 1; id <= 1000000; ++id) recorder->op(event(id));
        recorder->flush();
        state.ResumeTiming();
        recorder->finish("ok", 0);
    }
    std::filesystem::remove(path);
}
BENCHMARK(BM_FinishAMillion)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_OpenReadonly(benchmark::State& state) {
    million();
    for (auto _ : state) benchmark::DoNotOptimize(Database::open_readonly(million()));
}
BENCHMARK(BM_OpenReadonly)->Unit(benchmark::kMillisecond);

template <class Answer>
void over_a_million(benchmark::State& state, Answer answer) {
    Database db = Database::open_readonly(million());
    for (auto _ : state) benchmark::DoNotOptimize(answer(db));
}
void BM_TimesByKind(benchmark::State& state) {
    over_a_million(state, [](Database& db) { return query::times_by_kind(db); });
}
BENCHMARK(BM_TimesByKind)->Unit(benchmark::kMillisecond);
void BM_TimesByLine(benchmark::State& state) {
    over_a_million(state, [](Database& db) { return query::times_by_line(db); });
}
BENCHMARK(BM_TimesByLine)->Unit(benchmark::kMillisecond);
void BM_Tracks(benchmark::State& state) {
    over_a_million(state, [](Database& db) { return query::tracks(db); });
}
BENCHMARK(BM_Tracks)->Unit(benchmark::kMillisecond);
void BM_TimeSpan(benchmark::State& state) {
    over_a_million(state, [](Database& db) { return query::time_span(db); });
}
BENCHMARK(BM_TimeSpan)->Unit(benchmark::kMillisecond);
void BM_SlicesOfAll(benchmark::State& state) {
    over_a_million(state, [](Database& db) { return query::slices(db, query::tracks(db).at(0), {}); });
}
BENCHMARK(BM_SlicesOfAll)->Unit(benchmark::kMillisecond);
void BM_SlicesOfAThousandEvents(benchmark::State& state) {
    Database db = Database::open_readonly(million());
    query::Track track = query::tracks(db).at(0);
    for (auto _ : state) benchmark::DoNotOptimize(query::slices(db, track, {500'000'000, 501'000'000}));
}
BENCHMARK(BM_SlicesOfAThousandEvents)->Unit(benchmark::kMillisecond);

/// 100 000 nodes through 15 stages, each of which changes one node in a hundred.
void BM_WriteBigGraph(benchmark::State& state) {
    std::string path = temporary("fusescope_bench_graph.fscope");
    auto graph = std::make_shared<GraphSnapshot>();
    graph->id = 1;
    constexpr NodeId nodes = 100000;
    NodeId next = nodes + 1;
    std::vector<NodeId> at(nodes);
    for (int ordinal = 0; ordinal < 15; ++ordinal) {
        StageSnapshot& stage = graph->stages.emplace_back();
        stage.pass = "pass" + std::to_string(ordinal);
        for (NodeId place = 0; place < nodes; ++place) {
            NodeSnapshot& node = stage.nodes.emplace_back();
            // A changed node changes what uses it, so the tail of the chain of ten is new.
            bool is_new = ordinal == 0 || (place / 10 + static_cast<NodeId>(ordinal)) % 100 == 0;
            if (ordinal > 0 && is_new) node.origins = {at[place]};
            node.shared = !is_new;
            if (is_new) at[place] = ordinal == 0 ? place + 1 : next++;
            node.id = at[place];
            node.name = "CNode_" + std::to_string(node.id);
            node.op = "Add";
            node.dtype = "Float32";
            node.shape = "(32, 1024)";
            if (place % 10 > 0) stage.edges.push_back({at[place - 1], 0, at[place], 0});
        }
    }
    for (auto _ : state) {
        DatabaseRecorder recorder(path, {});
        recorder.graph(graph);
        recorder.finish("ok", 0);
    }
    state.counters["file_MB"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    Database db = Database::open_readonly(path);
    state.counters["node_rows"] = static_cast<double>(db.integer("SELECT count(*) FROM node"));
    std::filesystem::remove(path);
}
BENCHMARK(BM_WriteBigGraph)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::filesystem::remove(temporary("fusescope_bench_million.fscope"));
    return 0;
}
