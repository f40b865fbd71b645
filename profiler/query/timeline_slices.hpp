// Every slice of a time line, slim and one after the other: for a view that pans and zooms at every frame and so cannot
// ask each time. A growing profile is followed by giving the last id seen.
#pragma once

#include <functional>
#include <string_view>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct OpSlice {
    std::int64_t id = 0;
    std::int64_t launch_ns = 0;
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    std::int64_t kind_id = 0;
    std::int64_t step = 0;
    std::int64_t scope_id = 0;
    std::int64_t thread = 0;
    std::int64_t stream = 0;
    std::string_view device;  ///< valid during the call
    bool modelled = false;
};

enum class SliceOrder { id, start };

/// Slices with a negative duration are left out. In order of id, which is that of issue; by start it takes longer. About
/// half a microsecond each.
void for_each_op_slice(Database& database, std::int64_t after_id, SliceOrder order,
                       const std::function<void(const OpSlice&)>& take);

/// `blocks` stretches of at most `rows` consecutive events each, evenly spread over the ids: what the whole looks like,
/// in a small part of the time.
void sample_op_slices(Database& database, int blocks, int rows,
                      const std::function<void(int block, const OpSlice&)>& take);

struct TransferSlice {
    std::int64_t id = 0;
    std::int64_t start_ns = 0;
    std::int64_t duration_ns = 0;
    std::int64_t direction = 0;  ///< 0 to the device, 1 to the host, 2 on the device
    std::int64_t bytes = 0;
    std::int64_t op_event_id = 0;  ///< 0 when it belongs to no op
    std::int64_t stream = 0;
    bool modelled = false;
};
void for_each_transfer_slice(Database& database, std::int64_t after_id,
                             const std::function<void(const TransferSlice&)>& take);

struct MemorySample {
    std::int64_t id = 0;
    std::int64_t time_ns = 0;
    std::int64_t total_bytes = 0;
    std::string_view device;  ///< valid during the call
};
void for_each_memory_sample(Database& database, std::int64_t after_id,
                            const std::function<void(const MemorySample&)>& take);

}  // namespace fusescope::query
