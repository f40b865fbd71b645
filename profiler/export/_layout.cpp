#include <algorithm>
#include <limits>
#include <numeric>

#include "profiler/export/layout.hpp"

namespace fusescope::layout {

namespace {

constexpr std::size_t kMostBends = 60'000;  // beyond this many bends, long edges are drawn straight
constexpr int kOrderSweeps = 10;
constexpr int kPositionSweeps = 8;

/// A place in a rank: a node, or the point where a long edge passes.
struct Slot {
    double width = 0;
    double x = 0;
    int rank = 0;
    std::size_t position = 0;  ///< in its rank
    bool bend = false;
    std::vector<std::size_t> above, below;
};

class Arranger {
 public:
    Arranger(Drawing& drawing, const Gaps& gaps) : drawing_(drawing), gaps_(gaps) {}

    void run() {
        if (drawing_.nodes.empty()) return;
        find_ranks();
        make_slots();
        order();
        place();
        finish();
    }

 private:
    void find_ranks() {
        const std::size_t count = drawing_.nodes.size();
        std::vector<std::vector<std::size_t>> out(count);
        std::vector<std::size_t> waiting(count, 0);
        for (std::size_t e = 0; e < drawing_.edges.size(); ++e) {
            const Edge& edge = drawing_.edges[e];
            if (edge.from == edge.to) continue;
            out[edge.from].push_back(e);
            ++waiting[edge.to];
        }
        std::vector<std::size_t> ready;
        std::vector<bool> taken(count, false);
        upward_.assign(drawing_.edges.size(), false);
        topological_.clear();
        std::size_t next_forced = 0, at = 0;
        for (std::size_t n = 0; n < count; ++n) {
            if (waiting[n] == 0) {
                ready.push_back(n);
                taken[n] = true;
            }
        }
        while (topological_.size() < count) {
            if (at == ready.size()) {  // only cycles are left: start at the first node, its missing inputs run upwards
                while (taken[next_forced]) ++next_forced;
                taken[next_forced] = true;
                ready.push_back(next_forced);
            }
            const std::size_t n = ready[at++];
            topological_.push_back(n);
            for (const std::size_t e : out[n]) {
                const std::size_t to = drawing_.edges[e].to;
                if (taken[to]) {
                    upward_[e] = true;
                    continue;
                }
                drawing_.nodes[to].rank = std::max(drawing_.nodes[to].rank, drawing_.nodes[n].rank + 1);
                if (--waiting[to] == 0) {
                    taken[to] = true;
                    ready.push_back(to);
                }
            }
        }
        // Inputs and constants sit just above their first user instead of all in the top row.
        std::vector<bool> has_input(count, false);
        for (std::size_t e = 0; e < drawing_.edges.size(); ++e) {
            if (!upward_[e] && drawing_.edges[e].from != drawing_.edges[e].to) has_input[drawing_.edges[e].to] = true;
        }
        for (std::size_t n = 0; n < count; ++n) {
            if (has_input[n]) continue;
            int lowest = std::numeric_limits<int>::max();
            for (const std::size_t e : out[n]) {
                if (!upward_[e]) lowest = std::min(lowest, drawing_.nodes[drawing_.edges[e].to].rank - 1);
            }
            if (lowest != std::numeric_limits<int>::max()) drawing_.nodes[n].rank = std::max(0, lowest);
        }
    }

    void make_slots() {
        for (const Node& node : drawing_.nodes) slots_.push_back({node.width, 0, node.rank, 0, false, {}, {}});
        std::size_t bends = 0;
        for (const Edge& edge : drawing_.edges) {
            bends += static_cast<std::size_t>(
                std::max(0, std::abs(drawing_.nodes[edge.to].rank - drawing_.nodes[edge.from].rank) - 1));
        }
        const bool with_bends = bends <= kMostBends;
        paths_.resize(drawing_.edges.size());
        for (std::size_t e = 0; e < drawing_.edges.size(); ++e) {
            const Edge& edge = drawing_.edges[e];
            std::vector<std::size_t>& path = paths_[e];
            path.push_back(edge.from);
            const int from = drawing_.nodes[edge.from].rank, to = drawing_.nodes[edge.to].rank;
            const int direction = to >= from ? 1 : -1;
            if (with_bends) {
                for (int rank = from + direction; rank != to && from != to; rank += direction) {
                    path.push_back(slots_.size());
                    slots_.push_back({0, 0, rank, 0, true, {}, {}});
                }
            }
            path.push_back(edge.to);
            for (std::size_t i = 1; i < path.size(); ++i) {
                const std::size_t upper = direction > 0 ? path[i - 1] : path[i];
                const std::size_t lower = direction > 0 ? path[i] : path[i - 1];
                if (slots_[upper].rank == slots_[lower].rank) continue;
                slots_[upper].below.push_back(lower);
                slots_[lower].above.push_back(upper);
            }
        }
        int ranks = 0;
        for (const Slot& slot : slots_) ranks = std::max(ranks, slot.rank + 1);
        ranks_.resize(static_cast<std::size_t>(ranks));
        // Nodes in topological order first, so that neighbours in the program start as neighbours in the picture.
        for (const std::size_t n : topological_) ranks_[static_cast<std::size_t>(slots_[n].rank)].push_back(n);
        for (std::size_t s = drawing_.nodes.size(); s < slots_.size(); ++s) {
            ranks_[static_cast<std::size_t>(slots_[s].rank)].push_back(s);
        }
        number();
    }

    void number() {
        for (const auto& rank : ranks_) {
            for (std::size_t i = 0; i < rank.size(); ++i) slots_[rank[i]].position = i;
        }
    }

    /// Pairs of lines that cross between one rank and the next, counted with a Fenwick tree.
    std::size_t crossings() const {
        std::size_t total = 0;
        std::vector<std::size_t> tree, targets;
        for (std::size_t r = 0; r + 1 < ranks_.size(); ++r) {
            const std::size_t width = ranks_[r + 1].size();
            tree.assign(width + 1, 0);
            std::size_t seen = 0;
            for (const std::size_t s : ranks_[r]) {
                targets.clear();
                for (const std::size_t below : slots_[s].below) {
                    if (slots_[below].rank == static_cast<int>(r) + 1) targets.push_back(slots_[below].position);
                }
                for (const std::size_t target : targets) {
                    std::size_t not_right = 0;
                    for (std::size_t i = target + 1; i > 0; i -= i & (~i + 1)) not_right += tree[i];
                    total += seen - not_right;
                }
                for (const std::size_t target : targets) {
                    for (std::size_t i = target + 1; i <= width; i += i & (~i + 1)) ++tree[i];
                    ++seen;
                }
            }
        }
        return total;
    }

    void order() {
        auto best = ranks_;
        std::size_t fewest = crossings();
        std::vector<double> wish(slots_.size());
        for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t i = 0; i < ranks_.size(); ++i) {
                auto& rank = ranks_[down ? i : ranks_.size() - 1 - i];
                for (const std::size_t s : rank) {
                    const auto& neighbours = down ? slots_[s].above : slots_[s].below;
                    double sum = 0;
                    for (const std::size_t n : neighbours) sum += static_cast<double>(slots_[n].position);
                    wish[s] = neighbours.empty() ? static_cast<double>(slots_[s].position)
                                                 : sum / static_cast<double>(neighbours.size());
                }
                std::stable_sort(rank.begin(), rank.end(),
                                 [&](std::size_t a, std::size_t b) { return wish[a] < wish[b]; });
                for (std::size_t p = 0; p < rank.size(); ++p) slots_[rank[p]].position = p;
            }
            const std::size_t now = crossings();
            if (now < fewest) {
                fewest = now;
                best = ranks_;
            }
        }
        ranks_ = std::move(best);
        number();
    }

    double distance(const Slot& left, const Slot& right) const {
        const double gap = left.bend && right.bend ? gaps_.between_lines : gaps_.between_nodes;
        return (left.width + right.width) / 2 + gap;
    }

    /// Moves a rank's slots as near as possible (least squares) to where they wish to be, keeping order and gaps.
    void settle(const std::vector<std::size_t>& rank, const std::vector<double>& wish,
                const std::vector<double>& weight) {
        struct Block {
            double sum, weight;
            std::size_t size;
        };
        std::vector<Block> blocks;
        std::vector<double> offset(rank.size(), 0);
        for (std::size_t i = 0; i < rank.size(); ++i) {
            if (i > 0) offset[i] = offset[i - 1] + distance(slots_[rank[i - 1]], slots_[rank[i]]);
            blocks.push_back({(wish[i] - offset[i]) * weight[i], weight[i], 1});
            while (blocks.size() > 1) {
                Block& right = blocks.back();
                Block& left = blocks[blocks.size() - 2];
                if (left.sum / left.weight <= right.sum / right.weight) break;
                left.sum += right.sum;
                left.weight += right.weight;
                left.size += right.size;
                blocks.pop_back();
            }
        }
        std::size_t i = 0;
        for (const Block& block : blocks) {
            for (std::size_t k = 0; k < block.size; ++k, ++i) slots_[rank[i]].x = block.sum / block.weight + offset[i];
        }
    }

    void place() {
        for (const auto& rank : ranks_) {
            double x = 0;
            for (std::size_t i = 0; i < rank.size(); ++i) {
                if (i > 0) x += distance(slots_[rank[i - 1]], slots_[rank[i]]);
                slots_[rank[i]].x = x;
            }
        }
        std::vector<double> wish, weight;
        for (int sweep = 0; sweep < kPositionSweeps; ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t i = 0; i < ranks_.size(); ++i) {
                const auto& rank = ranks_[down ? i : ranks_.size() - 1 - i];
                wish.clear();
                weight.clear();
                for (const std::size_t s : rank) {
                    const Slot& slot = slots_[s];
                    const auto& first = down ? slot.above : slot.below;
                    const auto& neighbours = first.empty() ? (down ? slot.below : slot.above) : first;
                    double sum = 0;
                    for (const std::size_t n : neighbours) sum += slots_[n].x;
                    wish.push_back(neighbours.empty() ? slot.x : sum / static_cast<double>(neighbours.size()));
                    weight.push_back(neighbours.empty() ? 0.1 : slot.bend ? 4 : 1);  // long edges stay straight
                }
                settle(rank, wish, weight);
            }
        }
    }

    void finish() {
        double left = std::numeric_limits<double>::max(), right = std::numeric_limits<double>::lowest();
        for (const Slot& slot : slots_) {
            left = std::min(left, slot.x - slot.width / 2);
            right = std::max(right, slot.x + slot.width / 2);
        }
        std::vector<double> heights(ranks_.size(), 0), centres(ranks_.size(), 0);
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            for (const std::size_t s : ranks_[r]) {
                if (s < drawing_.nodes.size()) heights[r] = std::max(heights[r], drawing_.nodes[s].height);
            }
        }
        double y = 0;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            centres[r] = y + heights[r] / 2;
            y += heights[r] + gaps_.between_ranks;
        }
        drawing_.width = right - left;
        drawing_.height = y - gaps_.between_ranks;
        for (std::size_t n = 0; n < drawing_.nodes.size(); ++n) {
            drawing_.nodes[n].x = slots_[n].x - left;
            drawing_.nodes[n].y = centres[static_cast<std::size_t>(slots_[n].rank)];
        }
        spread_ports(left, centres, heights);
    }

    /// Edges leave and reach a box at different places along its border, in the order of where they go.
    void spread_ports(double left, const std::vector<double>& centres, const std::vector<double>& heights) {
        std::vector<std::vector<std::size_t>> leaving(drawing_.nodes.size()), reaching(drawing_.nodes.size());
        for (std::size_t e = 0; e < drawing_.edges.size(); ++e) {
            leaving[drawing_.edges[e].from].push_back(e);
            reaching[drawing_.edges[e].to].push_back(e);
            drawing_.edges[e].points.assign(2, {});
        }
        for (std::size_t n = 0; n < drawing_.nodes.size(); ++n) {
            const Node& node = drawing_.nodes[n];
            for (const bool out : {true, false}) {
                auto& edges = out ? leaving[n] : reaching[n];
                const auto towards = [&](std::size_t e) {
                    return slots_[out ? paths_[e][1] : paths_[e][paths_[e].size() - 2]].x;
                };
                std::stable_sort(edges.begin(), edges.end(),
                                 [&](std::size_t a, std::size_t b) { return towards(a) < towards(b); });
                const double step =
                    std::min(12.0, node.width * 0.7 / static_cast<double>(std::max<std::size_t>(1, edges.size())));
                for (std::size_t i = 0; i < edges.size(); ++i) {
                    Edge& edge = drawing_.edges[edges[i]];
                    const bool downwards = drawing_.nodes[edge.to].rank > drawing_.nodes[edge.from].rank;
                    const double x =
                        node.x + step * (static_cast<double>(i) - static_cast<double>(edges.size() - 1) / 2);
                    const double y = node.y + (out == downwards ? node.height : -node.height) / 2;
                    (out ? edge.points.front() : edge.points.back()) = {x, y};
                }
            }
        }
        for (std::size_t e = 0; e < drawing_.edges.size(); ++e) {
            Edge& edge = drawing_.edges[e];
            std::vector<Point> points{edge.points.front()};
            const bool down = drawing_.nodes[edge.to].rank > drawing_.nodes[edge.from].rank;
            for (std::size_t i = 1; i + 1 < paths_[e].size(); ++i) {
                const Slot& slot = slots_[paths_[e][i]];
                const auto rank = static_cast<std::size_t>(slot.rank);
                const double half = heights[rank] / 2;
                // Straight past the row of boxes, so that the line does not cut a corner.
                points.push_back({slot.x - left, centres[rank] + (down ? -half : half)});
                points.push_back({slot.x - left, centres[rank] + (down ? half : -half)});
            }
            points.push_back(edge.points.back());
            edge.points = std::move(points);
        }
    }

    Drawing& drawing_;
    const Gaps& gaps_;
    std::vector<Slot> slots_;  ///< the nodes first, then the bends
    std::vector<std::vector<std::size_t>> ranks_, paths_;
    std::vector<std::size_t> topological_;
    std::vector<bool> upward_;
};

}  // namespace

void arrange(Drawing& drawing, const Gaps& gaps) { Arranger(drawing, gaps).run(); }

}  // namespace fusescope::layout
