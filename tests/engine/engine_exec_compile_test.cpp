// From a captured graph to results through all passes: what runs equals eager, and the recorder gets every stage.
#include <gtest/gtest.h>

#include <random>

#include "engine/exec/compiler.hpp"
#include "fusescope/error.hpp"
#include "fusescope/runtime.hpp"
#include "tests/engine/exec_support.hpp"

namespace fusescope {
namespace {

using namespace testing;
using Tensors = std::span<const Tensor>;

const TensorType kMatrix{DType::Float32, {33, 47}};

Tensor random_floats(std::uint32_t seed, const Shape& shape) {
    std::mt19937 r(seed);
    std::vector<float> v(static_cast<std::size_t>(shape.count()));
    for (float& x : v) x = static_cast<float>(std::normal_distribution<double>()(r));
    return Tensor::from_bytes(DType::Float32, shape, v.data());
}

std::vector<Tensor> chain(Tensors x) {
    const Tensor t = Op("Sub").one({Op("Mul").one({Op("Add").one({x[0], x[1]}), Tensor::scalar(2)}), x[0]});
    return {Op("Mul").one({Op("ReLU").one({t}), x[1]}), Op("ReduceMean").one({t})};
}

TEST(Compile, FusesAChainIntoOneKernelWithTheSameBits) {
    const std::vector<Tensor> in = {random_floats(1, kMatrix.shape), random_floats(2, kMatrix.shape)};
    const auto e = exec::compile(Context::current(), graph_of({kMatrix, kMatrix}, chain), {"chain", "", 0});
    EXPECT_EQ(e->generated(), 1);
    const std::vector<Tensor> out = e->run(Context::current(), in), eager = chain(in);
    ASSERT_EQ(out.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(difference(out[k], eager[k]), "");
}

TEST(Compile, SwitchedOffPassesChangeNoBit) {
    Context& c = Context::current();
    const std::vector<Tensor> in = {random_floats(1, kMatrix.shape), random_floats(2, kMatrix.shape)};
    const std::vector<Tensor> eager = chain(in);
    for (const char* spec : {"-all", "-fuse-elementwise", "-plan-memory", "-cse,-dce"}) {
        c.passes = spec;
        const auto e = exec::compile(c, graph_of({kMatrix, kMatrix}, chain), {"chain", "", 0});
        c.passes.clear();
        const std::vector<Tensor> out = e->run(c, in);
        for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(difference(out[k], eager[k]), "") << spec;
    }
}

TEST(Compile, PublishesEveryStageWithThePlanLast) {
    Memory memory;
    {
        const Recording recording(memory, Watch::off);
        exec::compile(Context::current(), graph_of({kMatrix, kMatrix}, chain), {"chain", "(…)", 7});
    }
    ASSERT_EQ(memory.graphs.size(), 1u);
    const GraphSnapshot& g = *memory.graphs[0];
    EXPECT_EQ(g.name, "chain");
    EXPECT_EQ(g.frame, 7u);
    EXPECT_GT(g.compile_ns, 0);
    ASSERT_GE(g.stages.size(), 3u);
    EXPECT_EQ(g.stages.front().pass, "capture");
    EXPECT_EQ(g.stages.back().pass, "plan-memory");
    EXPECT_GT(g.stages.back().peak_bytes, 0);
    EXPECT_NE(g.stages.back().note, "");
}

TEST(Compile, UpdatesAllParametersInOneKernelInPlace) {
    // w -= 0.1 g; m = 0.9 m + g for three Parameters of different shapes.
    std::vector<TensorType> types;
    std::vector<Tensor> inputs, expected;
    const std::vector<Shape> shapes = {{64, 32}, {32}, {7}};
    for (const Shape& s : shapes) types.push_back({DType::Float32, s});
    for (const Shape& s : shapes) types.push_back({DType::Float32, s});
    auto recipe = [](Tensors x) {
        std::vector<Tensor> out;
        for (std::size_t k = 0; k < 3; ++k) {
            out.push_back(Op("Sub").one({x[k], Op("Mul").one({x[k + 3], Tensor::scalar(0.1)})}));
        }
        return out;
    };
    for (std::size_t k = 0; k < 6; ++k) {
        const Tensor t = random_floats(static_cast<std::uint32_t>(k), types[k].shape);
        inputs.push_back(k < 3 ? parameter("p" + std::to_string(k), t) : t);
    }
    for (const Tensor& t : recipe(inputs)) expected.push_back(t);
    std::vector<const void*> at;
    for (std::size_t k = 0; k < 3; ++k) at.push_back(inputs[k].data());
    const auto e = exec::compile(Context::current(), with_updates(graph_of(types, recipe), 3), {"update", "", 0});
    EXPECT_EQ(e->memory().updates_in_place, 3);
    e->run(Context::current(), inputs);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(difference(inputs[k], expected[k]), "");
        EXPECT_EQ(inputs[k].data(), at[k]);
    }
}

TEST(Compile, NamesAnUnknownPass) {
    Context& c = Context::current();
    c.passes = "-no-such-pass";
    EXPECT_THROW(exec::compile(c, graph_of({kMatrix, kMatrix}, chain), {"chain", "", 0}), UserError);
    c.passes.clear();
}

}  // namespace
}  // namespace fusescope
