// Trains a small perceptron on two half moons, the step compiled as one graph, and records what the engine did.
//
//     train_mlp OUT.fscope
#include <cmath>
#include <cstdio>
#include <exception>
#include <fusescope/error.hpp>
#include <fusescope/grad.hpp>
#include <fusescope/jit.hpp>
#include <fusescope/nn.hpp>
#include <fusescope/operators.hpp>
#include <fusescope/profile.hpp>
#include <fusescope/record.hpp>
#include <fusescope/source_line.hpp>
#include <vector>

using namespace fusescope;

namespace {

struct Perceptron : nn::Cell {
    nn::Dense first{2, 32}, second{32, 32}, last{32, 2};
    Perceptron() : Cell("Perceptron") {
        add("first", first);
        add("second", second);
        add("last", last);
    }
    Tensor construct(const Tensor& x) override {
        SourceLine here;
        return last(ops::tanh(second(ops::tanh(first(x)))));
    }
};

struct Moons {
    Tensor data, label;
};

Moons two_moons(int points) {
    std::vector<float> data;
    std::vector<std::int32_t> label;
    for (int i = 0; i < 2 * points; ++i) {
        const bool lower = i >= points;
        const float angle = 3.14159265f * static_cast<float>(i % points) / static_cast<float>(points);
        data.push_back(lower ? 1 - std::cos(angle) : std::cos(angle));
        data.push_back(lower ? 0.5f - std::sin(angle) : std::sin(angle));
        label.push_back(lower);
    }
    return {Tensor::from_bytes(DType::Float32, {2 * points, 2}, data.data()),
            Tensor::from_bytes(DType::Int32, {2 * points}, label.data())};
}

void train(const char* path) {
    RecordedRun run(path, "train_mlp");
    set_seed(3);
    Perceptron net;
    net.set_train();
    nn::Adam optimizer(net.trainable_params(), 0.01);
    const nn::CrossEntropyLoss loss_fn;
    const ValueAndGrad forward = value_and_grad(
        [&](std::span<const Tensor> in) {
            SourceLine here;
            const Tensor logits = net(in[0]);
            return Tensors{loss_fn(logits, in[1]), logits};
        },
        {.positions = {}, .weights = net.trainable_params(), .has_aux = true});

    Jit step(
        [&](std::span<const Tensor> in) {
            SourceLine here;
            const Gradients g = forward(in);
            optimizer(g.weights);
            const Tensor hits = ops::equal(ops::argmax(g.outputs[1], std::int64_t{1}), ops::cast(in[1], DType::Int64));
            return Tensors{g.outputs[0], ops::mean(ops::cast(hits, DType::Float32))};
        },
        "train_step");

    const auto [data, label] = two_moons(100);
    for (int i = 0; i <= 200; ++i) {
        SourceLine here;
        const Tensors result = step({data, label});
        if (i % 50 == 0) {
            std::printf("step %3d  loss %.4f  accuracy %.3f\n", i, result[0].item(), result[1].item());
        }
    }
    if (!run.finish()) std::fprintf(stderr, "train_mlp: %s\n", run.error().c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: train_mlp OUT.fscope\n");
        return 2;
    }
    try {
        train(argv[1]);
        for (const ProfileOpTime& op : Profile(argv[1]).op_times()) {
            std::printf("%-44s %6lld calls %8.2f ms\n", op.name.c_str(), static_cast<long long>(op.calls),
                        static_cast<double>(op.total_ns) * 1e-6);
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "train_mlp: %s\n", e.what());
        return 1;
    }
}
