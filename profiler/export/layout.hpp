// A layered drawing of a directed graph, top to bottom, for the SVG export: the profile library links no Graphviz.
// Ranks by longest path, order by barycentre (the sweep with the fewest crossings wins), positions by least squares.
#pragma once

#include <cstddef>
#include <vector>

namespace fusescope::layout {

struct Point {
    double x = 0, y = 0;
};

struct Node {
    double width = 0, height = 0;  ///< given
    double x = 0, y = 0;           ///< found: the centre
    int rank = 0;                  ///< found: 0 is the top
};

struct Edge {
    std::size_t from = 0, to = 0;  ///< given: places in the list of nodes
    std::vector<Point> points;     ///< found: from the border of `from` to the border of `to`, one point a rank between
};

struct Drawing {
    std::vector<Node> nodes;
    std::vector<Edge> edges;  ///< cycles are drawn too, with edges that run upwards
    double width = 0, height = 0;
};

struct Gaps {
    double between_nodes = 18, between_ranks = 34, between_lines = 10;
};

/// Fills in what is "found". Takes time in proportion to nodes plus edges (times their logarithm).
void arrange(Drawing& drawing, const Gaps& gaps = {});

}  // namespace fusescope::layout
