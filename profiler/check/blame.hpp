// Finding the pass, and the one rewrite of it, that makes a difference: by running the program with fewer of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fusescope::check {

struct Probe {
    bool differs = false;
    std::uint64_t rewrites = 0;  ///< of the pass that was asked about
};
/// Runs the program with the passes of a --passes specification, and says whether the difference is there and how many
/// rewrites `pass` (may be empty) made.
using Prober = std::function<Probe(const std::string& passes, const std::string& pass)>;

struct Blame {
    std::string pass;            ///< empty: the difference is there without any pass
    std::string passes;          ///< what --passes shows the difference with as few passes as possible
    bool alone = true;           ///< this pass shows it by itself; else the ones before it are needed as well
    std::uint64_t rewrites = 0;  ///< that the pass makes in a run with `passes`
    std::uint64_t rewrite = 0;   ///< the one that makes the difference, counted from 1; 0: not a single one
    std::string passes_with;     ///< stops after that rewrite; empty without one
    int runs = 0;
};

/// `passes`: those that were on when the difference was seen, in their order. Takes about log2 of their number plus
/// log2 of the rewrites of one as many runs.
Blame find_blame(const std::vector<std::string>& passes, const Prober& probe);

}  // namespace fusescope::check
