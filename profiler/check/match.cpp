#include "profiler/check/match.hpp"

#include <algorithm>
#include <unordered_map>

namespace fusescope::check {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Whether each value of the second run at a place is one of the first run's there, in whatever order.
bool is_permutation(const Sequence& first, const Numbers& a, const Sequence& second, const Numbers& b) {
    std::unordered_map<std::uint64_t, std::int64_t> bag;
    const auto key = [](const Value& value, std::size_t output) {
        return value.hash * 31 + static_cast<std::uint64_t>(value.dtype) * 7 + output;
    };
    for (const std::uint32_t number : a) {
        const auto& outputs = first.executions[number].outputs;
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            if (outputs[k]) ++bag[key(*outputs[k], k)];
        }
    }
    for (const std::uint32_t number : b) {
        const auto& outputs = second.executions[number].outputs;
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            if (outputs[k] && --bag[key(*outputs[k], k)] < 0) return false;
        }
    }
    return true;
}

}  // namespace

Matching match(const Sequence& first, const Sequence& second) {
    Matching result;
    const std::size_t keys = std::max(first.by_key.size(), second.by_key.size());
    static const Numbers none;
    for (std::size_t key = 0; key < keys; ++key) {
        const Numbers& a = key < first.by_key.size() ? first.by_key[key] : none;
        const Numbers& b = key < second.by_key.size() ? second.by_key[key] : none;
        const std::size_t both = std::min(a.size(), b.size());
        result.only_first += a.size() - both;
        result.only_second += b.size() - both;
        const std::size_t before = result.different.size();
        for (std::size_t i = 0; i < both; ++i) {
            const auto& x = first.executions[a[i]].outputs;
            const auto& y = second.executions[b[i]].outputs;
            for (std::size_t k = 0; k < x.size() && k < y.size(); ++k) {
                if (x[k] == nullptr || y[k] == nullptr) continue;
                ++result.compared;
                if (!x[k]->same_bits(*y[k])) {
                    result.different.push_back({a[i], b[i], static_cast<std::uint32_t>(k), x[k], y[k]});
                }
            }
        }
        if (result.different.size() > before && b.size() > 1 && is_permutation(first, a, second, b)) {
            result.different.resize(before);
        }
    }
    for (const Execution& e : first.executions) result.first_outputs += e.outputs.size();
    std::sort(result.different.begin(), result.different.end(), [](const Pair& x, const Pair& y) {
        return x.first != y.first ? x.first < y.first : x.output < y.output;
    });
    return result;
}

void drop_equal(Matching& matching) {
    std::erase_if(matching.different,
                  [](const Pair& pair) { return difference(*pair.first_value, *pair.second_value, {}).none(); });
}

}  // namespace fusescope::check
