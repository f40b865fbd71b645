#include "engine/debug/watches.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/core/context.hpp"
#include "engine/core/tensor_impl.hpp"
#include "engine/debug/control.hpp"
#include "engine/debug/element.hpp"
#include "engine/ir/graph.hpp"
#include "engine/ir/op_def.hpp"

namespace fusescope::debug {

namespace {

/// More places than a program has lines: they come from something that never repeats.
constexpr std::size_t kMostPlaces = 10'000;

std::string parameter_name(const OpCall& call, std::size_t i) {
    if (call.node) {
        const ir::Node* n = call.node->inputs[i].node.get();
        return n && n->kind == ir::NodeKind::parameter ? n->name : std::string();
    }
    const TensorImpl* t = call.inputs[i].impl();
    return t->parameter ? t->parameter->name : std::string();
}

bool concerns(const Watchpoint& w, const OpCall& call, std::size_t output) {
    const std::size_t written = call.op.schema.traits.writes;
    switch (w.on) {
        case WatchOn::everything:
            return true;
        case WatchOn::op:
            return is_op(call.op, w.target);
        case WatchOn::cell:
            return names_cell(w.target, scope_path(call.scope));
        case WatchOn::parameters:
            return output < written;
        case WatchOn::name:
            return output < written && parameter_name(call, output) == w.target;
        case WatchOn::gradients:
            return false;  // told by value_seen
    }
    return false;
}

}  // namespace

void Watches::set(std::vector<Watchpoint> points) {
    const std::scoped_lock lock(mutex_);
    std::vector<std::shared_ptr<Watch>> before = std::exchange(watches_, {});
    for (Watchpoint& p : points) {
        const auto known = std::find_if(before.begin(), before.end(), [&](const auto& w) {
            return w && w->point.id == p.id && w->point.text == p.text;
        });
        if (known != before.end()) {
            watches_.push_back(std::move(*known));
        } else {
            watches_.push_back(std::make_shared<Watch>());
            watches_.back()->point = std::move(p);
        }
    }
    for (auto& w : before) {
        if (w) dropped_.push_back(std::move(w));
    }
    wanted_.store(!watches_.empty() || !dropped_.empty());
}

std::vector<Watchpoint> Watches::points() const {
    const std::scoped_lock lock(mutex_);
    std::vector<Watchpoint> points;
    for (const auto& w : watches_) points.push_back(w->point);
    return points;
}

bool Watches::empty() const {
    const std::scoped_lock lock(mutex_);
    return watches_.empty();
}

std::vector<std::shared_ptr<Watches::Watch>> Watches::now() {
    std::vector<std::shared_ptr<Watch>> dropped;  // freed with no lock held
    const std::scoped_lock lock(mutex_);
    dropped.swap(dropped_);
    wanted_.store(!watches_.empty());
    return watches_;
}

void Watches::note(Watch& w, WatchHit hit) {
    const std::scoped_lock lock(mutex_);
    ++w.point.hits;
    std::vector<WatchHit>& list = w.point.list;
    if (list.size() == kLongestHitList) list.erase(list.begin());
    list.push_back(std::move(hit));
}

Watches::Fired Watches::look(const OpCall& call, std::span<const Tensor> outputs, EventId event, std::uint32_t step,
                             StopListener& listener) {
    Fired fired;
    const std::vector<std::shared_ptr<Watch>> watches = now();
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        std::optional<ValueStats> stats;
        for (const auto& w : watches) {
            if (!concerns(w->point, call, o)) continue;
            if (!stats) stats = stats_of(outputs[o]);
            // What is written to a Parameter is compared with what that held, wherever it was written.
            const bool written = o < call.op.schema.traits.writes;
            const Place place{call.frame, o, written ? parameter_name(call, o) : std::string()};
            if (!fires(*w, place, outputs[o], *stats, listener)) continue;
            note(*w, {call.op.name(), to_string(outputs[o].shape()), call.frame, step, event});
            fired.ids.push_back(w->point.id);
            fired.text = w->point.text;
        }
    }
    return fired;
}

Watches::Fired Watches::look_at_gradient(const Tensor& value, std::size_t number, FrameId frame, std::uint32_t step,
                                         StopListener& listener) {
    Fired fired;
    std::optional<ValueStats> stats;
    for (const auto& w : now()) {
        if (w->point.on != WatchOn::gradients) continue;
        if (!stats) stats = stats_of(value);
        if (!fires(*w, {frame, number, {}}, value, *stats, listener)) continue;
        note(*w, {{}, to_string(value.shape()), frame, step});
        fired.ids.push_back(w->point.id);
        fired.text = w->point.text;
    }
    return fired;
}

bool Watches::expression_holds(Watch& w, const ValueStats& stats, StopListener& listener) {
    std::string error;
    const bool holds = w.point.holds && w.point.holds(stats, error);
    if (error.empty() || std::exchange(w.failed, true)) return holds;
    const std::string message = "the watchpoint '" + w.point.text + "' raised (" + error + ") and was taken as false";
    listener.said(message + "\n");
    listener.unverified(w.point.id, message);
    return holds;
}

bool Watches::fires(Watch& watch, Place place, const Tensor& value, const ValueStats& s, StopListener& listener) {
    const Watchpoint& w = watch.point;
    const auto compared = [&](auto&& test) {
        if (!std::get<std::string>(place).empty()) std::get<FrameId>(place) = 0;
        if (watch.before.size() >= kMostPlaces) watch.before.clear();
        Tensor& before = watch.before[place];
        const Tensor old = std::exchange(before, snapshot_tensor(value));
        return old.defined() && old.type() == value.type() && test(old);
    };
    const auto moved = [&](const Tensor& old, bool relative) {
        for (std::int64_t i = 0; i < value.count(); ++i) {
            const double a = number_at(old, i), b = number_at(value, i);
            if (std::fabs(b - a) > w.a * (relative ? std::fabs(a) : 1)) return true;
        }
        return false;
    };
    const auto same_bits = [&](const Tensor& old) {
        return std::memcmp(old.impl()->raw(), value.impl()->raw(), value.type().bytes()) == 0;
    };
    switch (w.kind) {
        case WatchKind::nan:
            return s.nan > 0;
        case WatchKind::inf:
            return s.inf > 0;
        case WatchKind::overflow:
            return s.inf > 0 || s.at_limit > 0;
        case WatchKind::underflow:
            return s.subnormal > 0;
        case WatchKind::zero:
            return s.count > 0 && s.zero == s.count;
        case WatchKind::unchanged:
            return compared(same_bits);
        case WatchKind::changed:
            return compared([&](const Tensor& old) { return !same_bits(old); });
        case WatchKind::range:
            return s.min < w.a || s.max > w.b || s.inf > 0;
        case WatchKind::change:
            return compared([&](const Tensor& old) { return moved(old, false); });
        case WatchKind::relative_change:
            return compared([&](const Tensor& old) { return moved(old, true); });
        case WatchKind::norm:
            return s.norm > w.a || s.nan > 0 || s.inf > 0;
        case WatchKind::dead:
            return s.count > 0 && static_cast<double>(s.zero) >= w.a * static_cast<double>(s.count);
        case WatchKind::expression:
            return expression_holds(watch, s, listener);
    }
    return false;
}

}  // namespace fusescope::debug
