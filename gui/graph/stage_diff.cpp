#include "gui/graph/stage_diff.hpp"

#include <QCoreApplication>
#include <QSet>
#include <QStringList>
#include <algorithm>

namespace fusescope::gui {

namespace {

struct StageDiffWords {
    Q_DECLARE_TR_FUNCTIONS(StageDiffWords)
};

bool computes(const GraphNode& node) { return !isLeafOp(node.op) && node.op != QLatin1String("Return"); }

bool sameNode(const GraphNode& a, const GraphNode& b) {
    return a.id == b.id || (a.op == b.op && a.dtype == b.dtype && a.shape == b.shape && a.value == b.value);
}

// The nodes of the earlier stage that a node came from; operands that a kernel only reads are not what it was made of.
QVector<const GraphNode*> originsOf(const GraphNode& node, const GraphData& lower, const StageLinks& links) {
    QVector<const GraphNode*> found;
    for (const qint64 id : links.origins.value(node.id)) {
        if (const GraphNode* from = lower.find(id)) {
            found.push_back(from);
        }
    }
    if (found.isEmpty()) {
        if (const GraphNode* same = lower.find(node.id)) {
            found.push_back(same);
        }
    }
    if (computes(node)) {
        found.erase(std::remove_if(found.begin(), found.end(), [](const GraphNode* from) { return !computes(*from); }),
                    found.end());
    }
    return found;
}

QString namesOf(const QVector<QString>& ops) {
    QStringList shown = ops.mid(0, 6);
    if (ops.size() > shown.size()) {
        shown << QStringLiteral("…");
    }
    return shown.join(QStringLiteral(", "));
}

}  // namespace

void markChanges(GraphData& lower, GraphData& upper, const StageLinks& links) {
    QHash<qint64, QVector<QString>> successors;  // ops that a node of the earlier stage went into, outside kernels
    QSet<qint64> fused, kept;
    for (GraphNode& node : upper.nodes) {
        if (node.parent != 0) {
            continue;
        }
        const auto from = originsOf(node, lower, links);
        const bool kernel = upper.membersOf.contains(node.id);
        const bool same = std::any_of(from.begin(), from.end(), [&](const auto* each) { return each->id == node.id; });
        if (same) {
            kept.insert(node.id);
            continue;
        }
        if (from.isEmpty()) {
            node.change = Change::Added;
            continue;
        }
        if (kernel ||
            std::any_of(from.begin(), from.end(), [&](const auto* each) { return each->op != from[0]->op; })) {
            if (kernel || from.size() > 1) {
                node.change = Change::Fused;
                QVector<QString> ops;
                for (const auto* each : from) {
                    fused.insert(each->id);
                    ops.push_back(each->op);
                }
                node.note = StageDiffWords::tr("from %1").arg(namesOf(ops));
                continue;
            }
        }
        for (const auto* each : from) {
            successors[each->id].push_back(node.op);
        }
        const GraphNode& first = *from.front();
        if (from.size() > 1) {
            node.change = Change::Changed;
            node.note = StageDiffWords::tr("stands for %1 equal nodes").arg(from.size());
        } else if (!sameNode(first, node)) {
            node.change = Change::Changed;
            node.note = first.op == node.op ? StageDiffWords::tr("was %1").arg(GraphData::typeOf(first, 0))
                                            : StageDiffWords::tr("was %1").arg(first.op);
        }
    }
    // One node that became several was expanded: those are new, and it is gone.
    for (GraphNode& node : upper.nodes) {
        const auto from = node.change == Change::Changed ? originsOf(node, lower, links) : QVector<const GraphNode*>();
        if (from.size() == 1 && successors.value(from.front()->id).size() > 1) {
            node.change = Change::Added;
            node.note = StageDiffWords::tr("part of what was %1").arg(from.front()->op);
        }
    }
    for (GraphNode& node : lower.nodes) {
        if (node.parent != 0 || kept.contains(node.id)) {
            continue;
        }
        const auto into = successors.value(node.id);
        if (fused.contains(node.id)) {
            node.change = Change::Fused;
        } else if (into.isEmpty()) {
            node.change = node.op == QLatin1String("Return") ? Change::None : Change::Removed;
            node.note = links.reasons.value(node.id);
        } else if (into.size() > 1) {
            node.change = Change::Removed;
            node.note = StageDiffWords::tr("became %1").arg(namesOf(into));
        } else if (into.front() != node.op) {
            node.change = Change::Changed;
            node.note = StageDiffWords::tr("became %1").arg(into.front());
        }
    }
}

GraphData mergeStages(GraphData lower, GraphData upper, const StageLinks& links) {
    markChanges(lower, upper, links);
    GraphData merged;
    merged.stage = upper.stage;
    merged.merged = true;
    QHash<qint64, qint64> standsFor;  // node of the earlier stage to the one that is drawn for it
    QSet<qint64> drawn;
    for (const GraphNode& node : upper.nodes) {
        const GraphNode* holder = node.parent != 0 ? upper.find(node.parent) : nullptr;
        if (holder && holder->change == Change::Fused) {
            continue;  // the hull shows what the kernel was made of, not the copies in it
        }
        merged.nodes.push_back(node);
        drawn.insert(node.id);
        const auto from = originsOf(node, lower, links);
        if (node.change != Change::Fused) {
            for (const auto* each : from) {
                if (node.change != Change::Added && !standsFor.contains(each->id)) {
                    standsFor.insert(each->id, node.id);
                }
            }
            continue;
        }
        for (const auto* each : from) {
            if (standsFor.contains(each->id)) {
                continue;
            }
            GraphNode member = *each;
            member.parent = node.id;
            member.change = Change::Fused;
            merged.nodes.push_back(member);
            drawn.insert(member.id);
            standsFor.insert(member.id, member.id);
        }
    }
    for (const GraphNode& node : lower.nodes) {
        if (node.parent == 0 && node.change == Change::Removed && !standsFor.contains(node.id) &&
            !drawn.contains(node.id)) {
            merged.nodes.push_back(node);
            drawn.insert(node.id);
            standsFor.insert(node.id, node.id);
        }
    }
    QSet<QPair<qint64, qint64>> known;
    for (const GraphEdge& edge : upper.edges) {
        if (drawn.contains(edge.source) && drawn.contains(edge.target)) {
            merged.edges.push_back(edge);
            known.insert({edge.source, edge.target});
        }
    }
    for (const GraphEdge& edge : lower.edges) {
        const qint64 source = standsFor.value(edge.source), target = standsFor.value(edge.target);
        // What only the earlier stage has: edges from and to the nodes that stand for themselves.
        const bool old = source == edge.source || target == edge.target;
        if (source == 0 || target == 0 || !old || known.contains({source, target})) {
            continue;
        }
        merged.edges.push_back({source, edge.sourceOutput, target, edge.targetInput});
        known.insert({source, target});
    }
    merged.index();
    return merged;
}

}  // namespace fusescope::gui
