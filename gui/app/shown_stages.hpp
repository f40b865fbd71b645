// Which graph is looked at, and which two of its stages: shared by all panels that show graphs.
#pragma once

#include <QObject>
#include <QPair>
#include <vector>

#include "profiler/query/graphs.hpp"

namespace fusescope::gui {

class Session;

class ShownStages : public QObject {
    Q_OBJECT

 public:
    explicit ShownStages(Session& session);

    const std::vector<query::Graph>& graphs() const { return graphs_; }
    const std::vector<query::Stage>& stages() const { return stages_; }
    qint64 graph() const { return graph_; }
    /// Row id of a stage; 0 when there is none.
    qint64 before() const { return shown_[0]; }
    qint64 after() const { return shown_[1]; }
    qint64 shown(int side) const { return shown_[side]; }
    /// The two stages in the order in which they came about, whichever side they are on.
    QPair<qint64, qint64> inOrder() const;

    void setGraph(qint64 graph);
    /// side 0 is before, 1 is after.
    void setStage(int side, qint64 stage);
    void setBoth(qint64 before, qint64 after);
    bool isLoading() const { return loading_; }

 signals:
    void graphsChanged();
    void stagesChanged();
    /// One or both of the shown stages are other ones.
    void shownChanged();

 private:
    void load();
    void loadStages();
    void clear();

    Session& session_;
    std::vector<query::Graph> graphs_;
    std::vector<query::Stage> stages_;
    qint64 graph_ = 0;
    qint64 shown_[2] = {0, 0};
    bool loading_ = false;
};

}  // namespace fusescope::gui
