// Graphs that the tests of the IR and of the passes share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/ir/graph_builder.hpp"

namespace fusescope::testing {

struct Sample {
    std::string name;
    ir::GraphPtr graph;
};

/// A graph of what `body` computes; it makes its inputs by the builder.
ir::GraphPtr build(const std::string& name, const std::function<std::vector<Tensor>(ir::GraphBuilder&)>& body);

/// A dozen small programs: chains, broadcasting, reductions, several outputs, Parameters, branches, loops, constants.
std::vector<Sample> samples();
/// One of them.
ir::GraphPtr sample(const std::string& name);
/// A random acyclic program over a few shapes and dtypes, always the same for one seed.
ir::GraphPtr random_graph(unsigned seed, int ops);
/// A train step's worth of shape: `layers` of multiply, add, relu with their backward part and updates.
ir::GraphPtr large_graph(int ops);

Tensor make_parameter(const std::string& name, DType dtype, const Shape& shape);

}  // namespace fusescope::testing
