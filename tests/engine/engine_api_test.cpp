// The public C++ API: gradients, compiled functions, control flow, networks, optimizers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "fusescope/control_flow.hpp"
#include "fusescope/error.hpp"
#include "fusescope/grad.hpp"
#include "fusescope/jit.hpp"
#include "fusescope/nn.hpp"
#include "fusescope/operators.hpp"
#include "fusescope/runtime.hpp"
#include "fusescope/source_line.hpp"

namespace fusescope {
namespace {

using ::testing::ElementsAre;

Tensor floats(const Shape& shape, std::vector<float> v) { return Tensor::from_bytes(DType::Float32, shape, v.data()); }
std::vector<float> values(const Tensor& t) { return {t.data_as<float>(), t.data_as<float>() + t.count()}; }

bool same_bits(const Tensor& a, const Tensor& b) {
    return a.type() == b.type() && std::memcmp(a.data(), b.data(), a.type().bytes()) == 0;
}

/// Gradients of sum(f(x) * w) for the Parameters and the input, against central differences.
void check_gradients(nn::Cell& cell, const Tensor& x, double tolerance) {
    Tensor weights;
    auto f = [&](std::span<const Tensor> in) {
        const Tensor y = cell(in[0]);
        if (!weights.defined()) weights = ops::uniform(y.shape(), 0.5, 1.5);
        return Tensors{ops::sum(y * weights)};
    };
    const std::vector<Parameter> parameters = cell.trainable_params();
    const Gradients g = value_and_grad(f, {.positions = {0}, .weights = parameters})({x});
    auto compare = [&](const Tensor& at, const Tensor& gradient, const std::function<double(const Tensor&)>& value) {
        ASSERT_EQ(gradient.shape(), at.shape());
        const std::vector<float> base = values(at);
        for (std::size_t i = 0; i < base.size(); i += 1 + base.size() / 7) {
            constexpr float h = 1e-2f;
            std::vector<float> up = base, down = base;
            up[i] += h;
            down[i] -= h;
            const double slope = (value(floats(at.shape(), up)) - value(floats(at.shape(), down))) / (2 * h);
            EXPECT_NEAR(values(gradient)[i], slope, tolerance * (1 + std::fabs(slope))) << "element " << i;
        }
    };
    compare(x, g.inputs[0], [&](const Tensor& v) { return f(Tensors{v})[0].item(); });
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        Parameter parameter = parameters[p];
        SCOPED_TRACE(parameter.name());
        const Tensor before = floats(parameter.shape(), values(parameter));
        compare(before, g.weights[p], [&](const Tensor& v) {
            parameter.assign(v);
            const double y = f(Tensors{x})[0].item();
            parameter.assign(before);
            return y;
        });
    }
}

TEST(Api, LayersHaveTheGradientsOfTheirDifferences) {
    set_seed(2);
    const Tensor rows = ops::normal({4, 6});
    const Tensor images = ops::normal({2, 4, 5, 5});
    nn::Dense dense(6, 3);
    check_gradients(dense, rows, 2e-2);
    nn::LayerNorm layer_norm({6});
    check_gradients(layer_norm, rows, 3e-2);
    nn::Conv2d conv(4, 6, {3, 3}, {.stride = {2, 2}, .group = 2, .has_bias = true});
    check_gradients(conv, images, 3e-2);
    nn::BatchNorm2d batch_norm(4);
    check_gradients(batch_norm, images, 3e-2);
    nn::AvgPool2d pool(2, 2);
    check_gradients(pool, images, 2e-2);
    nn::GELU gelu;
    check_gradients(gelu, rows, 2e-2);
    nn::Softmax softmax;
    check_gradients(softmax, rows, 2e-2);
    nn::SequentialCell net;
    net.append<nn::Conv2d>(4, 2, 3);
    net.append<nn::Tanh>();
    net.append<nn::Flatten>();
    net.append<nn::Dense>(50, 2);
    check_gradients(net, images, 3e-2);
}

struct Net : nn::Cell {
    nn::Dense first{3, 4}, last{4, 2};
    nn::BatchNorm2d norm{2};
    Net() : Cell("Net") {
        add("first", first);
        add("last", last);
        add("norm", norm);
    }
    Tensor construct(const Tensor& x) override { return last(ops::relu(first(x))); }
};

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
    std::vector<std::string> names;
    for (const Parameter& p : parameters) names.push_back(p.name());
    return names;
}

TEST(Api, CellsNameTheirParametersByPath) {
    Net net;
    EXPECT_THAT(names_of(net.parameters()),
                ElementsAre("first.weight", "first.bias", "last.weight", "last.bias", "norm.moving_mean",
                            "norm.moving_variance", "norm.gamma", "norm.beta"));
    EXPECT_EQ(net.trainable_params().size(), 6u);
    EXPECT_EQ(net.parameter("last.weight").shape(), (Shape{2, 4}));
    EXPECT_THROW(net.parameter("middle.weight"), UserError);
    EXPECT_FALSE(net.norm.training());
    net.set_train();
    EXPECT_TRUE(net.norm.training());
}

TEST(Api, GradientsFollowPositionsWeightsAndTheFirstOutput) {
    const Tensor a = floats({2}, {1, 2}), b = floats({2}, {3, 5});
    Parameter w(floats({2}, {2, 2}), "w");
    auto f = [&](std::span<const Tensor> in) { return Tensors{ops::sum(in[0] * in[1] * w), in[0] * 100}; };
    const Gradients g = value_and_grad(f, {.positions = {1, 0}, .weights = {w}, .has_aux = true})({a, b});
    EXPECT_EQ(g.outputs[0].item(), 26);
    EXPECT_THAT(values(g.inputs[0]), ElementsAre(2, 4));
    EXPECT_THAT(values(g.inputs[1]), ElementsAre(6, 10));
    EXPECT_THAT(values(g.weights[0]), ElementsAre(3, 10));
    // One tensor given twice has two gradients.
    const Gradients twice = value_and_grad(f, {.positions = {0, 1}, .has_aux = true})({a, a});
    EXPECT_THAT(values(twice.inputs[0]), ElementsAre(2, 4));
    EXPECT_THROW(value_and_grad(f, {.positions = {2}})({a, b}), UserError);
}

TEST(Api, GradientsOfGradients) {
    const auto cube = [](std::span<const Tensor> in) { return Tensors{ops::sum(in[0] * in[0] * in[0])}; };
    const auto slope = [&](std::span<const Tensor> in) { return Tensors{ops::sum(grad(cube)({in[0]}))}; };
    EXPECT_THAT(values(grad(slope)({floats({3}, {1, 2, 3})})), ElementsAre(6, 12, 18));
}

/// Trains a small network and gives all losses.
template <class MakeOptimizer>
std::vector<double> losses(MakeOptimizer make, bool compiled, int steps) {
    set_seed(7);
    nn::SequentialCell net;
    net.append<nn::Dense>(4, 16);
    net.append<nn::ReLU>();
    net.append<nn::Dense>(16, 3);
    net.set_train();
    const auto optimizer = make(net.trainable_params());
    const Tensor x = ops::normal({24, 4});
    std::vector<std::int32_t> classes;
    for (int i = 0; i < 24; ++i) classes.push_back(values(x)[static_cast<std::size_t>(4 * i)] > 0 ? 1 : 2);
    const Tensor y = Tensor::from_bytes(DType::Int32, {24}, classes.data());
    const nn::CrossEntropyLoss loss_fn;
    const ValueAndGrad forward =
        value_and_grad([&](std::span<const Tensor> in) { return Tensors{loss_fn(net(in[0]), in[1])}; },
                       {.positions = {}, .weights = net.trainable_params()});
    const TensorFunction step = [&](std::span<const Tensor> in) {
        const Gradients g = forward(in);
        (*optimizer)(g.weights);
        return g.outputs;
    };
    Jit fast(step, "step");
    std::vector<double> all;
    for (int i = 0; i < steps; ++i) {
        const Tensors result = compiled ? fast({x, y}) : step(Tensors{x, y});
        all.push_back(result[0].item());
    }
    EXPECT_EQ(fast.compiled(), compiled ? 1u : 0u);
    return all;
}

template <class T, class... A>
auto maker(A... arguments) {
    return [=](std::vector<Parameter> p) { return std::make_unique<T>(std::move(p), arguments...); };
}

template <class MakeOptimizer>
void check_training(MakeOptimizer make) {
    const std::vector<double> eager = losses(make, false, 60), graph = losses(make, true, 60);
    EXPECT_EQ(eager, graph) << "a graph must compute the same bits";
    EXPECT_LT(eager.back(), 0.5 * eager.front());
}

TEST(Api, OptimizersTrainTheSameEagerlyAndCompiled) {
    check_training(maker<nn::SGD>(0.3));
    check_training(maker<nn::SGD>(0.1, nn::SGD::Options{.momentum = 0.9, .weight_decay = 1e-4, .nesterov = true}));
    check_training(maker<nn::Momentum>(0.1, 0.9));
    check_training(maker<nn::Adam>(0.02));
    check_training(maker<nn::AdamWeightDecay>(0.02, nn::AdamWeightDecay::Options{.weight_decay = 1e-3}));
}

TEST(Api, OptimizersRefuseGradientsThatDoNotFit) {
    Parameter w(floats({2}, {1, 1}), "w");
    nn::Momentum optimizer({w}, 0.1, 0.9);
    EXPECT_THROW(optimizer(Tensors{}), UserError);
    EXPECT_THROW(optimizer(Tensors{floats({3}, {1, 1, 1})}), UserError);
    optimizer(Tensors{floats({2}, {1, 2})});
    EXPECT_THAT(values(w), ElementsAre(0.9f, 0.8f));
    optimizer.learning_rate().assign(Tensor::scalar(0));
    optimizer(Tensors{floats({2}, {1, 2})});
    EXPECT_THAT(values(w), ElementsAre(0.9f, 0.8f));
}

TEST(Api, CompiledFunctionsSeeParametersChangeAndCompileAgainForShapes) {
    Parameter scale(floats({}, {2}), "scale");
    int runs = 0;
    Jit f([&](std::span<const Tensor> in) {
        ++runs;
        return Tensors{in[0] * scale + 1};
    });
    EXPECT_THAT(values(f({floats({2}, {1, 2})})[0]), ElementsAre(3, 5));
    scale.assign(floats({}, {10}));
    EXPECT_THAT(values(f({floats({2}, {1, 2})})[0]), ElementsAre(11, 21));
    EXPECT_EQ(runs, 1);
    EXPECT_THAT(values(f({floats({1}, {4})})[0]), ElementsAre(41));
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(f.compiled(), 2u);
}

TEST(Api, AFunctionThatLooksAtAValueIsRunEachTime) {
    Jit f([](std::span<const Tensor> in) {
        const Tensor s = ops::sum(in[0]);
        return Tensors{s.item() > 0 ? in[0] * 2 : in[0] * -1};
    });
    EXPECT_THAT(values(f({floats({2}, {1, 2})})[0]), ElementsAre(2, 4));
    EXPECT_THAT(values(f({floats({2}, {-1, -2})})[0]), ElementsAre(1, 2));
    EXPECT_EQ(f.compiled(), 0u);
}

TEST(Api, BranchesAndLoopsAreOneGraph) {
    const TensorFunction twice = [](std::span<const Tensor> v) { return Tensors{v[0] * 2}; };
    const TensorFunction minus = [](std::span<const Tensor> v) { return Tensors{-v[0]}; };
    const TensorFunction branch = [&](std::span<const Tensor> in) {
        return cond(ops::sum(in[0]) > 0, twice, minus, in.first(1));
    };
    const TensorFunction root = [](std::span<const Tensor> in) {
        const Tensor a = in[0];
        return while_loop([](std::span<const Tensor> s) { return Tensors{ops::abs(s[0] - s[1]) > 1e-6}; },
                          [&](std::span<const Tensor> s) {
                              return Tensors{0.5 * (s[0] + a / s[0]), s[0]};
                          },
                          Tensors{a, a * 0});
    };
    Jit fast_branch(branch), fast_root(root);
    for (float sign : {1.0f, -1.0f}) {
        const Tensor x = floats({2}, {sign, 2 * sign});
        EXPECT_TRUE(same_bits(branch(Tensors{x})[0], fast_branch({x})[0]));
    }
    for (float a : {2.0f, 9.0f}) {
        EXPECT_NEAR(fast_root({floats({}, {a})})[0].item(), std::sqrt(a), 1e-6);
        EXPECT_TRUE(same_bits(root(Tensors{floats({}, {a})})[0], fast_root({floats({}, {a})})[0]));
    }
    EXPECT_EQ(fast_branch.compiled(), 1u);
    EXPECT_EQ(fast_root.compiled(), 1u);
}

TEST(Api, AFunctionThatLooksAtAnArgumentIsNotKept) {
    Jit by_value([](std::span<const Tensor> in) { return Tensors{in[0] * in[0].item()}; });
    Jit gradient([](std::span<const Tensor> in) {
        const auto square = [](std::span<const Tensor> x) { return Tensors{x[0] * x[0]}; };
        return value_and_grad(square)({in[0]}).outputs;
    });
    for (float v : {2.0f, 3.0f, 4.0f}) {
        EXPECT_EQ(by_value({floats({}, {v})})[0].item(), v * v);
        EXPECT_EQ(gradient({floats({}, {v})})[0].item(), v * v);
    }
    EXPECT_EQ(by_value.compiled(), 0u);
    EXPECT_EQ(gradient.compiled(), 1u) << "copies of an argument are that argument";
}

TEST(Api, GraphModeGivesTheSameAsEagerMode) {
    const Tensor x = floats({3}, {1, 2, 3});
    const Tensor eager = ops::exp(x * 0.5 + 1);
    set_mode(Mode::graph);
    const Tensor lazy = ops::exp(x * 0.5 + 1);
    EXPECT_TRUE(lazy.is_pending());
    EXPECT_TRUE(same_bits(eager, lazy));
    set_mode(Mode::eager);
}

TEST(Api, DropoutAndBatchNormChangeWithTraining) {
    const Tensor x = ops::normal({8, 4, 3, 3}, 1, 2);
    nn::Dropout dropout(0.5);
    EXPECT_TRUE(same_bits(dropout(x), x));
    dropout.set_train();
    EXPECT_FALSE(same_bits(dropout(x), x));
    nn::BatchNorm2d norm(4);
    norm.set_train();
    norm(x);
    const double mean = ops::mean(norm.parameter("moving_mean")).item();
    EXPECT_NEAR(mean, 0.1 * ops::mean(x).item(), 1e-5);
    EXPECT_THROW(nn::Dropout(1.0), UserError);
}

TEST(Api, LossesIgnoreLabelsAndReduce) {
    const Tensor logits = floats({3, 2}, {0, 0, 2, 0, 0, 3});
    std::vector<std::int32_t> classes{0, -100, 1};
    const Tensor labels = Tensor::from_bytes(DType::Int32, {3}, classes.data());
    const double first = std::log(2.0), third = std::log1p(std::exp(-3.0));
    EXPECT_NEAR(nn::cross_entropy(logits, labels).item(), (first + third) / 2, 1e-6);
    EXPECT_NEAR(nn::cross_entropy(logits, labels, "sum").item(), first + third, 1e-6);
    EXPECT_EQ(nn::cross_entropy(logits, labels, "none").shape(), (Shape{3}));
    EXPECT_THROW(nn::cross_entropy(logits, labels, "average"), UserError);
    EXPECT_NEAR(nn::MSELoss()(logits, logits + 2).item(), 4, 1e-6);
    EXPECT_NEAR(nn::L1Loss{"sum"}(logits, logits + 2).item(), 12, 1e-5);
}

/// Remembers what a profile could not do without.
class Listener final : public Recorder {
 public:
    void define_frame(FrameId, const FrameInfo&) noexcept override {}
    void define_scope(ScopeId id, std::string_view path) noexcept override { scopes[id] = path; }
    void define_kind(KindId, std::string_view) noexcept override {}
    void op(const OpEvent& event) noexcept override { ops.push_back(event); }
    void transfer(const TransferEvent&) noexcept override {}
    void memory(const MemoryEvent&) noexcept override { ++memory_events; }
    void tensor(const TensorHealth&, const Shape&, const void*) noexcept override {}
    void graph(std::shared_ptr<const GraphSnapshot> graph) noexcept override { graphs.push_back(std::move(graph)); }
    void graph_break(GraphId, FrameId, std::string_view) noexcept override {}
    void finding(const Finding& finding) noexcept override { findings.push_back(finding); }
    void output(std::string_view, std::int64_t, std::string_view) noexcept override {}

    std::map<ScopeId, std::string> scopes;
    std::vector<OpEvent> ops;
    std::vector<Finding> findings;
    std::vector<std::shared_ptr<const GraphSnapshot>> graphs;
    int memory_events = 0;
};

TEST(Api, EachRecordingKnowsGraphsAndScopesOfFunctionsCompiledBefore) {
    Net net;
    Jit f([&](std::span<const Tensor> in) { return Tensors{net(in[0])}; }, "net");
    const Tensor x = ops::normal({512, 3});
    const Tensor before = f({x})[0];
    for (int round = 0; round < 2; ++round) {
        Listener listener;  // the second one most likely where the first one was
        {
            const Recording recording(listener);
            EXPECT_TRUE(same_bits(f({x})[0], before));
            f({x});
        }
        ASSERT_EQ(listener.graphs.size(), 1u) << "round " << round;
        EXPECT_EQ(listener.graphs[0]->name, "net");
        ASSERT_FALSE(listener.ops.empty());
        for (const OpEvent& e : listener.ops) EXPECT_TRUE(e.scope == 0 || listener.scopes.contains(e.scope));
        EXPECT_GT(listener.memory_events, 0);
        const std::size_t told = listener.ops.size();
        f({x});
        EXPECT_EQ(listener.ops.size(), told) << "nothing is told after the end";
    }
    EXPECT_EQ(f.compiled(), 1u);
}

TEST(Api, ALoopThatLooksAtNoValueIsFewGraphs) {
    Listener listener;
    Tensor x = floats({4}, {1, 2, 3, 4}), y = x;
    {
        const Recording recording(listener, Watch::off);
        set_mode(Mode::graph);
        for (int turn = 0; turn < 1500; ++turn) {
            x = ops::exp(x * 0.5) - 1;
            for (int k = 0; k < 5; ++k) x = ops::relu(ops::sin(x));
        }
        set_mode(Mode::eager);
    }
    for (int turn = 0; turn < 1500; ++turn) {
        y = ops::exp(y * 0.5) - 1;
        for (int k = 0; k < 5; ++k) y = ops::relu(ops::sin(y));
    }
    EXPECT_TRUE(same_bits(x, y));
    EXPECT_LE(listener.graphs.size(), 4u) << "of some 19 500 ops";
}

TEST(Api, AGraphThatFailsAtTheEndOfARecordingIsAFindingAndEndsNothing) {
    const std::int64_t far = 9;
    const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6}), place = Tensor::from_bytes(DType::Int64, {1}, &far);
    Listener listener;
    set_mode(Mode::graph);
    Tensor rows, more;
    {
        const Recording recording(listener);
        rows = ops::gather(x, place, 0);
        more = rows + 1;
    }
    ASSERT_EQ(listener.findings.size(), 1u);
    EXPECT_EQ(listener.findings[0].kind, FindingKind::index);
    EXPECT_EQ(listener.findings[0].op, "Gather");
    for (const Tensor& t : {rows, more}) EXPECT_THROW(t.data(), UserError);
    EXPECT_EQ(values(x + 1)[0], 2) << "the next graph knows nothing of it";
    set_mode(Mode::eager);
}

TEST(Api, EachThreadHasItsOwnGraphModeAndEvents) {
    Listener listener;
    const Tensor x = floats({3}, {1, 2, 3});
    set_mode(Mode::graph);
    const Tensor waiting = x + 1;
    for (int k = 0; k < 2; ++k) {
        std::thread([&] {
            const Recording recording(listener);
            EXPECT_FALSE((x * 2).is_pending());
            set_mode(Mode::graph);
            const Tensor own = x * 3;
            EXPECT_TRUE(own.is_pending());
            EXPECT_EQ(values(own)[2], 9);
        }).join();
    }
    EXPECT_TRUE(waiting.is_pending());
    EXPECT_EQ(values(waiting)[0], 2);
    set_mode(Mode::eager);
    std::set<EventId> ids;
    std::set<std::uint16_t> threads;
    for (const OpEvent& e : listener.ops) {
        ids.insert(e.id);
        threads.insert(e.thread);
    }
    EXPECT_EQ(listener.ops.size(), 4u);
    EXPECT_EQ(ids.size(), listener.ops.size());
    EXPECT_EQ(threads.size(), 2u);
}

TEST(Api, AThreadMayEndWhileSomethingWaits) {
    const Tensor x = floats({3}, {1, 2, 3});
    set_mode(Mode::graph);
    const Tensor here = ops::exp(x);
    std::thread([&x] {
        set_mode(Mode::graph);
        EXPECT_TRUE(ops::exp(x).is_pending());
        Parameter(x, "w").assign(ops::exp(x));
    }).join();
    EXPECT_TRUE(here.is_pending());
    set_mode(Mode::eager);
    EXPECT_TRUE(same_bits(here, ops::exp(x)));
}

TEST(Api, TheBytesOfADeviceValueStayWhereTheyWereGivenOut) {
    set_device(DeviceKind::ascend_model);
    const Tensor y = floats({2}, {1, 2}) * 2;
    const void* first = y.data();
    EXPECT_EQ(y.data(), first);
    EXPECT_THAT(values(y), ElementsAre(2, 4));
    set_device(DeviceKind::cpu);
}

}  // namespace
}  // namespace fusescope
