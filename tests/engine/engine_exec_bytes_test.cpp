// What a recorder hears that compares runs: the bytes of every output, and which graph or region runs.
#include <gtest/gtest.h>

#include <array>

#include "engine/exec/compiler.hpp"
#include "engine/ops/lang.hpp"
#include "fusescope/control_flow.hpp"
#include "fusescope/jit.hpp"
#include "fusescope/runtime.hpp"
#include "tests/engine/exec_support.hpp"

namespace fusescope {
namespace {

using namespace testing;

Tensor vector_of(std::initializer_list<float> values) {
    return Tensor::from_bytes(DType::Float32, {static_cast<std::int64_t>(values.size())}, std::data(values));
}

const TensorType kSquare{DType::Float32, {2, 2}};

/// A kernel between two products may write over what it reads.
std::vector<Tensor> chain(std::span<const Tensor> x) {
    using namespace lang;
    const Tensor product = matmul(x[0], x[1]);
    return {matmul(exp(product * product + product), x[1])};
}

TEST(WatchBytes, GivesOutputsOfEveryDtypeAndSearchesNothing) {
    Memory memory;
    {
        const Recording recording(memory, Watch::bytes);
        const Tensor x = vector_of({1, 0, 3});
        lang::greater(x, x);
        lang::cast(x, DType::Int32);
        lang::div(x, vector_of({0, 0, 0}));
    }
    ASSERT_EQ(memory.tensors.size(), 3u);
    EXPECT_EQ(memory.tensors[0].dtype, DType::Bool);
    EXPECT_EQ(memory.tensors[1].dtype, DType::Int32);
    EXPECT_EQ(memory.tensors[2].dtype, DType::Float32);
    EXPECT_EQ(memory.bytes[0], std::string(3, '\0'));
    const std::array<std::int32_t, 3> whole = {1, 0, 3};
    EXPECT_EQ(memory.bytes[1], std::string(reinterpret_cast<const char*>(whole.data()), sizeof whole));
    EXPECT_TRUE(memory.findings.empty());
}

TEST(WatchBytes, LeavesTheMemoryPlanAlone) {
    const auto plan = [](std::optional<Watch> watch) {
        Memory memory;
        std::optional<Recording> recording;
        if (watch) recording.emplace(memory, *watch);
        return exec::compile(Context::current(), graph_of({kSquare, kSquare}, chain), {"chain", "", 0})->memory();
    };
    EXPECT_EQ(plan(Watch::bytes).in_place, plan({}).in_place);
    EXPECT_EQ(plan(Watch::bytes).arena_bytes, plan({}).arena_bytes);
    EXPECT_EQ(plan(Watch::health).in_place, plan({}).in_place);
}

TEST(WatchBytes, TellsOfGraphsAndOfWhatRunsInThem) {
    Memory memory;
    {
        const Recording recording(memory, Watch::bytes);
        const auto executable =
            exec::compile(Context::current(), graph_of({kSquare, kSquare}, chain), {"chain", "", 0});
        const float half[4] = {0.5, 0.5, 0.5, 0.5};
        const Tensor x = Tensor::from_bytes(DType::Float32, {2, 2}, half);
        const std::vector<Tensor> in = {x, x};
        executable->run(Context::current(), in);
        executable->run(Context::current(), in);
        EXPECT_EQ(memory.graph_runs, (std::vector<GraphId>{executable->graph_id(), executable->graph_id()}));
    }
    ASSERT_EQ(memory.graphs.size(), 1u);
    bool followed = false;
    for (const StageSnapshot& stage : memory.graphs[0]->stages) followed = followed || !stage.successors.empty();
    EXPECT_TRUE(followed);
}

TEST(WatchBytes, TellsEachTurnOfALoopAndTheBranchTaken) {
    Memory memory;
    {
        const Recording recording(memory, Watch::bytes);
        using namespace lang;
        using Given = std::span<const Tensor>;
        Jit twice = jit([](Given x) {
            const Tensors state =
                while_loop([](Given s) { return Tensors{less(s[0], Tensor::scalar(8.0, DType::Float32))}; },
                           [](Given s) { return Tensors{s[0] + s[0]}; }, x);
            return cond(
                less(state[0], Tensor::scalar(0.0, DType::Float32)), [](Given s) { return Tensors{neg(s[0])}; },
                [](Given s) { return Tensors{s[0] * s[0]}; }, state);
        });
        const Tensors result = twice({Tensor::scalar(2.0, DType::Float32)});
        EXPECT_EQ(result[0].item(), 64);
    }
    std::string regions;
    for (const auto& [node, region] : memory.region_runs) regions += std::to_string(region);
    EXPECT_EQ(regions, "010101");  // test, body, test, body, test; then the second branch
}

}  // namespace
}  // namespace fusescope
