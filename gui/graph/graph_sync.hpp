// Two graphs that move together: when the user pans or zooms one, the other goes to the same part of the program. Their
// layouts differ, so what is held together are the nodes that have a counterpart on the other side.
#pragma once

#include <QObject>
#include <QPair>
#include <QVector>

#include "gui/graph/graph_view.hpp"

namespace fusescope::gui {

class GraphSync : public QObject {
    Q_OBJECT

 public:
    GraphSync(GraphView& first, GraphView& second, QObject* parent);

    void setEnabled(bool enabled) { enabled_ = enabled; }
    /// Node of the first graph and the one in the second that it became.
    void setPairs(QVector<QPair<qint64, qint64>> pairs) { pairs_ = std::move(pairs); }

 private:
    void followView(GraphView& moved, GraphView& other, double zoom);

    GraphView* views_[2];
    QVector<QPair<qint64, qint64>> pairs_;
    bool enabled_ = true;
};

}  // namespace fusescope::gui
