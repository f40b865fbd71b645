// A stretch of work that must leave no trace of itself.
#pragma once

#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/debug_hook.hpp"

namespace fusescope::debug {

/// While it lives, ops are neither recorded, traced nor differentiated, and random ops draw what they drew at the given
/// state. `hook` is told of them; it may be null.
class Again {
 public:
    Again(Context& c, std::uint64_t seed, std::uint64_t random_op, DebugHook* hook = nullptr)
        : context_(c),
          recorder_(std::exchange(c.recorder, nullptr)),
          hook_(std::exchange(c.hook, hook)),
          trace_(std::exchange(c.trace, nullptr)),
          tapes_(std::exchange(c.tapes, {})),
          producers_(std::exchange(c.producers, nullptr)),
          seed_(std::exchange(c.seed, seed)),
          random_ops_(std::exchange(c.random_ops, random_op)) {
        c.update();
    }
    ~Again() {
        context_.recorder = recorder_;
        context_.hook = hook_;
        context_.trace = trace_;
        context_.tapes = std::move(tapes_);
        context_.producers = producers_;
        context_.seed = seed_;
        context_.random_ops = random_ops_;
        context_.update();
    }
    Again(const Again&) = delete;
    Again& operator=(const Again&) = delete;

 private:
    Context& context_;
    Recorder* recorder_;
    DebugHook* hook_;
    TraceSink* trace_;
    std::vector<TapeSink*> tapes_;
    exec::Producers* producers_;
    std::uint64_t seed_, random_ops_;
};

/// Is told of each op of what runs again, also inside graphs, and of nothing else.
class OpsAgain : public DebugHook {
 public:
    void before_op(const OpCall&) override {}
    void born(const BirthSite&) override {}
    bool op_by_op() const noexcept override { return true; }
    void before_graph(const GraphCall&) override {}
    void after_graph(const GraphCall&, std::span<const Tensor>) override {}
    void input_made(const Tensor&) override {}
    void value_seen(const Tensor&, std::string_view) override {}
};

}  // namespace fusescope::debug
