// Boxes of a flame graph: where each lies, as a share of the whole, so that a frame only scales them.
#pragma once

#include <QString>
#include <QVector>

#include "gui/app/selection.hpp"
#include "profiler/query/time_tree.hpp"

namespace fusescope::gui {

struct FlameBox {
    int parent = -1;
    int depth = 0;
    int firstChild = 0, childCount = 0;  ///< children are neighbours, the longest first
    qint64 begin = 0;                    ///< ns from the left edge of the whole
    qint64 total = 0;
    qint64 calls = 0;
    QString label;
    QString detail;  ///< for the tool tip: file and line, whole path
    bool op = false;
    Selection target;
};

struct FlameTree {
    bool modelled = false;
    qint64 total = 0;
    int depth = 0;
    int outermost = 0;  ///< boxes with no parent; they come first
    QVector<FlameBox> boxes;
};

FlameTree flameTree(const query::TimeTree& tree);

}  // namespace fusescope::gui
