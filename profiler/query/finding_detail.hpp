// The parts of a finding's detail, out of its JSON.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

/// One element on the way from a bad value back to its cause.
struct FindingStep {
    std::string op, file, name, phase, value;
    std::int64_t line = 0;
    std::vector<std::int64_t> index;
};

/// Fields that do not apply are empty.
struct FindingDetail {
    std::string op;
    std::string file;
    std::int64_t line = 0;
    std::string phase;
    std::string rule;
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> count;
    std::vector<std::int64_t> index;
    std::vector<std::string> inputs;
    std::vector<std::string> shapes;
    std::string root_op;
    std::string root_file;
    std::int64_t root_line = 0;
    std::string root_name;  ///< variable that the root's line assigns to
    std::vector<std::int64_t> root_index;
    std::string root_value;
    std::string reach;  ///< of a NaN or Inf: "output", "loss", "gradient", "parameter", "absorbed"
    std::int64_t reach_line = 0;
    std::int64_t occurrences = 1;
    std::vector<FindingStep> chain;  ///< from the operand to blame back to the root
    std::string advice;
    std::map<std::string, std::string> arguments;
};

/// Never throws on bad JSON: what cannot be read stays empty.
FindingDetail parse_finding_detail(std::string_view json);

}  // namespace fusescope::query
