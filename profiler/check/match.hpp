// Which value of the one run is which of the other, and which of them differ.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/check/difference.hpp"
#include "profiler/check/sequence.hpp"

namespace fusescope::check {

/// The same output of the same op in both runs, with other bits.
struct Pair {
    std::uint32_t first = 0, second = 0;  ///< numbers of the executions
    std::uint32_t output = 0;
    const Value* first_value = nullptr;
    const Value* second_value = nullptr;
};

struct Matching {
    std::uint64_t compared = 0;       ///< outputs that both runs had
    std::uint64_t first_outputs = 0;  ///< outputs of the first run
    std::uint64_t only_first = 0;     ///< ops without a counterpart in the other run
    std::uint64_t only_second = 0;
    std::vector<Pair> different;  ///< in the order of the first run
};

/// Ops are the same when they are the n-th at the same place. Where several of one place come in another order, as
/// graphs that run later than they were asked for do, they are compared as a bag.
Matching match(const Sequence& first, const Sequence& second);
/// Takes out what differs only in the bits of NaNs, as far as the values were kept.
void drop_equal(Matching& matching);

}  // namespace fusescope::check
