// An export format: a name and a function. One file of this folder each, collected by the build.
#pragma once

#include <string>
#include <vector>

#include "profiler/export/sink.hpp"

namespace fusescope {

class Database;

struct Exporter {
    const char* format;   ///< what --export takes: "trace.json"
    const char* summary;  ///< one sentence
    void (*write)(Database& database, Sink& sink);
};

/// Every format, in order of names. Generated.
std::vector<Exporter> exporter_all();

}  // namespace fusescope
