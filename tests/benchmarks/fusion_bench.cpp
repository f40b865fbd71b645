// A chain of elementwise ops over 16 M floats: one generated kernel against a hand-written streaming loop, and what
// compiling it takes.
//
//     relu((u + v) * 2 - u) * v
#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <random>

#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/exec/compiler.hpp"
#include "engine/ir/graph_builder.hpp"
#include "fusescope/op_call.hpp"
#include "fusescope/runtime.hpp"

namespace fusescope {
namespace {

constexpr std::int64_t kCount = 1 << 24;

Tensor random_floats(std::uint32_t seed, const Shape& shape) {
    Tensor t = Tensor::empty(DType::Float32, shape);
    std::mt19937 r(seed);
    auto* p = static_cast<float*>(t.impl()->raw());
    for (std::int64_t i = 0; i < t.count(); ++i) p[i] = static_cast<float>(r()) * 0x1p-31f - 1;
    return t;
}

struct Inputs {
    Tensor u = random_floats(1, {kCount}), v = random_floats(2, {kCount});
};
const Inputs& inputs() {
    static const Inputs* i = new Inputs;
    return *i;
}

Tensor chain(const Tensor& u, const Tensor& v) {
    const Tensor t = Op("Sub").one({Op("Mul").one({Op("Add").one({u, v}), Tensor::scalar(2)}), u});
    return Op("Mul").one({Op("ReLU").one({t}), v});
}

ir::GraphPtr chain_graph() {
    ir::GraphBuilder b;
    const Tensor u = b.input("u", DType::Float32, {kCount}), v = b.input("v", DType::Float32, {kCount});
    ir::GraphBuilder::Scope scope(b);
    const Tensor out[1] = {chain(u, v)};
    return b.finish("chain", out);
}

void traffic(benchmark::State& state) {
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * kCount * 12);
}

void by_hand(benchmark::State& state) {
    set_threads(static_cast<int>(state.range(0)));
    const Tensor out = Tensor::empty(DType::Float32, {kCount});
    const float* u = inputs().u.data_as<float>();
    const float* v = inputs().v.data_as<float>();
    auto* to = static_cast<float*>(out.impl()->raw());
    for (auto _ : state) {
        cpu::parallel_for(kCount, 1, 64, [&](std::int64_t begin, std::int64_t end) {
            const __m256 two = _mm256_set1_ps(2), zero = _mm256_setzero_ps();
            for (std::int64_t i = begin; i < end; i += 8) {
                const __m256 a = _mm256_load_ps(u + i), b = _mm256_load_ps(v + i);
                const __m256 t = _mm256_sub_ps(_mm256_mul_ps(_mm256_add_ps(a, b), two), a);
                _mm256_stream_ps(to + i, _mm256_mul_ps(_mm256_max_ps(zero, t), b));
            }
            _mm_sfence();
        });
        benchmark::ClobberMemory();
    }
    traffic(state);
}
BENCHMARK(by_hand)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void fused(benchmark::State& state) {
    set_threads(static_cast<int>(state.range(0)));
    Context& c = Context::current();
    static const auto executable = exec::compile(c, chain_graph(), {"chain", "", 0});
    if (executable->generated() != 1) state.SkipWithError("the chain is not one generated kernel");
    const std::vector<Tensor> in = {inputs().u, inputs().v};
    for (auto _ : state) benchmark::DoNotOptimize(executable->run(c, in));
    traffic(state);
}
BENCHMARK(fused)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void eager(benchmark::State& state) {
    set_threads(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(chain(inputs().u, inputs().v));
    traffic(state);
}
BENCHMARK(eager)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// What a run costs besides its kernels.
void small_graph(benchmark::State& state) {
    Context& c = Context::current();
    ir::GraphBuilder b;
    const Tensor x = b.input("x", DType::Float32, {2, 2}), y = b.input("y", DType::Float32, {2, 2});
    ir::GraphPtr graph;
    {
        ir::GraphBuilder::Scope scope(b);
        const Tensor out[1] = {chain(x, y)};
        graph = b.finish("small", out);
    }
    const auto executable = exec::compile(c, graph, {"small", "", 0});
    const std::vector<Tensor> in = {random_floats(1, {2, 2}), random_floats(2, {2, 2})};
    for (auto _ : state) benchmark::DoNotOptimize(executable->run(c, in));
}
BENCHMARK(small_graph)->Unit(benchmark::kNanosecond);

// Compiling once more; the first time in a process (LLVM is loaded then) is what train_step_bench prints.
void compile_chain(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(exec::compile(Context::current(), chain_graph(), {"chain", "", 0}));
    }
}
BENCHMARK(compile_chain)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fusescope

BENCHMARK_MAIN();
