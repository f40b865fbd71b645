// The executor: what it computes, what it may overwrite, and what it tells the recorder.
#include <gtest/gtest.h>

#include <thread>

#include "engine/exec/dispatch.hpp"
#include "engine/exec/executable.hpp"
#include "fusescope/error.hpp"
#include "fusescope/runtime.hpp"
#include "tests/engine/exec_support.hpp"

namespace fusescope {
namespace {

using namespace testing;
using exec::Executable;
using Tensors = std::span<const Tensor>;

const TensorType kFour{DType::Float32, {4}};

Tensor add(const Tensor& a, const Tensor& b) { return Op("Add").one({a, b}); }
Tensor mul(const Tensor& a, const Tensor& b) { return Op("Mul").one({a, b}); }
Tensor sub(const Tensor& a, const Tensor& b) { return Op("Sub").one({a, b}); }
Tensor number(double v) { return Tensor::scalar(v); }

std::vector<Tensor> run(Executable& e, const std::vector<Tensor>& inputs) { return e.run(Context::current(), inputs); }

// An op that refuses negative values, as a gather refuses an index.
const OpDef& picky() {
    static const OpDef* def = [] {
        auto* d = new OpDef(
            {.name = "Picky", .operands = {{"input"}}},
            [](InferContext& c) { c.result(c.inputs[0].dtype, c.inputs[0].shape); }, nullptr, kNoGradient);
        d->kernel = [](const KernelArgs& args) {
            for (std::int64_t i = 0; i < args.outputs[0].count(); ++i) {
                const float v = args.inputs[0].as<float>()[i];
                if (v < 0) throw UserError(ErrorKind::value, "Picky", "a negative value");
                args.outputs[0].as<float>()[i] = v;
            }
        };
        return d;
    }();
    return *def;
}

TEST(Executable, ComputesWhatEagerComputes) {
    auto f = [](Tensors x) { return std::vector<Tensor>{mul(sub(mul(add(x[0], x[1]), number(2)), x[0]), x[1])}; };
    const Tensor u = floats({4}, {1, -2, 3.5f, 0.1f}), v = floats({4}, {0.5f, 7, -1, 3});
    const Tensor both[2] = {u, v};
    Executable e(graph_of({kFour, kFour}, f), nullptr, 1);
    EXPECT_EQ(difference(run(e, {u, v})[0], f(both)[0]), "");
    EXPECT_GT(e.memory().in_place, 0);
}

TEST(Executable, WritesParameterWhereItIs) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    const void* at = p.data();
    Executable e(
        with_updates(
            graph_of({kFour, kFour}, [](Tensors x) { return std::vector<Tensor>{sub(x[0], mul(x[1], number(0.5)))}; }),
            1),
        nullptr, 1);
    EXPECT_TRUE(run(e, {p, floats({4}, {2, 2, 2, 2})}).empty());
    EXPECT_EQ(p.data(), at);
    EXPECT_EQ(values_of(p), (std::vector<float>{0, 1, 2, 3}));
    EXPECT_EQ(e.memory().updates_in_place, 1);
}

TEST(Executable, LeavesOldValueToWhoeverSawIt) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    const Tensor before = snapshot_tensor(p);
    Executable e(
        with_updates(graph_of({kFour}, [](Tensors x) { return std::vector<Tensor>{add(x[0], number(1))}; }), 1),
        nullptr, 1);
    run(e, {p});
    EXPECT_EQ(values_of(before), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(values_of(p), (std::vector<float>{2, 3, 4, 5}));
}

TEST(Executable, ReadsOldValueAfterUpdate) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    Executable e(with_updates(graph_of({kFour},
                                       [](Tensors x) {
                                           const Tensor fresh = mul(x[0], number(10));
                                           return std::vector<Tensor>{add(x[0], number(1)), fresh};
                                       }),
                              1),
                 nullptr, 1);
    const std::vector<Tensor> out = run(e, {p});
    EXPECT_EQ(values_of(out[0]), (std::vector<float>{2, 3, 4, 5}));
    EXPECT_EQ(values_of(p), (std::vector<float>{10, 20, 30, 40}));
    EXPECT_EQ(e.memory().updates_in_place, 0);
}

TEST(Executable, GivesOldValueThroughView) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    Executable e(with_updates(graph_of({kFour},
                                       [](Tensors x) {
                                           const Tensor view = Op("Reshape").one({x[0]}, {Ints{2, 2}});
                                           return std::vector<Tensor>{view, mul(x[0], number(10))};
                                       }),
                              1),
                 nullptr, 1);
    const std::vector<Tensor> out = run(e, {p});
    EXPECT_EQ(values_of(out[0]), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(values_of(p), (std::vector<float>{10, 20, 30, 40}));
}

TEST(Executable, ReadsViewOfOldValueInTheSameStep) {
    // w (4, 1) + view of w (1, 4): every new element needs elements that lie elsewhere.
    const Tensor p = parameter("w", floats({1, 1}, {3}));
    Executable e(with_updates(graph_of({{DType::Float32, {1, 1}}},
                                       [](Tensors x) {
                                           const Tensor view = Op("Reshape").one({x[0]}, {Ints{1}});
                                           return std::vector<Tensor>{add(x[0], view)};
                                       }),
                              1),
                 nullptr, 1);
    run(e, {p});
    EXPECT_EQ(values_of(p), (std::vector<float>{6}));
}

TEST(Executable, SeesParameterThatIsAlsoAnArgument) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    Executable e(with_updates(graph_of({kFour, kFour},
                                       [](Tensors x) {
                                           const Tensor fresh = add(x[0], number(1));
                                           return std::vector<Tensor>{mul(x[1], number(3)), fresh};
                                       }),
                              1),
                 nullptr, 1);
    const std::vector<Tensor> out = run(e, {p, p});
    EXPECT_EQ(values_of(out[0]), (std::vector<float>{3, 6, 9, 12}));
    EXPECT_EQ(values_of(p), (std::vector<float>{2, 3, 4, 5}));
}

TEST(Executable, ResultOutlivesLaterUpdates) {
    const Tensor p = parameter("w", floats({4}, {1, 1, 1, 1}));
    Executable e(with_updates(graph_of({kFour},
                                       [](Tensors x) {
                                           const Tensor fresh = add(x[0], number(1));
                                           return std::vector<Tensor>{fresh, fresh};
                                       }),
                              1),
                 nullptr, 1);
    const Tensor first = run(e, {p})[0];
    run(e, {p});
    EXPECT_EQ(values_of(first), (std::vector<float>{2, 2, 2, 2}));
    EXPECT_EQ(values_of(p), (std::vector<float>{3, 3, 3, 3}));
}

TEST(Executable, SwapsParameters) {
    const Tensor p = parameter("p", floats({4}, {1})), q = parameter("q", floats({4}, {2}));
    Executable e(with_updates(graph_of({kFour, kFour},
                                       [](Tensors x) {
                                           return std::vector<Tensor>{x[1], x[0]};
                                       }),
                              2),
                 nullptr, 1);
    run(e, {p, q});
    EXPECT_EQ(values_of(p)[0], 2);
    EXPECT_EQ(values_of(q)[0], 1);
}

TEST(Executable, KeepsParametersWhenAStepThrows) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    Executable e(with_updates(graph_of({kFour, kFour},
                                       [](Tensors x) {
                                           const Tensor fresh = add(x[0], number(1));
                                           const Tensor in[1] = {x[1]};
                                           return std::vector<Tensor>{apply1(picky(), in, {}), fresh};
                                       }),
                              1),
                 nullptr, 1);
    EXPECT_THROW(run(e, {p, floats({4}, {1, 1, -1, 1})}), UserError);
    EXPECT_EQ(values_of(p), (std::vector<float>{1, 2, 3, 4}));
    run(e, {p, floats({4}, {1})});
    EXPECT_EQ(values_of(p), (std::vector<float>{2, 3, 4, 5}));
}

TEST(Executable, MemorySwitchedOffGivesTheSameBits) {
    auto f = [](Tensors x) {
        Tensor t = x[0];
        for (int k = 0; k < 8; ++k) t = Op("Exp").one({sub(mul(t, x[1]), number(1))});
        return std::vector<Tensor>{t};
    };
    const ir::GraphPtr g = graph_of({kFour, kFour}, f);
    Executable with(g, nullptr, 1), without(g, nullptr, 2, false);
    const std::vector<Tensor> in = {floats({4}, {0.1f, 0.2f, 0.3f, 0.4f}), floats({4}, {0.5f})};
    EXPECT_EQ(difference(run(with, in)[0], run(without, in)[0]), "");
    EXPECT_LT(with.memory().arena_bytes, without.memory().arena_bytes);
    EXPECT_EQ(without.memory().in_place, 0);
}

// cond(x[0], x[1] + x[2], x[1] * x[2])
ir::GraphPtr branch_graph() {
    ir::GraphBuilder b;
    const Tensor test = b.input("test", DType::Bool, {});
    const Tensor x = b.input("x", DType::Float32, {4}), y = b.input("y", DType::Float32, {4});
    const ir::GraphPtr yes = graph_of({kFour, kFour}, [](Tensors t) { return std::vector<Tensor>{add(t[0], t[1])}; });
    const ir::GraphPtr no = graph_of({kFour, kFour}, [](Tensors t) { return std::vector<Tensor>{mul(t[0], t[1])}; });
    const Tensor in[3] = {test, x, y};
    const TensorType out[1] = {kFour};
    return b.finish("branch", b.append_regions(ir::NodeKind::cond, in, {yes, no}, out));
}

TEST(Executable, TakesTheBranchOfThePredicate) {
    Executable e(branch_graph(), nullptr, 1);
    const Tensor x = floats({4}, {3}), y = floats({4}, {5});
    EXPECT_EQ(values_of(run(e, {Tensor::scalar_int(1, DType::Bool), x, y})[0])[0], 8);
    EXPECT_EQ(values_of(run(e, {Tensor::scalar_int(0, DType::Bool), x, y})[0])[0], 15);
}

// while (i < n) { i += 1; (a, b) = (b, a + b); }: state i, a, b; captured n.
ir::GraphPtr fibonacci_graph() {
    const TensorType scalar{DType::Float32, {}};
    const std::vector<TensorType> all(4, scalar);
    ir::GraphBuilder b;
    std::vector<Tensor> in;
    for (const char* name : {"i", "a", "b", "n"}) in.push_back(b.input(name, DType::Float32, {}));
    const ir::GraphPtr test = graph_of(all, [](Tensors t) {
        return std::vector<Tensor>{Op("Less").one({t[0], t[3]})};
    });
    const ir::GraphPtr body = graph_of(all, [](Tensors t) {
        return std::vector<Tensor>{add(t[0], number(1)), t[2], add(t[1], t[2])};
    });
    const std::vector<TensorType> out(3, scalar);
    return b.finish("loop", b.append_regions(ir::NodeKind::loop, in, {test, body}, out));
}

TEST(Executable, LoopsUntilTheConditionFails) {
    Executable e(fibonacci_graph(), nullptr, 1);
    for (const auto& [n, a, b] :
         {std::tuple{0.0, 0.0f, 1.0f}, {1.0, 1.0f, 1.0f}, {2.0, 1.0f, 2.0f}, {10.0, 55.0f, 89.0f}}) {
        const std::vector<Tensor> out = run(e, {number(0), number(0), number(1), number(n)});
        EXPECT_EQ(out[0].item(), n);
        EXPECT_EQ(out[1].item(), a) << n;
        EXPECT_EQ(out[2].item(), b) << n;
    }
}

TEST(Executable, AsksTheSystemForNothingInSteadyState) {
    const TensorType big{DType::Float32, {256, 257}};
    const Tensor p = parameter("w", floats({256, 257}, {1}));
    Executable e(with_updates(graph_of({big, big},
                                       [](Tensors x) {
                                           const Tensor t = mul(Op("Exp").one({x[1]}), x[0]);
                                           return std::vector<Tensor>{Op("ReduceMean").one({t}), mul(t, number(1e-3))};
                                       }),
                              1),
                 nullptr, 1);
    const Tensor x = floats({256, 257}, {0.25f});
    for (int k = 0; k < 3; ++k) run(e, {p, x});
    const std::uint64_t before = allocator::stats(DeviceKind::cpu).system_calls;
    for (int k = 0; k < 50; ++k) run(e, {p, x});
    EXPECT_EQ(allocator::stats(DeviceKind::cpu).system_calls, before);
}

TEST(Executable, RunsInTwoThreadsAtOnce) {
    const TensorType type{DType::Float32, {1000}};
    Executable e(graph_of({type, type},
                          [](Tensors x) {
                              Tensor t = x[0];
                              for (int k = 0; k < 20; ++k) t = add(mul(t, x[1]), x[0]);
                              return std::vector<Tensor>{t};
                          }),
                 nullptr, 1);
    std::vector<int> wrong(2, 0);
    auto work = [&](int id) {
        Context mine;
        Context* const outer = Context::set_current(&mine);
        const Tensor x = floats({1000}, {static_cast<float>(id + 1)}), y = floats({1000}, {0.5f});
        const Tensor first = e.run(mine, std::vector<Tensor>{x, y})[0];
        for (int k = 0; k < 300; ++k) {
            wrong[static_cast<std::size_t>(id)] +=
                !difference(e.run(mine, std::vector<Tensor>{x, y})[0], first).empty();
        }
        // 2 - 2^-20 of x: the other thread's values would be off by a factor of two.
        wrong[static_cast<std::size_t>(id)] +=
            std::abs(first.data_as<float>()[0] - 2 * static_cast<float>(id + 1)) > 1e-3f;
        Context::set_current(outer);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    EXPECT_EQ(wrong, (std::vector<int>{0, 0}));
}

TEST(Executable, RecordsOneEventAStepAndTheBirthOfANaN) {
    const ir::GraphPtr g = graph_of({kFour}, [](Tensors x) {
        const Tensor l = Op("Log").one({x[0]});
        return std::vector<Tensor>{mul(l, number(0))};
    });
    Executable e(g, nullptr, 1);
    Memory memory;
    {
        const Recording recording(memory, Watch::health);
        run(e, {floats({4}, {1, 2, -1, 4})});
    }
    ASSERT_EQ(memory.ops.size(), 2u);
    EXPECT_EQ(memory.unknown_kinds, 0);
    EXPECT_EQ(memory.kinds[memory.ops[0].kind], "Log");
    EXPECT_EQ(memory.ops[0].mode, ExecMode::graph);
    EXPECT_NE(memory.ops[0].node, 0u);
    // Told at its birth, and again at the end, when nothing had looked at it.
    ASSERT_EQ(memory.findings.size(), 2u);
    EXPECT_EQ(memory.findings[0].key, memory.findings[1].key);
    EXPECT_EQ(memory.findings[1].reach, Reach::absorbed);
    EXPECT_EQ(memory.findings[0].op, "Log");
    EXPECT_EQ(memory.findings[0].index, (std::vector<std::int64_t>{2}));
    run(e, {floats({4}, {1})});
    EXPECT_EQ(memory.ops.size(), 2u);
}

TEST(Executable, SeesNaNBornInAParameterWrittenInPlace) {
    const Tensor p = parameter("w", floats({4}, {1, 2, 0, 4}));
    Executable e(with_updates(graph_of({kFour, kFour},
                                       [](Tensors x) {
                                           return std::vector<Tensor>{Op("Div").one({x[0], x[1]})};
                                       }),
                              1),
                 nullptr, 1);
    Memory memory;
    const Recording recording(memory, Watch::health);
    run(e, {p, floats({4}, {1, 1, 0, 1})});
    // One finding, told again when it was known where the NaN went.
    ASSERT_FALSE(memory.findings.empty());
    for (const Finding& f : memory.findings) {
        EXPECT_EQ(f.key, memory.findings[0].key);
        EXPECT_EQ(f.kind, FindingKind::nan);
        EXPECT_EQ(f.op, "Div");
    }
    EXPECT_EQ(memory.findings.back().reach, Reach::parameter);
}

TEST(Executable, KnowsKernelsByNameInEveryRecorder) {
    const ir::GraphPtr region =
        graph_of({kFour, kFour}, [](Tensors x) { return std::vector<Tensor>{mul(add(x[0], x[1]), x[1])}; });
    Executable e(fused_graph({region}, "elementwise"), nullptr, 1);
    const std::vector<Tensor> in = {floats({4}, {1, 2, 3, 4}), floats({4}, {2})};
    for (int k = 0; k < 2; ++k) {
        Memory memory;
        const Recording recording(memory, Watch::off);
        EXPECT_EQ(values_of(run(e, in)[0]), (std::vector<float>{6, 8, 10, 12}));
        ASSERT_EQ(memory.ops.size(), 1u);
        EXPECT_EQ(memory.unknown_kinds, 0);
        EXPECT_EQ(memory.kinds[memory.ops[0].kind], "test_fusion");
        EXPECT_GT(memory.ops[0].flops, 0u);
    }
}

TEST(Executable, RunsOnTheModelledDevice) {
    Context& c = Context::current();
    Executable e(with_updates(graph_of({kFour, kFour},
                                       [](Tensors x) {
                                           return std::vector<Tensor>{x[1], add(x[0], mul(x[1], number(2)))};
                                       }),
                              1),
                 nullptr, 1);
    const Tensor p = parameter("w", floats({4}, {1, 2, 3, 4}));
    set_device(DeviceKind::ascend_model);
    Memory memory;
    {
        const Recording recording(memory, Watch::off);
        e.run(c, std::vector<Tensor>{p, floats({4}, {1})});
        e.run(c, std::vector<Tensor>{p, floats({4}, {1})});
    }
    set_device(DeviceKind::cpu);
    EXPECT_EQ(values_of(p), (std::vector<float>{5, 6, 7, 8}));
    ASSERT_FALSE(memory.ops.empty());
    EXPECT_EQ(memory.ops[0].clock, Clock::modelled);
    int parameters = 0;
    for (const TransferEvent& t : memory.transfers) parameters += t.reason == TransferReason::parameter;
    EXPECT_EQ(parameters, 1);  // it stays on the device
}

}  // namespace
}  // namespace fusescope
