// The train step of the seed program from C++: Dense(1024, 1024), ReLU, MSE loss, gradients, Momentum, batch of 32.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <random>

#include "engine/autodiff/tape.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/cpu/matmul.hpp"
#include "engine/exec/dispatch.hpp"
#include "engine/trace/capture.hpp"
#include "fusescope/op_call.hpp"
#include "fusescope/runtime.hpp"

namespace fusescope {
namespace {

Tensor random_floats(std::uint32_t seed, const Shape& shape, float scale) {
    Tensor t = Tensor::empty(DType::Float32, shape);
    std::mt19937 r(seed);
    auto* p = static_cast<float*>(t.impl()->raw());
    for (std::int64_t i = 0; i < t.count(); ++i) p[i] = (static_cast<float>(r()) * 0x1p-31f - 1) * scale;
    return t;
}

Tensor parameter(const char* name, const Tensor& value) {
    value.impl()->parameter = std::make_unique<ParameterInfo>(ParameterInfo{name, true});
    return value;
}

struct Net {
    Tensor w = parameter("fc.weight", random_floats(1, {1024, 1024}, 0.03f));
    Tensor b = parameter("fc.bias", random_floats(2, {1024}, 0.03f));
    Tensor vw = parameter("moments.fc.weight", random_floats(3, {1024, 1024}, 0));
    Tensor vb = parameter("moments.fc.bias", random_floats(4, {1024}, 0));
    Tensor x = random_floats(5, {32, 1024}, 1), y = random_floats(6, {32, 1024}, 1);

    Tensor step() {
        Context& c = Context::current();
        Tensor loss;
        std::vector<Tensor> grads;
        {
            autodiff::Tape tape(c);
            tape.watch(w);
            tape.watch(b);
            loss = Op("MSELoss").one({Op("ReLU").one({Op("Dense").one({x, w, b})}), y});
            tape.stop();
            const Tensor wrt[2] = {w, b}, seed[1] = {};
            grads = tape.gradient({&loss, 1}, seed, wrt);
        }
        const Tensor lr = Tensor::scalar(0.1), momentum = Tensor::scalar(0.9);
        Op("ApplyMomentum").many({w, vw, lr, grads[0], momentum});
        Op("ApplyMomentum").many({b, vb, lr, grads[1], momentum});
        return loss;
    }
    std::shared_ptr<trace::CapturedFunction> capture() {
        trace::Capture capture(Context::current(), "train_step", "", 0);
        const Tensor args[2] = {x, y}, results[1] = {step()};
        trace::NotWhole why;
        return capture.finish(args, results, why);
    }
};

Net& net() {
    static Net* n = new Net;
    return *n;
}

std::shared_ptr<trace::CapturedFunction> compiled() {
    static const auto f = [] {
        const std::int64_t start = exec::now_ns();
        auto made = net().capture();
        std::printf("first capture, compilation and run of the train step: %.1f ms\n",
                    static_cast<double>(exec::now_ns() - start) * 1e-6);
        return made;
    }();
    return f;
}

void train_step_graph(benchmark::State& state) {
    set_threads(static_cast<int>(state.range(0)));
    const auto f = compiled();
    if (!f) return state.SkipWithError("the step did not become one graph");
    const Tensor args[2] = {net().x, net().y};
    for (auto _ : state) benchmark::DoNotOptimize(f->call(Context::current(), args));
}
BENCHMARK(train_step_graph)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

void train_step_eager(benchmark::State& state) {
    set_threads(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(net().step());
}
BENCHMARK(train_step_eager)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

// The two products that no train step can do without.
void products_alone(benchmark::State& state) {
    set_threads(static_cast<int>(state.range(0)));
    const Tensor out = random_floats(7, {32, 1024}, 0), grad = random_floats(8, {1024, 1024}, 0);
    cpu::MatMulShape forward, backward;
    forward.m = 32, forward.n = 1024, forward.k = 1024, forward.transpose_b = true;
    backward.m = 1024, backward.n = 1024, backward.k = 32, backward.transpose_a = true;
    for (auto _ : state) {
        cpu::matmul(DType::Float32, forward, net().x.impl()->raw(), net().w.impl()->raw(), out.impl()->raw());
        cpu::matmul(DType::Float32, backward, out.impl()->raw(), net().x.impl()->raw(), grad.impl()->raw());
    }
}
BENCHMARK(products_alone)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace fusescope

BENCHMARK_MAIN();
