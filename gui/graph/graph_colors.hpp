// What the colours of a graph tell, and the legend that says so. Every colour that stands for a state comes with a
// sign, so that nothing hangs on hue alone.
#pragma once

#include <QColor>
#include <QHash>
#include <QString>
#include <QVector>

#include "gui/graph/visible_graph.hpp"

namespace fusescope::gui {

enum class GraphColoring { Kind, Time, Memory, Device, Health, Change };

/// What a run says about a node.
struct NodeFacts {
    double timeShare = -1;  ///< of the graph's time, 0…1; -1 when it was not timed
    bool modelled = false;  ///< the time is from a cost model
    bool ofKernel = false;  ///< time, device and health are those of the kernel that the node went into
    double weight = 1;      ///< what part of that kernel's time is told of this node, so that sums come out right
    QString device;         ///< "" when it did not run
    qint64 nan = 0;         ///< elements of its outputs over all runs
    qint64 inf = 0;
    Change change = Change::None;  ///< against the other stage that is shown
    QString note;                  ///< why, when that is known
};
using GraphFacts = QHash<qint64, NodeFacts>;

struct BoxPaint {
    QColor hue;            ///< of the bar at the side and the outline; invalid for plain
    QColor fill;           ///< of the body; invalid for plain
    bool hatched = false;  ///< modelled, not measured
    QString sign;          ///< short text in the corner: "NaN", "+", "−"
};

struct LegendEntry {
    QColor color;
    QString text;
    bool hatched = false;
};
struct GraphLegend {
    QString title;
    QVector<LegendEntry> entries;
    bool ramp = false;  ///< entries are the two ends of a ramp
};

class GraphColors {
 public:
    GraphColors(GraphColoring coloring, const VisibleGraph& graph, const GraphFacts& facts);

    BoxPaint paintOf(int box) const;
    GraphLegend legend() const;

 private:
    struct Sum {
        double time = -1;
        bool modelled = false;
        bool ofKernel = false;
        double bytes = 0;
        QString device;
        qint64 nan = 0, inf = 0;
        int changes[5] = {0, 0, 0, 0, 0};  // by Change
    };
    BoxPaint byKind(int box) const;

    GraphColoring coloring_;
    const VisibleGraph& graph_;
    const GraphFacts& facts_;
    QVector<Sum> sums_;
    double mostTime_ = 0, mostBytes_ = 0;
};

/// A merged graph knows its changes itself; else they are facts.
Change changeOf(const GraphNode& node, const GraphFacts& facts);

/// Colour and sign of what became of a node.
QColor colorOfChange(Change change);
QString signOfChange(Change change);
QString textOfChange(Change change);

}  // namespace fusescope::gui
