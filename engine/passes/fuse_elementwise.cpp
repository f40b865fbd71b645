// Puts neighbouring elementwise ops into one generated kernel, whose inner values never reach memory:
//
//     %0 = Add(%a, %b)                        |   %0 = call @Add_Mul_fusion(%a, %b)
//     %1 = Mul(%0, 2.0)                       |
//
// Members of a cluster share one shape of results (operands broadcast to it); reductions over trailing axes may end it.
// Any member's value may leave the kernel, so a value that is used twice is computed once and kept.
//
// Clusters must not depend on each other in a circle. Each node gets a level such that an edge that leaves a cluster
// always goes up; nodes join the cluster of an operand only on the same level. So every cluster has one level, every
// path between clusters rises, and no path comes back: no search is needed. A second walk then moves a cluster up into
// its only first reader (a mask made in the forward pass joins the backward op that reads it).
#include <algorithm>

#include "engine/ops/op_ids.hpp"
#include "engine/passes/fuse.hpp"
#include "engine/passes/pass.hpp"
#include "engine/passes/uses.hpp"

namespace fusescope {
namespace {

constexpr std::size_t kMembers = 200;  // MindSpore's composite_op_limit_size
constexpr std::size_t kOperands = 24;  // pointers that a kernel keeps in registers or on a short stack

enum class Role : std::uint8_t { none, element, layout, reduction };

bool float_like(DType d) { return is_float(d); }

class Clusters {
 public:
    explicit Clusters(passes::PassContext& c) : c_(c), uses_(c.graph) {
        const std::size_t n = uses_.size();
        role_.assign(n, Role::none);
        level_.assign(n, 0);
        cluster_.assign(n, kNone);
        form();
        lift();
    }

    void emit() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t k = 0; k < clusters_.size(); ++k) {
            if (clusters_[k].members.size() >= 2 && find(k) == k) order.push_back(k);
        }
        for (std::uint32_t k : order) emit(k);
    }

 private:
    static constexpr std::uint32_t kNone = ~0u;
    struct Cluster {
        std::uint32_t parent = 0;  // union-find
        std::uint32_t level = 0;
        std::vector<std::uint32_t> members;
        std::vector<std::uint64_t> operands;  // values from outside: node number << 8 | output
        Shape shape;                          // of iteration
        int reduced = 0;                      // trailing axes that its reductions take; 0: it has none
    };

    std::uint32_t find(std::uint32_t k) {
        while (clusters_[k].parent != k) k = clusters_[k].parent = clusters_[clusters_[k].parent].parent;
        return k;
    }
    std::uint32_t cluster_of(std::uint32_t node) { return cluster_[node] == kNone ? kNone : find(cluster_[node]); }

    Role role_of(const ir::Node& n) const {
        if (n.kind != ir::NodeKind::op || n.has_effect() || n.types.size() != 1 || !n.present.empty())
            return Role::none;
        if (n.types[0].shape.count() == 0) return Role::none;
        if (n.op->elementwise()) {
            SmallVector<DType, 8> dtypes;
            for (const ir::Value& v : n.inputs) dtypes.push_back(v.type().dtype);
            return n.op->element(dtypes, n.attrs).steps.empty() ? Role::none : Role::element;
        }
        if (n.op->id == op::broadcast_to) return Role::layout;
        if (trailing_axes(n) > 0) return Role::reduction;
        return Role::none;
    }

    /// Trailing axes that a reduction takes; 0 when it is none that generated code can run.
    static int trailing_axes(const ir::Node& n) {
        const OpId id = n.op->id;
        if (id != op::sum && id != op::mean && id != op::amax) return 0;
        const TensorType& in = n.inputs[0].type();
        if (!float_like(in.dtype) || in.dtype != n.types[0].dtype || in.shape.count() == 0) return 0;
        const int rank = in.shape.rank();
        const Ints* given = std::get_if<Ints>(&n.attrs[0]);
        if (!given || given->empty()) return rank;
        SmallVector<bool, 8> taken(static_cast<std::size_t>(rank), false);
        for (std::int64_t a : *given) taken[static_cast<std::size_t>(a < 0 ? a + rank : a)] = true;
        int k = 0;
        while (k < rank && taken[static_cast<std::size_t>(rank - 1 - k)]) ++k;
        return k == static_cast<int>(given->size()) ? k : 0;
    }

    static std::uint64_t key(std::uint32_t node, std::uint32_t output) {
        return static_cast<std::uint64_t>(node) << 8 | output;
    }

    std::vector<std::uint64_t> outer_operands(std::uint32_t node) const {
        std::vector<std::uint64_t> keys;
        for (const ir::Value& v : uses_.node(node)->inputs) {
            if (v.node->kind == ir::NodeKind::constant && v.type().shape.count() == 1)
                continue;  // copied into the body
            keys.push_back(key(uses_.number(v.node.get()), v.index));
        }
        return keys;
    }

    /// Joins clusters (and the node, already a cluster of its own, among them) when the limits allow.
    bool join(const std::vector<std::uint32_t>& parts, std::uint32_t into) {
        std::size_t members = 0;
        int reduced = 0;
        std::vector<std::uint64_t> operands;
        for (std::uint32_t k : parts) {
            members += clusters_[k].members.size();
            if (clusters_[k].reduced && reduced && clusters_[k].reduced != reduced) return false;
            reduced = std::max(reduced, clusters_[k].reduced);
        }
        if (members > kMembers) return false;
        for (std::uint32_t k : parts) {
            for (std::uint64_t o : clusters_[k].operands) {
                const std::uint32_t maker = cluster_of(static_cast<std::uint32_t>(o >> 8));
                if (maker != kNone && std::find(parts.begin(), parts.end(), maker) != parts.end()) continue;
                if (std::find(operands.begin(), operands.end(), o) == operands.end()) operands.push_back(o);
            }
            if (operands.size() > kOperands) return false;
        }
        for (std::uint32_t k : parts) {
            if (k == into) continue;
            Cluster& from = clusters_[k];
            from.parent = into;
            auto& to = clusters_[into].members;
            if (to.size() < from.members.size()) to.swap(from.members);
            to.insert(to.end(), from.members.begin(), from.members.end());
            from.members.clear();
            from.operands.clear();
        }
        clusters_[into].operands = std::move(operands);
        clusters_[into].reduced = reduced;
        return true;
    }

    std::uint32_t new_cluster(std::uint32_t node, std::uint32_t level) {
        Cluster k;
        k.parent = static_cast<std::uint32_t>(clusters_.size());
        k.level = level;
        k.members = {node};
        k.operands = outer_operands(node);
        k.shape = role_[node] == Role::reduction ? uses_.node(node)->inputs[0].type().shape
                                                 : uses_.node(node)->types[0].shape;
        k.reduced = role_[node] == Role::reduction ? trailing_axes(*uses_.node(node)) : 0;
        clusters_.push_back(std::move(k));
        return static_cast<std::uint32_t>(clusters_.size() - 1);
    }

    void form() {
        std::uint32_t effect_level = 0;
        for (std::uint32_t i = uses_.leaves(); i < uses_.size(); ++i) {
            const ir::Node& n = *uses_.node(i);
            if (n.kind == ir::NodeKind::constant) continue;
            const Role role = role_[i] = role_of(n);
            const Shape* shape = nullptr;
            if (role == Role::reduction) {
                shape = &n.inputs[0].type().shape;
            } else if (role != Role::none) {
                shape = &n.types[0].shape;
            }
            std::uint32_t level = 0;
            std::vector<std::uint32_t> same;  // clusters that it could join
            for (const ir::Value& v : n.inputs) {
                if (!v.node) continue;
                const std::uint32_t p = uses_.number(v.node.get());
                if (p < uses_.leaves() || v.node->kind == ir::NodeKind::constant) continue;
                const std::uint32_t k = cluster_of(p);
                const bool fits = shape && k != kNone && role_[p] != Role::reduction && clusters_[k].shape == *shape;
                level = std::max(level, fits ? clusters_[k].level : level_of(p) + 1);
                if (fits && std::find(same.begin(), same.end(), k) == same.end()) same.push_back(k);
            }
            if (n.keeps_order()) {
                level = std::max(level, effect_level);
                effect_level = level + 1;
            }
            level_[i] = level;
            if (!shape) continue;
            std::erase_if(same, [&](std::uint32_t k) { return clusters_[k].level != level; });
            const std::uint32_t own = new_cluster(i, level);
            cluster_[i] = own;
            if (same.empty()) continue;
            std::vector<std::uint32_t> parts = same;
            parts.push_back(own);
            if (!join(parts, same[0])) {
                // A cluster that is full: this node starts another one, above it.
                clusters_[own].level = level_[i] = level + 1;
            }
        }
    }

    std::uint32_t level_of(std::uint32_t node) {
        const std::uint32_t k = cluster_of(node);
        return k == kNone ? level_[node] : clusters_[k].level;
    }

    /// Moves clusters up into the one reader that comes first, from the top down.
    void lift() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t k = 0; k < clusters_.size(); ++k) {
            if (find(k) == k) order.push_back(k);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return clusters_[a].level > clusters_[b].level; });
        for (std::uint32_t k : order) {
            if (clusters_[k].reduced) continue;
            std::uint32_t lowest = ~0u, target = kNone;
            bool alone = true;
            for (std::uint32_t m : clusters_[k].members) {
                for (const passes::Uses::Reader& r : uses_.readers(m)) {
                    const std::uint32_t reader = cluster_of(r.node);
                    if (reader == k) continue;
                    const std::uint32_t level = level_of(r.node);
                    if (level < lowest) {
                        lowest = level;
                        target = reader;
                        alone = true;
                    } else if (level == lowest && reader != target) {
                        alone = false;
                    } else if (level == lowest && reader == kNone) {
                        alone = false;
                    }
                }
            }
            if (target == kNone || !alone || clusters_[target].shape != clusters_[k].shape) continue;
            join({k, target}, target);
        }
    }

    void emit(std::uint32_t k) {
        std::vector<std::uint32_t>& numbers = clusters_[k].members;
        std::sort(numbers.begin(), numbers.end());
        std::vector<ir::NodePtr> members;
        std::vector<ir::Value> outputs;
        std::size_t working = 0;
        for (std::uint32_t m : numbers) {
            members.push_back(uses_.node(m));
            working += role_[m] != Role::layout;
            bool leaves = uses_.escapes(m);
            for (const passes::Uses::Reader& r : uses_.readers(m)) leaves = leaves || cluster_of(r.node) != k;
            if (leaves) outputs.push_back({uses_.node(m), 0});
        }
        if (working == 0 || outputs.empty()) return;
        const std::string name = passes::fusion_name(members);
        c_.explain([&] {
            return "fuse-elementwise: " + name + " takes " + std::to_string(members.size()) + " ops of shape " +
                   to_string(clusters_[k].shape) + " with " + std::to_string(clusters_[k].operands.size()) +
                   " operands";
        });
        passes::fuse(c_.rewriter, members, outputs, name, "elementwise", "elementwise op fused");
    }

    passes::PassContext& c_;
    passes::Uses uses_;
    std::vector<Role> role_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> cluster_;
    std::vector<Cluster> clusters_;
};

void run(passes::PassContext& c) { Clusters(c).emit(); }

}  // namespace

passes::Pass pass_fuse_elementwise() {
    return {"fuse-elementwise",
            "Puts neighbouring elementwise ops, with a trailing reduction, into one generated kernel.", run};
}

}  // namespace fusescope
