// The texts of two stages next to each other: which lines belong together, which node a line is of, and both as one
// text with a sign before each line that only one of them has.
#pragma once

#include <QHash>
#include <QStringList>
#include <QVector>

#include "gui/graph/graph_data.hpp"

namespace fusescope::gui {

/// The line that defines a node with what is written below it, or one other line.
struct TextBlock {
    int first = 0;  ///< 0-based line
    int count = 1;
    QString key;      ///< what it says, without numbers that every stage gives anew
    qint64 node = 0;  ///< 0 for other lines
    /// Against the other stage; blocks that only one of the texts has are never None.
    Change change = Change::None;
};

struct StageText {
    QStringList lines;
    QVector<TextBlock> blocks;
    QHash<qint64, int> lineOf;      ///< where a node is defined
    QHash<QString, qint64> nodeOf;  ///< words of the text that are nodes

    QString text() const { return lines.join('\n'); }
};

StageText readText(const QString& text, const GraphData& data);

/// Blocks that say the same, as positions in both, in order.
using Alignment = QVector<QPair<int, int>>;
Alignment align(const StageText& earlier, const StageText& later);

/// Sets the changes of the blocks that have no partner, and of those whose node was changed.
void markText(StageText& earlier, StageText& later, const Alignment& alignment, const GraphData& lower,
              const GraphData& upper);

/// Both in one: what is gone stands before what took its place.
StageText mergeTexts(const StageText& earlier, const StageText& later, const Alignment& alignment);

/// The line of the other text that belongs beside `line`; between two that do, in proportion.
int lineBeside(int line, const StageText& from, const StageText& to, const Alignment& alignment, bool forward);

/// Words of a line that may be nodes: "%3", "CNode_12", "fc.weight".
QStringList wordsOf(const QString& line);

}  // namespace fusescope::gui
