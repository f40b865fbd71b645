// A run as the program asked for it: its ops in program order, whether they ran one by one or as nodes of graphs.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/check/log.hpp"

namespace fusescope::check {

/// Places of ops as numbers, the same for all runs of a program. A place is the user's line, the op's kind and the
/// phase. The callers of the line are left out: a compiled function keeps those of its first call.
class Keys {
 public:
    std::uint32_t intern(const Frame& frame, const std::string& op, Phase phase);
    std::size_t size() const { return numbers_.size(); }

 private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// One op that the program asked for.
struct Execution {
    std::uint32_t key = 0;
    std::uint32_t occurrence = 0;     ///< how many came before at this place
    const Event* event = nullptr;     ///< what ran: the op itself or a kernel that it is part of; null when nothing did
    const GraphMap* graph = nullptr;  ///< null: it ran by itself
    const CapturedNode* node = nullptr;  ///< of the graph
    std::vector<const Value*> outputs;   ///< null where the value existed nowhere, as inside a kernel
};

/// Refers to the log, which must stay.
struct Sequence {
    std::vector<Execution> executions;
    std::vector<std::vector<std::uint32_t>> by_key;  ///< numbers of executions
};

Sequence sequence_of(const Log& log, Keys& keys);

}  // namespace fusescope::check
