// Who reads what in a graph, found in one walk.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/ir/graph.hpp"

namespace fusescope::passes {

/// Nodes are numbered in the order of the graph: leaves first, then nodes.
class Uses {
 public:
    explicit Uses(const ir::Graph& graph);

    struct Reader {
        std::uint32_t node;    ///< number of the reader
        std::uint32_t input;   ///< which of its operands
        std::uint32_t output;  ///< which output is read
    };

    std::uint32_t number(const ir::Node* n) const { return numbers_.at(n); }
    const ir::NodePtr& node(std::uint32_t number) const { return nodes_[number]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    std::uint32_t leaves() const { return leaves_; }
    std::span<const Reader> readers(std::uint32_t number) const {
        return {readers_.data() + first_[number], first_[number + 1] - first_[number]};
    }
    /// The value leaves the graph, as a result or as a Parameter's new value.
    bool escapes(const ir::Value& v) const;
    bool escapes(std::uint32_t number) const { return escaping_[number]; }
    /// Readers of one value, results of the graph included.
    std::uint32_t count(const ir::Value& v) const;

 private:
    std::vector<ir::NodePtr> nodes_;
    std::uint32_t leaves_ = 0;
    std::unordered_map<const ir::Node*, std::uint32_t> numbers_;
    std::vector<std::size_t> first_;
    std::vector<Reader> readers_;
    std::vector<bool> escaping_;  // any output
    std::vector<ir::Value> out_;  // all values that leave, for nodes with several outputs
};

}  // namespace fusescope::passes
