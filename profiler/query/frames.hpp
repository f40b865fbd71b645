// Source files, call stacks and names.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/query/common.hpp"

namespace fusescope::query {

struct Source {
    std::int64_t id = 0;
    std::string path;
    bool has_text = false;
    std::string note;  ///< why there is no text
};
std::vector<Source> sources(Database& database);

/// Empty when it was not kept.
std::optional<std::string> source_text(Database& database, std::int64_t source_id);

struct Frame {
    std::int64_t id = 0;
    std::int64_t parent_id = 0;
    std::int64_t source_id = 0;
    std::string path;
    std::int64_t line = 0;
    std::string function;
};
std::optional<Frame> frame(Database& database, std::int64_t id);

/// The frame and its callers, innermost first.
std::vector<Frame> stack(Database& database, std::int64_t frame_id);

/// For every frame the functions on the way to it, outermost first: "train_step/forward/construct". Module level is
/// left out, so that a line at module level has an empty path.
std::unordered_map<std::int64_t, std::string> call_paths(Database& database);

struct Kind {
    std::int64_t id = 0;
    std::string name;
};
std::vector<Kind> op_kinds(Database& database);

struct Scope {
    std::int64_t id = 0;
    std::string path;
};
std::vector<Scope> scopes(Database& database);

}  // namespace fusescope::query
