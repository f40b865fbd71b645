// Matrix products of the training step and some others: the engine's choice beside oneDNN's gemm called with the same
// operands. Run both with OMP_NUM_THREADS=1 and 2, OMP_WAIT_POLICY=passive.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/cpu/matmul.hpp"

// oneDNN's C function, declared here so that its header stays in engine/cpu.
extern "C" int dnnl_sgemm(char transa, char transb, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                          const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
                          std::int64_t ldc);

namespace {

struct Product {
    std::int64_t m, n, k;
    bool ta, tb;
};
const Product kProducts[] = {
    {32, 1024, 1024, false, true},   // Dense forward
    {32, 1024, 1024, false, false},  // gradient of its input
    {1024, 1024, 32, true, false},   // gradient of its weight
    {1024, 1024, 1024, false, false}, {1024, 256, 256, false, true}, {1024, 1024, 256, false, true},
    {256, 1024, 1024, true, false},   {128, 128, 64, false, true},   {128, 64, 128, false, false},
};

void run(benchmark::State& state, bool plain) {
    const Product p = kProducts[state.range(0)];
    std::vector<float> a(static_cast<std::size_t>(p.m * p.k), 0.5f), b(static_cast<std::size_t>(p.k * p.n), 0.25f),
        c(static_cast<std::size_t>(p.m * p.n));
    fusescope::cpu::MatMulShape shape{p.m, p.n, p.k, p.ta, p.tb, {}, {}, {}};
    for (auto _ : state) {
        if (plain) {
            dnnl_sgemm(p.ta ? 'T' : 'N', p.tb ? 'T' : 'N', p.m, p.n, p.k, 1, a.data(), p.ta ? p.m : p.k, b.data(),
                       p.tb ? p.k : p.n, 0, c.data(), p.n);
        } else {
            fusescope::cpu::matmul(fusescope::DType::Float32, shape, a.data(), b.data(), c.data());
        }
        benchmark::DoNotOptimize(c.data());
        benchmark::ClobberMemory();
    }
    state.SetLabel(std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k) + (p.ta ? " aT" : "") +
                   (p.tb ? " bT" : ""));
    state.counters["GFLOP/s"] =
        benchmark::Counter(2e-9 * static_cast<double>(p.m * p.n * p.k), benchmark::Counter::kIsIterationInvariantRate);
}
void engine(benchmark::State& state) { run(state, false); }
void onednn(benchmark::State& state) { run(state, true); }

constexpr int kLast = static_cast<int>(std::size(kProducts)) - 1;
BENCHMARK(engine)->DenseRange(0, kLast)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(onednn)->DenseRange(0, kLast)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
