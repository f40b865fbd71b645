// History, elements, rules and watchpoints of the debugger, without Python.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include "engine/core/allocator.hpp"
#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/breakpoints.hpp"
#include "engine/debug/control.hpp"
#include "engine/debug/element.hpp"
#include "engine/debug/session.hpp"
#include "engine/ir/op_def.hpp"
#include "engine/ops/op_ids.hpp"
#include "exec_support.hpp"
#include "fusescope/error.hpp"

namespace fusescope {
namespace {

using debug::Session;

Tensor floats(std::vector<float> values, Shape shape) {
    return Tensor::from_bytes(DType::Float32, shape, values.data());
}
Tensor run(OpId id, std::vector<Tensor> inputs, const Attrs& attrs = {}) {
    return apply1(op_row(id), inputs, attrs.size() ? attrs : op_row(id).defaults());
}

struct DebugTest : ::testing::Test {
    Context context;
    testing::Memory memory;
    Context* before = Context::set_current(&context);

    void SetUp() override {
        context.recorder = &memory;
        context.watch = Watch::health;
        context.update();
    }
    ~DebugTest() override { Context::set_current(before); }
};

TEST_F(DebugTest, WhatWasLetGoIsComputedAgainToTheSameBits) {
    Session session(context, {.bytes = 4096, .entries = 100'000, .recompute = true});
    Tensor x = floats(std::vector<float>(256, 0.3f), {256});
    std::vector<std::vector<float>> seen;
    std::vector<debug::ValueId> ids;
    for (int i = 0; i < 60; ++i) {
        x = run(op::sin, {x});
        const auto* p = static_cast<const float*>(x.impl()->raw());
        seen.emplace_back(p, p + 256);
        ids.push_back(x.impl()->history);
    }
    int let_go = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        let_go += session.history().is_kept(ids[i]) ? 0 : 1;
        const Tensor again = session.history().materialize(ids[i]);
        ASSERT_TRUE(again.defined()) << i;
        EXPECT_EQ(0, std::memcmp(again.impl()->raw(), seen[i].data(), 1024)) << i;
    }
    EXPECT_GT(let_go, 40);
    EXPECT_LE(session.history().kept_bytes(), 8192u);
}

TEST_F(DebugTest, ComputingAgainNeedsNoRoomForTheWayThere) {
    Session session(context, {.bytes = 16384, .entries = 100'000, .recompute = true});
    Tensor x = floats(std::vector<float>(1024, 0.3f), {1024});
    for (int i = 0; i < 2000; ++i) x = run(op::add, {run(op::sin, {x}), run(op::cos, {x})});
    const std::vector<std::byte> want(static_cast<const std::byte*>(x.impl()->raw()),
                                      static_cast<const std::byte*>(x.impl()->raw()) + 4096);
    const debug::ValueId last = x.impl()->history;
    // Others push it out: results, for the program's data would push out all.
    for (int i = 0; i < 8; ++i) run(op::sin, {x});
    x = Tensor();
    ASSERT_FALSE(session.history().is_kept(last));
    static std::int64_t most = 0;
    const std::int64_t before = most = allocator::stats(context.device).live_bytes;
    allocator::set_hook([](DeviceKind, std::int64_t, std::int64_t live) noexcept { most = std::max(most, live); });
    const Tensor again = session.history().materialize(last);
    allocator::set_hook(nullptr);
    ASSERT_TRUE(again.defined());
    EXPECT_EQ(0, std::memcmp(again.impl()->raw(), want.data(), want.size()));
    EXPECT_LE(most - before, 16 * 4096);
}

TEST_F(DebugTest, RandomNumbersAreDrawnAgainAsTheyWere) {
    Session session(context, {.bytes = 64, .entries = 1000, .recompute = true});
    context.seed = 7;
    std::vector<Tensor> all;
    std::vector<debug::ValueId> ids;
    for (int i = 0; i < 5; ++i) {
        Attrs attrs = op_row(op::standard_normal).defaults();
        attrs[0] = Ints{8};
        all.push_back(apply1(op_row(op::standard_normal), {}, attrs));
        ids.push_back(all.back().impl()->history);
    }
    const std::uint64_t draws = context.random_ops;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Tensor again = session.history().materialize(ids[i]);
        ASSERT_TRUE(again.defined());
        EXPECT_EQ(0, std::memcmp(again.impl()->raw(), all[i].impl()->raw(), 32)) << i;
    }
    EXPECT_EQ(draws, context.random_ops);
}

TEST_F(DebugTest, AnUnlimitedProgramStaysWithinTheLimits) {
    Session session(context, {.bytes = 1 << 16, .entries = 50});
    Tensor x = floats(std::vector<float>(1024, 1), {1024});
    for (int i = 0; i < 500; ++i) x = run(op::add, {x, x});
    EXPECT_LE(session.history().kept_bytes(), 1u << 16);
    EXPECT_LE(session.history().last() - session.history().first() + 1, 51u);
}

TEST_F(DebugTest, ElementsAreFollowedThroughMoves) {
    const Tensor a = floats({0, 1, 2, 3, 4, 5}, {2, 3});
    const Tensor t = run(op::transpose, {a}, Attrs{Ints{1, 0}});
    const auto sources = debug::sources_of(context, op_row(op::transpose), Attrs{Ints{1, 0}}, {&a, 1}, t, 5);
    ASSERT_EQ(1u, sources.size());
    EXPECT_TRUE(sources[0].passed_on);
    EXPECT_EQ(5, sources[0].index);
    const auto middle = debug::sources_of(context, op_row(op::transpose), Attrs{Ints{1, 0}}, {&a, 1}, t, 1);
    EXPECT_EQ(3, middle[0].index);
}

TEST_F(DebugTest, ElementsAreFollowedThroughBroadcasts) {
    const Tensor in[2] = {floats({1, 2}, {2, 1}), floats({10, 20, 30}, {3})};
    const Tensor sum = run(op::add, {in[0], in[1]});
    const auto sources = debug::sources_of(context, op_row(op::add), {}, in, sum, 5);
    ASSERT_EQ(2u, sources.size());
    EXPECT_EQ(1, sources[0].index);
    EXPECT_EQ(2, sources[1].index);
    EXPECT_EQ(30, sources[1].number);
}

TEST_F(DebugTest, AReductionNamesTheTellingElementOfItsRow) {
    const Tensor x = floats({1, 2, 3, 4, INFINITY, 6}, {2, 3});
    const Attrs attrs = [] {
        Attrs a = op_row(op::sum).defaults();
        a[static_cast<std::size_t>(op_row(op::sum).attribute("axis"))] = Ints{1};
        return a;
    }();
    const Tensor s = apply1(op_row(op::sum), {&x, 1}, attrs);
    const auto sources = debug::sources_of(context, op_row(op::sum), attrs, {&x, 1}, s, 1);
    ASSERT_EQ(1u, sources.size());
    EXPECT_EQ(4, sources[0].index);
    EXPECT_EQ(3, sources[0].among);
}

struct BirthCase {
    const char* name;
    OpId op;
    std::vector<float> a, b;
    const char* rule;
    std::int64_t index;
};

TEST_F(DebugTest, RulesByTheValuesThatMet) {
    const BirthCase cases[] = {
        {"0/0", op::div, {1, 0}, {1, 0}, "zero_over_zero", 1},
        {"1/0", op::div, {1, 2}, {1, 0}, "division_by_zero", 1},
        {"log 0", op::log, {1, 0}, {}, "log_of_zero", 1},
        {"log -1", op::log, {-1, 2}, {}, "log_of_negative", 0},
        {"sqrt -1", op::sqrt, {4, -1}, {}, "sqrt_of_negative", 1},
        {"exp 200", op::exp, {200}, {}, "overflow_of_exp", 0},
        {"-8 ** 0.5", op::pow, {-8}, {0.5}, "power_of_negative_base", 0},
        {"0 ** -1", op::pow, {0}, {-1}, "power_of_zero", 0},
        {"1e30 ** 2", op::pow, {1e30f}, {2}, "overflow_of_pow", 0},
        {"1e30 * 1e30", op::mul, {1e30f}, {1e30f}, "overflow", 0},
        {"acos 2", op::acos, {0.5f, 1.0000001f}, {}, "outside_minus_one_to_one", 1},
    };
    for (const BirthCase& c : cases) {
        memory.findings.clear();
        Session session(context, {});
        const auto n = static_cast<std::int64_t>(c.a.size());
        std::vector<Tensor> in{floats(c.a, {n})};
        if (!c.b.empty()) in.push_back(floats(c.b, {n}));
        run(c.op, in);
        ASSERT_EQ(1u, memory.findings.size()) << c.name;
        EXPECT_EQ(c.rule, memory.findings[0].rule) << c.name;
        EXPECT_EQ(std::vector<std::int64_t>{c.index}, memory.findings[0].index) << c.name;
    }
}

TEST_F(DebugTest, InfinityMeetsInfinityAndZero) {
    struct {
        OpId op;
        const char* rule;
        float other;
    } const cases[] = {
        {op::sub, "inf_minus_inf", INFINITY}, {op::mul, "zero_times_inf", 0}, {op::div, "inf_over_inf", INFINITY}};
    for (const auto& c : cases) {
        memory.findings.clear();
        Session session(context, {});
        run(c.op, {floats({INFINITY}, {1}), floats({c.other}, {1})});
        ASSERT_EQ(1u, memory.findings.size()) << c.rule;
        EXPECT_EQ(c.rule, memory.findings[0].rule);
        EXPECT_EQ(FindingKind::nan, memory.findings[0].kind);
    }
}

TEST_F(DebugTest, BornCarriedAbsorbed) {
    Session session(context, {});
    const Tensor nan = run(op::log, {floats({-1, 1}, {2})});
    const Tensor carried = run(op::add, {nan, nan});
    ASSERT_EQ(1u, memory.findings.size());
    EXPECT_EQ(Severity::warning, memory.findings[0].severity);
    const bool mask[2] = {false, true};
    const Tensor chosen = run(op::select, {Tensor::from_bytes(DType::Bool, {2}, mask), carried, floats({0, 0}, {2})});
    static_cast<void>(chosen.data(TransferReason::print));
    session.program_ended({});
    EXPECT_EQ(Reach::absorbed, memory.findings.back().reach);
    EXPECT_EQ(memory.findings[0].key, memory.findings.back().key);
}

TEST_F(DebugTest, ReachedWhatTheProgramShows) {
    Session session(context, {});
    const Tensor nan = run(op::log, {floats({-1, 1}, {2})});
    const Tensor carried = run(op::add, {nan, nan});
    static_cast<void>(carried.data(TransferReason::print));
    EXPECT_EQ(Reach::output, memory.findings.back().reach);
    EXPECT_EQ(Severity::error, memory.findings.back().severity);
}

TEST_F(DebugTest, OneFindingForALoop) {
    Session session(context, {});
    for (int i = 0; i < 10; ++i) run(op::log, {floats({0}, {1})});
    EXPECT_EQ(1u, memory.findings.size());
    session.program_ended({});
    EXPECT_EQ(10, memory.findings.back().occurrences);
}

TEST(Watchpoints, AreReadAsWritten) {
    const debug::Watchpoint w = debug::parse_watchpoint(" range(-1, 2.5) on op MatMul ");
    EXPECT_EQ(debug::WatchKind::range, w.kind);
    EXPECT_EQ(-1, w.a);
    EXPECT_EQ(2.5, w.b);
    EXPECT_EQ(debug::WatchOn::op, w.on);
    EXPECT_EQ("MatMul", w.target);
    EXPECT_EQ("max(1, 2) > (3)", debug::parse_watchpoint("expr(max(1, 2) > (3)) on parameters").expression);
    EXPECT_EQ("fc.weight", debug::parse_watchpoint("changed on parameter fc.weight").target);
    for (const char* wrong : {"", "nothing", "range", "range(1)", "range(1, 2, 3)", "range(1, x)", "nan on",
                              "nan on op", "nan on op Nope", "nan in op Add", "expr()", "expr(a", "nan on gradient"}) {
        EXPECT_THROW(debug::parse_watchpoint(wrong), UserError) << wrong;
    }
}

TEST(Cells, AreNamedFromTheEnd) {
    const char* scope = "Default/net-Net/layers.0-Block/conv-Conv2d";
    EXPECT_TRUE(debug::names_cell("conv", scope));
    EXPECT_TRUE(debug::names_cell("layers.0.conv", scope));
    EXPECT_TRUE(debug::names_cell("net.layers.0.conv", scope));
    EXPECT_FALSE(debug::names_cell("nv", scope));
    EXPECT_FALSE(debug::names_cell("other.conv", scope));
    EXPECT_TRUE(debug::names_cell("model.net.layers.0.conv", scope));
    EXPECT_FALSE(debug::names_cell("my.model.net.layers.0.conv", scope));
    EXPECT_FALSE(debug::names_cell("model", "Default"));
    EXPECT_FALSE(debug::names_cell("net", scope));
}

struct Ears final : debug::StopListener {
    void stopped(const debug::Stop&) override { ++stops; }
    void resumed() override { ++resumes; }
    void said(const std::string&) override {}
    void unverified(int, const std::string&) override {}
    std::atomic<int> stops{0}, resumes{0};
};

TEST(Control, TasksRunOnTheStoppedThread) {
    Ears ears;
    debug::Control control(ears);
    EXPECT_FALSE(control.call([] {}));
    EXPECT_FALSE(control.resume(debug::Resume::run));
    debug::Resume how = debug::Resume::ended;
    std::thread::id program_thread;
    std::thread program([&] {
        program_thread = std::this_thread::get_id();
        how = control.stop({});
    });
    while (!control.is_stopped()) std::this_thread::yield();
    std::thread::id seen;
    EXPECT_TRUE(control.call([&] { seen = std::this_thread::get_id(); }));
    EXPECT_TRUE(control.resume(debug::Resume::over));
    EXPECT_FALSE(control.resume(debug::Resume::in));
    program.join();
    EXPECT_EQ(program_thread, seen);
    EXPECT_EQ(debug::Resume::over, how);
    EXPECT_EQ(1, ears.stops.load());
    EXPECT_EQ(1, ears.resumes.load());
    control.let_go();
    EXPECT_EQ(debug::Resume::ended, control.stop({}));
}

}  // namespace
}  // namespace fusescope
