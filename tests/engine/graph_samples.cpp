#include "tests/engine/graph_samples.hpp"

#include <cstring>
#include <random>
#include <stdexcept>

#include "engine/autodiff/tape.hpp"
#include "engine/ops/lang.hpp"
#include "engine/ops/op_ids.hpp"

namespace fusescope::testing {

using ir::GraphBuilder;
using ir::GraphPtr;
using namespace fusescope::lang;

namespace {

Tensor relu(const Tensor& x) { return apply1(op_row(op::relu), {&x, 1}, {}); }
Tensor tanh(const Tensor& x) { return apply1(op_row(op::tanh), {&x, 1}, {}); }
Tensor number(double v, DType d = DType::Float32) { return Tensor::scalar(v, d); }

std::vector<Tensor> chain(GraphBuilder& b) {
    const Tensor u = b.input("u", DType::Float32, {33}), v = b.input("v", DType::Float32, {33});
    return {relu((u + v) * 2.0 - u) * v};
}

std::vector<Tensor> broadcasting(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {8, 16}), row = b.input("row", DType::Float32, {16});
    const Tensor column = b.input("column", DType::Float32, {8, 1});
    return {(x + row) * column - broadcast_to(row, {8, 16})};
}

std::vector<Tensor> softmax(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {6, 40});
    const Tensor e = exp(x - max(x, {-1}, true));
    return {e / sum(e, {-1}, true)};
}

std::vector<Tensor> loss(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {6, 40}), y = b.input("y", DType::Float32, {6, 40});
    const Tensor d = x - y;
    return {mean(d * d, {}, false), sum(exp(d), {1}, false)};
}

std::vector<Tensor> several_outputs(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {5, 3}), y = b.input("y", DType::Float32, {5, 3});
    const Tensor t = x * y;
    return {exp(t), t + 1.0, t};
}

std::vector<Tensor> halves(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float16, {20}), y = b.input("y", DType::BFloat16, {20});
    return {cast(tanh(x) * x, DType::Float32) + cast(y * y, DType::Float32), greater(x, number(0, DType::Float16))};
}

std::vector<Tensor> redundant(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {4, 6});
    const Tensor six = number(2) * number(3);
    const Tensor a = x * six, again = x * (number(2) * number(3));
    const Tensor dead = exp(a);
    const Tensor views = reshape(reshape(reshape(x, {24}), {2, 12}), {4, 6});
    const Tensor back = transpose(transpose(x, {1, 0}), {1, 0});
    const Tensor filled = x + ones(DType::Float32, {4, 6});
    return {a + again, views * 1.0, back - number(0),
            filled,    neg(neg(x)), reshape(transpose(transpose(x, {1, 0}), {0, 1}), {24})};
}

std::vector<Tensor> integers(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Int32, {7}), y = b.input("y", DType::Int64, {7});
    const Tensor flag = b.input("flag", DType::Bool, {7});
    return {select(flag, x, number(3, DType::Int32)) * x, y + y, logical_not(flag), cast(x, DType::Float32) * 0.5};
}

std::vector<Tensor> parameters(GraphBuilder& b) {
    std::vector<Tensor> weights;
    for (int k = 0; k < 3; ++k) {
        weights.push_back(
            b.parameter(make_parameter("layer" + std::to_string(k) + ".weight", DType::Float32, {4 + k, 5})));
    }
    const Tensor g = b.input("gradient", DType::Float32, {5}), rate = b.input("rate", DType::Float32, {});
    Tensor total;
    for (Tensor& w : weights) {
        const Tensor old = sum(w * g, {}, false);
        total = total.defined() ? total + old : old;
        Tensor handle = w;
        b.write(handle, w - rate * (w * g));
    }
    return {total};
}

GraphPtr scaled_branch(double by, const char* name) {
    return build(name, [&](GraphBuilder& b) -> std::vector<Tensor> {
        const Tensor x = b.input("x", DType::Float32, {6}), y = b.input("y", DType::Float32, {6});
        return {(x * by + y) * (x * by + y), reshape(reshape(x, {2, 3}), {6})};
    });
}

std::vector<Tensor> branch(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {6}), y = b.input("y", DType::Float32, {6});
    const Tensor p = greater(sum(x, {}, false), number(0));
    const Tensor in[3] = {p, x + y, y};
    const TensorType types[2] = {{DType::Float32, {6}}, {DType::Float32, {6}}};
    const auto out =
        b.append_regions(ir::NodeKind::cond, in, {scaled_branch(2, "if_true"), scaled_branch(-1, "if_false")}, types);
    return {out[0] * out[1], out[1]};
}

std::vector<Tensor> loop(GraphBuilder& b) {
    const GraphPtr test = build("loop_condition", [](GraphBuilder& r) -> std::vector<Tensor> {
        const Tensor i = r.input("i", DType::Int32, {});
        r.input("x", DType::Float32, {4});
        r.input("step", DType::Float32, {4});
        return {less(i, number(5, DType::Int32))};
    });
    const GraphPtr body = build("loop_body", [](GraphBuilder& r) -> std::vector<Tensor> {
        const Tensor i = r.input("i", DType::Int32, {}), x = r.input("x", DType::Float32, {4});
        const Tensor step = r.input("step", DType::Float32, {4});
        return {i + number(1, DType::Int32), tanh(x + step) * 0.5};
    });
    const Tensor i = b.input("i", DType::Int32, {}), x = b.input("x", DType::Float32, {4});
    const Tensor in[3] = {i, x, exp(x)};
    const TensorType types[2] = {{DType::Int32, {}}, {DType::Float32, {4}}};
    const auto out = b.append_regions(ir::NodeKind::loop, in, {test, body}, types);
    return {out[1] * 2.0, out[0]};
}

std::vector<Tensor> constants(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {64});
    Tensor table = Tensor::empty(DType::Float32, {64});
    for (int i = 0; i < 64; ++i) static_cast<float*>(table.impl()->raw())[i] = 1.0f / static_cast<float>(i - 3);
    Tensor nan = number(0);
    const std::uint32_t bits = 0xffc12345u;
    std::memcpy(nan.impl()->raw(), &bits, 4);
    return {x * table + number(0.1) + number(-0.0), x + nan, x * number(1e-45) + number(3.4e38)};
}

std::vector<Tensor> hostile(GraphBuilder& b) {
    const Tensor x = b.input("x, y) {\n  Return(%0)\n}", DType::Float32, {2});
    const Tensor y = b.input("\"@quoted\" \\ 名字 \x01\xff", DType::Float32, {2});
    const Tensor empty = b.input("", DType::Float32, {2});
    const Tensor p = b.parameter(make_parameter("w, (2, 3)> : %para1_", DType::Float32, {2}));
    b.write(p, p * x);
    return {x + y * empty};
}

// A mask that only something behind an op that cannot fuse reads.
std::vector<Tensor> mask_for_later(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {8, 8});
    const Tensor y = transpose(x, {1, 0});
    const Tensor mask = greater(y, number(0));
    const Tensor later = transpose(y, {1, 0});
    return {select(mask, later * 2.0, number(0)), y};
}

Tensor call(OpId op, std::vector<Tensor> inputs, Attrs attrs = {}) { return apply1(op_row(op), inputs, attrs); }

Attrs conv_attributes() { return {Ints{1}, std::string("same"), Ints{0}, Ints{1}, std::int64_t{1}}; }

// Two dense layers, squared error, gradients, momentum: what a script's train step becomes.
std::vector<Tensor> train_step(GraphBuilder& b) {
    const Tensor x = b.input("x", DType::Float32, {8, 12}), y = b.input("y", DType::Float32, {8, 4});
    std::vector<Tensor> weights;
    auto parameter = [&](const char* name, Shape shape) {
        weights.push_back(b.parameter(make_parameter(name, DType::Float32, shape)));
        return weights.back();
    };
    const Tensor w1 = parameter("fc1.weight", {16, 12}), b1 = parameter("fc1.bias", {16});
    const Tensor w2 = parameter("fc2.weight", {4, 16}), b2 = parameter("fc2.bias", {4});
    autodiff::Tape tape(Context::current());
    for (const Tensor& w : weights) tape.watch(w);
    const Tensor h = relu(call(op::dense, {x, w1, b1}));
    const Tensor d = call(op::dense, {h, w2, b2}) - y;
    const Tensor loss = mean(d * d, {}, false);
    tape.stop();
    const std::vector<Tensor> gradients = tape.gradient({&loss, 1}, {}, weights);
    const std::vector<Tensor> trained = weights;
    for (std::size_t k = 0; k < trained.size(); ++k) {
        const Tensor moment = parameter(("moments." + std::to_string(k)).c_str(), trained[k].shape());
        const Tensor in[5] = {trained[k], moment, number(0.1), gradients[k], number(0.9)};
        apply(op_row(op::apply_momentum), in, op_row(op::apply_momentum).defaults());
    }
    return {loss};
}

std::vector<Tensor> conv_net(GraphBuilder& b, bool training) {
    const Tensor x = b.input("x", DType::Float32, {2, 3, 8, 8});
    const Tensor w = b.input("w", DType::Float32, {5, 3, 3, 3});
    std::vector<Tensor> statistics;
    for (const char* name : {"gamma", "beta", "mean"}) statistics.push_back(b.input(name, DType::Float32, {5}));
    const Tensor variance = exp(b.input("variance", DType::Float32, {5}));
    const Tensor y = apply1(op_row(op::conv2d), std::vector<Tensor>{x, w, Tensor()}, conv_attributes());
    const std::vector<Tensor> in{y, statistics[0], statistics[1], statistics[2], variance};
    const std::vector<Tensor> normal = apply(op_row(op::batch_norm), in, {training, 1e-5});
    std::vector<Tensor> results{relu(normal[0])};
    if (training) results.push_back(normal[1] * 0.9);
    return results;
}
std::vector<Tensor> conv_training(GraphBuilder& b) { return conv_net(b, true); }
std::vector<Tensor> conv_inference(GraphBuilder& b) { return conv_net(b, false); }

std::vector<Tensor> attention(GraphBuilder& b) {
    const Tensor q = b.input("q", DType::Float32, {2, 6, 8}), k = b.input("k", DType::Float32, {2, 6, 8});
    const Tensor v = b.input("v", DType::Float32, {2, 6, 8});
    const Tensor scores = matmul(q, transpose(k, {0, 2, 1})) * 0.35;
    const Tensor e = exp(scores - max(scores, {-1}, true));
    return {matmul(e / sum(e, {-1}, true), v)};
}

}  // namespace

Tensor make_parameter(const std::string& name, DType dtype, const Shape& shape) {
    Tensor t = Tensor::empty(dtype, shape);
    std::memset(t.impl()->raw(), 0, t.type().bytes());
    t.impl()->parameter = std::make_unique<ParameterInfo>(ParameterInfo{name, true});
    return t;
}

GraphPtr build(const std::string& name, const std::function<std::vector<Tensor>(GraphBuilder&)>& body) {
    GraphBuilder builder;
    GraphBuilder::Scope scope(builder);
    const std::vector<Tensor> outputs = body(builder);
    return builder.finish(name, outputs);
}

std::vector<Sample> samples() {
    std::vector<Sample> all;
    auto add = [&](const char* name, std::vector<Tensor> (*body)(GraphBuilder&)) {
        all.push_back({name, build(name, body)});
    };
    add("chain", chain);
    add("broadcasting", broadcasting);
    add("softmax", softmax);
    add("loss", loss);
    add("several_outputs", several_outputs);
    add("halves", halves);
    add("redundant", redundant);
    add("integers", integers);
    add("parameters", parameters);
    add("branch", branch);
    add("loop", loop);
    add("constants", constants);
    add("hostile", hostile);
    add("mask_for_later", mask_for_later);
    add("nothing", [](GraphBuilder& b) -> std::vector<Tensor> { return {b.input("x", DType::Int8, {0, 3})}; });
    add("train_step", train_step);
    add("conv_training", conv_training);
    add("conv_inference", conv_inference);
    add("attention", attention);
    for (unsigned seed = 0; seed < 12; ++seed) all.push_back({"random" + std::to_string(seed), random_graph(seed, 60)});
    return all;
}

GraphPtr sample(const std::string& name) {
    for (Sample& s : samples()) {
        if (s.name == name) return s.graph;
    }
    throw std::invalid_argument("there is no sample " + name);
}

GraphPtr random_graph(unsigned seed, int ops) {
    return build("random_" + std::to_string(seed), [&](GraphBuilder& b) -> std::vector<Tensor> {
        std::mt19937 random(seed);
        auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        const Shape shapes[3] = {{4, 6}, {6}, {4, 1}};
        std::vector<Tensor> values;
        for (int k = 0; k < 3; ++k) values.push_back(b.input("x" + std::to_string(k), DType::Float32, shapes[k]));
        for (int k = 0; k < ops; ++k) {
            const Tensor a = values[values.size() - 1 - pick(std::min<std::size_t>(values.size(), 9))];
            const Tensor c = values[pick(values.size())];
            const Shape full{4, 6};
            switch (pick(12)) {
                case 0:
                case 1:
                    values.push_back(a + c);
                    break;
                case 2:
                case 3:
                    values.push_back(a * c);
                    break;
                case 4:
                    values.push_back(tanh(a));
                    break;
                case 5:
                    values.push_back(relu(a - c));
                    break;
                case 6:
                    values.push_back(select(greater(a, c), a, number(0.25)));
                    break;
                case 7:
                    if (a.rank() == 2) values.push_back(mean(a, {-1}, true));
                    break;
                case 8:
                    if (a.shape() == full) values.push_back(transpose(reshape(a, {6, 4}), {1, 0}));
                    break;
                case 9:
                    values.push_back(broadcast_to(a, full) * 1.0);
                    break;
                case 10:
                    values.push_back(a + ones(DType::Float32, a.shape()));
                    break;
                default:
                    values.push_back(neg(a) - number(static_cast<double>(pick(3))));
                    break;
            }
        }
        std::vector<Tensor> outputs;
        for (int k = 0; k < 4; ++k)
            outputs.push_back(values[values.size() - 1 - pick(std::min<std::size_t>(values.size(), 12))]);
        return outputs;
    });
}

GraphPtr large_graph(int ops) {
    return build("large", [&](GraphBuilder& b) -> std::vector<Tensor> {
        Tensor x = b.input("x", DType::Float32, {4, 6});
        const Tensor rate = b.input("rate", DType::Float32, {});
        for (int k = 0; k < ops / 10; ++k) {
            Tensor w = b.parameter(make_parameter("w" + std::to_string(k), DType::Float32, {4, 6}));
            const Tensor h = relu(x * w + 0.5);
            const Tensor turned = reshape(transpose(h, {1, 0}), {4, 6});
            const Tensor g = select(greater(h, number(0)), turned, number(0));
            x = turned - g * 0.01;
            b.write(w, w - rate * g);
        }
        return {x};
    });
}

}  // namespace fusescope::testing
