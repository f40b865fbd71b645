// Profiles of any size, for tests of what the window does with millions of events and thousands of nodes.
#pragma once

#include <cstdint>
#include <string>

namespace fusescope::testing {

struct LargeProfile {
    std::int64_t events = 200'000;  ///< over two host threads, one device stream and a few kinds
    std::int64_t transfers = 2'000;
    int graph_nodes = 200;  ///< of one graph: layers of MatMul, BiasAdd, ReLU in nested scopes
};

/// Writes a finished profile with an empty script beside it. Throws std::runtime_error.
void write_large_profile(const std::string& path, const LargeProfile& size);

}  // namespace fusescope::testing
