// What was in the outputs of an op?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct TensorInfo {
    std::int64_t id = 0;
    std::int64_t op_event_id = 0;
    std::int64_t output = 0;
    std::string dtype;
    std::string shape;
    std::int64_t count = 0;
    std::int64_t nan = 0;
    std::int64_t inf = 0;
    std::optional<std::int64_t> zero;
    std::optional<double> min, max, mean, std;  ///< over finite elements; empty when not computed
    std::optional<std::int64_t> first_bad_index;
    std::int64_t value_bytes = 0;  ///< 0 when the value was not kept

    bool healthy() const { return nan == 0 && inf == 0; }
};

std::vector<TensorInfo> tensors_of(Database& database, std::int64_t op_event_id);
std::optional<TensorInfo> tensor(Database& database, std::int64_t id);

/// Elements in row-major order; empty when the value was not kept.
std::vector<std::byte> tensor_value(Database& database, std::int64_t tensor_id);

/// Outputs with NaN or Inf, in order of events.
std::vector<TensorInfo> unhealthy_tensors(Database& database, std::int64_t limit = 1000);

}  // namespace fusescope::query
