// Turns a graph snapshot into rows, so that what a pass left alone is not written again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "fusescope/snapshot.hpp"
#include "profiler/write/inserter.hpp"

namespace fusescope {

/// A node object lives through a run of stages and has one row for it. A node that is still there in the last stage has
/// a second row for that stage alone, because whoever asks for the nodes of the last stage must find them all under its
/// id, and that row has the node's own id, because op events name it. See table `node`.
class GraphWriter {
 public:
    explicit GraphWriter(Inserter& insert) : insert_(insert) {}
    void write(const GraphSnapshot& graph);

 private:
    Inserter& insert_;
    std::int64_t next_stage_ = 1;
    std::int64_t next_code_ = 1;
    std::unordered_map<std::string, std::int64_t> codes_;  ///< rows of texts that were written
    std::int64_t next_earlier_life_ = std::int64_t{1} << 52;
};

}  // namespace fusescope
