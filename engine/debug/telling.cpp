#include "engine/debug/telling.hpp"

namespace fusescope::debug {

void Telling::offer(double v, std::int64_t index) {
    const auto keep = [&](std::optional<Element>& place) {
        if (!place) place = Element{v, index};
    };
    if (count_++ == 0) first_ = v;
    alike_ = alike_ && v == first_;
    if (std::isnan(v)) keep(nan_);
    if (v == INFINITY) keep(up_);
    if (v == -INFINITY) keep(down_);
    if (v == 0) keep(zero_);
    if (v == result_) keep(equal_);
    if (!largest_ || std::fabs(v) > std::fabs(largest_->number)) largest_ = Element{v, index};
}

std::vector<Source> Telling::sources() const {
    if (count_ == 0) return {};
    if (nan_) return {source(*nan_)};
    if (std::isnan(result_)) {
        std::vector<Source> found;
        if (up_) found.push_back(source(*up_));
        if (down_ && (!multiplies_ || !up_)) found.push_back(source(*down_));
        if (found.empty()) found.push_back(source(*largest_));
        if (multiplies_ && zero_ && zero_->index != found[0].index) found.push_back(source(*zero_));
        return found;
    }
    if (equal_) return {source(*equal_)};
    if (up_ || down_) return {source(up_ ? *up_ : *down_)};
    return {source(*largest_)};
}

void TellingPair::offer(double a, std::int64_t at_a, double b, std::int64_t at_b) {
    const Pair pair{a, b, a * b, at_a, at_b};
    ++count_;
    const auto keep = [&](std::optional<Pair>& place) {
        if (!place) place = pair;
    };
    if (std::isnan(pair.product)) keep(std::isnan(a) || std::isnan(b) ? carried_ : born_);
    if (pair.product == INFINITY) keep(up_);
    if (pair.product == -INFINITY) keep(down_);
    if (!largest_ || std::fabs(pair.product) > std::fabs(largest_->product)) largest_ = pair;
}

std::vector<Source> TellingPair::sources() const {
    if (count_ == 0) return {};
    std::vector<Source> found;
    const auto add = [&](const Pair& p) {
        found.push_back({0, p.at_a, p.a, count_, false, false});
        found.push_back({1, p.at_b, p.b, count_, false, false});
    };
    if (carried_) {
        add(*carried_);
    } else if (born_) {
        add(*born_);
    } else if (std::isnan(result_) && up_ && down_) {
        add(*up_);
        add(*down_);
    } else {
        add(up_ ? *up_ : down_ ? *down_ : *largest_);
    }
    return found;
}

}  // namespace fusescope::debug
